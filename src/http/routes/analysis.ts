import * as HttpServerResponse from "@effect/platform/HttpServerResponse"
import { Effect, Schema } from "effect"
import { MIN_COMPARED, MAX_COMPARED, MAX_ANALYSED } from "../../archive/AnalysisService.ts"
import { MAX_TRACED, MAX_TRACES } from "../../archive/tracedChannels.ts"
import { Id } from "../../domain/Id.ts"
import * as Analysis from "../../operations/analysis.ts"
import { fromWire } from "../../wire.ts"
import { get, post, routes } from "../route.ts"

const ComparedLaps = Schema.Struct({
  // The number of ids, and that they differ, is checked where laps are compared (archive/AnalysisService.ts).
  lapIds: Schema.Array(Id.annotations({ description: "Id of a lap" })).annotations({
    jsonSchema: { minItems: MIN_COMPARED, maxItems: MAX_COMPARED, uniqueItems: true }
  }),
  channels: Schema.optional(
    Schema.Array(Schema.String).annotations({
      description: `Names of further channels to trace. At least one of the laps' sessions must have each. At most ${MAX_TRACED}, and at most ${MAX_TRACES} traces: channels times laps`,
      jsonSchema: { maxItems: MAX_TRACED }
    })
  )
}).annotations({ identifier: "ComparedLaps" })

const studied = `comparable laps (valid, and within 107 % of the best), at most the ${MAX_ANALYSED} fastest`

export const analysis = routes("analysis", {
  compare: get("/compare", Analysis.compare, {
    summary: "Compare laps",
    description: "Compares laps on one circuit with the fastest of them, by distance along the lap.",
    // Keeps the keys in the order of the trace, which is already written as JSON.
    respond: (comparison) => Effect.succeed(HttpServerResponse.unsafeJson(comparison))
  }),
  compareTraced: post("/analysis/compare", Analysis.compareTraced, {
    payload: fromWire(ComparedLaps),
    summary: "Compare laps, with traces",
    description:
      "The same comparison, with a trace for each lap: values of channels, on one grid of distance for all laps. `channels` adds further channels to the traces."
  }),
  sectors: get("/analysis/sectors/:lap_id", Analysis.sectors, {
    summary: "Analyse a lap's sectors",
    description: "Compares the lap's sectors with the session's best valid ones."
  }),
  anomalies: get("/analysis/anomalies/:session_id", Analysis.anomalies, {
    summary: "Find anomalies in a session",
    description:
      "Finds what is unusual compared with the session's other laps at pace (valid, and within 107 % of the best), and faults of the data. Each finding has its evidence."
  }),
  predictions: get("/analysis/predictions/:session_id", Analysis.predictions, {
    summary: "Predict the next lap time",
    description:
      "Predicts the time of the next lap, with an interval, provided that it is a lap at pace (valid, and within 107 % of the best). `back_test` shows how well such predictions matched the session's past laps."
  }),
  microSectors: get("/analysis/micro-sectors/:session_id", Analysis.microSectors, {
    summary: "Split a session into micro-sectors",
    description: `Splits the session's ${studied}, into pieces of about 50 m, and joins the best pieces.`
  }),
  consistency: get("/analysis/consistency/:session_id", Analysis.consistency, {
    summary: "Measure how consistent the laps of a session are",
    description: `The spread of the lap times of all comparable laps, and the spread of the driving lines of the session's ${studied}.`
  })
})
