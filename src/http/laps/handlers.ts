import * as HttpApiBuilder from "@effect/platform/HttpApiBuilder"
import { Effect } from "effect"
import { Archive } from "../../archive/Archive.ts"
import { Catalog } from "../../store/Catalog.ts"
import { Api } from "../Api.ts"
import { lapId, sessionId } from "../parameters.ts"
import { textResponse } from "../streaming.ts"
import { lapJson } from "../telemetry/answers.ts"

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
          const points = yield* archive.lapPoints(id, urlParams.sample_rate)
          return yield* textResponse(lapJson(points), { contentType: "application/json" })
        })
      )
  })
)
