/** The health of the service, its connections, and its recordings. */
import { networkInterfaces } from "node:os"
import { type Context, Effect, Schema } from "effect"
import { ConnectionStatus } from "../domain/Connection.ts"
import { ListeningPort } from "../domain/ListeningPort.ts"
import { DateTime } from "../domain/DateTime.ts"
import { StoreUnavailable } from "../domain/errors.ts"
import { uptime } from "../platform/processes.ts"
import { StoreProgress } from "../recording/intake/StoreProgress.ts"
import { ReachesNodes } from "../live/ReachesNodes.ts"
import { Simulators } from "../simulators/connection/Simulators.ts"
import type { SimulatorsStatus } from "../simulators/connection/SimulatorsStatus.ts"
import { Sessions } from "../store/Sessions.ts"
import { Statistics } from "../store/Statistics.ts"
import { LocalFiles } from "../store/LocalFiles.ts"
import { RowStore } from "../store/RowStore.ts"
import { reasonOf } from "../platform/systemErrors.ts"
import { version } from "../platform/version.ts"
import { answered, Nothing } from "./operation.ts"
import { shared } from "./sharedCheck.ts"

export const Health = Schema.Struct({
  status: Schema.Literal("healthy"),
  version: Schema.String.annotations({ examples: ["1.2.3"] }),
  relay: Schema.optional(Schema.Literal("away")).annotations({
    description:
      "Present while this node does not reach the other nodes of its cluster; it records and serves on"
  })
}).annotations({ identifier: "Health" })

export const Unhealthy = Schema.Struct({
  status: Schema.Literal("unhealthy"),
  version: Schema.String,
  detail: Schema.String
}).annotations({ identifier: "Unhealthy", description: "The service is unhealthy; detail says why" })

export const SystemStatus = Schema.Struct({
  connected: Schema.Boolean,
  uptime: Schema.Number.annotations({ description: "Seconds since the service started" }),
  sessionsCount: Schema.Int,
  lapsCount: Schema.Int,
  lastTelemetry: Schema.NullOr(DateTime).annotations({
    description: "Time at which telemetry last arrived; null before the first point"
  }),
  connections: Schema.Array(ConnectionStatus),
  listening: Schema.Array(ListeningPort).annotations({
    description: "The ports on which the service listens for any game (`games` of the configuration, --games)"
  }),
  addresses: Schema.Array(Schema.String).annotations({
    description:
      "Addresses of the service's machine in its networks (IPv4), for games that send from other machines"
  }),
  store: Schema.Struct({
    bytes: Schema.Int.annotations({
      description: "Bytes of the SQLite files in the data folder, with their logs"
    }),
    inUseBytes: Schema.NullOr(Schema.Int).annotations({
      description:
        "Bytes that the points take: in SQLite the size that --keep-size limits, in QuestDB the size of the table of points on its disk; null while QuestDB does not answer"
    }),
    diskFreeBytes: Schema.NullOr(Schema.Int).annotations({
      description: "Free bytes on the disk of the data folder; null where the system does not report them"
    })
  })
}).annotations({ identifier: "SystemStatus" })

/** A supervisor of the service (compose, a load balancer) waits for a few seconds at most. */
const ANSWER_WITHIN = "2 seconds"

/** A store that takes longer counts as one that does not answer. */
const within = (store: string, check: Effect.Effect<void, StoreUnavailable>) =>
  Effect.timeoutFail(check, {
    duration: ANSWER_WITHIN,
    onTimeout: () => new StoreUnavailable({ store, cause: new Error(`no answer within ${ANSWER_WITHIN}`) })
  })

/** Fails if recorded points wait because the store does not take them. */
const progress = Effect.gen(function* () {
  const stalled = yield* (yield* StoreProgress).stalled
  if (stalled === null) return
  const { reason: why, seconds, what } = stalled
  const reason = `The store has not managed to ${what} for ${seconds} s${why === null ? "" : `: ${why}`}`
  return yield* new StoreUnavailable({ store: "points", cause: new Error(reason), reason })
})

/** Checks all stores concurrently. */
const allAnswer = Effect.gen(function* () {
  const checks = [
    within("catalog", (yield* Sessions).check),
    within("points", (yield* RowStore).check),
    within("files", (yield* LocalFiles).check),
    within("recording", Effect.provideService(progress, StoreProgress, yield* StoreProgress))
  ]
  yield* Effect.all(checks, { concurrency: "unbounded", discard: true })
})

/**
 * The check of each service in this process, by its store. Requests share it: it takes several fibers, and writes to
 * the data folder.
 */
const checks = new WeakMap<Context.Tag.Service<RowStore>, Effect.Effect<void, StoreUnavailable>>()

const checkOfService = Effect.gen(function* () {
  const points = yield* RowStore
  const known = checks.get(points)
  if (known !== undefined) return known
  const services = yield* Effect.context<RowStore | Sessions | StoreProgress>()
  const check = shared(Effect.provide(allAnswer, services))
  checks.set(points, check)
  return check
})

export const checkHealth = Effect.flatten(checkOfService).pipe(
  Effect.zipRight(ReachesNodes),
  Effect.map((reaches) => ({
    status: "healthy" as const,
    version,
    ...(reaches() === false ? { relay: "away" as const } : {})
  })),
  Effect.catchTag("StoreUnavailable", ({ cause, reason, store }) =>
    Effect.succeed({
      status: "unhealthy" as const,
      version,
      detail:
        reason ??
        (store === "recording"
          ? "The process that records does not answer: it is starting, or it hangs"
          : `The ${store} store cannot be used: ${reasonOf(cause)}`)
    })
  )
)

export const health = answered({
  input: Nothing,
  answer: Schema.Union(Health, Unhealthy),
  errors: [],
  run: () => checkHealth
})

/** The state of the links to simulators. */
export const connectionsOf = ({ connections, lastArrival }: SimulatorsStatus) => ({
  connected: connections.some(({ state }) => state === "connected"),
  lastTelemetry: lastArrival,
  connections
})

/**
 * The size of the store, and the free space on its disk. `inUseBytes` is null if the store does not answer, so that the
 * rest of the status is still answered.
 */
const storeSpace = Effect.gen(function* () {
  const { bytes, free } = yield* (yield* LocalFiles).space
  const inUse = (yield* RowStore).bytes.pipe(
    Effect.timeout(ANSWER_WITHIN),
    Effect.orElseSucceed(() => null)
  )
  return { bytes, inUseBytes: yield* inUse, diskFreeBytes: free }
})

const ownAddresses = (): ReadonlyArray<string> =>
  Object.values(networkInterfaces()).flatMap((ones = []) =>
    ones.filter(({ family, internal }) => family === "IPv4" && !internal).map(({ address }) => address)
  )

export const status = answered({
  input: Nothing,
  answer: SystemStatus,
  errors: [],
  run: () =>
    Effect.gen(function* () {
      const now = yield* (yield* Simulators).status
      const { connected, connections, lastTelemetry } = connectionsOf(now)
      const { sessions, laps } = yield* (yield* Statistics).counts
      return {
        connected,
        uptime: uptime(),
        sessionsCount: sessions,
        lapsCount: laps,
        lastTelemetry,
        connections,
        listening: now.listening,
        addresses: ownAddresses(),
        store: yield* storeSpace
      }
    })
})
