/**
 * Laps on a common axis of distance, so that they can be compared place by place.
 *
 * Each lap's positions are projected on the line that the reference lap drove: the place on the reference's
 * line that a car is abreast of, not the distance that it drove itself (a wider line is longer, and 30 m of
 * registration are 0.36 s at 300 km/h). Both ends are held to the lap's own crossings of the line.
 */
import type { RecordedLap } from "../../domain/Lap.ts"
import { MAX_GAP_S } from "../../domain/lapLimits.ts"
import type { PointBatch } from "../../domain/RowBatch.ts"
import { steadied } from "./arrivalClock.ts"
import { believable } from "./believable.ts"
import type { SamplesAround } from "../compare/channelTraces.ts"
import type { Fault } from "../faults/fault.ts"
import { sourcesOf } from "../faults/pointFaults.ts"
import { byLandmarks } from "./landmarks.ts"
import { lapAxis, type LapAxis } from "./lapAxis.ts"
import { placeable } from "../missing.ts"
import type { SourcedLap } from "./projected.ts"
import { referenceLine } from "./referenceLine.ts"
import { onGrid } from "../math/resample.ts"
import { upperMedian } from "../math/robust.ts"
import type { UnsoundStretch } from "../compare/stretches.ts"
import { reportedDistances } from "./reportedDistance.ts"

/** A lap and all its points (epoch timestamps, every channel); up to 2 s of points before and after help. */
export interface LapData {
  readonly lap: RecordedLap
  readonly points: PointBatch
  /** Samples of other groups of its session, around the lap. Empty where the session has none. */
  readonly around?: ReadonlyArray<SamplesAround>
}

/** Equal steps of distance (m) from the line (0) to the line (`length`): floor(length / step) + 1 nodes. */
export interface Grid {
  readonly step: number
  readonly length: number
  readonly distance: Float64Array
}

/**
 * One lap on the grid: a value per node, in the units of a point; `ABSENT` where the points do not have the channel.
 */
export interface LapOnGrid {
  readonly lap: RecordedLap
  /** Seconds since the lap began: 0 at the first node, the lap's duration (by `ends`) at the last. */
  readonly time: Float64Array
  /** The index of the lap's last point before each node. */
  readonly point: Int32Array
  readonly speed: Float64Array
  readonly rpm: Float64Array
  readonly gear: Float64Array
  readonly throttle: Float64Array
  readonly brake: Float64Array
  readonly steering: Float64Array
  readonly x: Float64Array
  readonly y: Float64Array
  /** m to the left of the reference's line. */
  readonly aside: Float64Array
  /** s: the standard deviation of `time`, by the lap's own sources. */
  readonly deviation: Float64Array
  /** Stretches with unreliable times, in order; empty for a lap that can be trusted. */
  readonly unsound: ReadonlyArray<UnsoundStretch>
  /** Whether its times come from places. Without places they are spread evenly. */
  readonly isPlaced: boolean
  /**
   * 1 at the nodes that the points cover. 0 in a pause that is too long (`gapAfter`), before the first point and after
   * the last: there times and channels are interpolated, and nothing was recorded.
   */
  readonly known: Uint8Array
  /** Whether the points lead from line to line, whatever is wrong in between. */
  readonly complete: boolean
  /** The faults of the points, in order. */
  readonly faults: ReadonlyArray<Fault>
  /**
   * By how much (s) the crossing of the line, as the positions show it, is later than the lap's start and end: a check
   * of the positions against the clock, independent of both lap times. For a lap placed by a reported distance, the
   * distance shows the crossing; zeros for a lap placed by speed.
   */
  readonly line: readonly [start: number, end: number]
}

export interface Alignment {
  readonly grid: Grid
  readonly reference: LapOnGrid
  readonly laps: ReadonlyArray<LapOnGrid>
  /**
   * `distance`: the simulator's own `lap_distance`, where all laps have one that passes its checks
   * (reportedDistance.ts).
   */
  readonly method: "distance" | "positions" | "speed"
  /** Whether all laps have positions, however they are placed. */
  readonly hasPositions: boolean
  /**
   * The source of the laps' times at the line: the recorder's clock, or the crossing that positions or distances show.
   * The crossing is better where laps begin and end with the arrival of a packet.
   */
  readonly ends: "clock" | "positions"
}

/** Fewer points do not make a lap: a line needs some. */
const MIN_POINTS = 10
/** A shorter drive, m, is no lap either; the shortest circuits (karts) have some 200 m. */
const MIN_M = 50

const DEFAULT_STEP_M = 1

/** Seconds: the lap's official time, or else the clock's. */
export const timeOf = ({ lap }: LapData): number => lap.lapTime ?? lap.endTime - lap.startTime

/**
 * True without a fault, and without a gap of over a second in the channels that place it: a line with a gap cuts a
 * corner.
 */
const isWhole = ({ lap, points, sources }: SourcedLap): boolean => {
  const spoilt = sources.faults.some(
    ({ from, source, to }) => source !== "speed" && to > lap.startTime && from < lap.endTime
  )
  if (spoilt) return false
  let last = lap.startTime
  const t = points.timestamps
  for (let i = 0; i < t.length; i++) {
    const time = t[i]!
    if (time < lap.startTime || (sources.hasPositions && sources.placeWrong[i] === 1)) continue
    if (Math.min(time, lap.endTime) - last > MAX_GAP_S) return false
    last = time
    if (time >= lap.endTime) return true
  }
  return lap.endTime - last <= MAX_GAP_S
}

/**
 * The fastest valid lap without a gap, else the fastest valid; where none is valid, the fastest timed one without a
 * gap, else the fastest; a lap that was taken back only if there is no other. Of equal laps the first recorded, so that
 * the order of the input does not matter.
 */
const referenceOf = (laps: ReadonlyArray<SourcedLap>): SourcedLap | undefined => {
  const valid = laps.filter(({ lap }) => lap.valid)
  const timed = laps.filter(({ lap }) => lap.lapTime !== null && lap.withdrawn !== true)
  const choice = [valid.filter(isWhole), valid, timed.filter(isWhole), timed].find(({ length }) => length > 0)
  let best: SourcedLap | undefined
  for (const lap of choice ?? laps) {
    const less = best === undefined ? -1 : timeOf(lap) - timeOf(best) || lap.lap.id - best.lap.id
    if (less < 0) best = lap
  }
  return best
}

/**
 * Steps for a circuit of 100 km. A longer lap has a wrong clock or wrong positions, and its grid would take too much
 * memory.
 */
const MAX_STEPS = 100_000

const gridOf = (length: number, step: number): Grid => {
  const steps = Math.min(MAX_STEPS, Math.max(1, Math.floor(length / step)))
  const distance = new Float64Array(steps + 1)
  for (let n = 0; n < steps; n++) distance[n] = (n * length) / steps
  distance[steps] = length
  return { step: length / steps, length, distance }
}

/**
 * While the clock's lap times spread by less than this about the official ones, s, the positions are not considered:
 * half of a 100 Hz poll.
 */
const CLOSE_S = 0.005

/** The median distance of values from their middle. */
const spread = (values: ReadonlyArray<number>): number => {
  const middle = values.length === 2 ? (values[0]! + values[1]!) / 2 : (upperMedian(values) ?? 0)
  return upperMedian(values.map((value) => Math.abs(value - middle))) ?? 0
}

/**
 * The clock, unless it disagrees with the official lap times and the positions' crossings agree better. Official times
 * enter no time along the lap; they only choose between two measurements, the same for all laps.
 */
const endsBy = (laps: ReadonlyArray<LapData>, axes: ReadonlyArray<LapAxis>): "clock" | "positions" => {
  const clock: Array<number> = []
  const positions: Array<number> = []
  laps.forEach(({ lap }, index) => {
    const { complete, crossing } = axes[index]!
    if (lap.lapTime === null || !complete) return
    clock.push(lap.endTime - lap.startTime - lap.lapTime)
    positions.push(crossing[1] - crossing[0] - lap.lapTime)
  })
  return spread(clock) > CLOSE_S && spread(positions) < spread(clock) ? "positions" : "clock"
}

/** A lap with only those points whose positions can be believed. */
const withoutWrong = ({ lap, points, sources }: SourcedLap): LapData => {
  const { placeWrong } = sources
  if (!placeWrong.includes(1)) return { lap, points }
  return { lap, points: points.pick([...placeWrong.keys()].filter((i) => placeWrong[i] === 0)) }
}

/**
 * Aligns the laps to the line of the reference (the fastest valid lap), in the input's order. Undefined where nothing
 * can be aligned (too few points, or no way driven). `step`: the approximate distance between nodes, m.
 */
export const align = (
  recorded: ReadonlyArray<LapData>,
  step: number = DEFAULT_STEP_M
): Alignment | undefined => {
  const laps = recorded.map((raw): SourcedLap => {
    const data = steadied(raw)
    const good = believable(placeable(data.points))
    return { ...data, points: good, sources: sourcesOf(good) }
  })
  const reference = referenceOf(laps)
  if (reference === undefined || reference.points.length < MIN_POINTS) return undefined
  const hasPositions = laps.every(({ sources }) => sources.hasPositions)
  const reported = reportedDistances(laps, hasPositions)
  const method = reported !== undefined ? "distance" : hasPositions ? "positions" : "speed"
  const line = hasPositions ? referenceLine(withoutWrong(reference)) : undefined
  const driven = laps.map((lap, l) =>
    lapAxis(lap, line, reported && { lap: reported.laps[l]!, length: reported.length })
  )
  const own = driven[laps.indexOf(reference)]!
  const axes = method === "speed" ? byLandmarks(driven, own) : driven
  const length = own.to - own.from
  if (!(length >= MIN_M)) return undefined
  const grid = gridOf(length, step)
  const ends = method === "speed" ? "clock" : endsBy(laps, axes)
  const placed = laps.map((lap, index) => onGrid(lap, axes[index]!, grid, ends))
  return { grid, reference: placed[laps.indexOf(reference)]!, laps: placed, method, hasPositions, ends }
}
