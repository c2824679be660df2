/** How far each step of the positions ends from the place to which the way so far and the speed lead. */
import { roughQuantile } from "../math/robust.ts"
import type { Sources } from "./sources.ts"

/** The end of a step, m from its expected end: beyond it (along the way) and to its left (across the way). */
export interface Step {
  along: number
  across: number
  /** The unit vector of the way before the step, and the point from which it is measured. */
  headingX: number
  headingY: number
  base: number
  /** m/s. */
  pace: number
}

/** Limits that no step of the feed's own noise exceeds. */
export interface Noise {
  /** s along the way, because it is the clock's noise. */
  readonly late: number
  /** m across it. */
  readonly aside: number
}

/** Over a longer step the direction is unknown, s. */
const MAX_S = 1
/** The direction is that of the last metres: over less it is only noise. */
const HEADING_M = 5
const MIN_M = 2
/**
 * This many times the 97th percentile of a feed's steps: 5 and 12 times occur in Formula 1's, 2 to 5 in simulators'.
 */
const NOISE_SHARE = 0.97
const NOISE_TIMES = 4
/** The number of a lap's steps from which its noise is taken. */
const SAMPLED = 400
/** The least limit, m. */
const MIN_SLACK_M = 1
/** A standing car's positions have noise of their own, m/s. */
const STANDING_MS = 5

export const unknownStep = (): Step => ({
  along: 0,
  across: 0,
  headingX: 0,
  headingY: 0,
  base: 0,
  pace: 0
})

/** Whether the step to a point is known; then it is written to `into`. */
export const stepTo = (
  { hasSpeed, placeWrong, speedWrong, t, v, x, y }: Sources,
  i: number,
  into: Step
): boolean => {
  const time = t[i]! - t[i - 1]!
  if (time > MAX_S || placeWrong[i] === 1 || placeWrong[i - 1] === 1) return false
  let h = i - 2
  let wayX = x[i - 1]! - x[h]!
  let wayY = y[i - 1]! - y[h]!
  let square = wayX * wayX + wayY * wayY
  while (h > 0 && placeWrong[h] === 0 && square < HEADING_M * HEADING_M && t[i - 1]! - t[h]! < MAX_S) {
    h--
    wayX = x[i - 1]! - x[h]!
    wayY = y[i - 1]! - y[h]!
    square = wayX * wayX + wayY * wayY
  }
  if (placeWrong[h] === 1 || !(square >= MIN_M * MIN_M)) return false
  const way = Math.sqrt(square)
  const reported = hasSpeed && speedWrong[i] === 0 && speedWrong[i - 1] === 0
  const dx = x[i]! - x[i - 1]!
  const dy = y[i]! - y[i - 1]!
  into.base = h
  into.pace = reported ? (v[i]! + v[i - 1]!) / 2 : way / (t[i - 1]! - t[h]!)
  into.headingX = wayX / way
  into.headingY = wayY / way
  into.along = dx * into.headingX + dy * into.headingY - into.pace * time
  into.across = into.headingX * dy - into.headingY * dx
  return true
}

/** The noise of a lap's steps; a lap without positions has no known steps. */
export const noiseOf = (sources: Sources): Noise => {
  const size = sources.t.length
  const every = Math.max(1, Math.floor(size / SAMPLED))
  const late = new Float64Array(Math.ceil(size / every))
  const aside = new Float64Array(late.length)
  const step = unknownStep()
  let count = 0
  for (let i = 2; i < size; i += every) {
    if (!stepTo(sources, i, step)) continue
    late[count] = Math.abs(step.along) / (step.pace + STANDING_MS)
    aside[count] = Math.abs(step.across)
    count++
  }
  return {
    late: NOISE_TIMES * roughQuantile(late, NOISE_SHARE, count),
    aside: MIN_SLACK_M + NOISE_TIMES * roughQuantile(aside, NOISE_SHARE, count)
  }
}

/** The greatest noise along the way at this speed (m/s), m. */
export const mostAlong = ({ late }: Noise, pace: number): number => MIN_SLACK_M + late * (pace + STANDING_MS)
