/** `/metrics`: the metrics of the service, from all its processes. */
import * as HttpApiBuilder from "@effect/platform/HttpApiBuilder"
import * as HttpServerResponse from "@effect/platform/HttpServerResponse"
import { Effect } from "effect"
import { Counts } from "../../observability/Counts.ts"
import { gauge, write } from "../../observability/prometheus.ts"
import { checkHealth } from "../../operations/system.ts"
import type { StoreProgress } from "../../recording/intake/StoreProgress.ts"
import type { Sessions } from "../../store/Sessions.ts"
import type { RowStore } from "../../store/RowStore.ts"

export const CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"

export const layer = HttpApiBuilder.Router.use((router) =>
  Effect.gen(function* () {
    const counts = yield* Counts
    const asked = yield* Effect.context<RowStore | Sessions | StoreProgress>()
    yield* router.get(
      "/metrics",
      Effect.gen(function* () {
        const healthy = (yield* Effect.provide(checkHealth, asked)).status === "healthy" ? 1 : 0
        const families = [
          gauge("telemetry_healthy", "1 while /health answers 200", healthy),
          ...(yield* counts)
        ]
        return HttpServerResponse.text(write(families), { contentType: CONTENT_TYPE })
      })
    )
  })
)
