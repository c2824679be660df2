/** `/metrics`: what this process counts, how its live side and its connections stand, and the process itself. */
import { HttpApiBuilder, HttpServerResponse } from "@effect/platform"
import { Effect } from "effect"
import { ConnectionState } from "../domain/Connection.ts"
import { LiveHub } from "../live/LiveHub.ts"
import type { LiveStats } from "../live/Hub.ts"
import { type Family, gauge, labelledBy, total, write } from "../observability/prometheus.ts"
import { processFamilies } from "../observability/process.ts"
import { RecordingCounts } from "../observability/RecordingCounts.ts"
import { Simulators, type SimulatorsStatus } from "../simulators/Simulators.ts"

const liveFamilies = ({ subscribers, sent, skipped }: LiveStats): ReadonlyArray<Family> => [
  gauge("telemetry_live_subscribers", "Clients of the live WebSocket and of live subscriptions", subscribers),
  total("telemetry_live_messages_sent_total", "Live messages handed to sockets", sent),
  total(
    "telemetry_live_messages_skipped_total",
    "Live messages left out for clients that were behind",
    skipped
  )
]

const connectionFamily = ({ connections }: SimulatorsStatus): Family => ({
  name: "telemetry_connections",
  type: "gauge",
  help: "Connections to simulators, by state",
  samples: ConnectionState.literals.map((state) => ({
    suffix: "",
    labels: [["state", state]],
    value: connections.filter((connection) => connection.state === state).length
  }))
})

export const layer = HttpApiBuilder.Router.use((router) =>
  Effect.gen(function* () {
    const hub = yield* LiveHub
    const simulators = yield* Simulators
    const recording = yield* RecordingCounts
    yield* router.get(
      "/metrics",
      Effect.gen(function* () {
        const connections = yield* Effect.map(simulators.status, connectionFamily)
        const own = [...liveFamilies(hub.stats()), ...processFamilies()]
        const families = [
          ...(yield* recording.families),
          connections,
          ...(recording.worker === undefined ? own : own.map(labelledBy("worker", String(recording.worker))))
        ]
        return HttpServerResponse.text(write(families), {
          contentType: "text/plain; version=0.0.4; charset=utf-8"
        })
      })
    )
  })
)
