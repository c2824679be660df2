/** The drivers and cars of a session, and its track, as Assetto Corsa Competizione sends them on request. */
import { carModelNamed } from "./carModels.ts"
import type { EntryList, EntryListCar, TrackData } from "./layout.ts"

/** "" where it is unknown. */
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

  /** m; undefined where it is unknown. */
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

  /** Keeps the entries of these cars and forgets those of all others. */
  keep({ cars }: EntryList): void {
    for (const carIndex of this.#cars.keys()) if (!cars.includes(carIndex)) this.#cars.delete(carIndex)
  }

  /** `driverCount`: the number of drivers that the car had last, if any. Another number means another crew. */
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
