/** Laps compared: deltas from their own times, traces along the way, corners, and where the time was lost. */
import type { CircuitDetails } from "../domain/Circuit.ts"
import type { Lap, RecordedLap } from "../domain/Lap.ts"
import type { Channel } from "../domain/PointBatch.ts"
import { algorithm_version } from "./algorithmVersion.ts"
import { align, type Alignment, type LapData, type LapOnGrid, timeOf } from "./alignment.ts"
import {
  type Closure,
  closureOf,
  deltaOf,
  difference,
  explanationOf,
  type TimeDelta,
  unproven
} from "./closure.ts"
import { analyseCorners, type CornerAnalysis, type CornerComparison, type Section } from "./cornerTimes.ts"
import { missingChannels, PLACING } from "./missing.ts"
import { type Delta, type Piece, piecesOf } from "./pieces.ts"
import { isExplicable, type Loss, lossesOf } from "./suggestions.ts"
import { isAll, slownessOf } from "./trust.ts"

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

/** The fastest by its own time; where none was timed, by the clock. */
const fastestOf = (laps: ReadonlyArray<LapData>): LapData => {
  const timed = laps.filter(({ lap }) => lap.lap_time !== null)
  const choice = timed.length > 0 ? timed : laps
  return choice.reduce((best, lap) => (timeOf(lap) < timeOf(best) ? lap : best))
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
