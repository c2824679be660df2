/**
 * Wheels that lock: the car slows less than this pedal usually slows it at this speed, by more if the pedal is not down further than
 * usual. A locked tyre grips less than one that still turns (Pacejka, Tire and Vehicle Dynamics, 3rd ed., chapter
 * 1).
 */
import { MAD_TO_SIGMA, median, OUTLIER_Z, quantile } from "../math/robust.ts"
import { rounded } from "./anomaly.ts"
import type { Finding } from "../../domain/analysis/anomalies.ts"
import { MIN_COST_S, costFields, severityOf } from "./cost.ts"
import type { CostOf, JudgedLap, Places } from "./places.ts"
import { MIN_OTHERS } from "./times.ts"
import { FASTEST_KMH } from "./values.ts"

/** Lighter braking locks no wheel, and shows little about the brakes. */
const BRAKING = 0.3
/** From here on the pedal is at its stop: how hard the driver brakes is unknown. */
const STOP = 0.95
/** How much further the pedal must be down than on the other laps at this place. */
const MORE_PEDAL = 0.12
/** A locked wheel gives less than this share of the deceleration that the pedal implies. */
const GIVES = 0.87
/**
 * A pedal that is no further down than the others' shows it by itself if it gives less than this share, on a lap at pace, and over
 * this many points: between two points of a slow feed, pedal and speed are only assumed.
 */
const GIVES_BY_ITSELF = 0.7
const MIN_POINTS = 2
/**
 * The deceleration must also fall short by more than it varies on other laps here; at least this spread is assumed,
 * m/s^2.
 */
const FLOOR_MS2 = 0.6
/** Much of a band's spread comes from its places, and is subtracted; at least this share of it stays. */
const SPREAD_SHARE = 0.25
/** A shorter event is a kerb, m, or the noise of one point, s. */
const MIN_M = 10
const MIN_S = 0.15
const JOINED_M = 10
/** The effect of braking is learnt by bands of speed, km/h, from at least this many nodes of the other laps. */
const BAND_KMH = 25
const MIN_NODES = 10
/** A pedal that is mostly fully up or down is a switch: its values do not show how hard the driver brakes. */
const SWITCH_SHARE = 0.1

/** The brakings within a band of speed: pedals and the slowing that each gave, and the slowing of a coasting car. */
interface Band {
  readonly pedal: Array<number>
  readonly slowing: Array<number>
  readonly coasting: Array<number>
}

/** Deceleration by pedal in a band of speed, m/s^2; it saturates, and never falls with more pedal. */
interface Effect {
  readonly of: (pedal: number) => number
  /** The standard deviation of the nodes from the curve. */
  readonly spread: number
}

/** Where the curve bends, as a share of the pedal: 1 - exp(-p / bend), from a steep start to almost a straight line. */
const BENDS = [0.1, 0.2, 0.35, 0.6, 1, 2, 5]
/** No pedal is assumed to give more than nearly the hardest braking of the band. */
const NEARLY_ALL = 0.98
const COASTING = 0.02
const OFF_THROTTLE = 0.1

const effectIn = ({ coasting, pedal, slowing }: Band): Effect | undefined => {
  if (pedal.length < MIN_NODES) return undefined
  // Drag and engine slow a car without any brake.
  const drag = coasting.length < MIN_NODES ? 0 : Math.max(0, median(coasting))
  const hardest = quantile(slowing, NEARLY_ALL)
  let best: Effect | undefined
  for (const bend of BENDS) {
    const share = (p: number) => 1 - Math.exp(-p / bend)
    const whole = Math.max(0, median(pedal.map((p, k) => (slowing[k]! - drag) / share(p))))
    const of = (p: number) => Math.min(hardest, drag + whole * share(p))
    const spread = MAD_TO_SIGMA * median(pedal.map((p, k) => Math.abs(slowing[k]! - of(p))))
    if (best === undefined || spread < best.spread) best = { of, spread }
  }
  return best
}

/** By band of speed, over the comparable laps; undefined where the brake is a switch. */
const effectOf = (laps: ReadonlyArray<JudgedLap>): ReadonlyArray<Effect | undefined> | undefined => {
  const bands: Array<Band> = []
  let pressed = 0
  let between = 0
  for (const { evidence, known, onGrid, slowing } of laps) {
    if (!evidence.comparable) continue
    for (let k = 0; k < known.length; k++) {
      const brake = onGrid.brake[k]!
      const speed = onGrid.speed[k]!
      // No car is faster, so there is no band beyond: a glitch must not create millions of them.
      if (known[k] === 0 || !(speed >= 0 && speed <= FASTEST_KMH)) continue
      const band = (bands[Math.floor(speed / BAND_KMH)] ??= { pedal: [], slowing: [], coasting: [] })
      if (brake <= COASTING && onGrid.throttle[k]! <= OFF_THROTTLE) band.coasting.push(slowing[k]!)
      if (!(brake >= 0.05)) continue
      pressed++
      if (brake < 0.95) between++
      if (brake >= BRAKING) {
        band.pedal.push(brake)
        band.slowing.push(slowing[k]!)
      }
    }
  }
  if (pressed === 0 || between < SWITCH_SHARE * pressed) return undefined
  return Array.from(bands, (band) => (band === undefined ? undefined : effectIn(band)))
}

export const lockUps = ({ distance, laps, step }: Places, costOf: CostOf): ReadonlyArray<Finding> => {
  const found: Array<Finding> = []
  const effect = effectOf(laps)
  if (effect === undefined) return found
  for (const { brake, evidence, known, onGrid, slowed, slowing } of laps) {
    const at = (k: number) => effect[Math.floor(onGrid.speed[k]! / BAND_KMH)]
    const promised = (k: number) => at(k)?.of(onGrid.brake[k]!) ?? Number.NaN
    /** How far the deceleration falls short of the pedal's usual effect, less the shortfall there on other laps. */
    const score = (k: number) => {
      const usual = (at(k)?.of(brake.centre[k]!) ?? Number.NaN) - slowed.centre[k]!
      const missing = promised(k) - slowing[k]! - Math.max(0, usual)
      return missing / Math.max(FLOOR_MS2, SPREAD_SHARE * (at(k)?.spread ?? 0), 0.5 * slowed.sigma[k]!)
    }
    const isMore = (k: number): boolean => {
      const more = onGrid.brake[k]! - brake.centre[k]!
      return more >= MORE_PEDAL && more >= OUTLIER_Z * 0.5 * brake.sigma[k]!
    }
    const locked = (k: number): boolean => {
      if (known[k] === 0 || brake.count[k]! < MIN_OTHERS || !(onGrid.brake[k]! >= BRAKING)) return false
      // A driver who brakes where no other lap does is early, and has not locked a wheel: no other lap shows how much
      // the brake slows the car there.
      if (brake.centre[k]! < 0.1) return false
      const more = isMore(k)
      if (!more && !(evidence.comparable && onGrid.brake[k]! < STOP)) return false
      return slowing[k]! < (more ? GIVES : GIVES_BY_ITSELF) * promised(k) && score(k) > OUTLIER_Z
    }
    let from = -1
    let to = -1
    let hasMore = false
    for (let k = 0; k <= distance.length; k++) {
      if (k < distance.length && locked(k)) {
        if (from < 0) {
          from = k
          hasMore = false
        }
        to = k
        hasMore ||= isMore(k)
        continue
      }
      if (from < 0 || (k < distance.length && (k - to) * step <= JOINED_M)) continue
      const end = Math.min(to + 1, distance.length - 1)
      // The grid's step is not exactly 5 m.
      const isLong = Math.round((to - from + 1) * step) >= MIN_M
      const isSeen = hasMore || onGrid.point[end]! - onGrid.point[from]! >= MIN_POINTS
      if (isLong && isSeen && onGrid.time[end]! - onGrid.time[from]! >= MIN_S) look(from, to)
      from = -1
    }
    function look(from: number, to: number): void {
      const { lap } = evidence
      let worst = from
      for (let k = from; k <= to; k++) {
        if (locked(k) && promised(k) - slowing[k]! > promised(worst) - slowing[worst]!) worst = k
      }
      const begin = lap.startTime + onGrid.time[from]!
      const end = lap.startTime + onGrid.time[to]!
      const cost = costOf(lap.id, begin, end)
      // Between two points of a slow feed, the moment of braking is unknown. A locked wheel also loses time.
      if (cost !== null && cost.seconds < MIN_COST_S) return
      found.push({
        lapId: lap.id,
        lapNumber: lap.lapNumber,
        type: "lock_up_or_spin",
        timestamp: begin,
        distance: rounded(distance[from]!),
        value: rounded(slowing[worst]!),
        expected: rounded(promised(worst)),
        severity: severityOf(cost),
        description:
          `Lap ${lap.lapNumber} braked with ${Math.round(onGrid.brake[worst]! * 100)} % of the pedal at ` +
          `${Math.round(distance[worst]!)} m and slowed by ${slowing[worst]!.toFixed(1)} m/s2, where that ` +
          `much gives ${promised(worst).toFixed(1)} m/s2`,
        channel: "brake",
        z: rounded(score(worst)),
        lapsInBaseline: brake.count[worst]!,
        duration: rounded(end - begin),
        ...costFields(cost)
      })
    }
  }
  return found
}
