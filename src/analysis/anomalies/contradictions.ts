/**
 * Channels that cannot all be right: each value is possible by itself, but no car shows them together. Brakes that do
 * not slow the car, an open throttle while the car brakes, an engine speed that does not fit the wheels and the gear.
 * Feeds have habits (late streams, feet that overlap), so each lap is compared with the longest such moment of the
 * other laps.
 */
import { leavingOneOut, quantile } from "../math/robust.ts"
import { rounded } from "./anomaly.ts"
import type { Finding } from "../../domain/analysis/anomalies.ts"
import { DRIVING_KMH, isOffGear, latenessOf, type Odd, offGearOf, type Ratios } from "./engineSpeed.ts"
import type { LapEvidence, SessionEvidence } from "./evidence.ts"

/** A pedal that is down further than this is pressed on purpose. */
const BRAKES = 0.5
const OPEN = 0.7
/** Slowing is measured over this time, s: over less it is the noise of two points. */
const SLOPE_S = 0.3
/** With the brake half down, no car gains speed by this, m/s^2. */
const GAINS_MS2 = 0.5
/**
 * With an open throttle no car slows by this, m/s^2, or by this share of the session's hardest braking: hybrids of
 * Formula 1 charge at full throttle, and slow by 5.
 */
const SLOWS_MS2 = 3
const SLOWS_SHARE = 0.2
const HARDEST = 0.99
const SAMPLED = 20_000
/** Shorter moments, s, are a foot that changes pedals, a change of gear, or a late stream. */
const FLOOR_S = 0.8
/** On a lap that is not at pace, drivers do unusual things: start off, slip the clutch, coast. */
const SLOW_FLOOR_S = 3
/** A moment more than twice as long as on other laps, and longer by this many spreads, is no habit. */
const TIMES_USUAL = 2
const SPREADS = 5
const MIN_POINTS = 3
/** An odd moment ends when no point is odd for this long, s. */
const JOINED_S = 0.25
/** A stretch of absent values ends it too, if it is longer than this, s. */
const UNTOLD_S = 1

interface Run {
  readonly from: number
  readonly to: number
  readonly seconds: number
}

/** Slowing at each point from the speeds around it, m/s^2; NaN where they are absent or too far apart. */
const slowingOf = ({ column, points }: LapEvidence, gap: number): Float64Array => {
  const t = points.timestamps
  const speed = column("speed")
  const slowing = new Float64Array(t.length).fill(Number.NaN)
  let a = 0
  let b = 0
  for (let i = 0; i < t.length; i++) {
    while (a < i - 1 && t[i]! - t[a + 1]! >= SLOPE_S / 2) a++
    if (b < i) b = i
    while (b < t.length - 1 && t[b]! - t[i]! < SLOPE_S / 2) b++
    const seconds = t[b]! - t[a]!
    if (seconds > 0 && seconds <= SLOPE_S + 2 * gap) slowing[i] = (speed[a]! - speed[b]!) / 3.6 / seconds
  }
  return slowing
}

/** Runs of odd points; they include short pauses, and points with absent values. */
const runsOf = (t: Float64Array, odd: Odd, gap: number): ReadonlyArray<Run> => {
  const found: Array<Run> = []
  let from = -1
  let to = -1
  let count = 0
  const close = (): void => {
    if (from >= 0 && count >= MIN_POINTS) found.push({ from, to, seconds: t[to]! - t[from]! })
    from = -1
    count = 0
  }
  for (let i = 0; i < t.length; i++) {
    const isOdd = odd(i)
    if (from >= 0 && t[i]! - t[to]! > (isOdd === false ? JOINED_S : Math.max(gap, UNTOLD_S))) close()
    if (isOdd !== true) continue
    if (from < 0) from = i
    to = i
    count++
  }
  close()
  return found
}

interface Rule {
  readonly channel: "brake" | "throttle" | "rpm"
  readonly odd: (lap: LapEvidence, slowing: Float64Array) => Odd
  readonly tell: (
    lap: LapEvidence,
    run: Run,
    slowing: Float64Array
  ) => { readonly value: number; readonly expected: number | null; readonly what: string }
}

const meanOver = ({ from, to }: Run, valueAt: (i: number) => number): number => {
  let sum = 0
  for (let i = from; i <= to; i++) sum += valueAt(i)
  return sum / (to - from + 1)
}

const braking: Rule = {
  channel: "brake",
  odd: ({ column }, slowing) => {
    const [brake, speed] = [column("brake"), column("speed")]
    return (i) => brake[i]! >= BRAKES && speed[i]! >= DRIVING_KMH && slowing[i]! < -GAINS_MS2
  },
  tell: ({ column }, run, slowing) => {
    const throttle = meanOver(run, (i) => column("throttle")[i]!)
    const gains = -meanOver(run, (i) => slowing[i]!)
    return {
      value: meanOver(run, (i) => column("brake")[i]!),
      expected: 0,
      what:
        `brake is down${throttle >= OPEN ? ", and so is throttle," : ""} while the car gains speed ` +
        `by ${gains.toFixed(1)} m/s2`
    }
  }
}

/** The slowing that a car with an open throttle cannot exceed, m/s^2. */
const mostSlowing = (slowing: ReadonlyArray<Float64Array>): number => {
  const total = slowing.reduce((sum, { length }) => sum + length, 0)
  const every = Math.max(1, Math.floor(total / SAMPLED))
  const values: Array<number> = []
  for (const row of slowing) {
    for (let i = 0; i < row.length; i += every) if (!Number.isNaN(row[i])) values.push(row[i]!)
  }
  return values.length === 0 ? SLOWS_MS2 : Math.max(SLOWS_MS2, SLOWS_SHARE * quantile(values, HARDEST))
}

const throttle = (most: number): Rule => ({
  channel: "throttle",
  odd: ({ column }, slowing) => {
    const [pedal, speed] = [column("throttle"), column("speed")]
    return (i) => pedal[i]! >= OPEN && speed[i]! >= DRIVING_KMH && slowing[i]! > most
  },
  tell: ({ column }, run, slowing) => ({
    value: meanOver(run, (i) => column("throttle")[i]!),
    expected: 0,
    what: `throttle stays open while the car slows by ${meanOver(run, (i) => slowing[i]!).toFixed(1)} m/s2`
  })
})

const engine = (ratios: Ratios, late: number): Rule => ({
  channel: "rpm",
  odd: (lap) => isOffGear(lap, ratios, late),
  tell: (lap, run) => {
    const offGear = offGearOf(lap, ratios)
    const share = meanOver(run, (i) => offGear(i) || 0)
    const expected = meanOver(run, (i) => {
      const ratio = ratios[lap.column("gear")[i]!]
      return ratio === undefined ? lap.column("rpm")[i]! : ratio.centre * lap.column("speed")[i]!
    })
    return {
      value: meanOver(run, (i) => lap.column("rpm")[i]!),
      expected,
      what: `rpm is ${Math.abs(share * 100).toFixed(0)} % ${share > 0 ? "more" : "less"} than speed and gear say`
    }
  }
})

const findingOf = (
  evidence: LapEvidence,
  rule: Rule,
  run: Run,
  slowing: Float64Array,
  others: number
): Finding => {
  const { distanceAt, lap, points } = evidence
  const { expected, value, what } = rule.tell(evidence, run, slowing)
  const at = distanceAt(points.timestamps[run.from]!)
  return {
    lapId: lap.id,
    lapNumber: lap.lapNumber,
    type: "contradiction",
    timestamp: points.timestamps[run.from]!,
    distance: at === null ? null : rounded(at),
    value: rounded(value),
    expected: expected === null ? null : rounded(expected),
    severity: run.seconds > 1 ? "high" : "medium",
    description: `On lap ${lap.lapNumber}${at === null ? "" : ` from ${Math.round(at)} m`} for ${run.seconds.toFixed(2)} s ${what}`,
    channel: rule.channel,
    z: null,
    lapsInBaseline: others,
    duration: rounded(run.seconds),
    cost: null,
    costUncertainty: null
  }
}

export const contradictions = ({ gap, laps }: SessionEvidence, ratios: Ratios): ReadonlyArray<Finding> => {
  const slowing = laps.map((lap) => slowingOf(lap, gap))
  const rules = [braking, throttle(mostSlowing(slowing)), engine(ratios, latenessOf(laps, ratios, gap))]
  return rules.flatMap((rule) => {
    const runs = laps.map((lap, l) => runsOf(lap.points.timestamps, rule.odd(lap, slowing[l]!), gap))
    const longest = runs.map((row) => row.reduce((most, { seconds }) => Math.max(most, seconds), 0))
    const without = leavingOneOut(longest.filter((_, l) => laps[l]!.comparable))
    return runs.flatMap((row, l) => {
      const others = without(laps[l]!.comparable ? longest[l]! : null)
      const usual = others.count === 0 ? { centre: 0, sigma: 0 } : others
      const floor = laps[l]!.comparable ? FLOOR_S : SLOW_FLOOR_S
      const most = Math.max(floor, TIMES_USUAL * usual.centre, usual.centre + SPREADS * usual.sigma)
      return row
        .filter(({ seconds }) => seconds > most)
        .map((run) => findingOf(laps[l]!, rule, run, slowing[l]!, others.count))
    })
  })
}
