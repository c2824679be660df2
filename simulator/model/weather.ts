/** The weather over a drive: a dry summer's day that changes little, a function of the seed. */
import { bell } from "./random.ts"
import { bSpline } from "./spline.ts"
import { AIR } from "./wear.ts"

/** Time constant of changes, s. */
const KNOT_S = 300

const noise = (seed: number, kind: number, time: number) =>
  bSpline((knot) => bell(seed, kind, knot), time / KNOT_S)

/** °C. */
export const airAt = (seed: number, time: number) => AIR + 0.8 * noise(seed, 201, time)
export const trackAt = (seed: number, time: number) => AIR + 11 + 2 * noise(seed, 202, time)
/** m/s, and the direction that it comes from: degrees clockwise from +y, 0 to 360. */
export const windAt = (seed: number, time: number) => 3.2 + 0.9 * noise(seed, 203, time)
export const windFrom = (seed: number, time: number) =>
  (((235 + 30 * noise(seed, 204, time)) % 360) + 360) % 360
/** The grip rises with the driven laps, 0..1. */
export const gripOfTrack = (time: number) => 0.98 - 0.05 * Math.exp(-time / 1800)
