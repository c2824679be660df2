/** Removes sessions from the file and gives their space back, in pieces between which other requests run. */
import type * as SqlClient from "@effect/sql/SqlClient"
import type * as SqlError from "@effect/sql/SqlError"
import { Effect } from "effect"
import { breathe } from "../../platform/threads/breathe.ts"

/** Blocks deleted in one transaction; each may have 1 MiB before it is packed. A write waits for no more than that. */
const REMOVE_BLOCKS = 16

/** Pages given back in one transaction, 1 MiB. For each, SQLite may have to move another page into its place. */
const RECLAIM_PAGES = 256

/** `inTurn`: runs a request of the writer; `forget`: drops what the writer remembers of the session. */
export const make = (
  sql: SqlClient.SqlClient,
  inTurn: <A>(request: Effect.Effect<A, SqlError.SqlError>) => Effect.Effect<A, SqlError.SqlError>,
  forget: (sessionId: number) => void
) => {
  /**
   * Removes the first blocks of a group, because readers of a spool rely on that order (spool/reading.ts). Returns whether
   * there may be more.
   */
  const removeSome = Effect.fnUntraced(function* (sessionId: number) {
    const gone = yield* sql`DELETE FROM blocks WHERE id IN
      (SELECT id FROM blocks WHERE session_id = ${sessionId} ORDER BY group_name, last_time LIMIT ${REMOVE_BLOCKS})
      RETURNING id`
    forget(sessionId)
    return gone.length === REMOVE_BLOCKS
  })

  const remove = Effect.fn("BlockWriter.remove")(function* (sessionId: number) {
    // Other requests arrive and run while the event loop turns.
    while (yield* inTurn(removeSome(sessionId))) yield* breathe
  })

  const freePages = Effect.map(
    sql<{ pages: number }>`SELECT freelist_count AS pages FROM pragma_freelist_count, pragma_auto_vacuum
      WHERE auto_vacuum = 2`,
    ([row]) => row?.pages ?? 0
  )

  /** Returns whether there are more pages to give back. */
  const reclaimSome = Effect.gen(function* () {
    const pages = Math.min(yield* freePages, RECLAIM_PAGES)
    // The client runs one step of a statement, and a step gives back one page, whatever number the pragma is given.
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
