/** What the system's routes answer, whichever interface asks. */
import { Effect } from "effect"
import type { ConnectRequest } from "../../domain/Connection.ts"
import { type Address, StoreUnavailable } from "../../domain/errors.ts"
import { formatDateTime } from "../../domain/Time.ts"
import { uptime } from "../../processes.ts"
import { Simulators, type SimulatorsStatus } from "../../simulators/Simulators.ts"
import { StoreProgress } from "../../recording/StoreProgress.ts"
import { Catalog } from "../../store/Catalog.ts"
import { LocalFiles } from "../../store/LocalFiles.ts"
import { PointStore } from "../../store/PointStore.ts"
import { version } from "../../version.ts"
import { addressOf } from "../sentences.ts"

const plural = (count: number, thing: string) => `${count} ${thing}${count === 1 ? "" : "s"}`

/** Whoever looks after the service (compose, a load balancer) waits for some seconds at most. */
const ANSWER_WITHIN = "2 seconds"

/** A store that has not answered by then is one that does not. */
const within = (store: string, check: Effect.Effect<void, StoreUnavailable>) =>
  Effect.timeoutFail(check, {
    duration: ANSWER_WITHIN,
    onTimeout: () => new StoreUnavailable({ store, cause: new Error(`no answer within ${ANSWER_WITHIN}`) })
  })

/** What is recorded is stored, or there is nothing to store. */
const progress = Effect.gen(function* () {
  const stalled = yield* (yield* StoreProgress).stalled
  if (stalled === null) return
  const { reason: why, seconds, what } = stalled
  const reason = `The store has not managed to ${what} for ${seconds} s${why === null ? "" : `: ${why}`}`
  return yield* new StoreUnavailable({ store: "points", cause: new Error(reason), reason })
})

export const health = Effect.gen(function* () {
  const checks = [
    within("catalog", (yield* Catalog).check),
    within("points", (yield* PointStore).check),
    within("files", (yield* LocalFiles).check),
    within("recording", Effect.provideService(progress, StoreProgress, yield* StoreProgress))
  ]
  yield* Effect.all(checks, { concurrency: "unbounded", discard: true })
  return { status: "healthy" as const, version }
}).pipe(
  Effect.catchTag("StoreUnavailable", ({ reason, store }) =>
    Effect.succeed({
      status: "unhealthy" as const,
      version,
      detail:
        reason ??
        (store === "recording"
          ? "The process that records does not answer; it is being started, or hangs"
          : `The ${store} store does not answer`)
    })
  )
)

/** How the links to simulators stand. */
export const connectionsOf = ({ connections, lastArrival }: SimulatorsStatus) => ({
  connected: connections.some(({ state }) => state === "connected"),
  last_telemetry: lastArrival === null ? null : formatDateTime(lastArrival),
  connections
})

/** What the store takes, and what its disk has left. A store that does not answer says nothing of the rest. */
const storeSpace = Effect.gen(function* () {
  const { bytes, free } = yield* (yield* LocalFiles).space
  const inUse = (yield* PointStore).bytes.pipe(
    Effect.timeout(ANSWER_WITHIN),
    Effect.orElseSucceed(() => null)
  )
  return { bytes, in_use_bytes: yield* inUse, disk_free_bytes: free }
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
    connections,
    store: yield* storeSpace
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
