import { Schema } from "effect"
import { MIN_COMPARED, MAX_COMPARED, MAX_ANALYSED } from "../../../archive/AnalysisService.ts"
import { MAX_TRACED, MAX_TRACES } from "../../../archive/tracedChannels.ts"
import { Id } from "../../../domain/Id.ts"
import * as Analysis from "../../../operations/analysis.ts"
import { fromWire } from "../../../platform/wire.ts"
import { get, post, routes } from "../route.ts"

const ComparedLaps = Schema.Struct({
  // The number of ids, and that they differ, is checked where laps are compared (archive/AnalysisService.ts).
  lapIds: Schema.Array(Id.annotations({ description: "Id of a lap" })).annotations({
    jsonSchema: { minItems: MIN_COMPARED, maxItems: MAX_COMPARED, uniqueItems: true }
  }),
  channels: Schema.optional(
    Schema.Array(Schema.String).annotations({
      description: `Names of further channels to trace. At least one of the laps' sessions must have each of them. At most ${MAX_TRACED} channels, and at most ${MAX_TRACES} traces (channels times laps)`,
      jsonSchema: { maxItems: MAX_TRACED }
    })
  )
}).annotations({ identifier: "ComparedLaps" })

const studied = `comparable laps (valid, and within 107 % of the best), at most the ${MAX_ANALYSED} fastest`

export const analysis = routes("analysis", {
  compare: get("/compare", Analysis.compare, {
    summary: "Compare laps",
    description: "Compares laps of one circuit with the fastest of them, by distance."
  }),
  compareTraced: post("/analysis/compare", Analysis.compareTraced, {
    payload: fromWire(ComparedLaps),
    summary: "Compare laps, with traces",
    description:
      "The same comparison, with traces on a distance grid, and with those of the channels that the request names."
  }),
  sectors: get("/analysis/sectors/:lap_id", Analysis.sectors, {
    summary: "Analyse a lap's sectors",
    description: "Compares the lap's sectors with the session's best valid sectors."
  }),
  anomalies: get("/analysis/anomalies/:session_id", Analysis.anomalies, {
    summary: "Find anomalies in a session",
    description:
      "Finds deviations from the session's other laps at pace, with the evidence for each. Anomalies that users dismissed are left out unless dismissed=true."
  }),
  predictions: get("/analysis/predictions/:session_id", Analysis.predictions, {
    summary: "Predict the next lap time",
    description:
      "Predicts the time of the next lap, if it is driven at pace, with an interval, and gives the accuracy of such predictions for the session's past laps."
  }),
  microSectors: get("/analysis/micro-sectors/:session_id", Analysis.microSectors, {
    summary: "Split a session into micro-sectors",
    description: `Splits the session's ${studied} into pieces of about 50 m, and joins the best pieces.`
  }),
  consistency: get("/analysis/consistency/:session_id", Analysis.consistency, {
    summary: "Measure the consistency of a session's laps",
    description: `Gives the spread of the times of all comparable laps, and of the driving lines of the session's ${studied}.`
  })
})
