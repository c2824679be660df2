/** Finds the unit of speeds that have none, or one that cannot be relied on, by the way between the fixes. Plain. */
import { metresBetween } from "./place.ts"

/** Units that programs write, and what 1 m/s is in them. */
const speeds = [
  ["km/h", 3.6],
  ["m/s", 1],
  ["mph", 3.6 / 1.609344]
] as const

/** A speed in another unit differs by more than this share. */
const TOLERANCE = 0.15
/** Steps of the car that are enough. */
const ENOUGH = 10_000
/** Receivers write a fix a second, or more, s. */
const MAX_STEP_S = 1.5
/** A slower car's way is noise, and a faster one's is an error of the receiver, m/s. */
const SLOWEST = 3
const FASTEST = 120

export class SpeedUnit {
  #last = [Number.NaN, Number.NaN, Number.NaN] as const
  #steps = 0
  /** The least squares of speeds over driven speeds. */
  #products = 0
  #squares = 0

  /** Takes the next fix. `time`: s; degrees; `speed`: in the unit that is looked for. */
  add(time: number, latitude: number, longitude: number, speed: number): void {
    const [before, ...place] = this.#last
    this.#last = [time, latitude, longitude]
    const driven = metresBetween(place, [latitude, longitude]) / (time - before)
    const isStep = time - before <= MAX_STEP_S && driven > SLOWEST && driven < FASTEST
    if (!isStep || Number.isNaN(speed)) return
    this.#steps++
    this.#products += speed * driven
    this.#squares += driven * driven
  }

  get isSure(): boolean {
    return this.#steps >= ENOUGH
  }

  /** `usual` if the car does not move; undefined if the speeds fit no unit. */
  unit(usual: string): string | undefined {
    const ratio = this.#products / this.#squares
    if (this.#steps === 0) return usual
    return speeds.find(([, one]) => Math.abs(ratio / one - 1) < TOLERANCE)?.[0]
  }
}
