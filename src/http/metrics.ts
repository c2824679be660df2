/** `/metrics`: what the service counts, in all its processes. */
import * as HttpApiBuilder from "@effect/platform/HttpApiBuilder"
import * as HttpServerResponse from "@effect/platform/HttpServerResponse"
import { Effect } from "effect"
import { Counts } from "../observability/Counts.ts"
import { write } from "../observability/prometheus.ts"

export const CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"

export const layer = HttpApiBuilder.Router.use((router) =>
  Effect.gen(function* () {
    const counts = yield* Counts
    yield* router.get(
      "/metrics",
      Effect.map(counts, (families) =>
        HttpServerResponse.text(write(families), { contentType: CONTENT_TYPE })
      )
    )
  })
)
