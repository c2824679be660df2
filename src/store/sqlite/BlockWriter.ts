/**
 * Writes points and samples of groups as blocks, and keeps the number of blocks small. Runs in the writer thread, on its own
 * connection.
 *
 * - Rows not later than the last stored row of their group are skipped. The writer reads that time and the rows of the tail
 *   (its raw blocks) from the database when it first writes a session's points, or a group. It remembers them until the
 *   session is sealed or removed. It forgets them when anything fails, because the result of a failed commit is unknown.
 * - A tail never reaches a full block: the commit that would fill it replaces it by packed blocks. So the tail that a crash
 *   leaves is compacted when enough rows of the session follow, or when it is sealed. A group's tail of too many raw blocks
 *   is replaced by one raw block: otherwise a slow group would have as many blocks as samples.
 * - Open blocks of samples hold no more than MAX_OPEN_BYTES together. Above that, the largest is packed as it is.
 * - Requests run one at a time, in the order of arrival, and each is all or nothing. Removals and seals are the exception:
 *   they run in pieces, between which other requests run. A failed one may have done a part already, and the caller asks
 *   again.
 * - All encoding comes before the transaction: while it is open, no other connection can write, in any process.
 */
import * as SqlClient from "@effect/sql/SqlClient"
import type * as SqlError from "@effect/sql/SqlError"
import { Effect } from "effect"
import { type Channel, PointBatch } from "../../domain/PointBatch.ts"
import { breathe } from "../../threads/breathe.ts"
import type { SessionPoints, SessionRows, SessionSamples } from "../PointStore.ts"
import { BLOCK_POINTS } from "./blockCodec.ts"
import * as BlockRows from "./blockRows.ts"
import { type Block, type Change, packedPoints, packedSamples, rawPoints, rawSamples } from "./blockRows.ts"
import type { Effort } from "./compression.ts"
import { OpenSamples } from "./OpenSamples.ts"
import * as Removing from "./removing.ts"
import * as Tails from "./tails.ts"

/** Raw blocks in a group's tail: half a minute of a group that is committed ten times a second, two minutes of one car's. */
const MAX_PIECES = 256
/** Bytes of the open blocks of samples of all sessions: 64 full blocks. */
export const MAX_OPEN_BYTES = 64 * 1024 * 1024

/**
 * A commit with more values than this packs its full blocks quickly. These are 64 columns of full blocks, which take 10 ms to
 * pack thoroughly, a tenth of the time until the next commit. A million points a second are four times as many values; the
 * feeds of a hundred cars are a twentieth.
 */
const MAX_THOROUGH_VALUES = 64 * BLOCK_POINTS

export interface BlockWriter {
  readonly write: (batches: ReadonlyArray<SessionRows>) => Effect.Effect<void, SqlError.SqlError>
  readonly seal: (sessionId: number) => Effect.Effect<void, SqlError.SqlError>
  readonly remove: (sessionId: number) => Effect.Effect<void, SqlError.SqlError>
  /** Gives pages that removed sessions left back to the disk, if the file can do so (SqliteFile.ts). */
  readonly reclaim: Effect.Effect<void, SqlError.SqlError>
}

/** The batches of each session's points, and of each of its groups, in their order. */
const parted = (batches: ReadonlyArray<SessionRows>) => {
  const points = new Map<number, Array<SessionPoints>>()
  const samples = new Map<number, Map<string, Array<SessionSamples>>>()
  for (const rows of batches) {
    if (rows.group === undefined) {
      const own = points.get(rows.sessionId)
      if (own === undefined) points.set(rows.sessionId, [rows])
      else own.push(rows)
      continue
    }
    const groups = samples.get(rows.sessionId) ?? new Map<string, Array<SessionSamples>>()
    const own = groups.get(rows.group)
    if (own === undefined) groups.set(rows.group, [rows])
    else own.push(rows)
    samples.set(rows.sessionId, groups)
  }
  return { points, samples }
}

const effortFor = (batches: ReadonlyArray<SessionRows>): Effort =>
  batches.reduce((sum, { batch }) => sum + batch.data.length, 0) > MAX_THOROUGH_VALUES ? "quick" : "thorough"

/** `maxOpenBytes`: the bound on open blocks of samples. */
export const makeWith = Effect.fnUntraced(function* (maxOpenBytes: number) {
  const sql = yield* SqlClient.SqlClient
  const turn = yield* Effect.makeSemaphore(1)
  const tails = Tails.make(sql)
  const rows = BlockRows.make(sql)

  const forget = Effect.sync(() => {
    tails.forgetAll()
    rows.forgetLayouts()
  })
  /** A request that has begun is finished: after an interruption nobody would know whether it was done. */
  const inTurn = <A>(request: Effect.Effect<A, SqlError.SqlError>) =>
    turn.withPermits(1)(
      request.pipe(
        Effect.onError(() => forget),
        Effect.uninterruptible
      )
    )

  const pointsChange = Effect.fnUntraced(function* (
    sessionId: number,
    batches: ReadonlyArray<SessionPoints>,
    effort: Effort
  ) {
    const tail = yield* tails.points(sessionId)
    const before = tail.length
    const blocks: Array<Block> = []
    for (const { batch } of batches) tail.add(batch, (full) => blocks.push(packedPoints(full, effort)))
    const filled = blocks.length > 0
    const stored = filled ? 0 : before
    if (tail.length > stored) blocks.push(rawPoints(tail.content, stored, tail.length))
    const change: Change = { sessionId, replacesTail: filled && before > 0, blocks }
    return change
  })

  const samplesChange = Effect.fnUntraced(function* (
    of: { readonly sessionId: number; readonly group: string },
    batches: ReadonlyArray<SessionSamples>,
    effort: Effort
  ) {
    const tail = yield* tails.samples(of)
    const before = tail.length
    const blocks: Array<Block> = []
    for (const { batch } of batches) tail.add(batch, (full) => blocks.push(packedSamples(full, effort)))
    // The tail is stored again if some of it was packed, or if it has too many blocks.
    const isNew = blocks.length > 0 || (tail.length > before && tail.pieces >= MAX_PIECES)
    const stored = isNew ? 0 : before
    if (isNew) tail.pieces = 0
    if (tail.length > stored) {
      blocks.push(rawSamples(tail.content, stored, tail.length))
      tail.pieces++
    }
    const change: Change = { ...of, replacesTail: isNew && before > 0, blocks }
    return change
  })

  /** Packs the largest open blocks of samples, until all of them are within the bound. */
  const shrink = Effect.gen(function* () {
    const groups = tails.openGroups()
    let bytes = groups.reduce((sum, { block }) => sum + block.bytes, 0)
    if (bytes <= maxOpenBytes) return
    for (const { block, group, sessionId } of [...groups].sort((a, b) => b.block.bytes - a.block.bytes)) {
      if (bytes <= maxOpenBytes) return
      bytes -= block.bytes
      if (block.length > 0) {
        const blocks = [packedSamples(block.content.slice(0, block.length), "quick")]
        yield* rows.commit([{ sessionId, group, replacesTail: true, blocks }])
      }
      block.empty()
    }
  })

  const write = Effect.fnUntraced(function* (batches: ReadonlyArray<SessionRows>) {
    const changes: Array<Change> = []
    const effort = effortFor(batches)
    const { points, samples } = parted(batches)
    for (const [sessionId, own] of points) changes.push(yield* pointsChange(sessionId, own, effort))
    for (const [sessionId, groups] of samples)
      for (const [group, own] of groups) changes.push(yield* samplesChange({ sessionId, group }, own, effort))
    yield* rows.commit(changes)
    yield* shrink
  })

  const sealPoints = Effect.fnUntraced(function* (sessionId: number) {
    const parts = yield* tails.read({ sessionId })
    const tail = PointBatch.concat(parts as ReadonlyArray<PointBatch<Channel>>)
    if (tail.length > 0)
      yield* rows.commit([{ sessionId, replacesTail: true, blocks: [packedPoints(tail, "thorough")] }])
    // Another process may record the session next and change what this one remembers.
    tails.forget(sessionId)
  })

  const sealGroup = Effect.fnUntraced(function* (sessionId: number, group: string) {
    const tail = new OpenSamples(-Infinity)
    const blocks: Array<Block> = []
    for (const part of yield* tails.read({ sessionId, group }))
      tail.add(part, (full) => blocks.push(packedSamples(full, "thorough")))
    if (tail.length > 0) blocks.push(packedSamples(tail.content.slice(0, tail.length), "thorough"))
    yield* rows.commit([{ sessionId, group, replacesTail: true, blocks }])
    tails.forget(sessionId)
  })

  const seal = Effect.fn("BlockWriter.seal")(function* (sessionId: number) {
    yield* inTurn(sealPoints(sessionId))
    const groups = yield* inTurn(sql<{ name: string }>`SELECT DISTINCT group_name AS name FROM group_blocks
      WHERE session_id = ${sessionId} AND packed = 0`)
    for (const { name } of groups) {
      yield* breathe
      yield* inTurn(sealGroup(sessionId, name))
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
