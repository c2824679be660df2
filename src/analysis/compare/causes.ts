/** Why a lap lost time at a place: the differences there, and the cost of each by itself. */
import type { LapOnGrid } from "../place/alignment.ts"
import type { Interval } from "../corners/cornerPoints.ts"
import type { CornerPass, Loss } from "../../domain/analysis/comparison.ts"
import { at, type Section } from "../corners/cornerTimes.ts"
import { isAbsent } from "../missing.ts"

type Cause = NonNullable<Loss["cause"]>

/** Smaller differences are no cause: m for a pedal's point with 10 Hz interpolation, km/h for a speed. */
const METRES = 3
const KMH = 1

/**
 * A cause must explain at least this share of the loss by itself; otherwise the sentence gives the place and the loss,
 * but no cause.
 */
const EXPLAINS = 0.5
/**
 * A lap that drives slower than this, and falls below this share of the faster one's speed, has spun or stopped, km/h.
 */
const SPUN_KMH = 40
const SPUN_SHARE = 0.5
const STOPPED_KMH = 3
/** Noise of positions alone makes laps differ by this, m. */
const LINE_M = 0.5

/** Rounded as in sentences. */
export const round = (value: number) => Math.round(value)

/** A pass with known speeds. */
export type KnownPass = {
  readonly [K in keyof CornerPass]: K extends `${string}Point` | `${string}Interval` ? CornerPass[K] : number
}

export const isKnown = (pass: CornerPass): pass is KnownPass => pass.minimumSpeed !== null

/** A difference in a corner, and its cost by itself, s. */
export interface PossibleCause {
  readonly cause: Cause
  readonly what: string
  readonly costs: number
}

/** The costliest of the causes that explain most of the loss; of equal ones the first. */
const explains = (findings: ReadonlyArray<PossibleCause>, lost: number): PossibleCause | undefined =>
  findings
    .filter(({ costs }) => costs >= EXPLAINS * lost)
    .reduce<PossibleCause | undefined>(
      (best, one) => (best !== undefined && best.costs >= one.costs ? best : one),
      undefined
    )

/** Nodes of a section. */
const nodesOf = ({ from, to }: Section, step: number): readonly [from: number, to: number] => [
  Math.floor(from / step),
  Math.ceil(to / step) + 1
]

/** A place where a lap nearly stops, and the faster one does not. */
export const spun = (
  section: Section,
  lap: LapOnGrid,
  fastest: LapOnGrid,
  step: number
): PossibleCause | undefined => {
  const [from, to] = nodesOf(section, step)
  let slowest = from
  for (let n = from; n < Math.min(to, lap.speed.length); n++)
    if (lap.speed[n]! < lap.speed[slowest]!) slowest = n
  const [speed, usual] = [lap.speed[slowest]!, fastest.speed[slowest]!]
  if (!(speed < SPUN_KMH && speed < SPUN_SHARE * usual)) return undefined
  const what =
    speed < STOPPED_KMH
      ? `stops at ${round(slowest * step)} m`
      : `spins or is off, down to ${round(speed)} km/h at ${round(slowest * step)} m (${round(usual)} km/h)`
  return { cause: "spin or stop", what, costs: section.lost }
}

/** s/m that one speed (km/h) is slower by than another. */
const slowness = (slow: number, fast: number): number =>
  1 / Math.max(1, slow / 3.6) - 1 / Math.max(1, fast / 3.6)

/** By how much one interval begins, or ends, before another, m; 0 where their order is unknown. */
const before = (one: Interval, other: Interval): number =>
  one[1] < other[0] || other[1] < one[0] ? (other[0] + other[1] - one[0] - one[1]) / 2 : 0

/**
 * The cause of a loss in a corner, by the cost that each difference has on its own. Braking x m too early costs x m at
 * the corner's slowest speed instead of the speed before braking: x (1/v_min - 1/v_before). A slower corner costs its
 * length times the difference of the slownesses. It also needs earlier braking: (v1^2 - v2^2) / 2a is subtracted from
 * x. A loss after the slowest place belongs to the throttle. Events within one interval of the feed have no known
 * order.
 */
export const causeOf = (
  pass: KnownPass,
  best: KnownPass,
  lap: LapOnGrid,
  fastest: LapOnGrid,
  section: Section,
  step: number,
  bend: number
): PossibleCause | undefined => {
  const slower = best.minimumSpeed - pass.minimumSpeed
  const v = Math.max(1, pass.minimumSpeed / 3.6)
  const u = Math.max(1, best.minimumSpeed / 3.6)
  const least = Math.min(u, v)
  const findings: Array<PossibleCause> = []
  if (pass.brakingPoint !== null && best.brakingPoint !== null) {
    const fast = Math.max(u, at(fastest.speed, step, best.brakingPoint) / 3.6)
    const way = Math.max(10, best.minimumSpeedAt - best.brakingPoint)
    const slowing = Math.max(1, (fast ** 2 - u ** 2) / (2 * way))
    const sooner = before(pass.brakingInterval!, best.brakingInterval!)
    const early = sooner - Math.max(0, (u ** 2 - v ** 2) / (2 * slowing))
    const what = `brakes ${round(sooner)} m earlier`
    if (early > METRES) findings.push({ cause: "braking", what, costs: early * (1 / least - 1 / fast) })
  } else if (pass.brakingPoint !== null && !isAbsent(fastest.brake)) {
    const early = Math.max(0, pass.minimumSpeedAt - pass.brakingPoint)
    const what = `brakes where the faster lap does not, for ${round(early)} m`
    if (early > METRES) findings.push({ cause: "braking", what, costs: early * (1 / v - 1 / Math.max(u, v)) })
  }
  const byMinimum = slower > KMH ? bend * (1 / v - 1 / u) : 0
  if (slower > KMH) {
    findings.push({
      cause: "minimum speed",
      what: `carries ${round(slower)} km/h less minimum speed (${round(pass.minimumSpeed)} against ${round(best.minimumSpeed)} km/h)`,
      costs: byMinimum
    })
  }
  const late =
    pass.throttleInterval !== null && best.throttleInterval !== null
      ? before(best.throttleInterval, pass.throttleInterval)
      : 0
  const turn = Math.min(Math.max(section.from, best.minimumSpeedAt), section.to)
  const delta = (distance: number) => at(lap.time, step, distance) - at(fastest.time, step, distance)
  const afterwards = delta(section.to) - delta(turn) - byMinimum / 2
  if (late > METRES && afterwards > 0) {
    findings.push({ cause: "throttle", what: `is on the throttle ${round(late)} m later`, costs: afterwards })
  }
  const found = explains(findings, section.lost)
  if (found !== undefined) return found
  const exit = best.exitSpeed - pass.exitSpeed
  const entry = best.entrySpeed - pass.entrySpeed
  const beyond = Math.max(0, section.to - best.minimumSpeedAt)
  const ahead = Math.max(0, best.minimumSpeedAt - section.from)
  const ends: ReadonlyArray<PossibleCause> = [
    {
      cause: "pace",
      what: `leaves it ${round(exit)} km/h slower`,
      costs: exit > KMH ? beyond * slowness(pass.exitSpeed, best.exitSpeed) : 0
    },
    {
      cause: "pace",
      what: `enters it ${round(entry)} km/h slower`,
      costs: entry > KMH ? ahead * slowness(pass.entrySpeed, best.entrySpeed) : 0
    }
  ]
  return explains(ends, section.lost) ?? onTheWhole(section, lap, fastest, step)
}

/** Noise lengthens a way that is measured over less, m. */
const CHORD_M = 15

/** m of a lap's own way through a section, by its positions. */
const wayOf = ({ x, y }: LapOnGrid, from: number, to: number, step: number): number => {
  const every = Math.max(1, Math.round(CHORD_M / step))
  let way = 0
  for (let n = from; n < to; n += every) {
    const next = Math.min(to, n + every)
    way += Math.hypot(x[next]! - x[n]!, y[next]! - y[n]!)
  }
  return way
}
/**
 * Where no single difference explains the loss: the speeds along the whole stretch, or, where they are equal, the way.
 */
const onTheWhole = (
  section: Section,
  lap: LapOnGrid,
  fastest: LapOnGrid,
  step: number
): PossibleCause | undefined => {
  const [from, end] = nodesOf(section, step)
  const to = Math.min(end, lap.speed.length) - 1
  if (!(to > from)) return undefined
  let seconds = 0
  let sum = 0
  for (let n = from; n < to; n++) {
    seconds += (3.6 * step) / Math.max(3.6, lap.speed[n]!) - (3.6 * step) / Math.max(3.6, fastest.speed[n]!)
    sum += fastest.speed[n]! - lap.speed[n]!
  }
  const slower = sum / (to - from)
  const longer = wayOf(lap, from, to, step) - wayOf(fastest, from, to, step)
  const pace = Math.max(1, at(fastest.speed, step, (section.from + section.to) / 2) / 3.6)
  const findings: ReadonlyArray<PossibleCause> = [
    {
      cause: "pace",
      what: `is ${slower.toFixed(1)} km/h slower on average`,
      costs: slower >= 0.1 ? seconds : 0
    },
    {
      cause: "line",
      what: `drives a line ${longer.toFixed(1)} m longer`,
      costs: longer > LINE_M ? longer / pace : 0
    }
  ]
  return explains(findings, section.lost)
}

export const ofStraight = (
  section: Section,
  lap: LapOnGrid,
  fastest: LapOnGrid,
  step: number
): PossibleCause | undefined => {
  const from = Math.ceil(section.from / step)
  const to = Math.max(from, Math.floor(section.to / step))
  const top = (speed: Float64Array) => speed.subarray(from, to + 1).reduce((a, b) => Math.max(a, b), 0)
  const slower = top(fastest.speed) - top(lap.speed)
  const all = onTheWhole(section, lap, fastest, step)
  // Where the whole straight was slower, the difference of the top speeds is only a part of that.
  if (slower < KMH || all?.cause !== "pace") return all
  return {
    cause: "top speed",
    what: `has ${round(slower)} km/h lower top speed (${round(top(lap.speed))} against ${round(top(fastest.speed))} km/h)`,
    costs: all.costs
  }
}
