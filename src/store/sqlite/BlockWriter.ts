/**
 * Writes points and samples of groups as blocks, and keeps the blocks of each few. Runs in the writer thread, on its own connection.
 *
 * - Rows not later than the last stored one of their group are skipped. That time, and the rows of the tail
 *   (its raw blocks), are read from the database when a session's points, or a group, are first written, remembered until the
 *   session is sealed or removed, and forgotten when anything fails, since what a failed commit left is unknown.
 * - A tail never reaches a full block: the commit that would make it do so replaces it by packed blocks. So
 *   what a crash leaves is compacted when the session is next written enough or sealed. A group's tail of too many raw blocks
 *   becomes one raw block: a slow group's would be as many as its samples.
 * - Open blocks of samples hold no more than MAX_OPEN_BYTES together: beyond, the largest is packed as it is.
 * - One request at a time, in the order of arrival, and each all or nothing. But removals and seals are done in pieces, between which
 *   others have their turn: one that fails may have done a part already, and is asked for again.
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

/** Raw blocks in a group's tail: half a minute of one that is committed ten times a second, two minutes of one car's. */
const MAX_PIECES = 256
/** Of open blocks of samples, of all sessions: 64 full ones. */
export const MAX_OPEN_BYTES = 64 * 1024 * 1024

/**
 * Values of a commit above which its full blocks are packed quickly: 64 columns of them, thorough 10 ms, a tenth of the time until the
 * next. A million points a second are four times as many; the feeds of a hundred cars a twentieth.
 */
const MAX_THOROUGH_VALUES = 64 * BLOCK_POINTS

export interface BlockWriter {
  readonly write: (batches: ReadonlyArray<SessionRows>) => Effect.Effect<void, SqlError.SqlError>
  readonly seal: (sessionId: number) => Effect.Effect<void, SqlError.SqlError>
  readonly remove: (sessionId: number) => Effect.Effect<void, SqlError.SqlError>
  /** Gives pages that removed sessions left back to the disk, in a file that can (SqliteFile.ts). */
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

/** `maxOpenBytes`: of open blocks of samples. */
export const makeWith = Effect.fnUntraced(function* (maxOpenBytes: number) {
  const sql = yield* SqlClient.SqlClient
  const turn = yield* Effect.makeSemaphore(1)
  const tails = Tails.make(sql)
  const rows = BlockRows.make(sql)

  const forget = Effect.sync(() => {
    tails.forgetAll()
    rows.forgetLayouts()
  })
  /** Begun, a request is carried through: interrupting it would leave open whether it was done. */
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
    // The tail is stored anew where it was packed, or has become too many blocks.
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
    // Another process may record the session next, and make what this one remembers out of date.
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
