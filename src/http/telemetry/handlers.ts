import * as HttpApiBuilder from "@effect/platform/HttpApiBuilder"
import * as HttpServerResponse from "@effect/platform/HttpServerResponse"
import { Effect } from "effect"
import { Archive } from "../../archive/Archive.ts"
import * as PointsCsv from "../../export/pointsCsv.ts"
import { upgrade } from "../../live/upgrade.ts"
import { LiveHub } from "../../live/LiveHub.ts"
import { Catalog } from "../../store/Catalog.ts"
import { negotiated } from "../accept.ts"
import { Api } from "../Api.ts"
import { textResponse } from "../streaming.ts"
import { rangeJson } from "./answers.ts"

export const layer = HttpApiBuilder.group(
  Api,
  "telemetry",
  Effect.fnUntraced(function* (handlers) {
    const archive = yield* Archive
    const context = yield* Effect.context<LiveHub | Catalog>()
    return handlers
      .handle("range", ({ urlParams }) =>
        Effect.gen(function* () {
          const contentType = yield* negotiated(["application/json", "text/csv"])
          const { session_id, start_time, end_time, sample_rate } = urlParams
          const range = yield* archive.range({
            sessionId: session_id,
            start: start_time,
            end: end_time,
            sampleRate: sample_rate
          })
          const answer =
            contentType === "text/csv"
              ? textResponse(PointsCsv.table(range.points), { contentType: "text/csv; charset=utf-8" })
              : textResponse(rangeJson(range), { contentType })
          return HttpServerResponse.setHeader(yield* answer, "vary", "Accept")
        })
      )
      .handleRaw("live", () => Effect.provide(upgrade, context))
  })
)
