/** Laps held against each other, and what a session's laps show. */
import { Effect, Schema, Stream } from "effect"
import type { Comparison, Trace } from "../analysis/comparison.ts"
import { MIN_COMPARED, MAX_COMPARED, AnalysisService } from "../archive/AnalysisService.ts"
import {
  InvalidValue,
  LapNotFound,
  type PointsUnreadable,
  SessionNotFound,
  StillComputing
} from "../domain/errors.ts"
import { Lap } from "../domain/Lap.ts"
import { breathe } from "../threads/breathe.ts"
import * as Answers from "./analysis/answers.ts"
import { LapComparison, TracedLapComparison } from "./analysis/comparison.ts"
import { ids, LapId, SessionId } from "./fields.ts"
import { answered, written } from "./operation.ts"

const encodeLaps = Schema.encodeSync(Schema.Array(Lap))

const untraced = ({ traces: _traces, laps, ...comparison }: Comparison) =>
  ({ ...comparison, laps: encodeLaps(laps) }) satisfies typeof LapComparison.Encoded

/** Columns are typed arrays, which JSON knows as objects. */
const traceJson = (trace: Trace): string =>
  JSON.stringify(
    Object.fromEntries(
      Object.entries(trace).map(([name, value]: [string, number | Float64Array]) => [
        name,
        typeof value === "number" ? value : Array.from(value)
      ])
    )
  )

/** UTF-8 in pieces, one a lap: some milliseconds, after which others get their turn. */
const tracedJson = (comparison: Comparison): Stream.Stream<Uint8Array> =>
  Stream.make(`${JSON.stringify(untraced(comparison)).slice(0, -1)},"traces":[`).pipe(
    Stream.concat(
      Stream.mapEffect(Stream.fromIterable(comparison.traces.entries()), ([index, trace]) =>
        Effect.map(breathe, () => (index === 0 ? "" : ",") + traceJson(trace))
      )
    ),
    Stream.concat(Stream.make("]}")),
    Stream.encodeText
  )

const Compared = Schema.Struct({
  lapIds: ids(MIN_COMPARED, MAX_COMPARED, {
    description: `The ids of ${MIN_COMPARED} to ${MAX_COMPARED} laps: the parameter repeated, or ids between commas, or both`,
    each: "Id of a lap"
  })
})

const comparing = ({ lapIds }: typeof Compared.Type) =>
  Effect.flatMap(AnalysisService, (analysis) => analysis.compare(lapIds))

/** By distance, against the fastest. */
export const compare = answered({
  input: Compared,
  answer: LapComparison,
  errors: [LapNotFound, InvalidValue],
  run: (compared) => Effect.map(comparing(compared), untraced)
})

/** The same with a trace for each lap. */
export const compareTraced = written({
  input: Compared,
  answer: TracedLapComparison,
  errors: [LapNotFound, InvalidValue],
  run: comparing,
  json: tracedJson
})

/** Against the session's best valid ones. */
export const sectors = answered({
  input: Schema.Struct({ lapId: LapId }),
  answer: Answers.SectorAnalysis,
  errors: [LapNotFound],
  run: ({ lapId }) => Effect.flatMap(AnalysisService, (analysis) => analysis.sectors(lapId))
})

const ofSession = {
  input: Schema.Struct({ sessionId: SessionId }),
  errors: [SessionNotFound, StillComputing]
} as const

type SessionAnalysis<A> = Effect.Effect<A, SessionNotFound | StillComputing | PointsUnreadable>

/** An analysis of a session, with the session's id in the answer. */
const analysing =
  <A>(analyse: (analysis: typeof AnalysisService.Service, sessionId: number) => SessionAnalysis<A>) =>
  ({ sessionId }: { readonly sessionId: number }) =>
    Effect.flatMap(AnalysisService, (analysis) =>
      Effect.map(analyse(analysis, sessionId), (found) => ({ session_id: sessionId, ...found }))
    )

/** What stands out against the session's other laps at pace. */
export const anomalies = answered({
  ...ofSession,
  answer: Answers.SessionAnomalies,
  run: analysing((analysis, id) => analysis.anomalies(id))
})

/** The next lap's time. */
export const predictions = answered({
  ...ofSession,
  answer: Answers.Prediction,
  run: analysing((analysis, id) => analysis.prediction(id))
})

/** The fastest comparable laps by pieces of about 50 m. */
export const microSectors = answered({
  ...ofSession,
  answer: Answers.SessionMicroSectors,
  run: analysing((analysis, id) => analysis.microSectors(id))
})

/** How alike the comparable laps are. */
export const consistency = answered({
  ...ofSession,
  answer: Answers.SessionConsistency,
  run: analysing((analysis, id) => analysis.consistency(id))
})
