/**
 * Connects the endpoints of a supervisor: sends commands of the workers to the recorder, and its updates to all workers.
 *
 * Until a recorder answers commands, they fail with StoreUnavailable. The router remembers the newest status of the
 * connections, which a new worker gets immediately. It remembers which channels the live clients of each worker watch,
 * and reports them to a new recorder. It sends samples only to workers that watch channels.
 */
import { Effect, Option, type Scope, Stream } from "effect"
import { type Family, merged } from "../observability/prometheus.ts"
import type { WatchedChannels } from "../live/channels/ChannelWatch.ts"
import type { SimulatorsStatus } from "../simulators/connection/SimulatorsStatus.ts"
import { toTheirEnd } from "./commands.ts"
import type { RpcEndpoint } from "./RpcEndpoint.ts"
import { type Recording, toCompletion, unavailable, type Update } from "./Relay.ts"

/** A process that is stopped or busy must not hold back the metrics of the others. */
const COUNTED_WITHIN = "1 second"

export interface RelayRouter {
  /** Adds a process that serves, until the scope ends. */
  readonly serving: (endpoint: RpcEndpoint) => Effect.Effect<void, never, Scope.Scope>
  /** Sets the process that records, until the scope ends; succeeds when it answers commands. */
  readonly recording: (endpoint: RpcEndpoint) => Effect.Effect<void, never, Scope.Scope>
}

const countsOf = ({ counts }: RpcEndpoint) =>
  // Endpoints are made in an uninterruptible region, which their calls would inherit.
  Effect.interruptible(counts).pipe(
    Effect.timeoutOption(COUNTED_WITHIN),
    Effect.map(Option.getOrElse((): ReadonlyArray<Family> => [])),
    Effect.orElseSucceed((): ReadonlyArray<Family> => [])
  )

/** `own`: the supervisor's own metrics. */
export const make = Effect.fn("RelayRouter.make")(function* (own: Effect.Effect<ReadonlyArray<Family>>) {
  const scope = yield* Effect.scope
  const serving = new Set<RpcEndpoint>()
  let recorder: RpcEndpoint | undefined
  let newest: SimulatorsStatus | null = null

  const asked = <A, E>(ask: (recording: Recording) => Effect.Effect<A, E>) =>
    Effect.suspend((): Effect.Effect<A, E | ReturnType<typeof unavailable>> =>
      recorder === undefined ? unavailable("it is being started") : ask(recorder.recording)
    )

  const commands = toTheirEnd(
    {
      connect: (request) => asked(({ connect }) => connect(request)),
      disconnect: (address) => asked(({ disconnect }) => disconnect(address)),
      status: asked(({ status }) => status),
      stalled: asked(({ stalled }) => stalled),
      known: asked(({ known }) => known),
      kept: asked(({ kept }) => kept),
      enable: (wanted) => asked(({ enable }) => enable(wanted)),
      listenFor: (games) => asked(({ listenFor }) => listenFor(games)),
      changeImports: (command) => asked(({ changeImports }) => changeImports(command))
    },
    toCompletion(scope)
  )

  const counts = Effect.suspend(() => {
    const endpoints = recorder === undefined ? serving : [recorder, ...serving]
    return Effect.all([own, ...[...endpoints].map(countsOf)], { concurrency: "unbounded" })
  }).pipe(Effect.map((families) => merged(families.flat())))

  const watched = new Map<RpcEndpoint, ReadonlyArray<WatchedChannels>>()
  const watchedByAll = (): Update => ({ type: "watch", watched: [...watched.values()].flat() })

  const broadcast: RpcEndpoint["publish"] = (update) => {
    for (const endpoint of update.type === "samples" ? watched.keys() : serving) endpoint.publish(update)
  }

  const watch = (endpoint: RpcEndpoint, channels: ReadonlyArray<WatchedChannels>) => {
    if (channels.length === 0 && !watched.has(endpoint)) return
    if (channels.length === 0) watched.delete(endpoint)
    else watched.set(endpoint, channels)
    recorder?.publish(watchedByAll())
  }

  const broadcastStatus = (status: SimulatorsStatus | null) => {
    newest = status
    for (const endpoint of serving) endpoint.publishStatus(status)
  }

  return {
    serving: Effect.fnUntraced(function* (endpoint) {
      yield* endpoint.record(commands)
      yield* endpoint.count(counts)
      yield* endpoint.subscribe((update) =>
        update.type === "watch" ? watch(endpoint, update.watched) : broadcast(update)
      )
      yield* Effect.acquireRelease(
        Effect.sync(() => {
          serving.add(endpoint)
          endpoint.publishStatus(newest)
        }),
        () =>
          Effect.sync(() => {
            serving.delete(endpoint)
            watch(endpoint, [])
          })
      )
    }),
    recording: Effect.fnUntraced(function* (endpoint) {
      yield* endpoint.subscribe(broadcast)
      yield* endpoint.recorded
      yield* Effect.acquireRelease(
        Effect.sync(() => {
          recorder = endpoint
          if (watched.size > 0) endpoint.publish(watchedByAll())
        }),
        () =>
          Effect.sync(() => {
            recorder = undefined
            broadcastStatus(null)
          })
      )
      const statuses = Stream.runForEach(endpoint.statusChanges, (status) =>
        Effect.sync(() => broadcastStatus(status))
      )
      // The statuses fail when the recorder ends.
      const untilEnd = Effect.orElse(statuses, () => Effect.sync(() => broadcastStatus(null)))
      yield* Effect.forkScoped(Effect.interruptible(untilEnd))
    })
  } satisfies RelayRouter
})
