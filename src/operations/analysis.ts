/** Compares laps, and analyses the laps of a session. */
import { Effect, Schema, Stream } from "effect"
import type { TracedComparison } from "../analysis/compare/comparison.ts"
import { MIN_COMPARED, MAX_COMPARED, AnalysisService } from "../archive/AnalysisService.ts"
import { SessionAnomalies } from "../domain/analysis/anomalies.ts"
import { LapComparison, Trace, TracedLapComparison } from "../domain/analysis/comparison.ts"
import { SessionConsistency } from "../domain/analysis/consistency.ts"
import { SessionMicroSectors } from "../domain/analysis/microSectors.ts"
import { Prediction } from "../domain/analysis/predictions.ts"
import { SectorAnalysis } from "../domain/analysis/sectors.ts"
import { anomalyOf } from "../domain/anomalyPlace.ts"
import {
  InvalidValue,
  LapNotFound,
  type SessionUnreadable,
  SessionNotFound,
  StillComputing
} from "../domain/errors.ts"
import { Marks } from "../store/Marks.ts"
import { breathe } from "../platform/threads/breathe.ts"
import { flag, ids, LapId, SessionId } from "./fields.ts"
import { answered, written } from "./operation.ts"
import { shortened } from "./shortTraces.ts"
import { toWire } from "../platform/wire.ts"

const untraced = toWire(LapComparison)

/** `isShort`: its traces are written without digits that nobody sees. */
type ShownComparison = TracedComparison & { readonly isShort: boolean }

const inArrays = (trace: Omit<Trace, "channels">): typeof Trace.Type =>
  Object.fromEntries(
    Object.entries(trace).map(([name, value]: [string, number | Float64Array]) => [
      name,
      typeof value === "number" ? value : Array.from(value)
    ])
  ) as never

const renameTrace = toWire(Trace)

/**
 * Writes a trace in pieces of some columns each. Columns are typed arrays, which JSON.stringify would write as objects.
 */
const traceJson = function* ({ channels, ...trace }: Trace): Iterable<string> {
  const columns = JSON.stringify(renameTrace(inArrays(trace)))
  if (channels === undefined) return yield columns
  yield `${columns.slice(0, -1)},"channels":{`
  let before = ""
  for (const [name, values] of Object.entries(channels)) {
    yield `${before}${JSON.stringify(name)}:${JSON.stringify(values && Array.from(values))}`
    before = ","
  }
  yield "}}"
}

const tracesJson = function* ({ isShort, traces }: ShownComparison): Iterable<string> {
  for (const [index, trace] of traces.entries()) {
    if (index > 0) yield ","
    yield* traceJson(isShort ? shortened(trace) : trace)
  }
}

/** UTF-8 in pieces that take at most some milliseconds each, so that other fibers get a turn between them. */
const tracedJson = (comparison: ShownComparison): Stream.Stream<Uint8Array> =>
  Stream.make(`${JSON.stringify(untraced(comparison)).slice(0, -1)},"traces":[`).pipe(
    Stream.concat(
      Stream.mapEffect(Stream.fromIterable(tracesJson(comparison)), (piece) => Effect.as(breathe, piece))
    ),
    Stream.concat(Stream.make("]}")),
    Stream.encodeText
  )

const Compared = Schema.Struct({
  lapIds: ids(MIN_COMPARED, MAX_COMPARED, {
    description: `Ids of ${MIN_COMPARED} to ${MAX_COMPARED} laps: repeat the parameter, separate ids by commas, or both`,
    each: "Id of a lap"
  })
})

/** Compares laps by distance, against the fastest. */
export const compare = answered({
  input: Compared,
  answer: LapComparison,
  errors: [LapNotFound, InvalidValue],
  run: ({ lapIds }) => Effect.flatMap(AnalysisService, (analysis) => analysis.compare(lapIds))
})

/**
 * The same with a trace for each lap, with more channels if the input names them. `short`: for drawing, of which REST's
 * clients have no need.
 */
export const compareTraced = written({
  input: Schema.Struct({
    ...Compared.fields,
    channels: Schema.optional(Schema.Array(Schema.String)),
    short: Schema.optional(Schema.Boolean)
  }),
  answer: TracedLapComparison,
  errors: [LapNotFound, InvalidValue],
  run: ({ channels, lapIds, short = false }) =>
    Effect.flatMap(AnalysisService, (analysis) =>
      Effect.map(analysis.compareTraced(lapIds, channels), (comparison): ShownComparison => ({
        ...comparison,
        isShort: short
      }))
    ),
  json: tracedJson
})

/** A lap's sectors against the session's best valid ones. */
export const sectors = answered({
  input: Schema.Struct({ lapId: LapId }),
  answer: SectorAnalysis,
  errors: [LapNotFound],
  run: ({ lapId }) => Effect.flatMap(AnalysisService, (analysis) => analysis.sectors(lapId))
})

const ofSession = {
  input: Schema.Struct({ sessionId: SessionId }),
  errors: [SessionNotFound, StillComputing]
} as const

type SessionAnalysis<A> = Effect.Effect<A, SessionNotFound | StillComputing | SessionUnreadable>

/** An analysis of a session, with the session's id in the answer. */
const analysing =
  <A>(analyse: (analysis: typeof AnalysisService.Service, sessionId: number) => SessionAnalysis<A>) =>
  ({ sessionId }: { readonly sessionId: number }) =>
    Effect.flatMap(AnalysisService, (analysis) =>
      Effect.map(analyse(analysis, sessionId), (found) => ({ sessionId, ...found }))
    )

/** Unusual events, compared with the session's other laps at pace, without those that users dismissed. */
export const anomalies = answered({
  ...ofSession,
  input: Schema.Struct({
    sessionId: SessionId,
    dismissed: Schema.optional(flag("true also lists the anomalies that users dismissed"))
  }),
  answer: SessionAnomalies,
  run: ({ dismissed: all = false, sessionId }) =>
    Effect.gen(function* () {
      const found = yield* (yield* AnalysisService).anomalies(sessionId)
      const marks = yield* (yield* Marks).anomalyMarks(sessionId)
      if (marks.length === 0) return found
      const gone = new Set(marks.map((mark) => anomalyOf(found.anomalies, mark)))
      const anomalies = found.anomalies.flatMap((anomaly) =>
        !gone.has(anomaly) ? [anomaly] : all ? [{ ...anomaly, dismissed: true }] : []
      )
      return { ...found, anomalies, total: anomalies.length }
    })
})

/** A prediction of the next lap's time. */
export const predictions = answered({
  ...ofSession,
  answer: Prediction,
  run: analysing((analysis, id) => analysis.prediction(id))
})

/** The fastest comparable laps in pieces of about 50 m. */
export const microSectors = answered({
  ...ofSession,
  answer: SessionMicroSectors,
  run: analysing((analysis, id) => analysis.microSectors(id))
})

/** The consistency of the comparable laps. */
export const consistency = answered({
  ...ofSession,
  answer: SessionConsistency,
  run: analysing((analysis, id) => analysis.consistency(id))
})
