import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint"
import * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import * as OpenApi from "@effect/platform/OpenApi"
import { Schema } from "effect"
import { FEWEST_COMPARED, MOST_COMPARED, MOST_STUDIED } from "../../archive/Studies.ts"
import { Id } from "../../domain/Id.ts"
import { LapPath, QueryIds, SessionPath } from "../parameters.ts"
import * as Problems from "../problems.ts"
import * as Shapes from "./schemas.ts"

const ComparedLaps = Schema.Struct({
  // How many, and that they differ, is checked where laps are compared (archive/Studies.ts).
  lap_ids: Schema.Array(Id.annotations({ description: "Id of a lap" })).annotations({
    jsonSchema: { minItems: FEWEST_COMPARED, maxItems: MOST_COMPARED, uniqueItems: true }
  })
}).annotations({ identifier: "ComparedLaps" })

const studied = `comparable laps (valid, within 107 % of the best; the ${MOST_STUDIED} fastest of them at most)`

export const Analysis = HttpApiGroup.make("analysis")
  .add(
    HttpApiEndpoint.get("compare", "/compare")
      .annotate(OpenApi.Summary, "Compare laps")
      .setUrlParams(
        Schema.Struct({
          lap_ids: QueryIds(FEWEST_COMPARED, MOST_COMPARED, {
            description: `The ids of ${FEWEST_COMPARED} to ${MOST_COMPARED} laps: the parameter repeated, or ids between commas, or both`,
            each: "Id of a lap"
          })
        })
      )
      .addSuccess(Shapes.LapComparison)
      .addError(Problems.LapNotFound)
      .addError(Problems.InvalidValue)
      .annotate(OpenApi.Description, "Compares laps on one circuit, by distance, against the fastest.")
  )
  .add(
    HttpApiEndpoint.post("compareTraced", "/analysis/compare")
      .annotate(OpenApi.Summary, "Compare laps, with traces")
      .setPayload(ComparedLaps)
      .addSuccess(Shapes.TracedLapComparison)
      .addError(Problems.LapNotFound)
      .addError(Problems.InvalidValue)
      .annotate(OpenApi.Description, "The same comparison with traces on a grid of distance.")
  )
  .add(
    HttpApiEndpoint.get("sectors", "/analysis/sectors/:lap_id")
      .annotate(OpenApi.Summary, "Analyse a lap's sectors")
      .setPath(LapPath)
      .addSuccess(Shapes.SectorAnalysis)
      .addError(Problems.LapNotFound)
      .annotate(OpenApi.Description, "The lap's sectors against the session's best valid ones.")
  )
  .add(
    HttpApiEndpoint.get("anomalies", "/analysis/anomalies/:session_id")
      .annotate(OpenApi.Summary, "Find what stands out in a session")
      .setPath(SessionPath)
      .addSuccess(Shapes.SessionAnomalies)
      .addError(Problems.SessionNotFound)
      .addError(Problems.StillComputing)
      .annotate(
        OpenApi.Description,
        "What stands out against the session's other laps at pace, with evidence."
      )
  )
  .add(
    HttpApiEndpoint.get("predictions", "/analysis/predictions/:session_id")
      .annotate(OpenApi.Summary, "Predict the next lap time")
      .setPath(SessionPath)
      .addSuccess(Shapes.Prediction)
      .addError(Problems.SessionNotFound)
      .addError(Problems.StillComputing)
      .annotate(
        OpenApi.Description,
        "The next lap's time if it is a lap at pace, with an interval, and how such answers did on the session's past laps."
      )
  )
  .add(
    HttpApiEndpoint.get("microSectors", "/analysis/micro-sectors/:session_id")
      .annotate(OpenApi.Summary, "Split a session into micro-sectors")
      .setPath(SessionPath)
      .addSuccess(Shapes.SessionMicroSectors)
      .addError(Problems.SessionNotFound)
      .addError(Problems.StillComputing)
      .annotate(
        OpenApi.Description,
        `The session's ${studied} by pieces of about 50 m, and their best joined.`
      )
  )
  .add(
    HttpApiEndpoint.get("consistency", "/analysis/consistency/:session_id")
      .annotate(OpenApi.Summary, "Measure how alike the laps of a session are")
      .setPath(SessionPath)
      .addSuccess(Shapes.SessionConsistency)
      .addError(Problems.SessionNotFound)
      .addError(Problems.StillComputing)
      .annotate(
        OpenApi.Description,
        `The spread of the times of all comparable laps, and of the lines of the session's ${studied}.`
      )
  )
