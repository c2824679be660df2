/**
 * Wheels that lock: the pedal is down further than usual, and the car slows less than this pedal slows it at this
 * speed. A locked tyre grips less than one that still turns (Pacejka, Tire and Vehicle Dynamics, 3rd ed., chapter 1).
 */
import { median, OUTLIER_Z } from "../robust.ts"
import { rounded, severityOf, type Finding } from "./anomaly.ts"
import type { CostOf, JudgedLap, Places } from "./places.ts"
import { FEWEST_OTHERS } from "./times.ts"
import { FASTEST_KMH } from "./values.ts"

/** Lighter braking locks nothing, and says little of what the brakes can do. */
const BRAKING = 0.3
/** How much further than the others at this place. */
const MORE_PEDAL = 0.12
/** Of the deceleration that the pedal promises, a locked wheel gives less than this share. */
const GIVES = 0.8
/** And falls short of it by more than others do here: at least this, m/s^2, is the spread of that. */
const FLOOR_MS2 = 0.6
/** Shorter is a kerb, or the noise of one point, m. */
const LEAST_M = 15
const JOINED_M = 10
/** How much braking gives is learnt by bands of speed, km/h, from at least this many nodes of the others. */
const BAND_KMH = 25
const FEWEST_NODES = 20
/** A pedal that is nearly always up or down is a switch: its values say nothing of how hard. */
const SWITCH_SHARE = 0.1

/** m/s^2 for a whole pedal by band of speed, over the comparable laps; undefined where the brake is a switch. */
const effectOf = (laps: ReadonlyArray<JudgedLap>): ReadonlyArray<number> | undefined => {
  const bands: Array<Array<number>> = []
  let pressed = 0
  let between = 0
  for (const { evidence, known, onGrid, slowing } of laps) {
    if (!evidence.comparable) continue
    for (let k = 0; k < known.length; k++) {
      const brake = onGrid.brake[k]!
      // Beyond the fastest there is no car, and no band: a glitch must not make millions of them.
      if (known[k] === 0 || !(brake >= 0.05) || !(onGrid.speed[k]! <= FASTEST_KMH)) continue
      pressed++
      if (brake < 0.95) between++
      if (brake >= BRAKING) (bands[Math.floor(onGrid.speed[k]! / BAND_KMH)] ??= []).push(slowing[k]! / brake)
    }
  }
  if (pressed === 0 || between < SWITCH_SHARE * pressed) return undefined
  return Array.from(bands, (band) =>
    band === undefined || band.length < FEWEST_NODES ? Number.NaN : median(band)
  )
}

export const lockUps = ({ distance, laps, step }: Places, costOf: CostOf): ReadonlyArray<Finding> => {
  const found: Array<Finding> = []
  const effect = effectOf(laps)
  if (effect === undefined) return found
  for (const { brake, evidence, known, onGrid, slowed, slowing } of laps) {
    const promised = (k: number) =>
      (effect[Math.floor(onGrid.speed[k]! / BAND_KMH)] ?? Number.NaN) * onGrid.brake[k]!
    /** How far the deceleration stays behind what the pedal gives, less what it stays behind there on other laps. */
    const score = (k: number) => {
      const usual =
        (effect[Math.floor(onGrid.speed[k]! / BAND_KMH)] ?? Number.NaN) * brake.centre[k]! - slowed.centre[k]!
      const missing = promised(k) - slowing[k]! - Math.max(0, usual)
      return missing / Math.max(FLOOR_MS2, 0.5 * slowed.sigma[k]!)
    }
    const locked = (k: number): boolean => {
      if (known[k] === 0 || brake.count[k]! < FEWEST_OTHERS || !(onGrid.brake[k]! >= BRAKING)) return false
      const more = onGrid.brake[k]! - brake.centre[k]!
      // Who brakes where nobody else does is early, not locked: there is nothing to hold it against.
      if (more < MORE_PEDAL || more < OUTLIER_Z * 0.5 * brake.sigma[k]! || brake.centre[k]! < 0.1)
        return false
      return slowing[k]! < GIVES * promised(k) && score(k) > OUTLIER_Z
    }
    let from = -1
    let to = -1
    for (let k = 0; k <= distance.length; k++) {
      if (k < distance.length && locked(k)) {
        if (from < 0) from = k
        to = k
        continue
      }
      if (from < 0 || (k < distance.length && (k - to) * step <= JOINED_M)) continue
      if ((to - from + 1) * step >= LEAST_M) found.push(tell(from, to))
      from = -1
    }
    function tell(from: number, to: number): Finding {
      const { lap } = evidence
      let worst = from
      for (let k = from; k <= to; k++) {
        if (locked(k) && promised(k) - slowing[k]! > promised(worst) - slowing[worst]!) worst = k
      }
      const begin = lap.start_time + onGrid.time[from]!
      const end = lap.start_time + onGrid.time[to]!
      const cost = costOf(lap.id, begin, end)
      return {
        lap_id: lap.id,
        lap_number: lap.lap_number,
        type: "lock_up_or_spin",
        timestamp: begin,
        distance: rounded(distance[from]!),
        value: rounded(slowing[worst]!),
        expected: rounded(promised(worst)),
        severity: severityOf(cost?.seconds ?? 0),
        description:
          `Lap ${lap.lap_number} braked with ${Math.round(onGrid.brake[worst]! * 100)} % of the pedal at ` +
          `${Math.round(distance[worst]!)} m and slowed by ${slowing[worst]!.toFixed(1)} m/s2, where that ` +
          `much gives ${promised(worst).toFixed(1)} m/s2`,
        channel: "brake",
        z: rounded(score(worst)),
        laps_in_baseline: brake.count[worst]!,
        duration: rounded(end - begin),
        cost: cost === null ? null : rounded(Math.max(0, cost.seconds))
      }
    }
  }
  return found
}
