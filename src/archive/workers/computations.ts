/**
 * Entry of the analysis threads: runs the computations of analysis/ on laps that came from another thread. It imports
 * nothing else, so that a thread starts in some 30 ms.
 */
import { algorithmVersion } from "../../analysis/algorithmVersion.ts"
import { align, type LapData } from "../../analysis/place/alignment.ts"
import type { SamplesAround, TracedLap } from "../../analysis/compare/channelTraces.ts"
import { foundCircuit } from "../../analysis/circuits/description.ts"
import type { CircuitFacts } from "../../analysis/circuits/numbering.ts"
import * as Anomalies from "../../analysis/anomalies/anomalies.ts"
import * as Comparison from "../../analysis/compare/comparison.ts"
import * as Consistency from "../../analysis/compare/consistency.ts"
import * as MicroSectors from "../../analysis/compare/microSectors.ts"
import * as Predictions from "../../analysis/predictions/predictions.ts"
import type { LapKinds } from "../../analysis/lapKinds/placedLaps.ts"
import { missingChannels, PLACING } from "../../analysis/missing.ts"
import { placedLap, type PlacedLap } from "../../analysis/place/placedLap.ts"
import type { SessionAnomalies } from "../../domain/analysis/anomalies.ts"
import type { CircuitDescription } from "../../domain/analysis/circuit.ts"
import type { LapComparison } from "../../domain/analysis/comparison.ts"
import type { SessionConsistency } from "../../domain/analysis/consistency.ts"
import type { SessionMicroSectors } from "../../domain/analysis/microSectors.ts"
import type { OfLaps } from "../../domain/analysis/parts.ts"
import type { Prediction } from "../../domain/analysis/predictions.ts"
import type { CircuitLayout } from "../../domain/CircuitLayout.ts"
import type { RecordedLap } from "../../domain/Lap.ts"
import { channels } from "../../domain/pointChannels.ts"
import { fromThread, type ThreadBatch } from "../../platform/threads/threadBatch.ts"

export interface ThreadLap {
  readonly lap: RecordedLap
  readonly points: ThreadBatch
  readonly around: ReadonlyArray<Omit<SamplesAround, "batch"> & { readonly samples: ThreadBatch }>
}

interface Laps {
  readonly laps: ReadonlyArray<ThreadLap>
}

const lapOf = <Lap extends ThreadLap>({ around, points, ...lap }: Lap) => ({
  ...lap,
  points: fromThread(points).only(channels),
  around: around.map(({ kinds, samples }): SamplesAround => ({ kinds, batch: fromThread(samples) }))
})

const read = ({ laps }: Laps): ReadonlyArray<LapData> => laps.map(lapOf)

interface OnCircuit {
  readonly facts: CircuitFacts | undefined
}

/** An answer, and the circuit's layouts with what its laps add to them; absent where they add nothing. */
export interface ShowingCircuit<A> {
  readonly answer: A
  readonly layouts: ReadonlyArray<CircuitLayout> | undefined
}

/** The channels that are traced beside those of every trace. */
interface Traced {
  readonly channels: ReadonlyArray<string>
  readonly laps: ReadonlyArray<ThreadLap & { readonly isPlaced?: boolean }>
}

export const compare = (task: Laps & OnCircuit): ShowingCircuit<LapComparison> => {
  const { comparison, layouts } = Comparison.judge(read(task), undefined, task.facts)
  return { answer: comparison, layouts }
}

export const compareTraced = (task: Traced & OnCircuit): ShowingCircuit<Comparison.TracedComparison> => {
  const laps = task.laps.map((lap): TracedLap => lapOf(lap))
  const judged = Comparison.judge(laps, undefined, task.facts)
  return { answer: Comparison.withTraces(judged, laps, task.channels), layouts: judged.layouts }
}

export const place = (task: Laps): PlacedLap | undefined => placedLap(read(task))

export const circuit = (
  task: Laps & OnCircuit & { readonly name: string }
): ShowingCircuit<CircuitDescription> => {
  const { description, layouts } = foundCircuit(task.name, read(task), task.facts)
  return { answer: description, layouts }
}

/** The findings of some laps of a session. */
export const findings = (task: Laps & { readonly partly: Partial<Anomalies.Partly> }): Anomalies.Findings =>
  Anomalies.findingsOf(read(task), task.partly)

/** A session's anomalies, and the kinds of its laps, which other answers need. */
export interface JudgedSession {
  readonly anomalies: SessionAnomalies
  readonly kinds: LapKinds
}

export const anomalies = (task: {
  readonly sessionId: number
  readonly parts: ReadonlyArray<Anomalies.Findings>
}): JudgedSession => ({
  anomalies: Anomalies.anomaliesIn(task.sessionId, task.parts),
  kinds: Anomalies.kindsIn(task.parts)
})

/** The answer where no valid lap is known from line to line. */
const nothingToTakeApart = {
  algorithmVersion,
  bounds: [],
  laps: [],
  best: [],
  leftOut: [],
  theoreticalBest: null,
  feasibleBest: null,
  feasibleBestReason: "No lap has a sound piece"
} as const

/** For an analysis of laps along their way: the channels that place a lap and that at least one of the laps lacks. */
const missingIn = (laps: ReadonlyArray<LapData>) => ({
  missingChannels: missingChannels(
    laps.map(({ points }) => points),
    PLACING
  )
})

export const microSectors = (task: Laps): OfLaps<SessionMicroSectors> => {
  const laps = read(task)
  const alignment = align(laps)
  const taken = (alignment && MicroSectors.microSectors(alignment)) ?? nothingToTakeApart
  return { ...taken, ...missingIn(laps) }
}

export const consistency = (
  task: Laps & { readonly session: ReadonlyArray<RecordedLap> }
): OfLaps<SessionConsistency> => {
  const laps = read(task)
  return { ...Consistency.consistency(task.session, align(laps)), ...missingIn(laps) }
}

export const prediction = (task: {
  readonly session: ReadonlyArray<RecordedLap>
  readonly kinds: LapKinds
}): OfLaps<Prediction> => Predictions.predictNextLap(task.session, task.kinds)
