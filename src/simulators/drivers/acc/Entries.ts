/** Who drives what, and where: what Assetto Corsa Competizione tells once it is asked. */
import { carModelNamed } from "./carModels.ts"
import type { EntryList, EntryListCar, TrackData } from "./layout.ts"

/** "" for what is not known. */
export interface EntryNames {
  readonly circuit: string
  readonly vehicle: string
  readonly driver: string
}

export class Entries {
  #track: TrackData | undefined
  readonly #cars = new Map<number, EntryListCar>()

  get hasTrack(): boolean {
    return this.#track !== undefined
  }

  /** m; undefined where it is not known. */
  get trackLength(): number | undefined {
    const metres = this.#track?.trackMeters ?? 0
    return metres > 0 ? metres : undefined
  }

  setTrack(track: TrackData): void {
    this.#track = track
  }

  setCar(car: EntryListCar): void {
    this.#cars.set(car.carIndex, car)
  }

  /** The cars that are there; what was known of others is no longer so. */
  keep({ cars }: EntryList): void {
    for (const carIndex of this.#cars.keys()) if (!cars.includes(carIndex)) this.#cars.delete(carIndex)
  }

  /** `driverCount`: how many drivers the car was last said to have, if any; another number means another crew. */
  hasCar(carIndex: number, driverCount: number | undefined): boolean {
    const car = this.#cars.get(carIndex)
    return car !== undefined && (driverCount === undefined || car.drivers.length === driverCount)
  }

  namesOf(carIndex: number, driverIndex: number): EntryNames {
    const car = this.#cars.get(carIndex)
    const driver = car?.drivers[driverIndex] ?? car?.drivers[car.currentDriverIndex]
    return {
      circuit: this.#track?.trackName ?? "",
      vehicle: car === undefined ? "" : carModelNamed(car.carModelType),
      driver: driver === undefined ? "" : `${driver.firstName} ${driver.lastName}`.trim()
    }
  }
}
