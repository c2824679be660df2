/** Positions in metres from latitude and longitude in degrees (formats.md, section 2, "Place"). */

import { METRES_PER_DEGREE } from "../../domain/Gate.ts"

/** The mean radius of the Earth, m. */
const RADIUS_M = 6_371_000
/** A car is not farther from where it started, m: a farther fix is wrong. */
const MAX_DISTANCE_M = 50_000
const RADIANS = Math.PI / 180

/** Whether a receiver had a fix: it writes 0/0, or values out of range, without one. */
export const isFix = (latitude: number, longitude: number): boolean =>
  Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180 && !(latitude === 0 && longitude === 0)

type Fix = readonly [latitude: number, longitude: number]

/** Between two near fixes, degrees. */
export const metresBetween = (a: Fix, b: Fix): number =>
  METRES_PER_DEGREE * Math.hypot(a[0] - b[0], (a[1] - b[1]) * Math.cos(a[0] * RADIANS))

/** The plane of a session: x to the east and y to the north of its first fix. */
export class Plane {
  #latitude = Number.NaN
  #longitude = Number.NaN
  #metresPerDegree = Number.NaN
  /** The number of fixes that were too far away. */
  tooFar = 0

  /** Degrees; undefined before the first fix. */
  get origin(): readonly [latitude: number, longitude: number] | undefined {
    return Number.isNaN(this.#latitude) ? undefined : [this.#latitude, this.#longitude]
  }

  /**
   * Sets `x` and `y` (m) for the rows up to `length`; absent (NaN) without a fix, and where the fix is too far away. All
   * arrays have a value for each row.
   */
  place(
    latitude: Float64Array,
    longitude: Float64Array,
    x: Float64Array,
    y: Float64Array,
    length: number
  ): void {
    for (let i = 0; i < length; i++) {
      const [lat, lon] = [latitude[i]!, longitude[i]!]
      x[i] = Number.NaN
      y[i] = Number.NaN
      if (!isFix(lat, lon)) continue
      if (Number.isNaN(this.#latitude)) {
        this.#latitude = lat
        this.#longitude = lon
        this.#metresPerDegree = RADIUS_M * RADIANS * Math.cos(lat * RADIANS)
      }
      const east = this.#metresPerDegree * (lon - this.#longitude)
      const north = RADIUS_M * RADIANS * (lat - this.#latitude)
      if (Math.abs(east) > MAX_DISTANCE_M || Math.abs(north) > MAX_DISTANCE_M) {
        this.tooFar++
        continue
      }
      x[i] = east
      y[i] = north
    }
  }
}

/** Fixes that are nearer to each other show no direction, m: receivers round and scatter them. */
const MIN_COURSE_M = 2

/** The direction of motion over the ground from one fix to the next, where a file has none. Plain. */
export class CourseOfFixes {
  #latitude = Number.NaN
  #longitude = Number.NaN
  #course = Number.NaN

  /** Takes the next fix, degrees; returns degrees clockwise from north, NaN before the car has moved. */
  at(latitude: number, longitude: number): number {
    if (!isFix(latitude, longitude)) return this.#course
    const north = RADIANS * RADIUS_M * (latitude - this.#latitude)
    const east = RADIANS * RADIUS_M * Math.cos(latitude * RADIANS) * (longitude - this.#longitude)
    const distance = Math.hypot(north, east)
    if (distance < MIN_COURSE_M) return this.#course
    // NaN for the first fix.
    if (distance >= MIN_COURSE_M) this.#course = (Math.atan2(east, north) / RADIANS + 360) % 360
    this.#latitude = latitude
    this.#longitude = longitude
    return this.#course
  }
}
