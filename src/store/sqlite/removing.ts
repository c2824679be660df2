/** Removes sessions from the file, and gives their space back, in pieces between which others have their turn. */
import type * as SqlClient from "@effect/sql/SqlClient"
import type * as SqlError from "@effect/sql/SqlError"
import { Effect } from "effect"
import { breathe } from "../../threads/breathe.ts"

/** Blocks deleted in one transaction, some 5 MB of packed ones: points wait for no more than that. */
const REMOVE_BLOCKS = 32
/** Of samples, which may have 1 MiB before they are packed. */
const REMOVE_GROUP_BLOCKS = 16

/** Pages given back in one transaction, 1 MiB: each may have another to be moved into its place. */
const RECLAIM_PAGES = 256

/** `inTurn`: a request of the writer's; `forget`: what it remembers of the session. */
export const make = (
  sql: SqlClient.SqlClient,
  inTurn: <A>(request: Effect.Effect<A, SqlError.SqlError>) => Effect.Effect<A, SqlError.SqlError>,
  forget: (sessionId: number) => void
) => {
  /** The first ones, as readers of a spool rely on (spooled/reading.ts). Whether there may be more. */
  const removeSome = Effect.fnUntraced(function* (
    table: string,
    order: string,
    sessionId: number,
    most: number
  ) {
    const gone = yield* sql`DELETE FROM ${sql(table)} WHERE id IN
      (SELECT id FROM ${sql(table)} WHERE session_id = ${sessionId} ORDER BY ${sql.literal(order)} LIMIT ${most})
      RETURNING id`
    forget(sessionId)
    return gone.length === most
  })

  const remove = Effect.fn("BlockWriter.remove")(function* (sessionId: number) {
    // Requests arrive, and take their turn, while the event loop turns.
    while (
      yield* inTurn(removeSome("group_blocks", "group_name, last_sample", sessionId, REMOVE_GROUP_BLOCKS))
    )
      yield* breathe
    while (yield* inTurn(removeSome("point_blocks", "last_point", sessionId, REMOVE_BLOCKS))) yield* breathe
  })

  const freePages = Effect.map(
    sql<{ pages: number }>`SELECT freelist_count AS pages FROM pragma_freelist_count, pragma_auto_vacuum
      WHERE auto_vacuum = 2`,
    ([row]) => row?.pages ?? 0
  )

  /** Whether there is more. */
  const reclaimSome = Effect.gen(function* () {
    const pages = Math.min(yield* freePages, RECLAIM_PAGES)
    // The client takes one step of a statement, which gives one page back, whatever number it has.
    const step = sql.unsafe("PRAGMA incremental_vacuum(1)")
    if (pages > 0) yield* sql.withTransaction(Effect.replicateEffect(step, pages, { discard: true }))
    return pages === RECLAIM_PAGES
  })

  const reclaim = Effect.gen(function* () {
    while (yield* inTurn(reclaimSome)) yield* breathe
    // The checkpoint moves the log into the file, which then has its new length. It does not wait for readers.
    yield* inTurn(sql.unsafe("PRAGMA wal_checkpoint(TRUNCATE)"))
  }).pipe(Effect.withSpan("BlockWriter.reclaim"))

  return { remove, reclaim }
}
