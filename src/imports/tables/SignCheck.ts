/**
 * Finds which columns are sideways and lengthwise accelerations, the rate of yaw and the angle of steering, and their signs, from the car's speed
 * and heading (formats.md, section 2): documents of formats contradict their files. Plain.
 */

import { Correlation } from "./Correlation.ts"

/** Intervals over which the heading turns, s: receivers repeat and round it. */
const INTERVAL_S = 0.2
const MAX_INTERVAL_S = 1
/** A slower car's heading is noise, m/s. */
const MIN_SPEED = 8
/** A column is what it is taken for if it correlates that well. */
const MIN_CORRELATION = 0.7

const RADIANS = Math.PI / 180

const checked = ["g_lateral", "g_longitudinal", "yaw_rate", "steering_angle"] as const
export type Checked = (typeof checked)[number]

export const isChecked = (channel: string): channel is Checked =>
  (checked as ReadonlyArray<string>).includes(channel)

/** The description of a channel whose sign is the format's usual one, because the file has no way of showing it. */
export const uncheckedSign = (name: string): string => `"${name}"; its sign was not checked`

/** A column that may be this channel. The first that passes is. */
export interface Candidate {
  readonly channel: Checked
  /** Its index among the cells of a row. */
  readonly column: number
}

export class SignCheck {
  readonly #candidates: ReadonlyArray<Candidate & { readonly correlation: Correlation }>
  readonly #sums: Float64Array
  #rows = 0
  #time = Number.NaN
  #heading = Number.NaN
  #speed = Number.NaN

  constructor(candidates: ReadonlyArray<Candidate>) {
    this.#candidates = candidates.map((one) => ({ ...one, correlation: new Correlation() }))
    this.#sums = new Float64Array(candidates.length)
  }

  /** Takes a row. `speed`: m/s; `heading`: degrees clockwise; `cells`: the row's values by column, NaN where absent. */
  add(time: number, speed: number, heading: number, cells: ArrayLike<number>): void {
    const seconds = time - this.#time
    const isKnown = !Number.isNaN(heading + speed + this.#heading + this.#speed)
    if (!(seconds <= MAX_INTERVAL_S) || !isKnown) return this.#begin(time, speed, heading)
    this.#rows++
    this.#candidates.forEach(({ column }, n) => (this.#sums[n]! += cells[column]!))
    if (seconds < INTERVAL_S - 1e-6) return
    if (speed > MIN_SPEED && this.#speed > MIN_SPEED) this.#pair(seconds, speed, heading)
    this.#begin(time, speed, heading)
  }

  #pair(seconds: number, speed: number, heading: number): void {
    const turned = ((heading - this.#heading + 540) % 360) - 180
    const turn = (turned * RADIANS) / seconds
    const wanted = {
      g_lateral: (turn * (speed + this.#speed)) / 2,
      g_longitudinal: (speed - this.#speed) / seconds,
      yaw_rate: turn,
      steering_angle: turn
    }
    this.#candidates.forEach(({ channel, correlation }, n) => {
      const mean = this.#sums[n]! / this.#rows
      if (!Number.isNaN(mean)) correlation.add(mean, wanted[channel])
    })
  }

  #begin(time: number, speed: number, heading: number): void {
    this.#time = time
    this.#speed = speed
    this.#heading = heading
    this.#rows = 0
    this.#sums.fill(0)
  }

  /** The sign of a candidate; 0 if it is not what it is taken for, undefined if the rows cannot show it. */
  signOf(column: number): 1 | -1 | 0 | undefined {
    const r = this.#candidates.find((one) => one.column === column)?.correlation.r ?? Number.NaN
    if (Number.isNaN(r)) return undefined
    return Math.abs(r) < MIN_CORRELATION ? 0 : r > 0 ? 1 : -1
  }

  /** The columns that are these channels, each with the sign by which its values become the channel's. */
  get found(): ReadonlyMap<Checked, { readonly column: number; readonly sign: 1 | -1 }> {
    return new Map(
      checked.flatMap((channel) => {
        const best = this.#candidates.find(
          (one) => one.channel === channel && Math.abs(one.correlation.r) >= MIN_CORRELATION
        )
        return best === undefined
          ? []
          : [[channel, { column: best.column, sign: best.correlation.r > 0 ? 1 : -1 }] as const]
      })
    )
  }
}
