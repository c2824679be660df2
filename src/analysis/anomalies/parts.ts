/**
 * Splits a session that is too long to analyse as a whole. Each part judges laps of its own against the same laps at
 * pace. The CPU time grows with the laps, and the memory does not.
 */
import type { RecordedLap } from "../../domain/Lap.ts"
import { comparableLaps } from "../compare/comparable.ts"

/** Laps that are analysed together with the baseline, and the ids of those that are judged. */
export interface JudgedPart {
  readonly own: ReadonlyArray<RecordedLap>
  readonly judged: ReadonlyArray<number>
}

export interface JudgedParts {
  /** The laps at pace that all parts are compared with; empty where there is one part. */
  readonly baseline: ReadonlyArray<RecordedLap>
  readonly parts: ReadonlyArray<JudgedPart>
}

/** Points that are analysed together take some 360 bytes each: 60 MB. */
const MAX_POINTS = 160_000
/** However many points a lap has, half this many laps are needed to show usual values. */
const MIN_LAPS = 24
/**
 * More laps at pace change no median by much, and each is aligned again in each part. Of 186 findings in 620 laps judged together, parts
 * with 40 find 178 at the same place, with 24 175 and with 12 178.
 */
const MAX_BASELINE = 24

/** This many of the laps at pace, spread evenly from the fastest to the slowest, so that they represent all. */
const baselineOf = (laps: ReadonlyArray<RecordedLap>, most: number): ReadonlyArray<RecordedLap> => {
  const atPace = comparableLaps(laps).toSorted((a, b) => a.lapTime - b.lapTime || a.id - b.id)
  if (atPace.length <= most) return atPace
  return Array.from({ length: most }, (_, n) => atPace[Math.round((n * (atPace.length - 1)) / (most - 1))]!)
}

const idsOf = (laps: ReadonlyArray<RecordedLap>) => laps.map(({ id }) => id)

/**
 * `pointsOfLap`: the approximate number for each lap. One part where all laps fit; the first part also judges the
 * baseline.
 */
export const judgedPartsOf = (laps: ReadonlyArray<RecordedLap>, pointsOfLap: number): JudgedParts => {
  const together = Math.max(MIN_LAPS, Math.floor(MAX_POINTS / Math.max(1, pointsOfLap)))
  if (laps.length <= together) return { baseline: [], parts: [{ own: laps, judged: idsOf(laps) }] }
  const baseline = baselineOf(laps, Math.min(MAX_BASELINE, together >> 1))
  const isBaseline = new Set(baseline)
  const others = laps.filter((lap) => !isBaseline.has(lap))
  const size = together - baseline.length
  const parts = Array.from({ length: Math.ceil(others.length / size) }, (_, n) => {
    const own = others.slice(n * size, (n + 1) * size)
    return { own, judged: n === 0 ? idsOf([...baseline, ...own]) : idsOf(own) }
  })
  return { baseline, parts }
}
