/**
 * The analysis that takes more than a moment, on threads: the anomalies of a hundred laps are a second of computing,
 * for which no live subscriber should wait.
 */
import { Context, Effect, Layer } from "effect"
import type { LapData } from "../analysis/alignment.ts"
import type { Partly, SessionAnomalies } from "../analysis/anomalies.ts"
import type { CircuitDescription } from "../analysis/circuits/description.ts"
import type { Comparison } from "../analysis/comparison.ts"
import type { Prediction } from "../analysis/predictions.ts"
import type { CircuitDetails } from "../domain/Circuit.ts"
import type { RecordedLap } from "../domain/Lap.ts"
import { entryOf } from "../threads/entry.ts"
import * as Threads from "../threads/Threads.ts"
import { toWire } from "../threads/wirePoints.ts"
import type * as Computations from "./analyst/computations.ts"

/** Two, so that a long one does not keep everybody waiting; more would take the cores of the writer and the loop. */
const MAX_THREADS = 2
/** A thread holds 20 MB, more after a long session, and is there in 40 ms. */
const IDLE = "5 minutes"

/**
 * Reads the laps, when a thread is free to take them. Their points go over to it: they are the analyst's from then
 * on, and empty for whoever read them.
 */
export type Reading<E, R> = Effect.Effect<ReadonlyArray<LapData>, E, R>

/** Laps of a session that are looked at together, by their ids those whose anomalies are wanted. */
export interface ReadPart<E, R> {
  readonly judged: ReadonlyArray<number>
  readonly laps: Reading<E, R>
}

const handedOver = <E, R, More>(laps: Reading<E, R>, more: More) =>
  Effect.map(laps, (read) => {
    const wired = read.map(({ lap, points }) => ({ lap, points: toWire(points) }))
    return {
      task: { ...more, laps: wired },
      transfer: wired.map(({ points }) => points.data.buffer as ArrayBuffer)
    }
  })

/** Each gives what the function of analysis/ gives; interrupted, it stops computing. */
export class Analyst extends Context.Tag("archive/Analyst")<
  Analyst,
  {
    /** `details`: what a user says of the circuit that was driven. */
    readonly compare: <E, R>(laps: Reading<E, R>, details?: CircuitDetails) => Effect.Effect<Comparison, E, R>
    /** The circuit of that name by the best of these laps. */
    readonly circuit: <E, R>(
      name: string,
      laps: Reading<E, R>,
      details?: CircuitDetails
    ) => Effect.Effect<CircuitDescription, E, R>
    /** `session`: all its laps, which are read and judged part by part. */
    readonly anomalies: <E, R>(
      sessionId: number,
      session: ReadonlyArray<RecordedLap>,
      parts: ReadonlyArray<ReadPart<E, R>>
    ) => Effect.Effect<SessionAnomalies, E, R>
    /** Without pieces where no valid lap among them is known from line to line. */
    readonly microSectors: <E, R>(
      laps: Reading<E, R>
    ) => Effect.Effect<Computations.SessionMicroSectors, E, R>
    /** `session`: all its laps; `laps`: those whose lines are compared. */
    readonly consistency: <E, R>(
      session: ReadonlyArray<RecordedLap>,
      laps: Reading<E, R>
    ) => Effect.Effect<Computations.SessionConsistency, E, R>
    /** Needs no points, but predicts every past lap as well: half a second for 500. */
    readonly prediction: (session: ReadonlyArray<RecordedLap>) => Effect.Effect<Prediction>
  }
>() {
  static readonly layer = Layer.scoped(
    this,
    Effect.gen(function* () {
      const { call } = yield* Threads.make<typeof Computations>(
        entryOf("./analyst/computations", import.meta.url),
        { most: MAX_THREADS, idle: IDLE }
      )
      return {
        compare: (laps, details) =>
          Effect.withSpan(call("compare", handedOver(laps, { details })), "Analyst.compare"),
        circuit: (name, laps, details) =>
          Effect.withSpan(call("circuit", handedOver(laps, { name, details })), "Analyst.circuit"),
        anomalies: (sessionId, session, parts) =>
          Effect.gen(function* () {
            const findings = ({ judged, laps }: (typeof parts)[number], more: Partial<Partly>) =>
              call("findings", handedOver(laps, { partly: { session, judged, ...more } }))
            // The first one says what is in a wrong unit. The others do not need one another.
            const first = yield* Effect.forEach(parts.slice(0, 1), (part) => findings(part, {}))
            const inWrongUnit = first.flatMap(({ units }) => units.map(({ channel }) => channel))
            const others = yield* Effect.forEach(parts.slice(1), (part) => findings(part, { inWrongUnit }), {
              concurrency: MAX_THREADS
            })
            return yield* call(
              "anomalies",
              Effect.succeed({ task: { sessionId, parts: [...first, ...others] }, transfer: [] })
            )
          }).pipe(Effect.withSpan("Analyst.anomalies")),
        microSectors: (laps) =>
          Effect.withSpan(call("microSectors", handedOver(laps, {})), "Analyst.microSectors"),
        consistency: (session, laps) =>
          Effect.withSpan(call("consistency", handedOver(laps, { session })), "Analyst.consistency"),
        prediction: (session) =>
          Effect.withSpan(
            call("prediction", Effect.succeed({ task: { session }, transfer: [] })),
            "Analyst.prediction"
          )
      }
    })
  )
}
