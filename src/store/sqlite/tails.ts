/**
 * What the writer remembers of the sessions that it writes: the open block of each session's points and of each of its
 * groups. The first write of each reads the block from the tail in the file.
 *
 * A damaged block of a tail stays as it is, with the blocks before it, and does not belong to the tail any more. Packed again
 * under a new checksum, its content would pass for what was recorded.
 */
import type * as SqlClient from "@effect/sql/SqlClient"
import { Effect } from "effect"
import invariant from "tiny-invariant"
import type { SampleBatch } from "../../domain/PointBatch.ts"
import { decodeColumns } from "./blockCodec.ts"
import * as BlockTables from "./blockTables.ts"
import type { BlocksOf } from "./blockTables.ts"
import { type OpenBlock, OpenPoints } from "./OpenBlock.ts"
import { OpenSamples } from "./OpenSamples.ts"
import { opened, type StoredBlock } from "./storedBlock.ts"

/** The rows with all columns, as stored; undefined if the block is damaged. */
const soundRows = (block: StoredBlock): SampleBatch | undefined => {
  try {
    return opened("sqlite", block, (data, layout) => decodeColumns(data, layout, layout))
  } catch {
    // A reader of the block gets the error.
    return undefined
  }
}

/** A tail in the file never fills a block. */
const neverFull = () => invariant(false, "a tail is never as long as a block")

const addTail = (block: OpenPoints | OpenSamples, tail: ReadonlyArray<SampleBatch>) => {
  // Points that are read have the ten channels.
  const open = block as OpenBlock<string>
  for (const part of tail) open.add(part, neverFull)
}

/** The open blocks of points, and of groups by name. */
interface OpenOfSession {
  points: OpenPoints | undefined
  readonly samples: Map<string, OpenSamples>
}

interface Group {
  readonly sessionId: number
  readonly group: string
}

/** An open block of samples, with its session and group. */
export interface OpenGroup extends Group {
  readonly block: OpenSamples
}

export const make = (sql: SqlClient.SqlClient) => {
  const blocksOf = BlockTables.make(sql)
  const sessions = new Map<number, OpenOfSession>()

  /** Reads the raw blocks of a tail, in order. */
  const read = Effect.fnUntraced(function* (of: BlocksOf) {
    const { from, last, stored, storedFrom, theirs } = blocksOf(of)
    const rows = yield* sql<StoredBlock>`SELECT ${stored} FROM ${storedFrom}
      WHERE ${theirs} AND b.packed = 0 ORDER BY ${last}`
    const parts = rows.map(soundRows)
    const damaged = parts.lastIndexOf(undefined)
    if (damaged >= 0) {
      yield* sql`UPDATE ${from} SET packed = 1
        WHERE ${theirs} AND b.packed = 0 AND ${last} <= ${rows[damaged]!.last}`
    }
    return parts.slice(damaged + 1).filter((part) => part !== undefined)
  })

  /** The last time stored, looked up only without a tail: a tail has the newest rows, and so has the last time itself. */
  const lastTime = Effect.fnUntraced(function* (of: BlocksOf, tail: ReadonlyArray<SampleBatch>) {
    if (tail.length > 0) return -Infinity
    const { from, last, theirs } = blocksOf(of)
    const [row] = yield* sql<{
      last: number | null
    }>`SELECT max(${last}) AS last FROM ${from} WHERE ${theirs}`
    return row?.last ?? -Infinity
  })

  const sessionOf = (sessionId: number): OpenOfSession => {
    const known = sessions.get(sessionId)
    if (known !== undefined) return known
    const made: OpenOfSession = { points: undefined, samples: new Map() }
    sessions.set(sessionId, made)
    return made
  }

  return {
    read,

    points: Effect.fnUntraced(function* (sessionId: number) {
      const known = sessions.get(sessionId)?.points
      if (known !== undefined) return known
      const tail = yield* read({ sessionId })
      const block = new OpenPoints(yield* lastTime({ sessionId }, tail))
      addTail(block, tail)
      sessionOf(sessionId).points = block
      return block
    }),

    samples: Effect.fnUntraced(function* (of: Group) {
      const known = sessions.get(of.sessionId)?.samples.get(of.group)
      if (known !== undefined) return known
      const tail = yield* read(of)
      const block = new OpenSamples(yield* lastTime(of, tail))
      addTail(block, tail)
      block.pieces = tail.length
      sessionOf(of.sessionId).samples.set(of.group, block)
      return block
    }),

    /** The open groups of all sessions. */
    openGroups: (): ReadonlyArray<OpenGroup> =>
      [...sessions].flatMap(([sessionId, { samples }]) =>
        [...samples].map(([group, block]) => ({ sessionId, group, block }))
      ),

    forget: (sessionId: number): void => void sessions.delete(sessionId),
    forgetAll: (): void => sessions.clear()
  }
}
