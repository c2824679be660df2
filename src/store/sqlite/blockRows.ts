/** Writes blocks into the file: rows of `blocks`, and the layouts that these rows name. */
import type * as SqlClient from "@effect/sql/SqlClient"
import { Effect } from "effect"
import { joinNames } from "../../domain/columnNames.ts"
import type { RowBatch } from "../../domain/RowBatch.ts"
import type { SessionGroup } from "../RowStore.ts"
import { encodePacked, encodeRaw } from "./blockCodec.ts"
import type { Effort } from "./compression.ts"
import { checksumOf } from "./storedBlock.ts"

/** The maximum number of layouts whose numbers are remembered. */
const MAX_LAYOUTS = 1024

export interface Block {
  readonly first: number
  readonly last: number
  readonly length: number
  readonly packed: boolean
  /** The columns' names, joined. */
  readonly names: string
  readonly data: Uint8Array
}

/** The changes of a commit to the blocks of one group of a session. */
export interface Change extends SessionGroup {
  readonly replacesTail: boolean
  readonly blocks: ReadonlyArray<Block>
}

const block = (
  { channels, timestamps }: RowBatch,
  from: number,
  to: number,
  rest: Pick<Block, "data" | "packed">
): Block => ({
  first: timestamps[from]!,
  last: timestamps[to - 1]!,
  length: to - from,
  names: joinNames(channels),
  ...rest
})

export const packed = (rows: RowBatch, effort: Effort): Block =>
  block(rows, 0, rows.length, { packed: true, data: encodePacked(rows, effort) })

export const raw = (rows: RowBatch, from: number, to: number): Block =>
  block(rows, from, to, { packed: false, data: encodeRaw(rows, from, to) })

export const make = (sql: SqlClient.SqlClient) => {
  const layouts = new Map<string, number>()

  /** The number of a layout, which the file has once. Layouts are never removed, because there are few. */
  const layoutOf = Effect.fnUntraced(function* (names: string) {
    const known = layouts.get(names)
    if (known !== undefined) return known
    yield* sql`INSERT INTO layouts (names) VALUES (${names}) ON CONFLICT (names) DO NOTHING`
    const [row] = yield* sql<{ id: number }>`SELECT id FROM layouts WHERE names = ${names}`
    if (layouts.size === MAX_LAYOUTS) layouts.clear()
    layouts.set(names, row!.id)
    return row!.id
  })

  /** Runs within a transaction. */
  const apply = Effect.fnUntraced(function* (changes: ReadonlyArray<Change>) {
    for (const { blocks, group, replacesTail, sessionId } of changes) {
      if (replacesTail) {
        yield* sql`DELETE FROM blocks
          WHERE session_id = ${sessionId} AND group_name = ${group} AND packed = 0`
      }
      for (const { data, first, last, length, names, packed } of blocks) {
        const summed = { session_id: sessionId, group_name: group, names, first, last, length, data }
        yield* sql`INSERT INTO blocks
            (session_id, group_name, layout, first_time, last_time, length, packed, checksum, data)
          VALUES (${sessionId}, ${group}, ${yield* layoutOf(names)}, ${first}, ${last}, ${length},
            ${packed ? 1 : 0}, ${checksumOf(summed)}, ${data})`
      }
    }
  })

  return {
    /** Commits all changes or none. Changes without blocks are left out. */
    commit: (changes: ReadonlyArray<Change>) =>
      changes.some((change) => change.blocks.length > 0) ? sql.withTransaction(apply(changes)) : Effect.void,
    /** Called after a failed transaction, which left none of its rows in the file. */
    forgetLayouts: (): void => layouts.clear()
  }
}
