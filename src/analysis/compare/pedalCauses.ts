/**
 * Causes of a loss that a lap's throttle, gear or speed shows at one place: a lift, a throttle that opens late or in part,
 * a coasting car, a longer gear, a contact. Each has the cost that its place has by itself (speedLoss.ts).
 */
import type { LapOnGrid } from "../place/alignment.ts"
import { BRAKING, OPEN } from "../corners/cornerPoints.ts"
import { METRES, type PossibleCause } from "./possibleCause.ts"
import { costsBetween, type SpeedLoss } from "./speedLoss.ts"

/** A throttle this much further open is no noise of the pedal. */
const LESS = 0.1
/** A lap that was open and closes by this much has lifted. */
const LIFTED = 0.2
/** A stretch with a throttle this much less open, on average, is driven differently. */
const PARTLY = 0.15
const FULL = 0.9
const COASTING = 0.05
/** Stretches this close are one, m. */
export const JOINED_M = 15
/** Shorter stretches on a gear change are the change, m. */
const SHIFT_M = 30
const MIN_GEAR_M = 20
/** The most that tyres slow a car by, m/s^2: at rest, and more for each (m/s)^2 by its downforce. A Formula 1 car reaches 55 at 85 m/s. */
const GRIP = 25
const DOWNFORCE = 0.008
/** A smaller drop is a speed sensor's, km/h. */
const CONTACT_KMH = 4
/** Drops this close are one contact, m. */
const CONTACT_M = 5

/** A stretch of nodes from `from` to `to`, and what it costs, s. */
interface Run {
  readonly from: number
  readonly to: number
  readonly costs: number
}

/** The costliest run of steps (from a node to the next) for which `is` holds, joined over gaps of up to `gap` nodes. */
const costliest = (loss: SpeedLoss, is: (node: number) => boolean, gap: number): Run | undefined => {
  let best: Run | undefined
  let from = -1
  let to = -1
  const end = () => {
    if (from < 0) return
    const costs = costsBetween(loss, from, to)
    if (best === undefined || costs > best.costs) best = { from, to, costs }
  }
  for (let n = loss.from; n < loss.to; n++) {
    if (!is(n)) continue
    if (from < 0 || n - to > gap) {
      end()
      from = n
    }
    to = n + 1
  }
  end()
  return best
}

const meanOf = (values: Float64Array, { from, to }: Run) =>
  values.subarray(from, to + 1).reduce((all, value) => all + value, 0) / (to + 1 - from)

const leastOf = (values: Float64Array, { from, to }: Run) =>
  values.subarray(from, to + 1).reduce((least, value) => Math.min(least, value), Infinity)

/** Whether each lap has points of its own within the run: between two points a pedal is only assumed. */
const isSeen = ({ from, to }: Run, laps: ReadonlyArray<LapOnGrid>) =>
  laps.every(({ point }) => point[to]! - point[from]! >= 2)

const percent = (share: number) => `${Math.round(100 * share)} %`

/** The most that tyres slow a car by at a speed, m/s^2 and m/s. */
const mostAt = (v: number) => GRIP + DOWNFORCE * v ** 2

/** A speed that falls faster than tyres can slow a car, from one that it had before, to one that it keeps. */
export const contact = (
  lap: LapOnGrid,
  faster: LapOnGrid,
  loss: SpeedLoss,
  step: number
): PossibleCause | undefined => {
  const { point, speed, time } = lap
  const falls = (n: number) => {
    const [v, next] = [speed[n]! / 3.6, speed[n + 1]! / 3.6]
    return (v ** 2 - next ** 2) / (2 * step) > mostAt(v)
  }
  const near = Math.round(CONTACT_M / step)
  const run = costliest(loss, falls, near)
  if (run === undefined) return undefined
  // A braking whose speeds or places come in steps slows by no more than tyres can from the point before to the one behind.
  if (faster.brake.subarray(run.from, run.to + 1).some((brake) => brake > BRAKING)) {
    let [first, last] = [run.from, run.to]
    while (first > 0 && point[first]! > point[run.from]! - 1) first--
    while (last < speed.length - 1 && point[last]! < point[run.to]! + 1) last++
    const slowed = (speed[first]! - speed[last]!) / 3.6
    if (!(slowed > mostAt(speed[first]! / 3.6) * (time[last]! - time[first]!))) return undefined
  }
  const [before, after] = [speed[run.from]!, speed[run.to]!]
  const earlier = speed[Math.max(0, run.from - near)]!
  const later = speed[Math.min(speed.length - 1, run.to + near)]!
  if (Math.min(before, earlier) - Math.max(after, later) < CONTACT_KMH) return undefined
  const way = Math.max(1, Math.round((run.to - run.from) * step))
  const what = `slows by ${Math.round(before - after)} km/h within ${way} m at ${Math.round(run.to * step)} m, as in a contact,`
  return { cause: "contact", what, costs: run.costs, where: [run.from * step, run.to * step] }
}

/** A gear longer than the faster lap's, both at full throttle. */
export const slowerGear = (
  lap: LapOnGrid,
  faster: LapOnGrid,
  loss: SpeedLoss,
  step: number
): PossibleCause | undefined => {
  const longer = (n: number) =>
    lap.gear[n]! > faster.gear[n]! &&
    faster.gear[n]! > 0 &&
    Math.min(lap.throttle[n]!, faster.throttle[n]!) >= FULL
  const run = costliest(loss, longer, 1)
  if (run === undefined || (run.to - run.from) * step < MIN_GEAR_M || !isSeen(run, [lap, faster]))
    return undefined
  const [from, to] = [run.from * step, run.to * step]
  const gears = `${lap.gear[run.from]!} instead of ${faster.gear[run.from]!}`
  const what = `is in gear ${gears} from ${Math.round(from)} m to ${Math.round(to)} m`
  return { cause: "gear", what, costs: run.costs, where: [from, to] }
}

/** What the throttle's stretch is compared by: where each lap opens it after its slowest place, m; null if it does not. */
export interface Opening {
  readonly lap: number | null
  readonly faster: number | null
  /** By how much the lap's is later for certain, m. */
  readonly later: number
}

/**
 * Less throttle than the faster lap has, which does not brake: later, lifted, in part, or none at all. Before the faster lap
 * opens the throttle after the corner, a lap that brakes there has another cause.
 */
export const lessThrottle = (
  lap: LapOnGrid,
  faster: LapOnGrid,
  loss: SpeedLoss,
  step: number,
  opening: Opening | undefined
): PossibleCause | undefined => {
  const opens = opening?.faster ?? Infinity
  const less = (n: number) =>
    faster.throttle[n]! - lap.throttle[n]! >= LESS &&
    !(faster.brake[n]! > BRAKING) &&
    !(lap.brake[n]! > BRAKING && n * step < opens)
  const run = costliest(loss, less, Math.round(JOINED_M / step))
  if (run === undefined || !isSeen(run, [lap, faster])) return undefined
  const isShift = lap.gear[run.from] !== lap.gear[run.to] && (run.to - run.from) * step < SHIFT_M
  if (isShift) return undefined
  const [from, to] = [run.from * step, run.to * step]
  const [mean, other] = [meanOf(lap.throttle, run), meanOf(faster.throttle, run)]
  const least = leastOf(lap.throttle, run)
  const stretch = `from ${Math.round(from)} m to ${Math.round(to)} m`
  const beside = `(faster lap: ${percent(other)})`
  const found = (cause: PossibleCause["cause"], what: string): PossibleCause => ({
    cause,
    what,
    costs: run.costs,
    where: [from, to]
  })
  // Just before the run, within the length over which runs are joined.
  const earlier = Math.max(loss.from, run.from - Math.round(JOINED_M / step))
  const opened = Math.max(...lap.throttle.subarray(earlier, run.from + 1))
  if (opened >= OPEN && opened - least >= LIFTED) {
    let n = earlier
    while (n >= loss.from && lap.throttle[n]! >= OPEN) n--
    // It was closed on this stretch before, and open in between.
    const again = n >= loss.from
    const what = `lifts ${again ? "again " : ""}to ${percent(least)} between ${Math.round(from)} m and ${Math.round(to)} m`
    return found(again ? "second lift" : "lift", `${what} ${beside}`)
  }
  if (mean >= LESS && other - mean < PARTLY) return undefined
  if (mean >= LESS) return found("partial throttle", `has ${percent(mean)} throttle ${stretch} ${beside}`)
  const { faster: early = null, lap: late = null, later = 0 } = opening ?? {}
  const spans = early !== null && late !== null && from <= early + JOINED_M && to >= late - JOINED_M
  if (spans && later > METRES) {
    const what = `is on the throttle ${Math.round(late) - Math.round(early)} m later (${Math.round(late)} m, faster lap: ${Math.round(early)} m)`
    return { ...found("throttle", what), where: [early, late] }
  }
  const brakes = !lap.brake.subarray(run.from, run.to + 1).every((brake) => brake <= BRAKING)
  return mean <= COASTING && !brakes ? found("coasting", `coasts ${stretch} ${beside}`) : undefined
}
