/**
 * Writes the rows of groups as blocks, and keeps the number of blocks small. Runs in the writer thread, on its own connection.
 *
 * - Rows not later than the last stored row of their group are skipped. The writer reads that time and the rows of the tail
 *   (its raw blocks) from the database when it first writes a group of a session. It remembers them until the session is
 *   sealed or removed. It forgets them when anything fails, because the result of a failed commit is unknown.
 * - A tail never reaches a full block: the commit that would fill it replaces it by packed blocks. So the tail that a crash
 *   leaves is compacted when enough rows of the session follow, or when it is sealed. A tail of too many raw blocks is replaced
 *   by one raw block: otherwise a slow group would have as many blocks as rows.
 * - All open blocks together hold no more than MAX_OPEN_BYTES. Above that, the largest is packed as it is.
 * - Requests run one at a time, in the order of arrival, and each is all or nothing. Removals and seals are the exception:
 *   they run in pieces, between which other requests run. A failed one may have done a part already, and the caller asks
 *   again.
 * - All encoding comes before the transaction: while it is open, no other connection can write, in any process.
 */
import * as SqlClient from "@effect/sql/SqlClient"
import type * as SqlError from "@effect/sql/SqlError"
import { Effect } from "effect"
import type { RowBatch } from "../../domain/RowBatch.ts"
import { breathe } from "../../platform/threads/breathe.ts"
import type { SessionGroup, SessionRows } from "../RowStore.ts"
import { BLOCK_ROWS } from "./blockCodec.ts"
import * as BlockRows from "./blockRows.ts"
import { type Block, type Change, packed, raw } from "./blockRows.ts"
import type { Effort } from "./compression.ts"
import { OpenBlock } from "./OpenBlock.ts"
import * as Removing from "./removing.ts"
import * as Tails from "./tails.ts"

/** Raw blocks in a tail: half a minute of a group that is committed ten times a second, two minutes of one car's. */
const MAX_PIECES = 256
/** Bytes of the open blocks of all sessions: 64 full blocks. */
export const MAX_OPEN_BYTES = 64 * 1024 * 1024

/**
 * A commit with more values than this packs its full blocks quickly. These are 64 columns of full blocks, which take 10 ms to
 * pack thoroughly, a tenth of the time until the next commit. A million points a second are four times as many values; the
 * feeds of a hundred cars are a twentieth.
 */
const MAX_THOROUGH_VALUES = 64 * BLOCK_ROWS

export interface BlockWriter {
  readonly write: (batches: ReadonlyArray<SessionRows>) => Effect.Effect<void, SqlError.SqlError>
  readonly seal: (sessionId: number) => Effect.Effect<void, SqlError.SqlError>
  readonly remove: (sessionId: number) => Effect.Effect<void, SqlError.SqlError>
  /** Gives pages that removed sessions left back to the disk, if the file can do so (SqliteFile.ts). */
  readonly reclaim: Effect.Effect<void, SqlError.SqlError>
}

/** The batches by session and group, in their order. */
const parted = (batches: ReadonlyArray<SessionRows>) => {
  const sessions = new Map<number, Map<string, Array<RowBatch>>>()
  for (const { batch, group, sessionId } of batches) {
    const groups = sessions.get(sessionId) ?? new Map<string, Array<RowBatch>>()
    const own = groups.get(group)
    if (own === undefined) groups.set(group, [batch])
    else own.push(batch)
    sessions.set(sessionId, groups)
  }
  return sessions
}

const effortFor = (batches: ReadonlyArray<SessionRows>): Effort =>
  batches.reduce((sum, { batch }) => sum + batch.data.length, 0) > MAX_THOROUGH_VALUES ? "quick" : "thorough"

/** `maxOpenBytes`: the bound on open blocks. */
export const makeWith = Effect.fnUntraced(function* (maxOpenBytes: number) {
  const sql = yield* SqlClient.SqlClient
  const turn = yield* Effect.makeSemaphore(1)
  const tails = Tails.make(sql)
  const rows = BlockRows.make(sql)

  const forget = Effect.sync(() => {
    tails.forgetAll()
    rows.forgetLayouts()
  })
  /**
   * Runs a request in its turn. A request that has begun is finished: after an interruption its result would be
   * unknown.
   */
  const inTurn = <A>(request: Effect.Effect<A, SqlError.SqlError>) =>
    turn.withPermits(1)(
      request.pipe(
        Effect.onError(() => forget),
        Effect.uninterruptible
      )
    )

  const changeOf = Effect.fnUntraced(function* (
    of: SessionGroup,
    batches: ReadonlyArray<RowBatch>,
    effort: Effort
  ) {
    const tail = yield* tails.open(of)
    const before = tail.length
    const blocks: Array<Block> = []
    for (const batch of batches) tail.add(batch, (full) => blocks.push(packed(full, effort)))
    // The tail is stored again if some of it was packed, or if it has too many blocks.
    const isNew = blocks.length > 0 || (tail.length > before && tail.pieces >= MAX_PIECES)
    const stored = isNew ? 0 : before
    if (isNew) tail.pieces = 0
    if (tail.length > stored) {
      blocks.push(raw(tail.content, stored, tail.length))
      tail.pieces++
    }
    const change: Change = { ...of, replacesTail: isNew && before > 0, blocks }
    return change
  })

  /** Packs the largest open blocks, until all of them are within the bound. */
  const shrink = Effect.gen(function* () {
    const groups = tails.all()
    let bytes = groups.reduce((sum, { block }) => sum + block.bytes, 0)
    if (bytes <= maxOpenBytes) return
    for (const { block, group, sessionId } of [...groups].sort((a, b) => b.block.bytes - a.block.bytes)) {
      if (bytes <= maxOpenBytes) return
      bytes -= block.bytes
      if (block.length > 0) {
        const blocks = [packed(block.content.slice(0, block.length), "quick")]
        yield* rows.commit([{ sessionId, group, replacesTail: true, blocks }])
      }
      block.empty()
    }
  })

  const write = Effect.fnUntraced(function* (batches: ReadonlyArray<SessionRows>) {
    const changes: Array<Change> = []
    const effort = effortFor(batches)
    for (const [sessionId, groups] of parted(batches))
      for (const [group, own] of groups) changes.push(yield* changeOf({ sessionId, group }, own, effort))
    yield* rows.commit(changes)
    yield* shrink
  })

  const sealGroup = Effect.fnUntraced(function* (of: SessionGroup) {
    const tail = new OpenBlock(-Infinity)
    const blocks: Array<Block> = []
    for (const part of yield* tails.read(of)) tail.add(part, (full) => blocks.push(packed(full, "thorough")))
    if (tail.length > 0) blocks.push(packed(tail.content.slice(0, tail.length), "thorough"))
    yield* rows.commit([{ ...of, replacesTail: true, blocks }])
    tails.forget(of.sessionId)
  })

  const seal = Effect.fn("BlockWriter.seal")(function* (sessionId: number) {
    const groups = yield* inTurn(
      Effect.tap(
        sql<{ name: string }>`SELECT DISTINCT group_name AS name FROM blocks
          WHERE session_id = ${sessionId} AND packed = 0`,
        // Another process may record the session next and change what this one remembers.
        () => Effect.sync(() => tails.forget(sessionId))
      )
    )
    for (const { name } of groups) {
      yield* breathe
      yield* inTurn(sealGroup({ sessionId, group: name }))
    }
  })

  const writer: BlockWriter = {
    write: (batches) => inTurn(write(batches)),
    seal,
    ...Removing.make(sql, inTurn, tails.forget)
  }
  return writer
})

export const make = makeWith(MAX_OPEN_BYTES)
