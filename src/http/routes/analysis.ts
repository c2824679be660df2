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
      description: `Names of channels that are traced besides, each of which one of the laps' sessions has: at most ${MAX_TRACED}, and ${MAX_TRACES} together with all laps`,
      jsonSchema: { maxItems: MAX_TRACED }
    })
  )
}).annotations({ identifier: "ComparedLaps" })

const studied = `comparable laps (valid, within 107 % of the best; the ${MAX_ANALYSED} fastest of them at most)`

export const analysis = routes("analysis", {
  compare: get("/compare", Analysis.compare, {
    summary: "Compare laps",
    description: "Compares laps on one circuit, by distance, against the fastest.",
    // Keeps the keys in the order of the trace, which is already written as JSON.
    respond: (comparison) => Effect.succeed(HttpServerResponse.unsafeJson(comparison))
  }),
  compareTraced: post("/analysis/compare", Analysis.compareTraced, {
    payload: fromWire(ComparedLaps),
    summary: "Compare laps, with traces",
    description: "The same comparison with traces on a grid of distance, also of channels that are named."
  }),
  sectors: get("/analysis/sectors/:lap_id", Analysis.sectors, {
    summary: "Analyse a lap's sectors",
    description: "The lap's sectors against the session's best valid ones."
  }),
  anomalies: get("/analysis/anomalies/:session_id", Analysis.anomalies, {
    summary: "Find what stands out in a session",
    description: "What stands out against the session's other laps at pace, with evidence."
  }),
  predictions: get("/analysis/predictions/:session_id", Analysis.predictions, {
    summary: "Predict the next lap time",
    description:
      "The next lap's time if it is a lap at pace, with an interval, and how such answers did on the session's past laps."
  }),
  microSectors: get("/analysis/micro-sectors/:session_id", Analysis.microSectors, {
    summary: "Split a session into micro-sectors",
    description: `The session's ${studied} by pieces of about 50 m, and their best joined.`
  }),
  consistency: get("/analysis/consistency/:session_id", Analysis.consistency, {
    summary: "Measure how alike the laps of a session are",
    description: `The spread of the times of all comparable laps, and of the lines of the session's ${studied}.`
  })
})
