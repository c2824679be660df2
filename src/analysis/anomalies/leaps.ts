/** Speeds and revolutions that leap away and back: no car changes so fast, whatever values it may reach. */
import { leavingOneOut } from "../math/robust.ts"
import { DRIVING_KMH, type Ratios } from "./engineSpeed.ts"
import type { LapEvidence } from "./evidence.ts"

/** Points from `from` to before `to`, which are not at the level of their neighbours. */
export interface Leap {
  readonly from: number
  readonly to: number
  /** What the neighbours imply at a point. */
  readonly level: (i: number) => number
}

/**
 * Three times gravity, m/s^2. A car may brake harder, but none gains speed so fast, and a leap away and back contains
 * a gain. Six times gravity is more than a Formula 1 car's braking.
 */
const MAX_GAIN = 30
const MAX_LOSS = 60
/** Whole numbers of km/h at a high rate leap by one; a leap is more. */
const COARSE_KMH = 5
/** A leap is complete within this, s, or between two points: wheels lock and roll again in a tenth of a second. */
const LEAP_S = 0.15
/** The speed is back within this, s. */
const AWAY_S = 1.5

/** The first point from which the speed changes to a point by more than `most` (m/s^2) allows; -1 if there is none. */
const leapTo = (t: Float64Array, v: Float64Array, i: number, side: 1 | -1, most: number): number => {
  let from = -1
  for (let k = i - 1; k >= 0 && (k === i - 1 || t[i]! - t[k]! <= LEAP_S); k--) {
    if (side * (v[i]! - v[k]!) > 3.6 * most * (t[i]! - t[k]!) + COARSE_KMH) from = k
  }
  return from
}

/** A leap without return is a crash, or a gap. */
export const speedLeaps = ({ column, points }: LapEvidence, gap: number): ReadonlyArray<Leap> => {
  const t = points.timestamps
  const v = column("speed")
  const found: Array<Leap> = []
  for (let i = 1; i < t.length; i++) {
    if (t[i]! - t[i - 1]! > gap) continue
    for (const side of [1, -1] as const) {
      const before = leapTo(t, v, i, side, MAX_GAIN)
      if (before < (found.at(-1)?.to ?? 0)) continue
      const level = v[before]!
      for (let k = i + 1; k < t.length && t[k]! - t[i]! <= AWAY_S && t[k]! - t[k - 1]! <= gap; k++) {
        const since = t[k]! - t[before]!
        const gained = v[k]! - level
        const isBack =
          gained <= 3.6 * MAX_GAIN * since + COARSE_KMH && -gained <= 3.6 * MAX_LOSS * since + COARSE_KMH
        // The speed may fall by braking before it leaps up to where it was; after a leap up it falls by none.
        if (!isBack || leapTo(t, v, k, side > 0 ? -1 : 1, side > 0 ? MAX_LOSS : MAX_GAIN) < i) continue
        found.push({ from: before + 1, to: k, level: () => level })
        break
      }
    }
  }
  return found
}

/** Revolutions over speed leap by more than this share. Wheels that hop over kerbs make 0.18 at most. */
const LEAPS = 0.15
/** Longer moments, s, are contradictions. */
const RACES_S = 1
/** So long (s) before and after, the ratio changes by less than this share of the leap: a wheel that hops goes on hopping. */
const QUIET_S = 0.3
const QUIET_SHARE = 0.4
/** The other laps' greatest leaps are usual, and so is this many spreads more. */
const SPREADS = 5

export interface EngineLeap extends Leap {
  /** The channel that leaps further. */
  readonly of: "rpm" | "speed"
  /** The least share by which a point's ratio differs from its neighbours'. */
  readonly size: number
}

const engineLeaps = (
  { column, points }: LapEvidence,
  ratios: Ratios,
  gap: number
): ReadonlyArray<EngineLeap> => {
  const t = points.timestamps
  const [gear, rpm, speed] = [column("gear"), column("rpm"), column("speed")]
  const turns = (i: number) => rpm[i]! / speed[i]!
  const isDriven = (i: number) => gear[i]! > 0 && speed[i]! >= DRIVING_KMH && rpm[i]! > 0
  /** By how much a point's ratio is above another one, or below (side -1). */
  const beyond = (i: number, ratio: number, side: number) =>
    (side > 0 ? turns(i) / ratio : ratio / turns(i)) - 1
  const differ = (i: number, k: number) => Math.max(beyond(i, turns(k), 1), beyond(i, turns(k), -1))
  const isQuiet = (from: number, way: 1 | -1, size: number): boolean => {
    for (let k = from + way; Math.abs(t[k]! - t[from]!) <= QUIET_S; k += way) {
      if (isDriven(k) && gear[k] === gear[from] && differ(k, from) > QUIET_SHARE * size) return false
    }
    return true
  }
  /** The size of a leap between two points. At a change of gear, any of the gears may be the engaged one. */
  const sizeOf = (before: number, after: number, side: number): number => {
    const shown = [turns(before), turns(after)]
    for (let k = before; k <= after; k++) {
      if (gear[k] !== gear[before] || gear[k] !== gear[after]) {
        for (let one = before; one <= after; one++) shown.push(ratios[gear[one]!]?.centre ?? Number.NaN)
        break
      }
    }
    const furthest = side > 0 ? Math.max(...shown) : Math.min(...shown)
    let size = Infinity
    for (let k = before + 1; k < after; k++) size = Math.min(size, beyond(k, furthest, side))
    return size
  }
  const found: Array<EngineLeap> = []
  for (let i = 1; i < t.length - 1; i++) {
    const before = i - 1
    const side = turns(i) > turns(before) ? 1 : -1
    let after = i
    while (
      after < t.length &&
      t[after]! - t[after - 1]! <= gap &&
      isDriven(after) &&
      beyond(after, turns(before), side) > LEAPS &&
      !(after > i && beyond(after - 1, turns(after), side) > LEAPS)
    )
      after++
    if (after === i || after >= t.length || t[after]! - t[after - 1]! > gap) continue
    if (!isDriven(before) || !isDriven(after) || t[after - 1]! - t[i]! > RACES_S) continue
    const size = sizeOf(before, after, side)
    if (!(size > LEAPS && isQuiet(before, -1, size) && isQuiet(after, 1, size))) continue
    const level = (turns(before) + turns(after)) / 2
    /** How far a channel leaps, at the end where it leaps less. */
    const leap = (column: Float64Array) =>
      Math.min(
        Math.abs(Math.log(column[i]! / column[before]!)),
        Math.abs(Math.log(column[after - 1]! / column[after]!))
      )
    const of = leap(speed) > leap(rpm) ? "speed" : "rpm"
    const implied = (k: number) => (of === "rpm" ? level * speed[k]! : rpm[k]! / level)
    found.push({ from: i, to: after, size, of, level: implied })
    i = after
  }
  return found
}

/** By lap: leaps of the engine that are greater than the other laps' greatest. */
export const unusualEngineLeaps = (
  laps: ReadonlyArray<LapEvidence>,
  ratios: Ratios,
  gap: number
): ReadonlyArray<ReadonlyArray<EngineLeap>> => {
  const leaps = laps.map((lap) => engineLeaps(lap, ratios, gap))
  const greatest = leaps.map((row) => row.reduce((most, { size }) => Math.max(most, size), 0))
  const without = leavingOneOut(greatest.filter((_, l) => laps[l]!.comparable))
  return leaps.map((row, l) => {
    const others = without(laps[l]!.comparable ? greatest[l]! : null)
    const usual = others.count === 0 ? 0 : others.centre + SPREADS * others.sigma
    return row.filter(({ size }) => size > usual)
  })
}
