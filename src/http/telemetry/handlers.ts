import { HttpApiBuilder } from "@effect/platform"
import { Effect } from "effect"
import { Archive } from "../../archive/Archive.ts"
import * as PointsCsv from "../../export/pointsCsv.ts"
import * as PointsJson from "../../export/pointsJson.ts"
import { upgrade } from "../../live/upgrade.ts"
import { LiveHub } from "../../live/LiveHub.ts"
import { Catalog } from "../../store/Catalog.ts"
import { Api } from "../Api.ts"
import { textResponse } from "../streaming.ts"

/** Whether a client would rather have CSV: it names it, and does not name JSON before it. */
const prefersCsv = (accept: string | undefined) => {
  const csv = accept?.indexOf("text/csv") ?? -1
  const json = accept?.indexOf("application/json") ?? -1
  return csv >= 0 && (json < 0 || csv < json)
}

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
          if (prefersCsv(request.headers["accept"])) {
            return yield* textResponse(PointsCsv.table(points), { contentType: "text/csv; charset=utf-8" })
          }
          const head = `{"session_id":${session_id},"start_time":${start},"end_time":${end},"points":`
          const text = PointsJson.document(head, points, `,"total_points":${total}}`)
          return yield* textResponse(text, { contentType: "application/json" })
        })
      )
      .handleRaw("live", () => Effect.provide(upgrade, context))
  })
)
