/** A session prepared for judging: its laps in order, each with its own points, and a common axis of distance. */
import type { RecordedLap } from "../../domain/Lap.ts"
import { gapAfter, MAX_GAP_S } from "../../domain/lapLimits.ts"
import type { Channel } from "../../domain/pointChannels.ts"
import { lowerBound, type PointBatch } from "../../domain/RowBatch.ts"
import { align, type Alignment, type Grid, type LapData, type LapOnGrid } from "../place/alignment.ts"
import type { SamplesAround } from "../compare/channelTraces.ts"
import { comparableLaps, byStart, isTimed, type TimedLap, validLaps } from "../compare/comparable.ts"
import { isAbsent, placeable } from "../missing.ts"
import { hasPositions } from "../place/tells.ts"
import { quantile } from "../math/robust.ts"
import { lapKinds } from "../lapKinds/lapKinds.ts"
import type { KnownLap } from "../lapKinds/placedLaps.ts"
import { paceLevels } from "../lapKinds/paceLevel.ts"

export interface LapEvidence {
  readonly lap: RecordedLap
  /** The lap's own points, from its start to its end. */
  readonly points: PointBatch
  readonly column: (channel: Channel) => Float64Array
  /** Whether its places are among those that others are compared with: a running lap at pace, or a first one. */
  readonly comparable: boolean
  readonly known: KnownLap
  /** Undefined for a lap that was not timed, or that cannot be aligned. */
  readonly onGrid: LapOnGrid | undefined
  /** No timed lap came right before it: it may start from standstill. */
  readonly begins: boolean
  /** m from the line at an instant (epoch s). */
  readonly distanceAt: (time: number) => number | null
  /** The instant at a distance; only for a lap on the grid. */
  readonly timeAt: ((distance: number) => number) | undefined
  /** Samples of other groups. */
  readonly around: ReadonlyArray<SamplesAround>
}

export interface SessionEvidence {
  readonly laps: ReadonlyArray<LapEvidence>
  /** The running laps, whose times others are compared with, out of the whole session. */
  readonly atPace: ReadonlyArray<TimedLap>
  /** The pace that is usual at a lap, as a multiple of the session's. */
  readonly levelOf: (lapId: number) => number
  readonly alignment: Alignment | undefined
  /** With fewer than 3 valid laps nothing is compared with a baseline. */
  readonly enough: boolean
  readonly positions: boolean
  /** Between points further apart than this, s, the car's way is not known. */
  readonly gap: number
  /** Between points further apart than this, s, others are missing: a slow feed's jitter is no gap. */
  readonly hole: number
}

/** Nodes of the baselines, m: several within a braking zone, each with a point of its own at 10 Hz or more. */
const STEP_M = 5
export const MIN_VALID = 3
/** The shortest gap worth reporting, s. */
const MIN_GAP_S = 0.25
/** The usual interval is this quantile of all intervals; four times the usual one is no jitter. */
const USUAL_SHARE = 0.95
export const USUAL_TIMES = 4
const SAMPLED_INTERVALS = 20_000

/** The intervals of all laps, thinned evenly. */
const usualInterval = (laps: ReadonlyArray<PointBatch>): number => {
  const total = laps.reduce((sum, points) => sum + Math.max(0, points.length - 1), 0)
  const every = Math.max(1, Math.floor(total / SAMPLED_INTERVALS))
  const intervals: Array<number> = []
  for (const points of laps) {
    const t = points.timestamps
    for (let i = 1; i < t.length; i += every) intervals.push(t[i]! - t[i - 1]!)
  }
  return intervals.length === 0 ? 0 : quantile(intervals, USUAL_SHARE)
}

/** Four times the usual interval, and at most a second; in a feed so slow that this is its jitter, more. */
const holeAfter = (usual: number): number => {
  const least = Math.max(MIN_GAP_S, usual * USUAL_TIMES)
  return gapAfter(usual) > MAX_GAP_S ? least : Math.min(MAX_GAP_S, least)
}

const ownPoints = ({ lap, points }: LapData): PointBatch => {
  const t = points.timestamps
  return points.slice(lowerBound(t, lap.startTime), lowerBound(t, lap.endTime))
}

/** Loops request a column for every point: the same view is returned each time. */
const columnsOf = (points: PointBatch) => {
  const views = new Map<Channel, Float64Array>()
  return (channel: Channel): Float64Array => {
    const known = views.get(channel)
    if (known !== undefined) return known
    const view = points.column(channel)
    views.set(channel, view)
    return view
  }
}

/** Distance by speed, for laps that are not on the grid; null where the speed is absent. */
const drivenBy = (points: PointBatch) => {
  const t = points.timestamps
  let driven: Float64Array | undefined
  return (time: number): number | null => {
    if (isAbsent(points.column("speed"))) return null
    if (driven === undefined) {
      const speed = points.column("speed")
      driven = new Float64Array(t.length)
      for (let i = 1; i < t.length; i++) {
        const way = ((Math.abs(speed[i]!) + Math.abs(speed[i - 1]!)) / 7.2) * (t[i]! - t[i - 1]!)
        driven[i] = driven[i - 1]! + (way > 0 ? way : 0)
      }
    }
    const at = Math.min(lowerBound(t, time), t.length - 1)
    return at < 0 ? null : driven[at]!
  }
}

const onGridAt =
  (onGrid: LapOnGrid, distance: Float64Array) =>
  (time: number): number => {
    const since = time - onGrid.lap.startTime
    const after = Math.min(Math.max(1, lowerBound(onGrid.time, since)), distance.length - 1)
    const from = onGrid.time[after - 1]!
    const share = (since - from) / (onGrid.time[after]! - from)
    const within = share > 0 ? Math.min(1, share) : 0
    return distance[after - 1]! + within * (distance[after]! - distance[after - 1]!)
  }

const timeOnGrid =
  ({ lap, time }: LapOnGrid, { distance, step }: Grid) =>
  (at: number): number => {
    const last = distance.length - 1
    const node = Math.min(last, Math.max(0, at / step))
    const before = Math.min(last - 1, Math.floor(node))
    return lap.startTime + time[before]! + (node - before) * (time[before + 1]! - time[before]!)
  }

/** Gathers some or all laps of a session; `all`: the whole session. */
export const gather = (some: ReadonlyArray<LapData>, all: ReadonlyArray<RecordedLap>): SessionEvidence => {
  const laps = [...some].sort((a, b) => byStart(a.lap, b.lap))
  const records = [...all].sort(byStart)
  const before = new Map(records.map(({ id }, n) => [id, records[n - 1]]))
  const after = new Map(records.map(({ id }, n) => [id, records[n + 1]]))
  const begins = (lap: RecordedLap): boolean => {
    const last = before.get(lap.id)
    return last === undefined || !isTimed(last) || lap.startTime - last.endTime > MAX_GAP_S
  }
  const fast = comparableLaps(records)
  const isFast = new Set(fast.map(({ id }) => id))
  const alignment = align(
    laps.filter(({ lap, points }) => isTimed(lap) && placeable(points).length > 1),
    STEP_M
  )
  const placed = new Map(alignment?.laps.map((lap) => [lap.lap.id, lap]))
  const knownOf = lapKinds(
    laps.map(({ around = [], lap }) => ({
      lap,
      around,
      onGrid: placed.get(lap.id),
      atPace: isFast.has(lap.id),
      begins: begins(lap)
    })),
    ({ id }) => after.get(id),
    alignment
  )
  const atPace = fast.filter(({ id }) => knownOf(id).kinds.size === 0)
  /** A first lap's places count past its launch. */
  const isComparable = ({ id }: RecordedLap): boolean =>
    isFast.has(id) && [...knownOf(id).kinds].every((kind) => kind === "start")
  const levels = paceLevels(records, atPace, (id) => knownOf(id).kinds)
  const own = laps.map(ownPoints)
  const usual = usualInterval(own)
  return {
    atPace,
    levelOf: (lapId) => (levels?.get(lapId) ?? 1) * knownOf(lapId).pace,
    alignment,
    enough: validLaps(records).length >= MIN_VALID,
    positions: own.some(hasPositions),
    gap: Math.min(gapAfter(usual), Math.max(MIN_GAP_S, usual * USUAL_TIMES)),
    hole: holeAfter(usual),
    laps: laps.map(({ around = [], lap }, l) => {
      const points = own[l]!
      const onGrid = placed.get(lap.id)
      return {
        lap,
        points,
        column: columnsOf(points),
        comparable: isComparable(lap),
        known: knownOf(lap.id),
        onGrid,
        begins: begins(lap),
        distanceAt:
          alignment === undefined || onGrid === undefined
            ? drivenBy(points)
            : onGridAt(onGrid, alignment.grid.distance),
        timeAt:
          alignment === undefined || onGrid === undefined ? undefined : timeOnGrid(onGrid, alignment.grid),
        around
      }
    })
  }
}
