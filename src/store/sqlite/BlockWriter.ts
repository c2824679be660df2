/**
 * Writes points as blocks and keeps a session's blocks few. Runs in the writer thread, on its own connection.
 *
 * - Points not later than a session's last stored one are skipped. That time, and the points of the session's tail
 *   (its raw blocks), are read from the database when the session is first written, remembered until it is sealed
 *   or removed, and forgotten when anything fails, since what a failed commit left is unknown.
 * - A tail never reaches BLOCK_POINTS: the commit that would make it do so replaces it by packed blocks. So
 *   what a crash leaves is compacted when the session is next written enough or sealed.
 * - One request at a time, in the order of arrival, and each all or nothing. But removals are done in pieces, between which
 *   others have their turn: one that fails may have removed a part already, and is asked for again.
 * - A damaged block of a tail stays as it is, with those before it, and is no tail any more: packed again under a checksum of
 *   its own, what it has would pass for what was recorded.
 * - All encoding comes before the transaction: while it is open, nobody else can write, in any process.
 */
import * as SqlClient from "@effect/sql/SqlClient"
import type * as SqlError from "@effect/sql/SqlError"
import { Effect } from "effect"
import invariant from "tiny-invariant"
import { PointBatch } from "../../domain/PointBatch.ts"
import { breathe } from "../../threads/breathe.ts"
import type { SessionPoints } from "../PointStore.ts"
import { decodeBlock, encodePacked, encodeRaw } from "./blockCodec.ts"
import { OpenBlock } from "./OpenBlock.ts"
import { checksumOf, opened, type StoredBlock } from "./storedBlock.ts"

/** Blocks deleted in one transaction, some 5 MB of packed ones: points wait for no more than that. */
const REMOVE_BLOCKS = 32

/** Pages given back in one transaction, 1 MiB: each may have another to be moved into its place. */
const RECLAIM_PAGES = 256

export interface BlockWriter {
  readonly write: (batches: ReadonlyArray<SessionPoints>) => Effect.Effect<void, SqlError.SqlError>
  readonly seal: (sessionId: number) => Effect.Effect<void, SqlError.SqlError>
  readonly remove: (sessionId: number) => Effect.Effect<void, SqlError.SqlError>
  /** Gives pages that removed sessions left back to the disk, in a file that can (SqliteFile.ts). */
  readonly reclaim: Effect.Effect<void, SqlError.SqlError>
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
}

const packedBlock = (batch: PointBatch): Block => ({
  first: batch.timestamps[0]!,
  last: batch.timestamps[batch.length - 1]!,
  points: batch.length,
  packed: true,
  data: encodePacked(batch)
})

const rawBlock = (batch: PointBatch, from: number, to: number): Block => ({
  first: batch.timestamps[from]!,
  last: batch.timestamps[to - 1]!,
  points: to - from,
  packed: false,
  data: encodeRaw(batch, from, to)
})

/** Of a block as it is stored; undefined where it is damaged. */
const soundPoints = (block: StoredBlock): PointBatch | undefined => {
  try {
    return opened("sqlite", block, decodeBlock)
  } catch {
    // A reader of the block gets the error.
    return undefined
  }
}

/** Of a tail as it is stored. */
const neverFull = () => invariant(false, "a tail is never as long as a block")

const bySession = (batches: ReadonlyArray<SessionPoints>): ReadonlyMap<number, Array<SessionPoints>> => {
  const groups = new Map<number, Array<SessionPoints>>()
  for (const part of batches) {
    const group = groups.get(part.sessionId)
    if (group === undefined) groups.set(part.sessionId, [part])
    else group.push(part)
  }
  return groups
}

export const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const turn = yield* Effect.makeSemaphore(1)
  const open = new Map<number, OpenBlock>()

  /** Begun, a request is carried through: interrupting it would leave open whether it was done. */
  const inTurn = <A>(request: Effect.Effect<A, SqlError.SqlError>) =>
    turn.withPermits(1)(
      request.pipe(
        Effect.onError(() => Effect.sync(() => open.clear())),
        Effect.uninterruptible
      )
    )

  const readTail = Effect.fnUntraced(function* (sessionId: number) {
    const rows = yield* sql<StoredBlock>`SELECT * FROM point_blocks
      WHERE session_id = ${sessionId} AND packed = 0 ORDER BY last_point`
    const parts = rows.map(soundPoints)
    const damaged = parts.lastIndexOf(undefined)
    if (damaged >= 0) {
      yield* sql`UPDATE point_blocks SET packed = 1
        WHERE session_id = ${sessionId} AND packed = 0 AND last_point <= ${rows[damaged]!.last_point}`
    }
    return parts.slice(damaged + 1).filter((part) => part !== undefined)
  })

  const openBlockOf = Effect.fnUntraced(function* (sessionId: number) {
    const known = open.get(sessionId)
    if (known !== undefined) return known
    const tail = yield* readTail(sessionId)
    const [row] = yield* sql<{ last: number | null }>`SELECT max(last_point) AS last
      FROM point_blocks WHERE session_id = ${sessionId}`
    // A tail is the newest there is.
    const block = new OpenBlock(tail.length > 0 ? -Infinity : (row?.last ?? -Infinity))
    for (const part of tail) block.add(part, neverFull)
    open.set(sessionId, block)
    return block
  })

  const changeOf = Effect.fnUntraced(function* (sessionId: number, batches: ReadonlyArray<SessionPoints>) {
    const tail = yield* openBlockOf(sessionId)
    const tailPoints = tail.length
    const blocks: Array<Block> = []
    for (const { batch } of batches) tail.add(batch, (full) => blocks.push(packedBlock(full)))
    const filled = blocks.length > 0
    const stored = filled ? 0 : tailPoints
    if (tail.length > stored) blocks.push(rawBlock(tail.points, stored, tail.length))
    const change: Change = { sessionId, replacesTail: filled && tailPoints > 0, blocks }
    return change
  })

  const apply = Effect.fnUntraced(function* (changes: ReadonlyArray<Change>) {
    for (const { sessionId, replacesTail, blocks } of changes) {
      if (replacesTail) yield* sql`DELETE FROM point_blocks WHERE session_id = ${sessionId} AND packed = 0`
      for (const { first, last, points, packed, data } of blocks) {
        const summed = { session_id: sessionId, first_point: first, last_point: last, points, data }
        const checksum = checksumOf(summed)
        yield* sql`INSERT INTO point_blocks (session_id, first_point, last_point, points, packed, data, checksum)
          VALUES (${sessionId}, ${first}, ${last}, ${points}, ${packed ? 1 : 0}, ${data}, ${checksum})`
      }
    }
  })

  const write = Effect.fn("BlockWriter.write")(function* (batches: ReadonlyArray<SessionPoints>) {
    const changes: Array<Change> = []
    for (const [sessionId, own] of bySession(batches)) changes.push(yield* changeOf(sessionId, own))
    if (changes.some((change) => change.blocks.length > 0)) yield* sql.withTransaction(apply(changes))
  })

  const seal = Effect.fn("BlockWriter.seal")(function* (sessionId: number) {
    const tail = PointBatch.concat(yield* readTail(sessionId))
    if (tail.length > 0) {
      const change = { sessionId, replacesTail: true, blocks: [packedBlock(tail)] }
      yield* sql.withTransaction(apply([change]))
    }
    // Another process may record the session next; what is remembered of it here would then be out of date.
    open.delete(sessionId)
  })

  /** Whether there may be more. */
  const removeSome = Effect.fnUntraced(function* (sessionId: number) {
    const gone = yield* sql`DELETE FROM point_blocks WHERE id IN
      (SELECT id FROM point_blocks WHERE session_id = ${sessionId} LIMIT ${REMOVE_BLOCKS}) RETURNING id`
    open.delete(sessionId)
    return gone.length === REMOVE_BLOCKS
  })

  const remove = Effect.fn("BlockWriter.remove")(function* (sessionId: number) {
    // Requests arrive, and take their turn, while the event loop turns.
    while (yield* inTurn(removeSome(sessionId))) yield* breathe
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

  const writer: BlockWriter = {
    write: (batches) => inTurn(write(batches)),
    seal: (sessionId) => inTurn(seal(sessionId)),
    remove,
    reclaim
  }
  return writer
})
