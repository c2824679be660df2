/** Why a lap lost time at a place: the differences there, and the cost of each by itself. */
import type { NumberedCorner } from "../circuits/numbering.ts"
import type { Grid, LapOnGrid } from "../place/alignment.ts"
import type { CornerPass } from "../../domain/analysis/comparison.ts"
import { BRAKING } from "../corners/cornerPoints.ts"
import { at, type Section } from "../corners/cornerTimes.ts"
import { isAbsent } from "../missing.ts"
import { contact, lessThrottle, slowerGear } from "./pedalCauses.ts"
import { before, type Between, EXPLAINS, explains, METRES, type PossibleCause } from "./possibleCause.ts"
import { type SpeedLoss, speedLossOf } from "./speedLoss.ts"
import { lateTurnIn } from "./turnIn.ts"
import { type Slipped, slippedCause, wheelCause } from "./wheelCauses.ts"

/** Smaller differences of speed are no cause, km/h. */
const KMH = 1
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
  return { cause: "spin or stop", what, costs: section.lost, where: [slowest * step, slowest * step] }
}

/**
 * The cause of a loss in a corner, by the cost that each difference has on its own. Braking x m too early costs x m at
 * the corner's slowest speed instead of the speed before braking: x (1/v_min - 1/v_before). A slower corner costs its
 * length times the difference of the slownesses. It also needs earlier braking: (v1^2 - v2^2) / 2a is subtracted from
 * x. Events within one interval of the feed have no known order.
 */
export const causeOf = (
  pass: KnownPass,
  best: KnownPass,
  lap: LapOnGrid,
  fastest: LapOnGrid,
  slips: ReadonlyArray<Slipped>,
  section: Section & { readonly corner: NumberedCorner },
  { length, step }: Grid
): PossibleCause | undefined => {
  const loss = lossOf(section, lap, fastest, step)
  const slowest = Math.round(pass.minimumSpeedAt / step)
  const braking = Math.ceil(Math.max(pass.brakingPoint ?? 0, best.brakingPoint ?? 0) / step)
  const first =
    explains([contact(lap, loss, step)], section.lost) ??
    explains(
      slips.map((one) => wheelCause(one, loss, step, braking, slowest)),
      section.lost
    )
  if (first !== undefined) return first
  const { entry, exit } = section.corner
  const bend = (exit - entry + length) % length
  const slower = best.minimumSpeed - pass.minimumSpeed
  const v = Math.max(1, pass.minimumSpeed / 3.6)
  const u = Math.max(1, best.minimumSpeed / 3.6)
  const least = Math.min(u, v)
  const findings: Array<PossibleCause | undefined> = []
  if (pass.brakingPoint !== null && best.brakingPoint !== null) {
    const fast = Math.max(u, at(fastest.speed, step, best.brakingPoint) / 3.6)
    const way = Math.max(10, best.minimumSpeedAt - best.brakingPoint)
    const slowing = Math.max(1, (fast ** 2 - u ** 2) / (2 * way))
    const sooner = before(pass.brakingInterval!, best.brakingInterval!)
    const early = sooner - Math.max(0, (u ** 2 - v ** 2) / (2 * slowing))
    const what = `brakes ${round(sooner)} m earlier`
    const where: Between = [pass.brakingPoint, best.brakingPoint]
    // Where the faster lap brakes twice before a corner, its braking of that place may be another one.
    const brakesToo = fastest.brake
      .subarray(Math.ceil(pass.brakingPoint / step), Math.floor(best.brakingPoint / step))
      .some((brake) => brake > BRAKING)
    if (early > METRES && !brakesToo)
      findings.push({ cause: "braking", what, costs: early * (1 / least - 1 / fast), where })
  } else if (pass.brakingPoint !== null && !isAbsent(fastest.brake)) {
    const early = Math.max(0, pass.minimumSpeedAt - pass.brakingPoint)
    const what = `brakes where the faster lap does not, for ${round(early)} m`
    const where: Between = [pass.brakingPoint, pass.minimumSpeedAt]
    if (early > METRES)
      findings.push({ cause: "braking", what, costs: early * (1 / v - 1 / Math.max(u, v)), where })
  }
  if (slower > KMH) {
    findings.push({
      cause: "minimum speed",
      what: `carries ${round(slower)} km/h less minimum speed (${round(pass.minimumSpeed)} against ${round(best.minimumSpeed)} km/h)`,
      costs: bend * (1 / v - 1 / u),
      where: [pass.minimumSpeedAt, pass.minimumSpeedAt]
    })
  }
  const opening = {
    lap: pass.throttlePoint,
    faster: best.throttlePoint,
    later:
      pass.throttleInterval !== null && best.throttleInterval !== null
        ? before(best.throttleInterval, pass.throttleInterval)
        : 0
  }
  findings.push(lessThrottle(lap, fastest, loss, step, opening), slowerGear(lap, fastest, loss, step))
  const found = explains(findings, section.lost)
  if (found?.cause === "minimum speed") {
    // It follows from what the driver did before.
    const locked = slips.find(
      ({ cause, from }) => cause === "lock-up" && from >= loss.from && from <= slowest
    )
    const earlier =
      locked === undefined
        ? explains([lateTurnIn(lap, fastest, loss, step, section.corner, slowest)], section.lost)
        : slippedCause(locked, found.costs, step)
    if (earlier !== undefined) return earlier
  }
  return (
    found ??
    explains([arrival(lap, fastest, loss, step)], section.lost) ??
    longerLine(section, lap, fastest, step)
  )
}

const lossOf = (section: Section, lap: LapOnGrid, fastest: LapOnGrid, step: number): SpeedLoss => {
  const [from, end] = nodesOf(section, step)
  return speedLossOf(lap, fastest, from, Math.min(end, lap.speed.length) - 1, step)
}

/** The lap was slower when the stretch began. */
const arrival = (
  lap: LapOnGrid,
  fastest: LapOnGrid,
  { arriving, from }: SpeedLoss,
  step: number
): PossibleCause | undefined => {
  const [own, other] = [lap.speed[from]!, fastest.speed[from]!]
  if (other - own < KMH) return undefined
  return {
    cause: "entry speed",
    what: `arrives ${round(other - own)} km/h slower (${round(own)} against ${round(other)} km/h)`,
    costs: arriving,
    where: [from * step, from * step]
  }
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

/** m of a lap's way from node to node, by its speed and its own time. */
const drivenBy = ({ speed, time }: LapOnGrid, from: number, to: number): number => {
  let way = 0
  for (let n = from; n < to; n++) way += ((speed[n]! + speed[n + 1]!) / 7.2) * (time[n + 1]! - time[n]!)
  return way
}

/**
 * Where the speeds do not explain the loss: a longer way. The lap's positions must show it, and its speed over its time must
 * agree, so that neither the noise of positions nor a fault of the speed passes for a line.
 */
const longerLine = (
  section: Section,
  lap: LapOnGrid,
  fastest: LapOnGrid,
  step: number
): PossibleCause | undefined => {
  const [begin, end] = nodesOf(section, step)
  // The ends of a lap are as far from the line as its clock is coarse, which is no way that it drove.
  const rim = Math.round(CHORD_M / step)
  const from = Math.max(rim, begin)
  const to = Math.min(end, lap.speed.length - rim) - 1
  if (!(to > from)) return undefined
  const longer = wayOf(lap, from, to, step) - wayOf(fastest, from, to, step)
  const driven = drivenBy(lap, from, to) - drivenBy(fastest, from, to)
  if (!(longer > LINE_M && Math.abs(driven - longer) < LINE_M + longer / 2)) return undefined
  const pace = Math.max(1, at(fastest.speed, step, (section.from + section.to) / 2) / 3.6)
  const what = `drives a line ${longer.toFixed(1)} m longer`
  return explains(
    [{ cause: "line", what, costs: longer / pace, where: [section.from, section.to] }],
    section.lost
  )
}

export const ofStraight = (
  section: Section,
  lap: LapOnGrid,
  fastest: LapOnGrid,
  slips: ReadonlyArray<Slipped>,
  step: number
): PossibleCause | undefined => {
  const loss = lossOf(section, lap, fastest, step)
  const found = explains(
    [
      contact(lap, loss, step),
      ...slips.map((one) => wheelCause(one, loss, step, loss.from, loss.from)),
      lessThrottle(lap, fastest, loss, step, undefined),
      slowerGear(lap, fastest, loss, step)
    ],
    section.lost
  )
  if (found !== undefined) return found
  const from = Math.ceil(section.from / step)
  const to = Math.max(from, Math.floor(section.to / step))
  const top = (speed: Float64Array) => speed.subarray(from, to + 1).reduce((a, b) => Math.max(a, b), 0)
  const slower = top(fastest.speed) - top(lap.speed)
  if (slower < KMH || loss.total < EXPLAINS * section.lost) return longerLine(section, lap, fastest, step)
  return {
    cause: "top speed",
    what: `has ${round(slower)} km/h lower top speed (${round(top(lap.speed))} against ${round(top(fastest.speed))} km/h)`,
    costs: loss.total,
    where: [section.from, section.to]
  }
}
