/**
 * Records on where another node of the cluster has stopped: takes its connections and sessions, and notices where this node's were taken.
 *
 * A session that is taken is first cut after its last readable row. Only then is the simulator asked for more: so whatever this node
 * records is newer than what the other one stored, and rows that the other one still writes are behind the cut. If the cut cannot be made
 * at once, because the store of points is away, the connection goes on in another session, and the old one is ended later.
 *
 * Each node that runs takes its part of the connections at once, and soon afterwards whatever is left: another may be unable to take its
 * part, or may have counted other nodes as running.
 *
 * One node keeps house: of those that are alive, the first by name. It also ends the sessions that nobody could take.
 */
import { Cause, Duration, Effect, Layer, Metric, Option, Schedule } from "effect"
import { addressKey, type KeptConnection } from "../../domain/Connection.ts"
import { POINTS } from "../../domain/Dictionary.ts"
import { StoreUnavailable } from "../../domain/errors.ts"
import { run } from "../../platform/processes.ts"
import { askingStore } from "../../platform/retryPolicies.ts"
import { Timing } from "../../platform/Timing.ts"
import { REJOIN_WITHIN } from "../../domain/Session.ts"
import { endBroken } from "../../recording/intake/recovery.ts"
import { Handover } from "../../simulators/connection/Handover.ts"
import { isAlive, type NodeHolder, Nodes, type NodeState } from "../../store/Nodes.ts"
import { RowStore } from "../../store/RowStore.ts"
import { type Held, HOLDS_NOTHING, type TakenConnection, Takeovers } from "../../store/Takeovers.ts"
import { LOOK_EVERY_MS, NodeWatch, type Stopped } from "./NodeWatch.ts"

/** A look that takes longer counts as failed. */
const LOOKS_WITHIN = "800 millis"
/** So long after a node counts as stopped the others leave each other their parts, ms: a look of each, and its take. */
const PARTS_FOR_MS = 2 * LOOK_EVERY_MS
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
  if (store.isWaiting?.(sessionId) === true) {
    // They are of a part that this node recorded before, and must not become part of the next one.
    const reason = `rows of session ${sessionId} still wait on this node's disk`
    return yield* new StoreUnavailable({ store: "spool", cause: new Error(reason), reason })
  }
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

/**
 * The part of all connections that falls to a node. Every node counts them in the same order, those too that another has just taken: so the
 * parts do not overlap. `running`: the nodes that have not stopped, by name.
 */
const partOf = (node: string, running: ReadonlyArray<string>, holds: ReadonlyMap<string, Held>) => {
  const all = [...holds.values()].flatMap(({ connections }) => connections)
  const ordered = all.toSorted((a, b) => (addressKey(a.request) < addressKey(b.request) ? -1 : 1))
  return new Set(ordered.filter((_, n) => running[n % running.length] === node))
}

/** Takes these connections, with their sessions, and goes on with them. */
const goOnWith = Effect.fn("Takeover.goOnWith")(function* (
  holder: NodeHolder,
  state: NodeState,
  wanted: Parameters<(typeof Takeovers.Service)["take"]>[2]
) {
  const taken = yield* (yield* Takeovers).take(state, holder, wanted)
  // Another may have been faster.
  if (taken === undefined || taken.connections.length + taken.sessions.length === 0) return
  yield* Metric.increment(takeovers)
  const addresses = taken.connections.map(({ kept: { request } }) => `${request.host}:${request.port}`)
  const sessions = taken.sessions.map((id) => `session ${id}`)
  yield* Effect.logWarning(
    `This node takes over from node ${state.node} (${state.described}): ${[...addresses, ...sessions].join(", ")}`
  )
  yield* Effect.forEach(taken.connections, goOn, { concurrency: "unbounded", discard: true })
  yield* Effect.forEach(taken.sessions, endLater, { discard: true })
})

/** Runs as long as the layer lives. */
export const layer = (holder: NodeHolder) =>
  Layer.scopedDiscard(
    Effect.gen(function* () {
      const { all } = yield* Nodes
      const { leave, possible } = yield* Handover
      const { held } = yield* Takeovers
      const { now } = yield* Timing
      const watch = new NodeWatch()
      /** How often this node was taken over, as far as it knows. */
      let known: number | undefined
      /** What it tried to take without an answer: the catalog may have given it. */
      let unsure: ReadonlyArray<KeptConnection> = []

      /** `part`: those of all connections that this node may take at once. */
      const takeFrom = Effect.fnUntraced(function* (
        { since, state }: Stopped,
        holds: ReadonlyMap<string, Held>,
        part: ReadonlySet<KeptConnection>,
        asked: number
      ) {
        const { connections, sessions } = holds.get(state.node) ?? HOLDS_NOTHING
        const silent = asked - since
        const isForAny = silent >= state.lease * 1000 + PARTS_FOR_MS
        const wanted = yield* possible(isForAny ? connections : connections.filter((one) => part.has(one)))
        const isOver = sessions > 0 && silent >= Duration.toMillis(REJOIN_WITHIN)
        const allSessions = isOver && (yield* keepsHouse(holder.node))
        if (wanted.length === 0 && !allSessions) return
        unsure = [...unsure, ...wanted]
        yield* goOnWith(holder, state, { connections: wanted, allSessions, run })
        unsure = []
      })

      /** Goes on with what this node has by now without having had an answer. */
      const settle = Effect.fnUntraced(function* (own: NodeState, holds: ReadonlyMap<string, Held>) {
        const { connections: keeps } = holds.get(own.node) ?? HOLDS_NOTHING
        const given = new Set(keeps.map(({ request }) => addressKey(request)))
        const connections = yield* possible(unsure.filter(({ request }) => given.has(addressKey(request))))
        if (connections.length > 0) {
          yield* goOnWith(holder, own, { connections, allSessions: false, run })
          // Its own row counts this as well.
          known = undefined
        }
        unsure = []
      })

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
        if (stopped.length === 0 && unsure.length === 0) return
        const holds = yield* held
        if (own !== undefined && unsure.length > 0) yield* settle(own, holds)
        const names = new Set(stopped.map(({ state }) => state.node))
        const running = states.flatMap(({ node }) => (names.has(node) ? [] : node))
        const part = partOf(holder.node, running, holds)
        yield* Effect.forEach(stopped, (one) => takeFrom(one, holds, part, asked), { discard: true })
      }).pipe(
        Effect.catchAllCause((cause) => {
          watch.failed()
          return Cause.isDie(cause)
            ? Effect.logError("The other nodes could not be looked at", cause)
            : Effect.logDebug("The other nodes cannot be looked at now", cause)
        })
      )
      yield* look.pipe(Effect.repeat(Schedule.spaced(LOOK_EVERY_MS)), Effect.forkScoped)
    })
  )
