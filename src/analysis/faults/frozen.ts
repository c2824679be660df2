/** Positions, speeds or whole packets that stay the same while the car drives on. */
import { roughQuantile } from "../math/robust.ts"
import { faultOf, secondsText } from "./fault.ts"
import { leapsTo } from "./impossibleSpeeds.ts"
import type { Sources } from "./sources.ts"
import { mostAlong, type Noise } from "./steps.ts"

/** A car at this speed does not stay where it is, m/s. */
const DRIVING_MS = 8
/**
 * A feed may repeat a value for some packets; a hold this many times the usual one, and this long (s), is no habit of
 * the feed.
 */
const TIMES_USUAL = 3
const USUAL_SHARE = 0.95
const MIN_S = 0.3
const MIN_POINTS = 3
/** A held value is wrong when the other source shows a way that differs by this, m and share. */
const OFF_M = 2
const OFF_SHARE = 0.05

interface Hold {
  /** The first point with the value, and the last. */
  readonly from: number
  readonly to: number
  /** s. */
  readonly duration: number
}

/**
 * Runs of points without change according to `same`, longer than the feed usually holds a value. `driving`: the points
 * that may show how long that usually is.
 */
const longHolds = (
  t: Float64Array,
  same: (i: number) => boolean,
  driving: (i: number) => boolean
): ReadonlyArray<Hold> => {
  const holds: Array<Hold> = []
  for (let i = 1, from = 0; i <= t.length; i++) {
    if (i < t.length && same(i)) continue
    const duration = t[i - 1]! - t[from]!
    if (i - from >= MIN_POINTS && duration > MIN_S) holds.push({ from, to: i - 1, duration })
    from = i
  }
  // The usual case, which does not need the usual hold.
  if (holds.length === 0) return holds
  const usual = new Float64Array(t.length)
  let count = 0
  for (let i = 1, from = 0; i < t.length; i++) {
    if (same(i)) continue
    if (driving(i)) usual[count++] = t[i]! - t[from]!
    from = i
  }
  const limit = TIMES_USUAL * roughQuantile(usual, USUAL_SHARE, count)
  return holds.filter(({ duration }) => duration > limit)
}

/** The first point of a hold is right. */
const mark = (wrong: Uint8Array, { from, to }: Hold): void => {
  for (let i = from + 1; i <= to; i++) wrong[i] = 1
}

/** Where speed and revolutions also stand still, the packets are repeated. */
export const frozenPositions = (sources: Sources): void => {
  const { faults, hasSpeed, placeWrong, rpm, speedWrong, t, v, x, y } = sources
  const holds = longHolds(
    t,
    (i) => x[i] === x[i - 1] && y[i] === y[i - 1],
    (i) => !hasSpeed || v[i]! > DRIVING_MS
  )
  for (const hold of holds) {
    const { duration, from, to } = hold
    const after = Math.min(t.length - 1, to + 1)
    // Without a speed, the car's place afterwards shows whether it drove.
    const drove = hasSpeed
      ? v.subarray(from, to + 1).some((speed) => speed > DRIVING_MS)
      : Math.hypot(x[after]! - x[to]!, y[after]! - y[to]!) > DRIVING_MS * duration
    if (!drove) continue
    const whole = hasSpeed && v[from] === v[to] && Object.is(rpm[from], rpm[to])
    mark(placeWrong, hold)
    if (whole) mark(speedWrong, hold)
    const what = whole ? "points repeat" : "positions stand still"
    faults.push(
      faultOf(whole ? "points" : "positions", t, from + 1, to, (time) => `${what} for ${secondsText(time)}`)
    )
  }
}

/** A speed that stands still is wrong only if the positions show another distance, or if it ends with a leap. */
export const frozenSpeed = (sources: Sources, noise: Noise): void => {
  const { faults, placeWrong, speedWrong, t, v, x, y } = sources
  const holds = longHolds(
    t,
    (i) => v[i] === v[i - 1],
    (i) => v[i]! > DRIVING_MS
  )
  for (const hold of holds) {
    const { duration, from, to } = hold
    if (!(v[from]! > DRIVING_MS) || speedWrong[to] === 1) continue
    let way = 0
    let reported = sources.hasPositions
    for (let i = from + 1; i <= to; i++) {
      way += Math.hypot(x[i]! - x[i - 1]!, y[i]! - y[i - 1]!)
      reported &&= placeWrong[i] === 0
    }
    // Noise makes the measured way longer, and the straight is never longer than the way: the truth lies between the
    // two.
    const straight = Math.hypot(x[to]! - x[from]!, y[to]! - y[from]!)
    const said = v[from]! * duration
    const most = OFF_M + OFF_SHARE * said + mostAlong(noise, v[to]!)
    const off = reported && Math.max(said - way, straight - said) > most
    if (!off && !(to + 1 < t.length && leapsTo(sources, to + 1))) continue
    mark(speedWrong, hold)
    faults.push(faultOf("speed", t, from + 1, to, (time) => `speed stands still for ${secondsText(time)}`))
  }
}
