/** What the system's routes answer, whichever interface asks. */
import { Effect } from "effect"
import type { ConnectRequest } from "../../domain/Connection.ts"
import type { Address } from "../../domain/errors.ts"
import { formatDateTime } from "../../domain/Time.ts"
import { uptime } from "../../processes.ts"
import { Simulators, type SimulatorsStatus } from "../../simulators/Simulators.ts"
import { Catalog } from "../../store/Catalog.ts"
import { PointStore } from "../../store/PointStore.ts"
import { version } from "../../version.ts"
import { addressOf } from "../sentences.ts"

const plural = (count: number, thing: string) => `${count} ${thing}${count === 1 ? "" : "s"}`

export const health = Effect.gen(function* () {
  yield* (yield* Catalog).check
  yield* (yield* PointStore).check
  return { status: "healthy" as const, version }
}).pipe(
  Effect.catchTag("StoreUnavailable", ({ reason, store }) =>
    Effect.succeed({
      status: "unhealthy" as const,
      version,
      detail: reason ?? `The ${store} store does not answer`
    })
  )
)

/** How the links to simulators stand. */
export const connectionsOf = ({ connections, lastArrival }: SimulatorsStatus) => ({
  connected: connections.some(({ state }) => state === "connected"),
  last_telemetry: lastArrival === null ? null : formatDateTime(lastArrival),
  connections
})

export const status = Effect.gen(function* () {
  const { connected, connections, last_telemetry } = connectionsOf(yield* (yield* Simulators).status)
  const { sessions, laps } = yield* (yield* Catalog).counts
  return {
    connected,
    uptime: uptime(),
    sessions_count: sessions,
    laps_count: laps,
    last_telemetry,
    connections
  }
})

export const connect = Effect.fnUntraced(function* (request: ConnectRequest) {
  const connected = yield* (yield* Simulators).connect(request)
  return {
    connected: true as const,
    ...connected,
    message: `Connected to the ${connected.simulator} simulator at ${addressOf(connected)}`
  }
})

/** Of one connection, or of all. */
export const disconnect = Effect.fnUntraced(function* (target: Address | undefined) {
  const ended = yield* (yield* Simulators).disconnect(target)
  const message = ended === 0 ? "Nothing was connected" : `Ended ${plural(ended, "connection")}`
  return { connected: false as const, message }
})
