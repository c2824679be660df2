/**
 * The port between the process that records and those that serve HTTP and live clients, which may be the same one.
 *
 * Commands go one way: whoever serves asks `recording`. News goes the other: whoever records tells what happens
 * live, and all who serve listen. A changed telemetry_rate is news as well, told by whom it was changed at.
 *
 * Guarantees: news arrives in the order in which one process told it. Who is behind misses points, never an event,
 * and holds up nobody. A command is carried out to its end though whoever asked gives up. While nobody records,
 * commands fail with StoreUnavailable, at once.
 */
import { Context, Effect, Fiber, Layer, type Scope } from "effect"
import type { Connected, ConnectRequest } from "../domain/Connection.ts"
import { type Address, type ConnectError, StoreUnavailable } from "../domain/errors.ts"
import type { PointBatch } from "../domain/PointBatch.ts"
import type { LiveEvent } from "../live/messages.ts"
import type { Family } from "../observability/prometheus.ts"
import type { Stalled } from "../recording/StoreProgress.ts"
import type { KnownSimulator } from "../simulators/Driver.ts"
import type { SimulatorsStatus } from "../simulators/Simulators.ts"

/** What the process that records is asked: `Simulators` and `ActiveConnections`, wherever they are. */
export interface Recording {
  readonly connect: (request: ConnectRequest) => Effect.Effect<Connected, ConnectError>
  readonly disconnect: (address: Address | undefined) => Effect.Effect<number, StoreUnavailable>
  readonly status: Effect.Effect<SimulatorsStatus, StoreUnavailable>
  /** What waits for a store, and for too long; null where nothing does. */
  readonly stalled: Effect.Effect<Stalled | null, StoreUnavailable>
  readonly known: Effect.Effect<ReadonlyArray<KnownSimulator>, StoreUnavailable>
  readonly active: Effect.Effect<ReadonlyArray<ConnectRequest>, StoreUnavailable>
  readonly restore: (requests: ReadonlyArray<ConnectRequest>) => Effect.Effect<void, StoreUnavailable>
}

export type News =
  /** `first` is the number of the first point among the session's, from 1, where that is known. */
  | {
      readonly type: "points"
      readonly sessionId: number
      readonly batch: PointBatch
      readonly first?: number | undefined
    }
  | { readonly type: "event"; readonly event: LiveEvent }
  /** The configured telemetry_rate has changed, Hz. */
  | { readonly type: "rate"; readonly hz: number }

/** A plain function that returns at once: news comes with every batch of points. */
export type Hear = (news: News) => void

export type Counted = Effect.Effect<ReadonlyArray<Family>>

export interface RelayService {
  readonly recording: Recording
  /** From now on, until the scope ends, commands are answered by this. */
  readonly record: (recording: Recording) => Effect.Effect<void, never, Scope.Scope>
  readonly tell: Hear
  /** Until the scope ends `hear` is called with what is told. */
  readonly listen: (hear: Hear) => Effect.Effect<void, never, Scope.Scope>
  /** What all processes count. */
  readonly counts: Effect.Effect<ReadonlyArray<Family>, StoreUnavailable>
  /** Until the scope ends this is part of what is counted here. */
  readonly count: (counted: Counted) => Effect.Effect<void, never, Scope.Scope>
}

export class Relay extends Context.Tag("relay/Relay")<Relay, RelayService>() {}

/** What is said of a command while nobody records, for as long as another process takes to start. */
export const unavailable = (cause: unknown) => new StoreUnavailable({ store: "recording", cause })

/** In the set for as long as the scope. */
const member = <A>(set: Set<A>, value: A) =>
  Effect.acquireRelease(
    Effect.sync(() => void set.add(value)),
    () => Effect.sync(() => set.delete(value))
  )

/** A process's own part: who answers in it, who listens in it, what is counted in it. */
export const makeHere = () => {
  const listeners = new Set<Hear>()
  const counting = new Set<Counted>()
  let recording: Recording | undefined
  return {
    recording: () => recording,
    record: (own: Recording) =>
      Effect.acquireRelease(
        Effect.sync(() => {
          recording = own
        }),
        () =>
          Effect.sync(() => {
            recording = undefined
          })
      ),
    hear: (news: News) => {
      for (const hear of listeners) hear(news)
    },
    listen: (hear: Hear) => member(listeners, hear),
    count: (counted: Counted) => member(counting, counted),
    counts: Effect.suspend(() => Effect.map(Effect.all([...counting]), (families) => families.flat()))
  }
}

/** Runs a command in the scope: also where whoever asked gives up, or is gone. */
export const toItsEnd =
  (scope: Scope.Scope) =>
  <A, E>(command: Effect.Effect<A, E>) =>
    Effect.flatMap(Effect.forkIn(command, scope), Fiber.join)

/** Where one process does both. */
export const inProcess = Layer.scoped(
  Relay,
  Effect.gen(function* () {
    const here = makeHere()
    const ended = toItsEnd(yield* Effect.scope)
    const asked = <A, E>(ask: (recording: Recording) => Effect.Effect<A, E>) =>
      Effect.suspend((): Effect.Effect<A, E | StoreUnavailable> => {
        const recording = here.recording()
        return recording === undefined ? unavailable("nobody records") : ask(recording)
      })
    return {
      recording: {
        connect: (request) => ended(asked(({ connect }) => connect(request))),
        disconnect: (address) => ended(asked(({ disconnect }) => disconnect(address))),
        status: asked(({ status }) => status),
        stalled: asked(({ stalled }) => stalled),
        known: asked(({ known }) => known),
        active: asked(({ active }) => active),
        restore: (requests) => asked(({ restore }) => restore(requests))
      },
      record: here.record,
      tell: here.hear,
      listen: here.listen,
      counts: here.counts,
      count: here.count
    }
  })
)
