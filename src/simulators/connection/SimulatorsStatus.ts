/** The status of all connections, and how others observe it. */
import { Array as Arrays, Effect, Schema, SubscriptionRef } from "effect"
import { ConnectionStatus } from "../../domain/Connection.ts"
import { ListeningPort } from "../../domain/ListeningPort.ts"

export interface SimulatorsStatus {
  readonly connections: ReadonlyArray<ConnectionStatus>
  /** The ports on which the service listens for any game. */
  readonly listening: ReadonlyArray<ListeningPort>
  /** When telemetry last arrived from any simulator, epoch seconds; null before the first. */
  readonly lastArrival: number | null
}

/** The minimum interval of updates: counts change all the time while points arrive, and no reader needs them more often. */
const SPACING = "250 millis"

const sameConnections = Arrays.getEquivalence(Schema.equivalence(ConnectionStatus))
const samePorts = Arrays.getEquivalence(Schema.equivalence(ListeningPort))

const same = (a: SimulatorsStatus, b: SimulatorsStatus) =>
  a.lastArrival === b.lastArrival &&
  sameConnections(a.connections, b.connections) &&
  samePorts(a.listening, b.listening)

/**
 * Makes a status observable until the scope ends. Code that changes it calls `changed`, which only opens a latch: counts change
 * several times a batch. `changes` emits the newest status immediately, and then each that differs from the one before:
 * immediately if nothing changed in the last 250 ms, else when these are over.
 */
export const observable = Effect.fnUntraced(function* (statusNow: () => SimulatorsStatus) {
  const newest = yield* SubscriptionRef.make(statusNow())
  const latch = yield* Effect.makeLatch()
  const update = Effect.suspend(() => {
    latch.unsafeClose()
    const status = statusNow()
    return Effect.flatMap(newest, (last) =>
      same(last, status) ? Effect.void : SubscriptionRef.set(newest, status)
    )
  })
  yield* latch.await.pipe(
    Effect.zipRight(update),
    Effect.zipRight(Effect.sleep(SPACING)),
    Effect.forever,
    Effect.forkScoped
  )
  return { changed: () => void latch.unsafeOpen(), changes: newest.changes }
})
