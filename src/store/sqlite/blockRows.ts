/** Writes blocks into the file: rows of `point_blocks` and `group_blocks`, and the layouts that these rows name. */
import type * as SqlClient from "@effect/sql/SqlClient"
import { Effect } from "effect"
import { joinNames } from "../../domain/columnNames.ts"
import type { PointBatch, SampleBatch } from "../../domain/PointBatch.ts"
import { encodePacked, encodePackedSamples, encodeRaw } from "./blockCodec.ts"
import type { BlocksOf } from "./blockTables.ts"
import type { Effort } from "./compression.ts"
import { checksumOf } from "./storedBlock.ts"

/** Layouts whose numbers are remembered. */
const MAX_LAYOUTS = 1024

export interface Block {
  readonly first: number
  readonly last: number
  readonly length: number
  readonly packed: boolean
  /** The columns' names, joined, for samples; null for points. */
  readonly names: string | null
  readonly data: Uint8Array
}

/** The changes of a commit to the blocks of one session's points, or of one of its groups. */
export interface Change extends BlocksOf {
  readonly replacesTail: boolean
  readonly blocks: ReadonlyArray<Block>
}

const block = (
  { timestamps }: SampleBatch,
  from: number,
  to: number,
  rest: Pick<Block, "data" | "names" | "packed">
): Block => ({ first: timestamps[from]!, last: timestamps[to - 1]!, length: to - from, ...rest })

export const packedPoints = (rows: PointBatch, effort: Effort): Block =>
  block(rows, 0, rows.length, { packed: true, names: null, data: encodePacked(rows, effort) })

export const rawPoints = (rows: PointBatch, from: number, to: number): Block =>
  block(rows, from, to, { packed: false, names: null, data: encodeRaw(rows, from, to) })

export const packedSamples = (rows: SampleBatch, effort: Effort): Block =>
  block(rows, 0, rows.length, {
    packed: true,
    names: joinNames(rows.channels),
    data: encodePackedSamples(rows, effort)
  })

export const rawSamples = (rows: SampleBatch, from: number, to: number): Block =>
  block(rows, from, to, {
    packed: false,
    names: joinNames(rows.channels),
    data: encodeRaw(rows, from, to)
  })

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
        yield* group === undefined
          ? sql`DELETE FROM point_blocks WHERE session_id = ${sessionId} AND packed = 0`
          : sql`DELETE FROM group_blocks
              WHERE session_id = ${sessionId} AND group_name = ${group} AND packed = 0`
      }
      for (const { data, first, last, length, names, packed } of blocks) {
        const summed = { session_id: sessionId, group_name: group ?? null, names, first, last, length, data }
        const checksum = checksumOf(summed)
        yield* group === undefined || names === null
          ? sql`INSERT INTO point_blocks (session_id, first_point, last_point, points, packed, checksum, data)
              VALUES (${sessionId}, ${first}, ${last}, ${length}, ${packed ? 1 : 0}, ${checksum}, ${data})`
          : sql`INSERT INTO group_blocks
                (session_id, group_name, layout, first_sample, last_sample, samples, packed, checksum, data)
              VALUES (${sessionId}, ${group}, ${yield* layoutOf(names)}, ${first}, ${last}, ${length},
                ${packed ? 1 : 0}, ${checksum}, ${data})`
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
