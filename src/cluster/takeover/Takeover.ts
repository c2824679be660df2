/**
 * Records on where another node of the cluster has stopped: takes its connections and sessions, and notices where this node's were taken.
 *
 * A session that is taken is first cut after its last readable row. Only then is the simulator asked for more: so whatever this node
 * records is newer than what the other one stored, and rows that the other one still writes are behind the cut. If the cut cannot be made
 * at once, because the store of points is away, the connection goes on in another session, and the old one is ended later.
 *
 * One node keeps house: of those that are alive, the first by name. It also ends the sessions that nobody could take.
 */
import { Duration, Effect, Layer, Metric, Option, Schedule } from "effect"
import { POINTS } from "../../domain/Dictionary.ts"
import { StoreUnavailable } from "../../domain/errors.ts"
import { run } from "../../platform/processes.ts"
import { askingStore } from "../../platform/retryPolicies.ts"
import { Timing } from "../../platform/Timing.ts"
import { REJOIN_WITHIN } from "../../domain/Session.ts"
import { endBroken } from "../../recording/intake/recovery.ts"
import { Handover } from "../../simulators/connection/Handover.ts"
import { isAlive, type NodeHolder, Nodes } from "../../store/Nodes.ts"
import { RowStore } from "../../store/RowStore.ts"
import { HOLDS_NOTHING, type TakenConnection, Takeovers } from "../../store/Takeovers.ts"
import { LOOK_EVERY_MS, NodeWatch, type Stopped } from "./NodeWatch.ts"

/** A look that takes longer counts as failed. */
const LOOKS_WITHIN = "800 millis"
/** A driver must not wait longer for the same session. */
const CUT_WITHIN = "2 seconds"

const takeovers = Metric.counter("telemetry_takeovers_total", {
  description: "Nodes whose connections or sessions this node has taken over",
  incremental: true
})

/** Whether this node is the one that does what is done once for all. */
export const keepsHouse = (node: string) =>
  Effect.map(
    Effect.flatMap(Nodes, ({ all }) => all),
    (states) => (states.find(isAlive)?.node ?? node) === node
  )

/** Waits until all rows written so far can be read; rows that other nodes write later are not. */
const cut = Effect.fn("Takeover.cut")(function* (sessionId: number) {
  const store = yield* RowStore
  const bounds = yield* store.bounds({ sessionId, group: POINTS })
  const until = Option.match(bounds, { onNone: () => -Infinity, onSome: ({ last }) => last })
  yield* (yield* Takeovers).continueSession(sessionId, until)
  // The store must not remember the key that it gave to earlier rows.
  yield* store.seal(sessionId)
})

const endLater = (sessionId: number) =>
  Effect.zipRight(cut(sessionId), endBroken(sessionId)).pipe(
    Effect.retry(askingStore),
    Effect.catchAll((error) => Effect.logError(`Session ${sessionId} could not be ended`, error)),
    Effect.forkScoped
  )

const goOn = Effect.fnUntraced(function* ({ kept, sessionId }: TakenConnection) {
  const { open } = yield* Handover
  if (!kept.enabled) return sessionId === undefined ? undefined : yield* endLater(sessionId)
  if (sessionId === undefined) return yield* open(kept, undefined)
  const isCut = yield* cut(sessionId).pipe(
    Effect.timeoutFail({
      duration: CUT_WITHIN,
      onTimeout: () => new StoreUnavailable({ store: "points", cause: new Error("no answer in time") })
    }),
    Effect.as(true),
    Effect.catchAll(({ cause }) =>
      Effect.as(
        Effect.logWarning(
          `Session ${sessionId} cannot be continued now: the simulator goes on in another`,
          cause
        ),
        false
      )
    )
  )
  yield* open(kept, isCut ? sessionId : undefined)
  if (!isCut) yield* endLater(sessionId)
})

const takeFrom = Effect.fn("Takeover.take")(function* (
  holder: NodeHolder,
  { since, state }: Stopped,
  now: number
) {
  const { held, take } = yield* Takeovers
  const { connections, sessions } = (yield* held).get(state.node) ?? HOLDS_NOTHING
  const possible = yield* (yield* Handover).possible(connections)
  const isOver = sessions > 0 && now - since >= Duration.toMillis(REJOIN_WITHIN)
  const allSessions = isOver && (yield* keepsHouse(holder.node))
  if (possible.length === 0 && !allSessions) return
  const taken = yield* take(state, holder, { connections: possible, allSessions, run })
  if (taken === undefined) return
  yield* Metric.increment(takeovers)
  const addresses = taken.connections.map(({ kept: { request } }) => `${request.host}:${request.port}`)
  yield* Effect.logWarning(
    `Node ${state.node} (${state.described}) has stopped: this node takes over ${[...addresses, ...taken.sessions.map((id) => `session ${id}`)].join(", ")}`
  )
  yield* Effect.forEach(taken.connections, goOn, { concurrency: "unbounded", discard: true })
  yield* Effect.forEach(taken.sessions, endLater, { discard: true })
})

/** Runs as long as the layer lives. */
export const layer = (holder: NodeHolder) =>
  Layer.scopedDiscard(
    Effect.gen(function* () {
      const { all } = yield* Nodes
      const { leave } = yield* Handover
      const { now } = yield* Timing
      const watch = new NodeWatch()
      /** How often this node was taken over, as far as it knows. */
      let known: number | undefined

      const look = Effect.gen(function* () {
        const asked = now()
        const states = yield* Effect.timeout(all, LOOKS_WITHIN)
        const own = states.find(({ node }) => node === holder.node)
        if (own !== undefined && known !== undefined && own.taken > known) {
          yield* Effect.logWarning(
            "Another node took over connections of this one while it did not renew its lease"
          )
          // Before it takes anything: what it wrote as an owner must not be acknowledged as of a later tenure.
          yield* leave
        }
        known = own?.taken ?? known
        const stopped = watch.see(states, asked).filter(({ state }) => state.node !== holder.node)
        yield* Effect.forEach(stopped, (one) => takeFrom(holder, one, asked), { discard: true })
      }).pipe(
        Effect.catchAll((error) => {
          watch.failed()
          return Effect.logDebug("The other nodes cannot be looked at now", error)
        })
      )
      yield* look.pipe(Effect.repeat(Schedule.spaced(LOOK_EVERY_MS)), Effect.forkScoped)
    })
  )
