/**
 * Writes points as blocks and keeps a session's blocks few. Runs in the writer thread, on its own connection.
 *
 * - Points not later than a session's last stored one are skipped. That time, and the number of points in the
 *   session's tail (its raw blocks), are read from the database when the session is first written, remembered
 *   until it is sealed or removed, and forgotten when anything fails, since what a failed commit left is unknown.
 * - A tail never reaches BLOCK_POINTS: the commit that would make it do so replaces it by packed blocks. So
 *   what a crash leaves is compacted when the session is next written enough or sealed.
 * - One request at a time, in the order of arrival, and each all or nothing; but a removal that fails may have
 *   removed a part already, and is asked for again.
 * - All encoding comes before the transaction: while it is open, nobody else can write, in any process.
 */
import * as SqlClient from "@effect/sql/SqlClient"
import type * as SqlError from "@effect/sql/SqlError"
import { Effect } from "effect"
import { lowerBound, PointBatch } from "../../domain/PointBatch.ts"
import { justAfter } from "../../domain/Time.ts"
import type { SessionPoints } from "../PointStore.ts"
import { BLOCK_POINTS, decodeBlock, encodePacked, encodeRaw } from "./blockCodec.ts"

/** Blocks deleted in one transaction, some 40 MB of packed ones: other processes get their turn in between. */
const REMOVE_BLOCKS = 256

export interface BlockWriter {
  readonly write: (batches: ReadonlyArray<SessionPoints>) => Effect.Effect<void, SqlError.SqlError>
  readonly seal: (sessionId: number) => Effect.Effect<void, SqlError.SqlError>
  readonly remove: (sessionId: number) => Effect.Effect<void, SqlError.SqlError>
}

interface Tail {
  /** Time of the last stored point; -Infinity before the first. */
  readonly last: number
  /** Points in raw blocks. */
  readonly points: number
}

interface Block {
  readonly first: number
  readonly last: number
  readonly points: number
  readonly packed: boolean
  readonly data: Uint8Array
}

/** What one session's part of a commit does. */
interface Change {
  readonly sessionId: number
  readonly replacesTail: boolean
  readonly blocks: ReadonlyArray<Block>
  readonly tail: Tail
}

const block = (batch: PointBatch, packed: boolean): Block => ({
  first: batch.timestamps[0]!,
  last: batch.timestamps[batch.length - 1]!,
  points: batch.length,
  packed,
  data: packed ? encodePacked(batch) : encodeRaw(batch)
})

/** Full packed blocks, then the rest: raw, or packed too when no more is to come. */
const toBlocks = (batch: PointBatch, sealed: boolean): ReadonlyArray<Block> => {
  const blocks: Array<Block> = []
  for (let from = 0; from < batch.length; from += BLOCK_POINTS) {
    const part = batch.slice(from, Math.min(from + BLOCK_POINTS, batch.length))
    blocks.push(block(part, sealed || part.length === BLOCK_POINTS))
  }
  return blocks
}

const bySession = (batches: ReadonlyArray<SessionPoints>): ReadonlyMap<number, Array<SessionPoints>> => {
  const groups = new Map<number, Array<SessionPoints>>()
  for (const part of batches) {
    const group = groups.get(part.sessionId)
    if (group === undefined) groups.set(part.sessionId, [part])
    else group.push(part)
  }
  return groups
}

/** In order of arrival, the points that are not stored: later than `last` and than those before them. */
const fresh = (batches: ReadonlyArray<SessionPoints>, last: number): ReadonlyArray<PointBatch> => {
  const parts: Array<PointBatch> = []
  let reached = last
  for (const { batch } of batches) {
    const times = batch.timestamps
    const part = batch.slice(lowerBound(times, justAfter(reached)), batch.length)
    if (part.length === 0) continue
    reached = times[times.length - 1]!
    parts.push(part)
  }
  return parts
}

export const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const turn = yield* Effect.makeSemaphore(1)
  const tails = new Map<number, Tail>()

  /** Begun, a request is carried through: interrupting it would leave open whether it was done. */
  const inTurn = <A>(request: Effect.Effect<A, SqlError.SqlError>) =>
    turn.withPermits(1)(
      request.pipe(
        Effect.onError(() => Effect.sync(() => tails.clear())),
        Effect.uninterruptible
      )
    )

  const tailOf = Effect.fnUntraced(function* (sessionId: number) {
    const known = tails.get(sessionId)
    if (known !== undefined) return known
    const [row] = yield* sql<{ last: number | null; points: number | null }>`SELECT
      (SELECT max(last_point) FROM point_blocks WHERE session_id = ${sessionId}) AS last,
      (SELECT sum(points) FROM point_blocks WHERE session_id = ${sessionId} AND packed = 0) AS points`
    return { last: row?.last ?? -Infinity, points: row?.points ?? 0 }
  })

  const readTail = (sessionId: number) =>
    Effect.map(
      sql<{
        data: Uint8Array
      }>`SELECT data FROM point_blocks WHERE session_id = ${sessionId} AND packed = 0 ORDER BY last_point`,
      (rows) => rows.map((row) => decodeBlock(row.data))
    )

  const changeOf = Effect.fnUntraced(function* (sessionId: number, batches: ReadonlyArray<SessionPoints>) {
    const tail = yield* tailOf(sessionId)
    const parts = fresh(batches, tail.last)
    const points = parts.reduce((sum, part) => sum + part.length, tail.points)
    const replacesTail = tail.points > 0 && points >= BLOCK_POINTS
    const whole = PointBatch.concat(replacesTail ? [...(yield* readTail(sessionId)), ...parts] : parts)
    const change: Change = {
      sessionId,
      replacesTail,
      blocks: toBlocks(whole, false),
      tail: { last: whole.timestamps.at(-1) ?? tail.last, points: points % BLOCK_POINTS }
    }
    return change
  })

  const apply = Effect.fnUntraced(function* (changes: ReadonlyArray<Change>) {
    for (const { sessionId, replacesTail, blocks } of changes) {
      if (replacesTail) yield* sql`DELETE FROM point_blocks WHERE session_id = ${sessionId} AND packed = 0`
      for (const { first, last, points, packed, data } of blocks) {
        yield* sql`INSERT INTO point_blocks (session_id, first_point, last_point, points, packed, data)
          VALUES (${sessionId}, ${first}, ${last}, ${points}, ${packed ? 1 : 0}, ${data})`
      }
    }
  })

  const write = Effect.fn("BlockWriter.write")(function* (batches: ReadonlyArray<SessionPoints>) {
    const changes: Array<Change> = []
    for (const [sessionId, own] of bySession(batches)) changes.push(yield* changeOf(sessionId, own))
    if (changes.some((change) => change.blocks.length > 0)) yield* sql.withTransaction(apply(changes))
    for (const { sessionId, tail } of changes) tails.set(sessionId, tail)
  })

  const seal = Effect.fn("BlockWriter.seal")(function* (sessionId: number) {
    const parts = yield* readTail(sessionId)
    const blocks = toBlocks(PointBatch.concat(parts), true)
    const change = { sessionId, replacesTail: true, blocks, tail: { last: -Infinity, points: 0 } }
    if (blocks.length > 0) yield* sql.withTransaction(apply([change]))
    // Another process may record the session next; what is remembered of it here would then be out of date.
    tails.delete(sessionId)
  })

  const remove = Effect.fn("BlockWriter.remove")(function* (sessionId: number) {
    let gone: ReadonlyArray<unknown>
    do {
      gone = yield* sql`DELETE FROM point_blocks WHERE id IN
        (SELECT id FROM point_blocks WHERE session_id = ${sessionId} LIMIT ${REMOVE_BLOCKS}) RETURNING id`
    } while (gone.length === REMOVE_BLOCKS)
    tails.delete(sessionId)
  })

  const writer: BlockWriter = {
    write: (batches) => inTurn(write(batches)),
    seal: (sessionId) => inTurn(seal(sessionId)),
    remove: (sessionId) => inTurn(remove(sessionId))
  }
  return writer
})
