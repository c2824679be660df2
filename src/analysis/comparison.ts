/**
 * Laps compared: deltas from their own times, traces along the way, and how well the one proves the other.
 */
import type { CircuitDetails } from "../domain/Circuit.ts"
import type { Lap, RecordedLap } from "../domain/Lap.ts"
import { type Channel, lowerBound } from "../domain/PointBatch.ts"
import { algorithm_version } from "./algorithmVersion.ts"
import { isDerived } from "./comparable.ts"
import { align, type Alignment, type LapData, type LapOnGrid, timeOf } from "./alignment.ts"
import {
  analyseCorners,
  at,
  type CornerAnalysis,
  type CornerComparison,
  type Section
} from "./cornerTimes.ts"
import { missingChannels, PLACING } from "./missing.ts"
import { type Delta, type Piece, piecesOf } from "./pieces.ts"
import { inOrder, type Stretch } from "./stretches.ts"
import { isExplicable, type Loss, lossesOf } from "./suggestions.ts"
import { deltaUncertainty, isAll, mainReason, type Missed, slownessOf, uncertain } from "./trust.ts"

/** Seconds slower than the fastest lap; null where one of the two was not timed. */
export interface TimeDelta {
  readonly total: number | null
  readonly sector1: number | null
  readonly sector2: number | null
  readonly sector3: number | null
}

/**
 * Against the fastest: distance m, time_delta s (positive: behind), and within how many seconds of it the true one lies nine
 * times in ten; and what the lap did there: speed km/h, pedals 0 to 1, the gear, steering -1 (left) to 1, position m. A value
 * per node, `ABSENT` where it is not told.
 */
export interface Trace {
  readonly lap_id: number
  readonly distance: Float64Array
  readonly time_delta: Float64Array
  readonly time_delta_uncertainty: Float64Array
  readonly speed: Float64Array
  readonly throttle: Float64Array
  readonly brake: Float64Array
  readonly gear: Float64Array
  readonly steering: Float64Array
  readonly position_x: Float64Array
  readonly position_y: Float64Array
}

/**
 * Where a lap's delta at the line went, s. Sections of the lap add up to `delta`: those that lost enough to be named
 * in `losses`, those that lost less, those that gained (0 or less), and stretches that are not sound.
 */
export interface Explained {
  readonly delta: number
  readonly lost: number
  readonly unnamed: number
  readonly gained: number
  readonly unsound: number
}

/**
 * What the telemetry's deltas miss the official ones by, s: the delta along the way at the line (and at the
 * fastest's sector lines) less the difference of the lap (and sector) times. Null where there is no official
 * time.
 */
export interface Closure extends TimeDelta {
  readonly lap_id: number
  /**
   * What timed the lap from line to line: the recorder's clock, or the crossing of the line that the
   * positions show. `lap_time` itself may be the simulator's own and differ from both; `total` is by how
   * much.
   */
  readonly timed_by: "clock" | "positions"
  /** Lap time by that, s. */
  readonly measured: number | null
  readonly official: number | null
  /**
   * Stretches where the lap's delta is not to be relied on, by faults of its own data or of the fastest lap's: no loss is named
   * there. Bridged by the lap's clock: what is beyond them is sound again.
   */
  readonly unsound: ReadonlyArray<Stretch>
  /** Whether there are none. */
  readonly trusted: boolean
  /** Of the longest of them. */
  readonly reason: string | null
  /** Null where nothing of the lap is sound, or speeds are not told: its losses go unnamed. */
  readonly explained: Explained | null
}

export interface Comparison {
  readonly algorithm_version: string
  readonly laps: ReadonlyArray<Lap>
  readonly fastest_lap_id: number
  readonly time_deltas: Readonly<Record<string, TimeDelta>>
  readonly suggestions: ReadonlyArray<string>
  readonly losses: ReadonlyArray<Loss>
  readonly closure: ReadonlyArray<Closure>
  readonly corners: ReadonlyArray<CornerComparison>
  /** Whose numbers the corners have; null where they are in the order found. */
  readonly circuit: CornerAnalysis["circuit"]
  readonly traces: ReadonlyArray<Trace>
  readonly method: Alignment["method"] | null
  /** Channels that one of the laps does not tell: its traces have nothing there, and what needs them is left out. */
  readonly missing_channels: ReadonlyArray<Channel>
}

/** What traces, corners and losses are made of. */
const COMPARED = ["speed", "gear", "throttle", "brake", "steering", "position_x", "position_y"] as const

/** A delta further off than this explains nothing about a corner, s. */
const CLOSES_S = 0.1
/** Sector lines are found in one lap's positions, which are F1's to 0.1 s. */
const SECTOR_CLOSES_S = 0.15

const difference = (a: number | null, b: number | null) => (a === null || b === null ? null : a - b)

/** The fastest by its own time; where none was timed, by the clock. */
const fastestOf = (laps: ReadonlyArray<LapData>): LapData => {
  const timed = laps.filter(({ lap }) => lap.lap_time !== null)
  const choice = timed.length > 0 ? timed : laps
  return choice.reduce((best, lap) => (timeOf(lap) < timeOf(best) ? lap : best))
}

/** A lap's two sector lines by the official times, m; undefined where it was not timed there but by the service itself. */
const sectorLines = ({ lap, time }: LapOnGrid, step: number): readonly [number, number] | undefined => {
  if (isDerived(lap)) return undefined
  const { sector1_time: one, sector2_time: two } = lap
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

/** What a lap's delta misses the official ones by, and where they are taken. */
const missedBy = (lap: LapOnGrid, fastest: LapOnGrid, { grid }: Alignment) => {
  const lines = sectorLines(fastest, grid.step)
  const own = isDerived(lap.lap) ? undefined : lines && sectorTimes(lap, grid.step, lines)
  const best = lines && sectorTimes(fastest, grid.step, lines)
  const sector = (s: 0 | 1 | 2, official: number | null) => missed(own && best && own[s] - best[s], official)
  const a = lap.lap
  const b = fastest.lap
  return {
    lines,
    total: missed(lap.time.at(-1)! - fastest.time.at(-1)!, difference(a.lap_time, b.lap_time)),
    sector1: sector(0, difference(a.sector1_time, b.sector1_time)),
    sector2: sector(1, difference(a.sector2_time, b.sector2_time)),
    sector3: sector(2, difference(a.sector3_time, b.sector3_time))
  }
}

type MissedBy = ReturnType<typeof missedBy>

/** The same from the line on, where the official times tell of it. */
const missedAlong = ({ lines, sector1, sector2, total }: MissedBy, length: number): ReadonlyArray<Missed> => {
  const places: Array<Missed> = [{ distance: 0, seconds: 0 }]
  if (lines !== undefined && sector1 !== null) places.push({ distance: lines[0], seconds: sector1 })
  if (lines !== undefined && sector1 !== null && sector2 !== null) {
    places.push({ distance: lines[1], seconds: sector1 + sector2 })
  }
  return [...places, { distance: length, seconds: total ?? 0 }]
}

/** Sectors, or all of the lap, that do not close. */
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

const told = ({ from, reason, to }: Stretch): Stretch => ({ from, to, reason })

/** A lap's delta with all that is known of how well. */
const deltaOf = (lap: LapOnGrid, fastest: LapOnGrid, slowness: Float64Array, alignment: Alignment) => {
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
  const unsound = inOrder(
    [...lap.unsound.map(told), ...theirs, ...unclosed(by, length), ...uncertain(uncertainty, step)],
    length
  )
  const closes = Math.max(...[by.total, by.sector1, by.sector2, by.sector3].map((off) => Math.abs(off ?? 0)))
  return { lap, by, uncertainty, unsound, closes } satisfies Delta & { readonly by: MissedBy }
}

const closureOf = (
  { by, lap, unsound }: ReturnType<typeof deltaOf>,
  ends: Alignment["ends"]
): Omit<Closure, "explained"> => ({
  lap_id: lap.lap.id,
  total: by.total,
  sector1: by.sector1,
  sector2: by.sector2,
  sector3: by.sector3,
  timed_by: ends,
  measured: lap.time.at(-1)!,
  official: lap.lap.lap_time,
  unsound,
  trusted: unsound.length === 0,
  reason: mainReason(unsound)
})

/** Where nothing can be aligned nothing is proven. */
const unproven = ({ lap }: LapData, reason: string): Closure => ({
  lap_id: lap.id,
  total: null,
  sector1: null,
  sector2: null,
  sector3: null,
  timed_by: "clock",
  measured: null,
  official: lap.lap_time,
  unsound: [],
  trusted: false,
  reason,
  explained: null
})

const sum = (values: ReadonlyArray<number>) => values.reduce((total, value) => total + value, 0)

const explanationOf = (pieces: ReadonlyArray<Piece>): Explained => {
  const of = (wanted: (piece: Piece) => boolean) => sum(pieces.filter(wanted).map(({ lost }) => lost))
  return {
    delta: sum(pieces.map(({ lost }) => lost)),
    lost: of(({ named, sound }) => sound && named),
    unnamed: of(({ lost, named, sound }) => sound && !named && lost > 0),
    gained: of(({ lost, sound }) => sound && lost < 0),
    unsound: of(({ sound }) => !sound)
  }
}

const shown = ({ end_time: _end, start_time: _start, ...lap }: RecordedLap): Lap => lap

/**
 * Pieces of the sections, or of the lap as one where no positions tell enough of any section: what the clock says of the whole
 * lap is surer than what is known of its places.
 */
const placedPieces = (
  delta: Delta,
  fastest: LapOnGrid,
  { grid, method }: Alignment,
  sections: ReadonlyArray<Section>
): ReadonlyArray<Piece> => {
  const pieces = piecesOf(delta, fastest, grid, sections)
  if (method === "positions" || pieces.some(({ named }) => named)) return pieces
  const lost = delta.lap.time.at(-1)! - fastest.time.at(-1)!
  const whole = piecesOf(delta, fastest, grid, [{ from: 0, to: grid.length, corner: null, lost }])
  return whole.some(({ named }) => named) ? whole : pieces
}

const traceOf = ({ lap, uncertainty }: Delta, fastest: LapOnGrid, { grid }: Alignment): Trace => ({
  lap_id: lap.lap.id,
  distance: grid.distance,
  time_delta: lap.time.map((time, n) => time - fastest.time[n]!),
  time_delta_uncertainty: uncertainty,
  speed: lap.speed,
  throttle: lap.throttle,
  brake: lap.brake,
  gear: lap.gear,
  steering: lap.steering,
  position_x: lap.x,
  position_y: lap.y
})

/**
 * At least one lap; `edited`: what a user says of their circuit; `step`: m from node to node. The same laps give the
 * same bytes, in whatever session they are.
 */
export const compare = (laps: ReadonlyArray<LapData>, step?: number, edited?: CircuitDetails): Comparison => {
  const best = fastestOf(laps)
  const alignment = align(laps, step)
  const fastest = alignment?.laps[laps.indexOf(best)]
  const base = {
    algorithm_version,
    laps: laps.map(({ lap }) => shown(lap)),
    fastest_lap_id: best.lap.id,
    missing_channels: missingChannels(
      laps.map(({ points }) => points),
      COMPARED
    ),
    time_deltas: Object.fromEntries(
      laps.map(({ lap }) => [
        String(lap.id),
        lap.id === best.lap.id
          ? { total: 0, sector1: 0, sector2: 0, sector3: 0 }
          : {
              total: difference(lap.lap_time, best.lap.lap_time),
              sector1: difference(lap.sector1_time, best.lap.sector1_time),
              sector2: difference(lap.sector2_time, best.lap.sector2_time),
              sector3: difference(lap.sector3_time, best.lap.sector3_time)
            }
      ])
    )
  }
  if (alignment === undefined || fastest === undefined) {
    const reason = PLACING.every((channel) => base.missing_channels.includes(channel))
      ? "the laps tell neither positions nor speeds to be compared by"
      : "the laps have too few points to be compared"
    return {
      ...base,
      suggestions: [],
      losses: [],
      closure: laps.map((lap) => unproven(lap, reason)),
      corners: [],
      circuit: null,
      traces: [],
      method: null
    }
  }
  const analysis = analyseCorners(alignment, fastest, edited)
  const slowness = slownessOf(fastest, alignment.grid.step)
  const deltas = alignment.laps.map((lap) => deltaOf(lap, fastest, slowness, alignment))
  const pieces = deltas.map((delta, l) => placedPieces(delta, fastest, alignment, analysis.sections[l]!))
  const losses = lossesOf(alignment, fastest, analysis, pieces)
  const closure = deltas.map((delta, l) => {
    const explicable = !isAll(delta.unsound, alignment.grid.length) && isExplicable(delta.lap, fastest)
    return { ...closureOf(delta, alignment.ends), explained: explicable ? explanationOf(pieces[l]!) : null }
  })
  return {
    ...base,
    suggestions: losses.map(({ sentence }) => sentence),
    losses,
    closure,
    corners: analysis.corners,
    circuit: analysis.circuit,
    traces: deltas.map((delta) => traceOf(delta, fastest, alignment)),
    method: alignment.method
  }
}
