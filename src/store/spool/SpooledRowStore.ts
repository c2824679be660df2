/**
 * Rows on a server that may be away, with a spool on this machine's disk for that time.
 *
 * Order: while a session has rows in the spool, its new rows of all groups go to the spool as well, behind them. Rows
 * move to the server in order of time, group after group and the points last. When the spool has no more rows of the
 * session, its writes go to the server again. So the server has the beginning of each group of a session, and the spool
 * has the rest. A read takes the server's rows that are before the first of the spool, then the spool's.
 *
 * Hard cases: a write that failed may have been stored. The spool gets the rows regardless, and a reader gets rows that
 * are on both sides only once. The spool removes moved rows only after the server has acknowledged them. After a crash
 * in between they move again, and storing twice is storing once. If the spool empties during a read, the reader goes on
 * with the server. Several processes may read; only the recording process writes and moves. Nothing moves before the
 * store was claimed. Another node may delete a session whose points wait in this spool, because it does not know of
 * them. After such points have moved, the catalog is asked whether the session was deleted, and then they are removed.
 */
import { Cause, Effect } from "effect"
import { StoreUnavailable } from "../../domain/errors.ts"
import { reasonOf } from "../../platform/systemErrors.ts"
import type { Owner, SessionRows } from "../RowStore.ts"
import { keepMoving } from "./moving.ts"
import * as Reading from "./reading.ts"
import { Sides, type Spool, type Store } from "./Sides.ts"

export interface SpooledOptions {
  readonly server: Store
  readonly spool: Spool
  /** Whether this process writes and moves; other processes only read. */
  readonly writes: boolean
}

const gibibytes = (bytes: number): string => (bytes / 2 ** 30).toFixed(2)

/** The reason to report while the server is away: the fault, its cause, and what still works. */
const awayReason = (store: string, cause: unknown, bytes: number, maxBytes: number): string => {
  const failing = `the ${store} store cannot be used: ${reasonOf(cause)}`
  const used = `${gibibytes(bytes)} of ${gibibytes(maxBytes)} GiB`
  return bytes < maxBytes
    ? `Degraded: ${failing}. New points are kept on this machine's disk until it can (${used}); stored ones cannot be read`
    : `Full: ${failing}. This machine's disk keeps no more points for it (${used}): recording waits`
}

export const make = Effect.fn("SpooledRowStore.make")(function* ({ server, spool, writes }: SpooledOptions) {
  const sides = new Sides(server, spool, writes ? yield* spool.store.sessionIds : [])
  const claimed = yield* Effect.makeLatch(false)

  const intoSpool = Effect.fn("SpooledRowStore.intoSpool")(function* (batches: ReadonlyArray<SessionRows>) {
    const bytes = yield* spool.store.bytes
    if (bytes >= spool.maxBytes) {
      const full = `the server is away and the spool is full: ${bytes} of ${spool.maxBytes} bytes`
      return yield* new StoreUnavailable({ store: "spool", cause: new Error(full) })
    }
    yield* spool.store.write(batches)
    sides.add(batches.filter(({ batch }) => batch.length > 0).map(({ sessionId }) => sessionId))
  })

  const toServer = (batches: ReadonlyArray<SessionRows>) =>
    sides.isAway
      ? Effect.fail(new StoreUnavailable({ store: "server", cause: new Error("it was away a moment ago") }))
      : Effect.tapError(server.write(batches), ({ cause, reason }) => {
          sides.isAway = true
          const why = reason === undefined ? "is away" : "cannot be used"
          return Effect.logWarning(`The server of the points ${why}: they wait on disk`, Cause.fail(cause))
        })

  const write = Effect.fn("SpooledRowStore.write")(function* (batches: ReadonlyArray<SessionRows>) {
    const direct = batches.filter(({ sessionId }) => !sides.spooled.has(sessionId))
    const behind = batches.filter(({ sessionId }) => sides.spooled.has(sessionId))
    if (direct.length > 0) yield* Effect.catchAll(toServer(direct), () => intoSpool(direct))
    if (behind.length > 0) yield* intoSpool(behind)
  })

  if (writes) yield* keepMoving(sides, claimed.await)

  /** An empty spool belongs to no catalog; the folder is this process's. */
  const claimSpool = Effect.fnUntraced(function* (by: Owner) {
    const isEmpty = (yield* spool.store.sessionIds).length === 0
    yield* writes && isEmpty ? spool.store.changeOwner(by.catalog) : spool.store.claim(by)
  })

  const store: Store = {
    claim: Effect.fn("SpooledRowStore.claim")(function* (by) {
      yield* claimSpool(by)
      // If the server is away, its store checks the owner by itself before it does anything else.
      yield* Effect.catchTag(server.claim(by), "StoreUnavailable", ({ cause }) =>
        Effect.logDebug("The server of the points cannot be claimed now", Cause.fail(cause))
      )
      sides.owner = by
      yield* claimed.open
    }),
    ownedBy: server.ownedBy,
    changeOwner: (catalog) => Effect.zipRight(spool.store.changeOwner(catalog), server.changeOwner(catalog)),
    write: (batches) => sides.turn.withPermits(1)(write(batches)),
    seal: (sessionId) =>
      sides.turn.withPermits(1)(
        Effect.suspend(() => (sides.spooled.has(sessionId) ? spool.store.seal(sessionId) : Effect.void)).pipe(
          Effect.zipRight(sides.isAway ? Effect.void : server.seal(sessionId))
        )
      ),
    ...Reading.make(sides),
    remove: (sessionId) =>
      sides.turn.withPermits(1)(
        server.remove(sessionId).pipe(
          Effect.zipRight(spool.store.remove(sessionId)),
          Effect.andThen(() => {
            sides.removals++
            sides.delete(sessionId)
          })
        )
      ),
    // Reclaims nothing while rows wait in the spool: they move to partitions that the server may be about to drop.
    reclaim: (before) =>
      sides.turn.withPermits(1)(
        Effect.suspend(() =>
          sides.spooled.size === 0 && !sides.isAway ? server.reclaim(before) : Effect.void
        )
      ),
    isWaiting: (sessionId) => sides.spooled.has(sessionId),
    bytes: Effect.zipWith(sides.ask(server.bytes), spool.store.bytes, (kept, spooled) => kept + spooled),
    check: Effect.catchAll(
      Effect.zipRight(spool.store.check, sides.ask(server.check)),
      ({ cause, reason, store }) =>
        Effect.flatMap(
          spool.store.bytes,
          (bytes) =>
            new StoreUnavailable({
              store,
              cause,
              reason: reason ?? awayReason(store, cause, bytes, spool.maxBytes)
            })
        )
    )
  }
  return store
})
