/** `/metrics`: the metrics of the service, from all its processes. */
import * as HttpServerResponse from "@effect/platform/HttpServerResponse"
import { Effect } from "effect"
import { Counts } from "../../observability/Counts.ts"
import { gauge, write } from "../../observability/prometheus.ts"
import { checkHealth } from "../../operations/system.ts"
import type { ServerRoute } from "../routing.ts"

const CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"

export const metrics: ServerRoute = {
  method: "GET",
  path: "/metrics",
  offers: [CONTENT_TYPE],
  handler: () =>
    Effect.gen(function* () {
      const healthy = (yield* checkHealth).status === "healthy" ? 1 : 0
      const families = [
        gauge("telemetry_healthy", "1 while /health answers 200", healthy),
        ...(yield* yield* Counts)
      ]
      return HttpServerResponse.text(write(families), { contentType: CONTENT_TYPE })
    })
}
