/** Places where a lap was slower than the others. */
import { OUTLIER_Z } from "../math/robust.ts"
import { rounded } from "./anomaly.ts"
import type { Finding } from "../../domain/analysis/anomalies.ts"
import { costText, MIN_COST_S, costFields, severityOf } from "./cost.ts"
import type { JudgedLap, Places } from "./places.ts"
import { MIN_OTHERS } from "./times.ts"

/**
 * The least spread of speed, by judgement and not measured: 1.5 km/h and 1.2 % in a corner; where speed changes
 * with distance, 8 m, as braking points vary. Judged by the outcome: false alarms and recall on simulated drives.
 */
const FLOOR_KMH = 1.5
const FLOOR_SHARE = 0.012
const FLOOR_M = 8
/** A loss goes on while the speed is this many spreads below, and over pauses shorter than this, m. */
const STILL_Z = 1
const JOINED_M = 40
/** On a lap that is slow as a whole, a place is reported only when it holds this share of the lap's loss. */
const MAIN_SHARE = 0.25
const SLOW_LAP = 1.03
/** A first lap that is slower than this everywhere, as a share of the usual time, was driven in a field. */
const IN_FIELD = 1.02
/** A car that nearly stops where others do not has spun, slid off, or been hit. */
const SPIN_SHARE = 0.45
const SPIN_KMH = 60
const SPIN_DROP_KMH = 30
/** Within this distance before the place, m, it still had this share of the others' speed. */
const SPIN_M = 250
const AT_SPEED = 0.85

/** How many spreads the lap is above the others' speed, node by node (negative: below); 0 where unknown. */
const scores = ({ known, onGrid, speed }: JudgedLap, step: number): Float64Array => {
  const { centre, count, sigma } = speed
  const last = centre.length - 1
  return Float64Array.from(centre, (usual, k) => {
    if (known[k] === 0 || count[k]! < MIN_OTHERS || Number.isNaN(onGrid.speed[k])) return 0
    const a = Math.max(0, k - 1)
    const b = Math.min(last, k + 1)
    const slope = Math.abs(centre[b]! - centre[a]!) / ((b - a) * step)
    const floor = Math.max(FLOOR_KMH, FLOOR_SHARE * usual, FLOOR_M * slope)
    return (onGrid.speed[k]! - usual) / Math.max(floor, sigma[k]!)
  })
}

interface Stretch {
  readonly from: number
  readonly to: number
  /** The node of the greatest deviation. */
  readonly worst: number
}

/** Stretches of low speed that contain an outlier; near ones are joined. */
const stretches = (z: Float64Array, joined: number): ReadonlyArray<Stretch> => {
  const found: Array<Stretch> = []
  for (let k = 0; k < z.length; k++) {
    if (z[k]! > -STILL_Z) continue
    let to = k
    let worst = k
    for (let next = k; next < z.length && next - to <= joined; next++) {
      if (z[next]! > -STILL_Z) continue
      to = next
      if (z[next]! < z[worst]!) worst = next
    }
    if (z[worst]! < -OUTLIER_Z) found.push({ from: k, to, worst })
    k = to
  }
  return found
}

/**
 * Whether the lap came at speed and nearly stopped; a lap that crawls all along, to the pits or to cool down, did not.
 */
const nearlyStopped = ({ onGrid, speed }: JudgedLap, least: number, step: number): boolean => {
  const share = (k: number) => onGrid.speed[k]! / speed.centre[k]!
  const drop = speed.centre[least]! - onGrid.speed[least]!
  if (onGrid.speed[least]! > SPIN_KMH || share(least) > SPIN_SHARE || drop < SPIN_DROP_KMH) return false
  for (let k = least; k >= Math.max(0, least - Math.round(SPIN_M / step)); k--) {
    if (share(k) >= AT_SPEED) return true
  }
  return false
}

/** The stretch's cost by the speeds alone, s: shows a channel that contradicts the clock. */
const costBySpeed = (lap: JudgedLap, { from, to }: Stretch, step: number): number => {
  let seconds = 0
  for (let k = from; k < to; k++) {
    const usual = lap.speed.centre[k]!
    if (lap.known[k] === 1 && usual > 0) {
      seconds += step * (3.6 / Math.max(3.6, lap.onGrid.speed[k]!) - 3.6 / Math.max(3.6, usual))
    }
  }
  return seconds
}

/** Places of about this length, m, are slow independently of each other: a corner, or the straight after it. */
const PLACE_M = 100

/**
 * The deviations that a cost must have: of the many places of many laps, some are slow by luck. The greatest of n
 * normal values is about sqrt(2 ln n) (Donoho & Johnstone 1994).
 */
const leastZ = (laps: number, metres: number): number =>
  Math.max(OUTLIER_Z, Math.sqrt(2 * Math.log(Math.max(1, (laps * metres) / PLACE_M))))

/** `speed_loss`, or `lock_up_or_spin` where the car nearly stopped. */
export const speedLosses = ({ costBetween, distance, laps, step }: Places): ReadonlyArray<Finding> => {
  const found: Array<Finding> = []
  const end = distance.length - 1
  const least = leastZ(laps.length, end * step)
  for (const judged of laps) {
    const { evidence, launched, onGrid, speed } = judged
    const z = scores(judged, step)
    const whole = costBetween(onGrid, launched, end)
    if (whole === null) continue
    const { interruptions, kinds, pace } = evidence.known
    // Without its stops.
    const lost = interruptions.reduce(
      (rest, { from, to }) => rest - (costBetween(onGrid, from, to)?.seconds ?? 0),
      whole.seconds
    )
    const usualTime = onGrid.time[end]! - whole.seconds
    const onlySpins = pace > IN_FIELD || [...kinds].some((kind) => kind !== "start")
    const slow = lost > (SLOW_LAP - 1) * usualTime
    for (const stretch of stretches(z, Math.round(JOINED_M / step))) {
      const { from, to, worst } = stretch
      const after = Math.min(end, to + 1)
      const clock = costBetween(onGrid, Math.max(launched, from - 1), after)
      const cost = Math.max(clock?.seconds ?? 0, 0)
      if (Math.max(cost, costBySpeed(judged, stretch, step)) < MIN_COST_S) continue
      if (slow && cost < MAIN_SHARE * lost) continue
      // A stretch may include places where the others, or the lap itself, have no points.
      let lowest = worst
      for (let k = from; k <= to; k++) {
        const reported = judged.known[k] === 1 && speed.count[k]! >= MIN_OTHERS
        if (reported && onGrid.speed[k]! < onGrid.speed[lowest]!) lowest = k
      }
      const value = onGrid.speed[worst]!
      const expected = speed.centre[worst]!
      const stopped = nearlyStopped(judged, lowest, step)
      // Cold tyres, flags and a field that starts make a car slow without a mistake.
      if (onlySpins && !stopped) continue
      if (!stopped && clock !== null && cost <= Math.max(clock.uncertainty, least * clock.deviation)) continue
      const { lap } = evidence
      const lostText = `${costText(clock ?? { seconds: 0, uncertainty: 1 })} s`
      const metres = `between ${Math.round(distance[from]!)} and ${Math.round(distance[to]!)} m`
      found.push({
        lapId: lap.id,
        lapNumber: lap.lapNumber,
        type: stopped ? "lock_up_or_spin" : "speed_loss",
        timestamp: lap.startTime + onGrid.time[from]!,
        distance: rounded(distance[from]!),
        value: rounded(stopped ? onGrid.speed[lowest]! : value),
        expected: rounded(stopped ? speed.centre[lowest]! : expected),
        severity: severityOf(clock),
        description: stopped
          ? `Lap ${lap.lapNumber} fell to ${Math.round(onGrid.speed[lowest]!)} km/h ${metres}, where ` +
            `${Math.round(speed.centre[lowest]!)} km/h is usual: ${lostText} lost`
          : `Lap ${lap.lapNumber} was ${Math.round(expected - value)} km/h slower than usual at ` +
            `${Math.round(distance[worst]!)} m and lost ${lostText} ${metres}`,
        channel: "speed",
        z: rounded(z[worst]!),
        lapsInBaseline: speed.count[worst]!,
        duration: rounded(onGrid.time[after]! - onGrid.time[from]!),
        ...(clock === null ? { cost: 0, costUncertainty: null } : costFields(clock))
      })
    }
  }
  return found
}
