/**
 * Checks a lap's delta against the official times: finds its error, its unreliable stretches, and the places where the
 * seconds were lost.
 */
import type { Closure, Explained, Stretch } from "../../domain/analysis/comparison.ts"
import { lowerBound } from "../../domain/RowBatch.ts"
import type { Alignment, LapData, LapOnGrid } from "../place/alignment.ts"
import { isDerived } from "./comparable.ts"
import { at } from "../corners/cornerTimes.ts"
import type { Delta, Piece } from "./pieces.ts"
import { orderedStretches } from "./stretches.ts"
import { deltaUncertainty, mainReason, type Missed, uncertain } from "./trust.ts"

/** A delta that is further off explains nothing about a corner, s. */
const CLOSES_S = 0.1
/** Sector lines are found in the positions of one lap; those of F1 are good to 0.1 s. */
const SECTOR_CLOSES_S = 0.15

export const difference = (a: number | null, b: number | null) => (a === null || b === null ? null : a - b)

/** A lap's two sector lines from the official times, m; undefined where only the service itself timed its sectors. */
const sectorLines = ({ lap, time }: LapOnGrid, step: number): readonly [number, number] | undefined => {
  if (isDerived(lap)) return undefined
  const { sector1Time: one, sector2Time: two } = lap
  if (one === null || two === null || !(one > 0 && two > 0 && one + two < time.at(-1)!)) return undefined
  return [distanceAt(time, step, one), distanceAt(time, step, one + two)]
}

const distanceAt = (time: Float64Array, step: number, when: number): number => {
  const next = lowerBound(time, when, 1, time.length - 1)
  const rise = time[next]! - time[next - 1]!
  return step * (next - 1 + (rise > 0 ? (when - time[next - 1]!) / rise : 0))
}

/** Seconds in each of the three sectors that two lines cut. */
const sectorTimes = ({ time }: LapOnGrid, step: number, [one, two]: readonly [number, number]) => {
  const first = at(time, step, one)
  const second = at(time, step, two)
  return [first, second - first, time.at(-1)! - second] as const
}

const missed = (telemetry: number | undefined, official: number | null) =>
  telemetry === undefined || official === null ? null : telemetry - official

/** How far a lap's delta is off the official ones, and the places where these are taken. */
const missedBy = (lap: LapOnGrid, fastest: LapOnGrid, { grid }: Alignment) => {
  const lines = sectorLines(fastest, grid.step)
  const own = isDerived(lap.lap) ? undefined : lines && sectorTimes(lap, grid.step, lines)
  const best = lines && sectorTimes(fastest, grid.step, lines)
  const sector = (s: 0 | 1 | 2, official: number | null) => missed(own && best && own[s] - best[s], official)
  const a = lap.lap
  const b = fastest.lap
  return {
    lines,
    total: missed(lap.time.at(-1)! - fastest.time.at(-1)!, difference(a.lapTime, b.lapTime)),
    sector1: sector(0, difference(a.sector1Time, b.sector1Time)),
    sector2: sector(1, difference(a.sector2Time, b.sector2Time)),
    sector3: sector(2, difference(a.sector3Time, b.sector3Time))
  }
}

type MissedBy = ReturnType<typeof missedBy>

/** The same along the lap, from the start line on, as far as official times show it. */
const missedAlong = ({ lines, sector1, sector2, total }: MissedBy, length: number): ReadonlyArray<Missed> => {
  const places: Array<Missed> = [{ distance: 0, seconds: 0 }]
  if (lines !== undefined && sector1 !== null) places.push({ distance: lines[0], seconds: sector1 })
  if (lines !== undefined && sector1 !== null && sector2 !== null) {
    places.push({ distance: lines[1], seconds: sector1 + sector2 })
  }
  return [...places, { distance: length, seconds: total ?? 0 }]
}

/** Sectors, or the whole lap, whose delta is too far off. */
const unclosed = (
  { lines, sector1, sector2, sector3, total }: MissedBy,
  length: number
): ReadonlyArray<Stretch> => {
  const found: Array<Stretch> = []
  if (Math.abs(total ?? 0) > CLOSES_S) {
    const reason = `the delta at the line differs from the lap times' by ${Math.abs(total!).toFixed(3)} s`
    found.push({ from: 0, to: length, reason })
  }
  const bounds = [0, ...(lines ?? []), length]
  ;[sector1, sector2, sector3].forEach((off, s) => {
    if (lines === undefined || !(Math.abs(off ?? 0) > SECTOR_CLOSES_S)) return
    const reason = `the delta in sector ${s + 1} differs from the sector times' by ${Math.abs(off!).toFixed(3)} s`
    found.push({ from: bounds[s]!, to: bounds[s + 1]!, reason })
  })
  return found
}

const reported = ({ from, reason, to }: Stretch): Stretch => ({ from, to, reason })

/** A lap's delta, with its uncertainty and its unreliable stretches. */
export const deltaOf = (lap: LapOnGrid, fastest: LapOnGrid, slowness: Float64Array, alignment: Alignment) => {
  const { length, step } = alignment.grid
  const by = missedBy(lap, fastest, alignment)
  const uncertainty = deltaUncertainty(lap, fastest, step, slowness, missedAlong(by, length))
  const theirs =
    lap === fastest
      ? []
      : fastest.unsound.map(({ from, reason, to }) => ({
          from,
          to,
          reason: `the fastest lap cannot be trusted: ${reason}`
        }))
  const unsound = orderedStretches(
    [...lap.unsound.map(reported), ...theirs, ...unclosed(by, length), ...uncertain(uncertainty, step)],
    length
  )
  const closes = Math.max(...[by.total, by.sector1, by.sector2, by.sector3].map((off) => Math.abs(off ?? 0)))
  return { lap, by, uncertainty, unsound, closes } satisfies Delta & { readonly by: MissedBy }
}

export const closureOf = (
  { by, lap, unsound }: ReturnType<typeof deltaOf>,
  { ends, method }: Alignment
): Omit<Closure, "explained"> => ({
  lapId: lap.lap.id,
  total: by.total,
  sector1: by.sector1,
  sector2: by.sector2,
  sector3: by.sector3,
  timedBy: ends === "positions" && method === "distance" ? "distance" : ends,
  measured: lap.time.at(-1)!,
  official: lap.lap.lapTime,
  unsound,
  trusted: unsound.length === 0,
  reason: mainReason(unsound)
})

/** The result where nothing can be aligned. */
export const unproven = ({ lap }: LapData, reason: string): Closure => ({
  lapId: lap.id,
  total: null,
  sector1: null,
  sector2: null,
  sector3: null,
  timedBy: "clock",
  measured: null,
  official: lap.lapTime,
  unsound: [],
  trusted: false,
  reason,
  explained: null
})

const sum = (values: ReadonlyArray<number>) => values.reduce((total, value) => total + value, 0)

export const explanationOf = (pieces: ReadonlyArray<Piece>): Explained => {
  const of = (wanted: (piece: Piece) => boolean) => sum(pieces.filter(wanted).map(({ lost }) => lost))
  return {
    delta: sum(pieces.map(({ lost }) => lost)),
    lost: of(({ named, sound }) => sound && named),
    unnamed: of(({ lost, named, sound }) => sound && !named && lost > 0),
    gained: of(({ lost, sound }) => sound && lost < 0),
    unsound: of(({ sound }) => !sound)
  }
}
