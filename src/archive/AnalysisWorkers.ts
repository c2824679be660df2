/**
 * Runs longer analysis on threads: the anomalies of a hundred laps take a second of computing, and no live subscriber
 * should wait for that.
 */
import { Context, Effect, Layer } from "effect"
import type { LapData } from "../analysis/place/alignment.ts"
import type { Partly } from "../analysis/anomalies/anomalies.ts"
import type { TracedLap } from "../analysis/compare/channelTraces.ts"
import type { TracedComparison } from "../analysis/compare/comparison.ts"
import type { CircuitFacts } from "../analysis/circuits/numbering.ts"
import type { LapKinds } from "../analysis/lapKinds/placedLaps.ts"
import type { PlacedLap } from "../analysis/place/placedLap.ts"
import type { CircuitDescription } from "../domain/analysis/circuit.ts"
import type { LapComparison } from "../domain/analysis/comparison.ts"
import type { SessionConsistency } from "../domain/analysis/consistency.ts"
import type { SessionMicroSectors } from "../domain/analysis/microSectors.ts"
import type { OfLaps } from "../domain/analysis/parts.ts"
import type { Prediction } from "../domain/analysis/predictions.ts"
import type { RecordedLap } from "../domain/Lap.ts"
import { entryOf } from "../platform/threads/entry.ts"
import * as Threads from "../platform/threads/Threads.ts"
import { toThread } from "../platform/threads/threadBatch.ts"
import type * as Computations from "./workers/computations.ts"
import type { JudgedSession, ShowingCircuit } from "./workers/computations.ts"

/**
 * Two, so that one long computation does not block the others; more would take cores from the writer and the event
 * loop.
 */
const MAX_THREADS = 2
/** A thread holds 11 MiB before its first laps, more after a long session, and starts in 31 ms (measured). */
const IDLE = "5 minutes"

/**
 * Reads the laps when a thread is free. Their points and samples are transferred to the thread; the caller's arrays are
 * empty from then on.
 */
export type LapsRead<E, R> = Effect.Effect<ReadonlyArray<LapData>, E, R>

/** Laps of a session that are analysed together, and the ids of those whose anomalies are wanted. */
export interface ReadPart<E, R> {
  readonly judged: ReadonlyArray<number>
  readonly laps: LapsRead<E, R>
}

/** Transfers the laps, with the samples of their sessions' other channels. */
const transferred = <E, R, More>(laps: Effect.Effect<ReadonlyArray<TracedLap>, E, R>, more: More) =>
  Effect.map(laps, (read) => {
    const sent = read.map(({ around = [], points, ...lap }) => ({
      ...lap,
      points: toThread(points),
      around: around.map(({ batch, kinds }) => ({ kinds, samples: toThread(batch) }))
    }))
    return {
      task: { ...more, laps: sent },
      transfer: sent.flatMap(({ around, points }) =>
        [points, ...around.map(({ samples }) => samples)].map(({ data }) => data.buffer as ArrayBuffer)
      )
    }
  })

/** Each method returns what the function of analysis/ returns. Interrupting it stops the computation. */
export class AnalysisWorkers extends Context.Tag("archive/AnalysisWorkers")<
  AnalysisWorkers,
  {
    /** `facts`: what is known of the circuit. */
    readonly compare: <E, R>(
      laps: LapsRead<E, R>,
      facts?: CircuitFacts
    ) => Effect.Effect<ShowingCircuit<LapComparison>, E, R>
    /** `channels`: the channels of which the laps have samples. */
    readonly compareTraced: <E, R>(
      laps: Effect.Effect<ReadonlyArray<TracedLap>, E, R>,
      channels: ReadonlyArray<string>,
      facts?: CircuitFacts
    ) => Effect.Effect<ShowingCircuit<TracedComparison>, E, R>
    /** Places the first of the laps among the others. */
    readonly place: <E, R>(laps: LapsRead<E, R>) => Effect.Effect<PlacedLap | undefined, E, R>
    /** The circuit of that name, described by the best of these laps. */
    readonly circuit: <E, R>(
      name: string,
      laps: LapsRead<E, R>,
      facts?: CircuitFacts
    ) => Effect.Effect<ShowingCircuit<CircuitDescription>, E, R>
    /** `session`: all its laps, which are read and judged part by part. */
    readonly anomalies: <E, R>(
      sessionId: number,
      session: ReadonlyArray<RecordedLap>,
      parts: ReadonlyArray<ReadPart<E, R>>
    ) => Effect.Effect<JudgedSession, E, R>
    /** Has no pieces where no valid lap among them is known from line to line. */
    readonly microSectors: <E, R>(laps: LapsRead<E, R>) => Effect.Effect<OfLaps<SessionMicroSectors>, E, R>
    /** `session`: all its laps; `laps`: those whose lines are compared. */
    readonly consistency: <E, R>(
      session: ReadonlyArray<RecordedLap>,
      laps: LapsRead<E, R>
    ) => Effect.Effect<OfLaps<SessionConsistency>, E, R>
    /** Needs no points, but also predicts every past lap: half a second for 500. */
    readonly prediction: (
      session: ReadonlyArray<RecordedLap>,
      kinds: LapKinds
    ) => Effect.Effect<OfLaps<Prediction>>
  }
>() {
  static readonly layer = Layer.scoped(
    this,
    Effect.gen(function* () {
      const { call } = yield* Threads.make<typeof Computations>(
        entryOf("./workers/computations", import.meta.url),
        { most: MAX_THREADS, idle: IDLE }
      )
      return {
        compare: (laps, facts) =>
          Effect.withSpan(call("compare", transferred(laps, { facts })), "AnalysisWorkers.compare"),
        compareTraced: (laps, channels, facts) =>
          Effect.withSpan(
            call("compareTraced", transferred(laps, { facts, channels })),
            "AnalysisWorkers.compareTraced"
          ),
        place: (laps) => Effect.withSpan(call("place", transferred(laps, {})), "AnalysisWorkers.place"),
        circuit: (name, laps, facts) =>
          Effect.withSpan(call("circuit", transferred(laps, { name, facts })), "AnalysisWorkers.circuit"),
        anomalies: (sessionId, session, parts) =>
          Effect.gen(function* () {
            const findings = ({ judged, laps }: (typeof parts)[number], more: Partial<Partly>) =>
              call("findings", transferred(laps, { partly: { session, judged, ...more } }))
            // The first part finds channels with a wrong unit. The other parts do not depend on one another.
            const first = yield* Effect.forEach(parts.slice(0, 1), (part) => findings(part, {}))
            const inWrongUnit = first.flatMap(({ units }) => units.map(({ channel }) => channel))
            const others = yield* Effect.forEach(parts.slice(1), (part) => findings(part, { inWrongUnit }), {
              concurrency: MAX_THREADS
            })
            return yield* call(
              "anomalies",
              Effect.succeed({ task: { sessionId, parts: [...first, ...others] }, transfer: [] })
            )
          }).pipe(Effect.withSpan("AnalysisWorkers.anomalies")),
        microSectors: (laps) =>
          Effect.withSpan(call("microSectors", transferred(laps, {})), "AnalysisWorkers.microSectors"),
        consistency: (session, laps) =>
          Effect.withSpan(call("consistency", transferred(laps, { session })), "AnalysisWorkers.consistency"),
        prediction: (session, kinds) =>
          Effect.withSpan(
            call("prediction", Effect.succeed({ task: { session, kinds }, transfer: [] })),
            "AnalysisWorkers.prediction"
          )
      }
    })
  )
}
