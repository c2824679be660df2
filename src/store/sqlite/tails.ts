/**
 * The writer's memory of the sessions that it writes: the open block of each of their groups. The first write of a
 * group reads its block from the tail in the file.
 *
 * A damaged block of a tail stays as it is, with the blocks before it, and no longer belongs to the tail. If it were
 * packed again under a new checksum, its content would look like the recorded one.
 */
import type * as SqlClient from "@effect/sql/SqlClient"
import { Effect } from "effect"
import invariant from "tiny-invariant"
import type { RowBatch } from "../../domain/RowBatch.ts"
import type { SessionGroup } from "../RowStore.ts"
import { decodeColumns } from "./blockCodec.ts"
import { OpenBlock } from "./OpenBlock.ts"
import { opened, STORED, STORED_FROM, type StoredBlock } from "./storedBlock.ts"

/** The rows with all columns, as stored; undefined if the block is damaged. */
const soundRows = (block: StoredBlock): RowBatch | undefined => {
  try {
    return opened("sqlite", block, (data, layout) => decodeColumns(data, layout, layout))
  } catch {
    // A reader of the block gets the error.
    return undefined
  }
}

/** A tail in the file never fills a block. */
const neverFull = () => invariant(false, "a tail is never as long as a block")

/** An open block, with its session and group. */
export interface OpenGroup extends SessionGroup {
  readonly block: OpenBlock
}

export const make = (sql: SqlClient.SqlClient) => {
  const sessions = new Map<number, Map<string, OpenBlock>>()

  const tailOf = ({ group, sessionId }: SessionGroup) =>
    sql`b.session_id = ${sessionId} AND b.group_name = ${group} AND b.packed = 0`

  /** Reads the raw blocks of a tail, in order. */
  const read = Effect.fnUntraced(function* (of: SessionGroup) {
    const rows = yield* sql<StoredBlock>`SELECT ${sql.literal(STORED)} FROM ${sql.literal(STORED_FROM)}
      WHERE ${tailOf(of)} ORDER BY b.last_time`
    const parts = rows.map(soundRows)
    const damaged = parts.lastIndexOf(undefined)
    if (damaged >= 0) {
      yield* sql`UPDATE blocks AS b SET packed = 1
        WHERE ${tailOf(of)} AND b.last_time <= ${rows[damaged]!.last}`
    }
    return parts.slice(damaged + 1).filter((part) => part !== undefined)
  })

  /**
   * The last stored time. It is looked up only if there is no tail: a tail has the newest rows, and so the last time.
   */
  const lastTime = Effect.fnUntraced(function* (
    { group, sessionId }: SessionGroup,
    tail: ReadonlyArray<RowBatch>
  ) {
    if (tail.length > 0) return -Infinity
    const [row] = yield* sql<{ last: number | null }>`SELECT max(last_time) AS last FROM blocks
      WHERE session_id = ${sessionId} AND group_name = ${group}`
    return row?.last ?? -Infinity
  })

  const groupsOf = (sessionId: number): Map<string, OpenBlock> => {
    const known = sessions.get(sessionId)
    if (known !== undefined) return known
    const made = new Map<string, OpenBlock>()
    sessions.set(sessionId, made)
    return made
  }

  return {
    read,

    open: Effect.fnUntraced(function* (of: SessionGroup) {
      const known = sessions.get(of.sessionId)?.get(of.group)
      if (known !== undefined) return known
      const tail = yield* read(of)
      const block = new OpenBlock(yield* lastTime(of, tail))
      for (const part of tail) block.add(part, neverFull)
      block.pieces = tail.length
      groupsOf(of.sessionId).set(of.group, block)
      return block
    }),

    /** The open blocks of all sessions. */
    all: (): ReadonlyArray<OpenGroup> =>
      [...sessions].flatMap(([sessionId, groups]) =>
        [...groups].map(([group, block]) => ({ sessionId, group, block }))
      ),

    forget: (sessionId: number): void => void sessions.delete(sessionId),
    forgetAll: (): void => sessions.clear()
  }
}
