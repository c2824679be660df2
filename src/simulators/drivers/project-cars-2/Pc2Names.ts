/** The drivers, vehicles and places: three kinds of packets tell them, each at its own time. */
import { NO_VEHICLE } from "./layout.ts"
import { type Place, readParticipants, readPlace, readVehicles, type CarTimings } from "./decode.ts"

export interface KnownNames {
  readonly place: Place | undefined
  /** "" where the game does not say it. */
  readonly vehicle: string | undefined
  readonly driver: string | undefined
}

export class Pc2Names {
  #place: Place | undefined
  #participants = new Map<number, { readonly name: string; readonly stamp: number }>()
  #vehicles = new Map<number, string>()

  /** Another event may have other names under the same numbers. */
  forget(): void {
    this.#place = undefined
    this.#participants.clear()
    this.#vehicles.clear()
  }

  definition(bytes: Buffer): void {
    const place = readPlace(bytes)
    if (place.circuit !== "") this.#place = place
  }

  participants(bytes: Buffer): void {
    const { first, names, stamp } = readParticipants(bytes)
    names.forEach((name, i) => {
      if (name !== "") this.#participants.set(first + i, { name, stamp })
    })
  }

  vehicles(bytes: Buffer): void {
    for (const [index, name] of readVehicles(bytes)) this.#vehicles.set(index, name)
  }

  /** `stamp`: that of the timings, whose indexes may be newer than the names. */
  of(index: number, { vehicle }: CarTimings, stamp: number): KnownNames {
    const participant = this.#participants.get(index)
    return {
      place: this.#place,
      vehicle: vehicle === NO_VEHICLE ? "" : this.#vehicles.get(vehicle),
      driver: participant !== undefined && participant.stamp >= stamp ? participant.name : undefined
    }
  }
}
