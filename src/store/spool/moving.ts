/** Moves the spool's rows to the server, when the server is back and the store was claimed. */
import { Cause, Effect, Option, Stream } from "effect"
import { POINTS } from "../../domain/Dictionary.ts"
import type { StoreUnavailable } from "../../domain/errors.ts"
import { justAfter } from "../../domain/Time.ts"
import type { SessionGroup, TimeBounds } from "../RowStore.ts"
import { askingStore } from "../../platform/retryPolicies.ts"
import type { Sides } from "./Sides.ts"

/** How the write of a batch is run. */
type One = (write: Effect.Effect<void, StoreUnavailable>) => Effect.Effect<void, StoreUnavailable>

/** The spool's rows after the last row of the server; `most`: of its rows up to this time. */
const after = (bounds: Option.Option<TimeBounds>, most: number) => ({
  from: Option.match(bounds, {
    onNone: () => -Infinity,
    onSome: ({ last }) => justAfter(Math.min(last, most))
  }),
  until: Infinity
})

/** More than the resolution of a time, s. */
const APART_S = 1e-6

/** Runs as long as the scope. `claimed` returns once the store was claimed. */
export const keepMoving = (sides: Sides, claimed: Effect.Effect<void>) => {
  const moveGroup = Effect.fnUntraced(function* (of: SessionGroup, one: One) {
    for (let isWhole = false; !isWhole;) {
      const columns = yield* sides.spool.store.columns(of)
      const range = { ...of, ...after(yield* sides.server.bounds(of), yield* sides.countUntil(of.sessionId)) }
      isWhole = true
      yield* Stream.runForEachWhile(sides.spool.store.read(range, columns), (batch) =>
        Effect.gen(function* () {
          // This check comes after the read: rows that arrived meanwhile may have columns that were not read.
          isWhole = (yield* sides.spool.store.columns(of)).length === columns.length
          if (isWhole) yield* one(sides.server.write([{ ...of, batch }]))
          return isWhole
        })
      )
    }
  })

  /**
   * Moves the spool's rows of a session, its points last, so that the samples of a point are on the server before it.
   */
  const moveRest = Effect.fnUntraced(function* (sessionId: number, one: One) {
    const groups = yield* sides.spool.store.groups(sessionId)
    const pointsLast = groups.toSorted((a, b) => Number(a === POINTS) - Number(b === POINTS))
    for (const group of pointsLast) yield* moveGroup({ sessionId, group }, one)
  })

  /**
   * Called after a move: removes the moved rows of a deleted session. The node that deleted it has removed only earlier rows.
   */
  const removeDeleted = Effect.fnUntraced(function* (sessionId: number) {
    const by = sides.owner
    if (by === undefined || (yield* by.deleted([sessionId])).length === 0) return
    yield* Effect.logInfo(
      `Session ${sessionId} was deleted while its points waited on disk: they are removed`
    )
    yield* sides.server.remove(sessionId)
  })

  /**
   * Lets the moved rows of a session that another node has taken over count, before the first row of that one. Returns false if it is too
   * soon: they stay in the spool.
   */
  const isAdmitted = Effect.fnUntraced(function* (sessionId: number) {
    const points = { sessionId, group: POINTS }
    const until = yield* sides.countUntil(sessionId)
    if (until === Infinity) return true
    const range = { ...points, from: justAfter(until), until: Infinity }
    const next = yield* Stream.runHead(sides.server.read(range, ["timestamp"]))
    const last = Option.match(yield* sides.spool.store.bounds(points), {
      onNone: () => -Infinity,
      onSome: (bounds) => bounds.last
    })
    const begin = Option.match(next, { onNone: () => Infinity, onSome: ({ timestamps }) => timestamps[0]! })
    return yield* sides.owner!.admit(sessionId, Math.min(last, begin - APART_S), Option.isSome(next))
  })

  const move = Effect.fn("SpooledRowStore.move")(function* (sessionId: number) {
    const since = sides.removals
    // Most rows move between the writes, which go on into the spool; the last rows move in one turn.
    yield* moveRest(sessionId, (write) =>
      sides.turn.withPermits(1)(Effect.suspend(() => (sides.removals === since ? write : Effect.void)))
    )
    yield* moveRest(sessionId, (write) => write).pipe(
      Effect.zipRight(sides.server.seal(sessionId)),
      Effect.zipRight(removeDeleted(sessionId)),
      Effect.zipRight(isAdmitted(sessionId)),
      Effect.flatMap((isDone) =>
        isDone ? Effect.map(sides.spool.store.remove(sessionId), () => sides.delete(sessionId)) : Effect.void
      ),
      sides.turn.withPermits(1)
    )
  })

  const moveAll = Effect.gen(function* () {
    yield* sides.server.check
    if (sides.isAway) yield* Effect.logInfo("The server of the points is back")
    sides.isAway = false
    // Damaged blocks stay in the spool, and all later ones with them. The reader has logged why.
    for (const sessionId of sides.spooled)
      yield* Effect.catchTag(move(sessionId), "PointsDamaged", () => Effect.void)
    if (sides.spooled.size === 0) yield* Effect.logInfo("The spool is empty")
  })

  const stillAway = ({ cause }: StoreUnavailable) =>
    Effect.suspend(() => {
      sides.isAway = true
      return Effect.logDebug("The server of the points is still away", Cause.fail(cause))
    })

  return Effect.zipRight(claimed, sides.waiting.await).pipe(
    Effect.zipRight(Effect.catchAll(moveAll, stillAway)),
    Effect.repeat(askingStore),
    Effect.forkScoped
  )
}
