/**
 * The port between the process that records and those that serve HTTP and live clients, which may be the same process.
 *
 * Commands go one way: a serving process calls `recording`. Updates go the other way: the recorder publishes live
 * points and events, and all serving processes subscribe. A changed telemetry_rate is an update as well; the process
 * that received the change publishes it.
 *
 * Guarantees: updates arrive in the order in which one process published them. A process that is behind misses points,
 * never an event, and delays no other process; it gets the newest status of the connections. A command runs to its end
 * even if its caller gives up. While no process records, commands fail immediately with StoreUnavailable.
 */
import { Context, Effect, Fiber, Layer, type Scope, Stream, SubscriptionRef } from "effect"
import type { Games } from "../domain/ListeningPort.ts"
import type { Connected, ConnectRequest, EnableConnection, ListedConnection } from "../domain/Connection.ts"
import { type Address, type ConnectError, StoreUnavailable } from "../domain/errors.ts"
import type { PointBatch } from "../domain/RowBatch.ts"
import type { ChangeImports } from "../imports/ImportCommands.ts"
import type { GroupRows, WatchedChannels } from "../live/channels/ChannelWatch.ts"
import type { LiveEvent } from "../live/hub/messages.ts"
import type { Family } from "../observability/prometheus.ts"
import type { Stalled } from "../recording/intake/StoreProgress.ts"
import type { KnownSimulator } from "../simulators/Driver.ts"
import type { SimulatorsStatus } from "../simulators/connection/SimulatorsStatus.ts"

/** The commands of the process that records: its `Simulators`, and its queue of imports. */
export interface Recording {
  readonly connect: (request: ConnectRequest) => Effect.Effect<Connected, ConnectError>
  readonly disconnect: (address: Address | undefined) => Effect.Effect<number, StoreUnavailable>
  readonly status: Effect.Effect<SimulatorsStatus, StoreUnavailable>
  /** The write that has waited for a store for too long; null if there is none. */
  readonly stalled: Effect.Effect<Stalled | null, StoreUnavailable>
  readonly known: Effect.Effect<ReadonlyArray<KnownSimulator>, StoreUnavailable>
  readonly kept: Effect.Effect<ReadonlyArray<ListedConnection>, StoreUnavailable>
  readonly enable: (wanted: EnableConnection) => Effect.Effect<boolean, StoreUnavailable>
  readonly listenFor: (games: Games) => Effect.Effect<void, StoreUnavailable>
  readonly changeImports: ChangeImports
}

/** The sessions whose points are wanted. */
export type WantedPoints = "all" | ReadonlyArray<number>

export type Update =
  /** `first` is the number of the first point in the session, from 1, if known. */
  | {
      readonly type: "points"
      readonly sessionId: number
      readonly batch: PointBatch
      readonly first?: number | undefined
    }
  /** Rows of other groups, sent before the points that they belong to. */
  | { readonly type: "samples"; readonly sessionId: number; readonly groups: ReadonlyArray<GroupRows> }
  /**
   * What the sender's live clients want: the channels in addition to points, of which the recorder then sends only these, and the
   * sessions whose points they want. Between processes of one machine points are always sent.
   */
  | {
      readonly type: "watch"
      readonly watched: ReadonlyArray<WatchedChannels>
      readonly points?: WantedPoints
    }
  | { readonly type: "event"; readonly event: LiveEvent }
  /** The configured telemetry_rate has changed, Hz. */
  | { readonly type: "rate"; readonly hz: number }
  /** A client chose the session on air. */
  | { readonly type: "on_air" }
  /** An import of a file has changed. */
  | { readonly type: "import"; readonly importId: number }

/** A plain function that returns immediately: there is an update for every batch of points. */
export type Publish = (update: Update) => void

export type Counted = Effect.Effect<ReadonlyArray<Family>>

export interface RelayService {
  readonly recording: Recording
  /** From now until the scope ends, `recording` answers commands. */
  readonly record: (recording: Recording) => Effect.Effect<void, never, Scope.Scope>
  readonly publish: Publish
  /** Calls `receive` with every update until the scope ends. */
  readonly subscribe: (receive: Publish) => Effect.Effect<void, never, Scope.Scope>
  /**
   * Publishes the connections' newest status to all serving processes; null if no process records. Returns immediately.
   */
  readonly publishStatus: (status: SimulatorsStatus | null) => void
  /** The newest status, and then each one that is published; fails while no process records. */
  readonly statusChanges: Stream.Stream<SimulatorsStatus, StoreUnavailable>
  /** The metrics of all processes. */
  readonly counts: Effect.Effect<ReadonlyArray<Family>, StoreUnavailable>
  /** Adds these to the metrics of this process until the scope ends. */
  readonly count: (counted: Counted) => Effect.Effect<void, never, Scope.Scope>
  /** Whether other machines are reached now; left out where there are none. */
  readonly isUp?: () => boolean
}

export class Relay extends Context.Tag("relay/Relay")<Relay, RelayService>() {}

/** The failure of a command while no process records, which lasts until another one has started. */
export const unavailable = (cause: unknown) => new StoreUnavailable({ store: "recording", cause })

export const NOT_RECORDING = "no process records"

/** Keeps the value in the set as long as the scope. */
const member = <A>(set: Set<A>, value: A) =>
  Effect.acquireRelease(
    Effect.sync(() => void set.add(value)),
    () => Effect.sync(() => set.delete(value))
  )

/**
 * The part of the relay within a process: the side that answers commands, the subscribers to updates, the newest
 * status, and the process's metrics. `status` is undefined until the first one is published; until then `statusChanges`
 * waits.
 */
export const makeLocal = Effect.fnUntraced(function* (status: SimulatorsStatus | null | undefined) {
  const subscribers = new Set<Publish>()
  const counting = new Set<Counted>()
  const newest = yield* SubscriptionRef.make(status)
  let recording: Recording | undefined
  return {
    recording: () => recording,
    record: (own: Recording) =>
      Effect.acquireRelease(
        Effect.suspend(() => {
          recording = own
          // Waits until the first status is published.
          return SubscriptionRef.update(newest, (status) => status ?? undefined)
        }),
        () =>
          Effect.suspend(() => {
            recording = undefined
            return SubscriptionRef.set(newest, null)
          })
      ),
    publish: (update: Update) => {
      for (const receive of subscribers) receive(update)
    },
    subscribe: (receive: Publish) => member(subscribers, receive),
    publishStatus: (status: SimulatorsStatus | null) => {
      // This runs synchronously, unless another fiber begins to observe the status at this moment.
      Effect.runFork(SubscriptionRef.set(newest, status))
    },
    statusChanges: newest.changes.pipe(
      Stream.filter((status) => status !== undefined),
      Stream.mapEffect((status) => (status === null ? unavailable(NOT_RECORDING) : Effect.succeed(status)))
    ),
    count: (counted: Counted) => member(counting, counted),
    counts: Effect.suspend(() => Effect.map(Effect.all([...counting]), (families) => families.flat()))
  }
})

/** Runs a command in the scope to its end, even if its caller gives up or is gone. */
export const toCompletion =
  (scope: Scope.Scope) =>
  <A, E>(command: Effect.Effect<A, E>) =>
    Effect.flatMap(Effect.forkIn(command, scope), Fiber.join)

/** For a service of one process. */
export const inProcess = Layer.scoped(
  Relay,
  Effect.gen(function* () {
    const local = yield* makeLocal(null)
    const complete = toCompletion(yield* Effect.scope)
    const asked = <A, E>(ask: (recording: Recording) => Effect.Effect<A, E>) =>
      Effect.suspend((): Effect.Effect<A, E | StoreUnavailable> => {
        const recording = local.recording()
        return recording === undefined ? unavailable(NOT_RECORDING) : ask(recording)
      })
    return {
      recording: {
        connect: (request) => complete(asked(({ connect }) => connect(request))),
        disconnect: (address) => complete(asked(({ disconnect }) => disconnect(address))),
        status: asked(({ status }) => status),
        stalled: asked(({ stalled }) => stalled),
        known: asked(({ known }) => known),
        kept: asked(({ kept }) => kept),
        enable: (wanted) => complete(asked(({ enable }) => enable(wanted))),
        listenFor: (games) => complete(asked(({ listenFor }) => listenFor(games))),
        changeImports: (command) => complete(asked(({ changeImports }) => changeImports(command)))
      },
      record: local.record,
      publish: local.publish,
      subscribe: local.subscribe,
      publishStatus: local.publishStatus,
      statusChanges: local.statusChanges,
      counts: local.counts,
      count: local.count
    }
  })
)
