import { HttpApiBuilder } from "@effect/platform"
import { Effect } from "effect"
import { Archive } from "../../archive/Archive.ts"
import * as PointsJson from "../../export/pointsJson.ts"
import { Catalog } from "../../store/Catalog.ts"
import { Api } from "../Api.ts"
import { lapId, sessionId } from "../parameters.ts"
import { textResponse } from "../streaming.ts"

export const layer = HttpApiBuilder.group(
  Api,
  "laps",
  Effect.fnUntraced(function* (handlers) {
    const catalog = yield* Catalog
    const archive = yield* Archive
    return handlers
      .handle("ofSession", ({ path }) => Effect.flatMap(sessionId(path.session_id), catalog.laps))
      .handle("read", ({ path }) => Effect.flatMap(lapId(path.lap_id), catalog.lap))
      .handle("telemetry", ({ path, urlParams }) =>
        Effect.gen(function* () {
          const id = yield* lapId(path.lap_id)
          const { points, total } = yield* archive.lapPoints(id, urlParams.sample_rate)
          const text = PointsJson.document(`{"lap_id":${id},"points":`, points, `,"total_points":${total}}`)
          return yield* textResponse(text, { contentType: "application/json" })
        })
      )
  })
)
