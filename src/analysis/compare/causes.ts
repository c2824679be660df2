/** Why a lap lost time at a place: the differences there, and the cost of each by itself. */
import type { NumberedCorner } from "../circuits/numbering.ts"
import type { Grid, LapOnGrid } from "../place/alignment.ts"
import { BRAKING } from "../corners/cornerPoints.ts"
import { at, nodesOf, type Section } from "../corners/cornerTimes.ts"
import { isAbsent } from "../missing.ts"
import { contact, lessThrottle, slowerGear } from "./pedalCauses.ts"
import { isSame, lessMinimumSpeed, slowestBeside, slowLength } from "./minimumSpeed.ts"
import {
  before,
  type Between,
  EXPLAINS,
  explains,
  type KnownPass,
  METRES,
  type PossibleCause,
  round
} from "./possibleCause.ts"
import { type SpeedLoss, speedLossOf } from "./speedLoss.ts"
import { longerLine } from "./longerLine.ts"
import { lateTurnIn } from "./turnIn.ts"
import { lockedBefore, type Slipped, slippedCause, wheelCause } from "./wheelCauses.ts"

/** Smaller differences of speed are no cause, km/h: a slow feed's points miss a minimum by as much. */
const KMH = 2
/**
 * A lap that drives slower than this, and falls below this share of the faster one's speed, has spun or stopped, km/h.
 */
const SPUN_KMH = 40
const SPUN_SHARE = 0.5
const STOPPED_KMH = 3

/** A difference that agrees with both rounded values beside it. */
const apart = (one: number, other: number) => round(other) - round(one)

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
    explains([contact(lap, fastest, loss, step)], section.lost) ??
    explains(
      slips.map((one) => wheelCause(one, loss, step, braking, slowest)),
      section.lost
    )
  if (first !== undefined) return first
  const { entry } = section.corner
  const v = Math.max(1, pass.minimumSpeed / 3.6)
  const u = Math.max(1, best.minimumSpeed / 3.6)
  const least = Math.min(u, v)
  const findings: Array<PossibleCause | undefined> = []
  if (pass.brakingPoint !== null && best.brakingPoint !== null) {
    const fast = Math.max(u, at(fastest.speed, step, best.brakingPoint) / 3.6)
    const way = Math.max(10, best.minimumSpeedAt - best.brakingPoint)
    const slowing = Math.max(1, (fast ** 2 - u ** 2) / (2 * way))
    const isSooner = before(pass.brakingInterval!, best.brakingInterval!) > 0
    const sooner = isSooner ? best.brakingPoint - pass.brakingPoint : 0
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
    const what = `brakes at ${round(pass.brakingPoint)} m, where the faster lap does not,`
    const where: Between = [pass.brakingPoint, pass.minimumSpeedAt]
    if (early > METRES)
      findings.push({ cause: "braking", what, costs: early * (1 / v - 1 / Math.max(u, v)), where })
  }
  const there = slowestBeside(pass, best, section.corner, fastest, step)
  const usual = Math.max(1, there.speed / 3.6)
  // A car that is slowest where the corner begins still leaves the one before.
  if (there.speed - pass.minimumSpeed > KMH && (pass.minimumSpeedAt - entry + length) % length > METRES) {
    const throughout = slowLength(section.corner, there, fastest, step) * (1 / v - 1 / usual)
    findings.push({
      cause: "minimum speed",
      what: lessMinimumSpeed(pass, best, there),
      // A lap that is slowest elsewhere is not slower all along the bend.
      costs: isSame(there, best) ? throughout : Math.min(throughout, pass.time - best.time),
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
  const entered = explains(findings, section.lost)
  // Where the faster lap brakes, it takes off what it arrived with: what the speeds did before costs nothing behind.
  const parts =
    best.brakingPoint === null
      ? [loss]
      : partsOf(loss, Math.round(best.brakingPoint / step), lap, fastest, step)
  const pedals = explains(
    parts.flatMap((part) => [
      lessThrottle(lap, fastest, part, step, opening),
      slowerGear(lap, fastest, part, step)
    ]),
    section.lost
  )
  // What comes after a difference that costs all of the loss by itself may follow from it, and has cost no more.
  const isBehind = (pedals?.where[0] ?? Infinity) >= (entered?.where[0] ?? Infinity)
  const found =
    entered !== undefined && entered.costs >= section.lost && isBehind
      ? entered
      : explains([entered, pedals], section.lost)
  if (found?.cause === "minimum speed") {
    // It may follow from what the driver did before.
    const locked = lockedBefore(slips, loss, slowest)
    if (locked !== undefined) return slippedCause(locked, found.costs, step)
    const late = lateTurnIn(lap, fastest, loss, step, section.corner)
    // As fast through a tighter arc as the same grip allows: v ∝ √radius.
    const asked = Math.max(v, usual / Math.sqrt(late?.tighter ?? 1))
    const share = (1 / asked - 1 / usual) / (1 / v - 1 / usual)
    if (late !== undefined && share >= EXPLAINS) {
      const { cause, what, where } = late
      return { cause, what: `${what}, ${found.what}`, costs: share * found.costs, where }
    }
  }
  return (
    found ??
    (best.brakingPoint === null ? explains([arrival(lap, fastest, loss, step)], section.lost) : undefined) ??
    longerLine(section, lap, fastest, step)
  )
}

const lossOf = (section: Section, lap: LapOnGrid, fastest: LapOnGrid, step: number): SpeedLoss => {
  const [from, end] = nodesOf(section, step)
  return speedLossOf(lap, fastest, from, Math.min(end, lap.speed.length) - 1, step)
}

/** The stretch before a node, and the one behind it. */
const partsOf = (
  { from, to }: SpeedLoss,
  node: number,
  lap: LapOnGrid,
  fastest: LapOnGrid,
  step: number
): ReadonlyArray<SpeedLoss> => {
  const middle = Math.min(to, Math.max(from, node))
  return [speedLossOf(lap, fastest, from, middle, step), speedLossOf(lap, fastest, middle, to, step)]
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
    what: `arrives ${apart(own, other)} km/h slower (${round(own)} against ${round(other)} km/h)`,
    costs: arriving,
    where: [from * step, from * step]
  }
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
      contact(lap, fastest, loss, step),
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
  if (top(fastest.speed) - top(lap.speed) < KMH || loss.total < EXPLAINS * section.lost) return undefined
  return {
    cause: "top speed",
    what: `has ${apart(top(lap.speed), top(fastest.speed))} km/h lower top speed (${round(top(lap.speed))} against ${round(top(fastest.speed))} km/h)`,
    costs: loss.total,
    where: [section.from, section.to]
  }
}
