/**
 * Entry of the analysis threads: the computations of analysis/ on laps that came from another thread. It
 * imports nothing else, so that a thread is there in some 40 ms.
 */
import { algorithm_version } from "../../analysis/algorithmVersion.ts"
import { align, type LapData } from "../../analysis/alignment.ts"
import { type CircuitDescription, foundCircuit } from "../../analysis/circuits/description.ts"
import * as Anomalies from "../../analysis/anomalies.ts"
import * as Comparison from "../../analysis/comparison.ts"
import * as Consistency from "../../analysis/consistency.ts"
import * as MicroSectors from "../../analysis/microSectors.ts"
import * as Predictions from "../../analysis/predictions.ts"
import { missingChannels, PLACING } from "../../analysis/missing.ts"
import type { CircuitDetails } from "../../domain/Circuit.ts"
import type { RecordedLap } from "../../domain/Lap.ts"
import type { Channel } from "../../domain/PointBatch.ts"
import { fromWire, type WirePoints } from "../../threads/wirePoints.ts"

export interface WireLap {
  readonly lap: RecordedLap
  readonly points: WirePoints
}

interface Laps {
  readonly laps: ReadonlyArray<WireLap>
}

const read = ({ laps }: Laps): ReadonlyArray<LapData> =>
  laps.map(({ lap, points }) => ({ lap, points: fromWire(points) }))

/** What a user says of the circuit that was driven. */
interface OnCircuit {
  readonly details: CircuitDetails | undefined
}

export const compare = (task: Laps & OnCircuit): Comparison.Comparison =>
  Comparison.compare(read(task), undefined, task.details)

export const circuit = (task: Laps & OnCircuit & { readonly name: string }): CircuitDescription =>
  foundCircuit(task.name, read(task), task.details)

/** Of some laps of a session. */
export const findings = (task: Laps & { readonly partly: Partial<Anomalies.Partly> }): Anomalies.Findings =>
  Anomalies.findingsOf(read(task), task.partly)

export const anomalies = (task: {
  readonly sessionId: number
  readonly parts: ReadonlyArray<Anomalies.Findings>
}): Anomalies.SessionAnomalies => Anomalies.anomaliesIn(task.sessionId, task.parts)

/** Where no valid lap is known from line to line. */
const nothingToTakeApart = {
  algorithm_version,
  bounds: [],
  laps: [],
  best: [],
  left_out: [],
  theoretical_best: null,
  feasible_best: null,
  feasible_best_reason: "No lap has a sound piece"
} as const

/** For an analysis of laps along their way: which channels that place a lap there are absent from one of them. */
interface Missing {
  readonly missing_channels: ReadonlyArray<Channel>
}

const missingIn = (laps: ReadonlyArray<LapData>): Missing => ({
  missing_channels: missingChannels(
    laps.map(({ points }) => points),
    PLACING
  )
})

export type SessionMicroSectors = (MicroSectors.MicroSectors | typeof nothingToTakeApart) & Missing

export const microSectors = (task: Laps): SessionMicroSectors => {
  const laps = read(task)
  const alignment = align(laps)
  const taken = (alignment && MicroSectors.microSectors(alignment)) ?? nothingToTakeApart
  return { ...taken, ...missingIn(laps) }
}

export type SessionConsistency = Consistency.Consistency & Missing

export const consistency = (
  task: Laps & { readonly session: ReadonlyArray<RecordedLap> }
): SessionConsistency => {
  const laps = read(task)
  return { ...Consistency.consistency(task.session, align(laps)), ...missingIn(laps) }
}

export const prediction = (task: { readonly session: ReadonlyArray<RecordedLap> }): Predictions.Prediction =>
  Predictions.predictNextLap(task.session)
