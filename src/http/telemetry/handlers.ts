import { HttpApiBuilder, HttpServerResponse } from "@effect/platform"
import { Effect } from "effect"
import { Archive } from "../../archive/Archive.ts"
import { decimal } from "../../export/numbers.ts"
import * as PointsCsv from "../../export/pointsCsv.ts"
import * as PointsJson from "../../export/pointsJson.ts"
import { upgrade } from "../../live/upgrade.ts"
import { LiveHub } from "../../live/LiveHub.ts"
import { Catalog } from "../../store/Catalog.ts"
import { preferred } from "../accept.ts"
import { Api } from "../Api.ts"
import { textResponse } from "../streaming.ts"

const instant = (time: number | null) => (time === null ? "null" : decimal(time))

export const layer = HttpApiBuilder.group(
  Api,
  "telemetry",
  Effect.fnUntraced(function* (handlers) {
    const archive = yield* Archive
    const context = yield* Effect.context<LiveHub | Catalog>()
    return handlers
      .handle("range", ({ urlParams, request }) =>
        Effect.gen(function* () {
          const { session_id, start_time, end_time, sample_rate } = urlParams
          const { start, end, points, total } = yield* archive.range({
            sessionId: session_id,
            start: start_time,
            end: end_time,
            sampleRate: sample_rate
          })
          const contentType = preferred(request.headers["accept"], ["application/json", "text/csv"])
          const head = `{"session_id":${session_id},"start_time":${instant(start)},"end_time":${instant(end)},"points":`
          const answer =
            contentType === "text/csv"
              ? textResponse(PointsCsv.table(points), { contentType: "text/csv; charset=utf-8" })
              : textResponse(PointsJson.document(head, points, `,"total_points":${total}}`), { contentType })
          return HttpServerResponse.setHeader(yield* answer, "vary", "Accept")
        })
      )
      .handleRaw("live", () => Effect.provide(upgrade, context))
  })
)
