/** The drivers, vehicles and places: three kinds of packets bring them, each at its own time. */
import type { KnownSessionNames } from "../../timekeeping/NamedSession.ts"
import { NO_VEHICLE } from "./layout.ts"
import { type Place, readParticipants, readPlace, readVehicles, type CarTimings } from "./decode.ts"

export interface KnownNames {
  readonly place: Place | undefined
  /** "" where the game does not report it. */
  readonly vehicle: string | undefined
  readonly driver: string | undefined
}

const NAMELESS: KnownNames = { place: undefined, vehicle: undefined, driver: undefined }

export class Pc2Names {
  #place: Place | undefined
  #participants = new Map<number, { readonly name: string; readonly stamp: number }>()
  #vehicles = new Map<number, string>()
  #reported = NAMELESS
  #known = NAMELESS

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

  /**
   * The names by the timings' current indexes. `stamp`: that of the timings, whose indexes may be newer than the names.
   */
  of(index: number, { vehicle }: CarTimings, stamp: number): KnownNames {
    const participant = this.#participants.get(index)
    const reported = {
      place: this.#place,
      vehicle: vehicle === NO_VEHICLE ? "" : this.#vehicles.get(vehicle),
      driver: participant !== undefined && participant.stamp >= stamp ? participant.name : undefined
    }
    this.#reported = reported
    if (!this.areKnown) {
      const known = this.#known
      this.#known = {
        place: known.place ?? reported.place,
        vehicle: known.vehicle ?? reported.vehicle,
        driver: known.driver ?? reported.driver
      }
    }
    return reported
  }

  /** A session begins with the names that are reported now. Missing names come later; the others stay. */
  begin(): void {
    this.#known = this.#reported
  }

  /** Whether the session has all its names. */
  get areKnown(): boolean {
    const { driver, place, vehicle } = this.#known
    return driver !== undefined && place !== undefined && vehicle !== undefined
  }

  get ofSession(): KnownSessionNames {
    const { driver = "", place, vehicle = "" } = this.#known
    return { circuit: place?.circuit ?? "", vehicle, driver, circuitLength: place?.length }
  }
}
