/** Compares laps: deltas from their own times, traces along the way, corners, and where time was lost. */
import type { LapComparison, Trace } from "../../domain/analysis/comparison.ts"
import type { CircuitLayout } from "../../domain/CircuitLayout.ts"
import type { Lap, RecordedLap } from "../../domain/Lap.ts"
import { ABSENT } from "../../domain/RowBatch.ts"
import { algorithmVersion } from "../algorithmVersion.ts"
import { align, type Alignment, type LapData, type LapOnGrid, timeOf } from "../place/alignment.ts"
import { type ChannelTraces, channelTraces, type TracedLap } from "./channelTraces.ts"
import { closureOf, deltaOf, difference, explanationOf, unproven } from "./closure.ts"
import type { CircuitFacts } from "../circuits/numbering.ts"
import { analyseCorners, type Section } from "../corners/cornerTimes.ts"
import { missingChannels, PLACING } from "../missing.ts"
import { type Delta, type Piece, piecesOf } from "./pieces.ts"
import { isExplicable, lossesOf } from "./suggestions.ts"
import { isAll, slownessOf } from "./trust.ts"
import { slippedBeside } from "./wheelCauses.ts"

/** With a trace for each lap; without traces where the laps cannot be aligned. */
export type TracedComparison = LapComparison & { readonly traces: ReadonlyArray<Trace> }

/** The channels that traces, corners and losses need. */
const COMPARED = ["speed", "gear", "throttle", "brake", "steering", "position_x", "position_y"] as const

/**
 * The fastest by official time; where none was timed, by the clock. A lap that was taken back only if there is no
 * other.
 */
const fastestOf = (laps: ReadonlyArray<LapData>): LapData => {
  const standing = laps.filter(({ lap }) => lap.withdrawn !== true)
  const timed = standing.filter(({ lap }) => lap.lapTime !== null)
  const choice = [timed, standing].find(({ length }) => length > 0) ?? laps
  return choice.reduce((best, lap) => (timeOf(lap) < timeOf(best) ? lap : best))
}

const shown = ({ endTime: _end, startTime: _start, ...lap }: RecordedLap): Lap => lap

/**
 * The pieces of the sections. Where positions cover no section well enough, the lap is one piece: the clock's time of
 * the whole lap is more certain than its places.
 */
const placedPieces = (
  delta: Delta,
  fastest: LapOnGrid,
  { grid, method }: Alignment,
  sections: ReadonlyArray<Section>
): ReadonlyArray<Piece> => {
  const pieces = piecesOf(delta, fastest, grid, sections)
  if (method !== "speed" || pieces.some(({ named }) => named)) return pieces
  const lost = delta.lap.time.at(-1)! - fastest.time.at(-1)!
  const whole = piecesOf(delta, fastest, grid, [{ from: 0, to: grid.length, corner: null, lost }])
  return whole.some(({ named }) => named) ? whole : pieces
}

/** A column without the values of the nodes where the lap, and the other one if given, was not recorded. */
const recorded = (column: Float64Array, { known }: LapOnGrid, other?: LapOnGrid): Float64Array =>
  known.includes(0) || other?.known.includes(0) === true
    ? column.map((value, n) => (known[n] === 0 || other?.known[n] === 0 ? ABSENT : value))
    : column

const traceOf = ({ lap, uncertainty }: Delta, fastest: LapOnGrid, { grid }: Alignment): Trace => {
  const delta = lap.time.map((time, n) => time - fastest.time[n]!)
  return {
    lapId: lap.lap.id,
    distance: grid.distance,
    timeDelta: recorded(delta, lap, fastest),
    timeDeltaUncertainty: recorded(uncertainty, lap, fastest),
    speed: recorded(lap.speed, lap),
    throttle: recorded(lap.throttle, lap),
    brake: recorded(lap.brake, lap),
    gear: recorded(lap.gear, lap),
    steering: recorded(lap.steering, lap),
    positionX: recorded(lap.x, lap),
    positionY: recorded(lap.y, lap)
  }
}

/** The further channels: a pause in the points is a pause of the whole feed. */
const furtherOf = (traced: ChannelTraces, lap: LapOnGrid, { grid }: Alignment): ChannelTraces =>
  Object.fromEntries(
    Object.entries(traced).map(([name, column]) => [
      name,
      column === null || column === grid.distance ? column : recorded(column, lap)
    ])
  )

/** A comparison, and what it is made from. */
export interface Judged {
  readonly comparison: LapComparison
  /** The circuit's layouts with what the laps add to them; absent where they add nothing. */
  readonly layouts?: ReadonlyArray<CircuitLayout>
  /** Absent where the laps cannot be aligned. */
  readonly aligned?: {
    readonly alignment: Alignment
    readonly deltas: ReadonlyArray<Delta>
    readonly fastest: LapOnGrid
  }
}

/** Takes at least one lap. `step`: m between nodes; `facts`: what is known of the circuit. */
export const judge = (laps: ReadonlyArray<LapData>, step?: number, facts?: CircuitFacts): Judged => {
  const best = fastestOf(laps)
  const alignment = align(laps, step)
  const fastest = alignment?.laps[laps.indexOf(best)]
  // Last in the answer: over REST the keys go out in this order.
  const shownLaps = laps.map(({ lap }) => shown(lap))
  const base = {
    algorithmVersion,
    fastestLapId: best.lap.id,
    missingChannels: missingChannels(
      laps.map(({ points }) => points),
      COMPARED
    ),
    timeDeltas: Object.fromEntries(
      laps.map(({ lap }) => [
        String(lap.id),
        lap.id === best.lap.id
          ? { total: 0, sector1: 0, sector2: 0, sector3: 0 }
          : {
              total: difference(lap.lapTime, best.lap.lapTime),
              sector1: difference(lap.sector1Time, best.lap.sector1Time),
              sector2: difference(lap.sector2Time, best.lap.sector2Time),
              sector3: difference(lap.sector3Time, best.lap.sector3Time)
            }
      ])
    )
  }
  if (alignment === undefined || fastest === undefined) {
    const reason = PLACING.every((channel) => base.missingChannels.includes(channel))
      ? "the laps tell neither positions nor speeds to be compared by"
      : "the laps have too few points to be compared"
    return {
      comparison: {
        ...base,
        suggestions: [],
        losses: [],
        closure: laps.map((lap) => unproven(lap, reason)),
        corners: [],
        circuit: null,
        method: null,
        laps: shownLaps
      }
    }
  }
  const analysis = analyseCorners(alignment, fastest, facts)
  const slowness = slownessOf(fastest, alignment.grid.step)
  const deltas = alignment.laps.map((lap) => deltaOf(lap, fastest, slowness, alignment))
  const pieces = deltas.map((delta, l) => placedPieces(delta, fastest, alignment, analysis.sections[l]!))
  const losses = lossesOf(alignment, fastest, analysis, pieces, slippedBeside(laps, alignment, fastest))
  const closure = deltas.map((delta, l) => {
    const explicable = !isAll(delta.unsound, alignment.grid.length) && isExplicable(delta.lap, fastest)
    return { ...closureOf(delta, alignment), explained: explicable ? explanationOf(pieces[l]!) : null }
  })
  return {
    comparison: {
      ...base,
      suggestions: losses.map(({ sentence }) => sentence),
      losses,
      closure,
      corners: analysis.corners,
      circuit: analysis.circuit,
      method: alignment.method,
      laps: shownLaps
    },
    aligned: { alignment, deltas, fastest },
    ...(analysis.layouts === undefined ? {} : { layouts: analysis.layouts })
  }
}

/** The same laps give the same bytes, whichever sessions they belong to. `step`: m between nodes. */
export const compare = (laps: ReadonlyArray<LapData>, step?: number): LapComparison =>
  judge(laps, step).comparison

/** The answer with traces. `channels`: further channels to trace. */
export const withTraces = (
  { aligned, comparison }: Judged,
  laps: ReadonlyArray<TracedLap>,
  channels: ReadonlyArray<string> = []
): TracedComparison => {
  if (aligned === undefined) return { ...comparison, traces: [] }
  const { alignment, deltas, fastest } = aligned
  return {
    ...comparison,
    traces: deltas.map((delta, l) => ({
      ...traceOf(delta, fastest, alignment),
      ...(channels.length > 0 && {
        channels: furtherOf(channelTraces(laps[l]!, delta.lap, alignment, channels), delta.lap, alignment)
      })
    }))
  }
}

/** `compare` with traces. */
export const compareTraced = (
  laps: ReadonlyArray<TracedLap>,
  step?: number,
  channels?: ReadonlyArray<string>
): TracedComparison => withTraces(judge(laps, step), laps, channels)
