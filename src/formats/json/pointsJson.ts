/** Rows as JSON objects, written as text without JSON.stringify, which would need the objects first. */
import { Stream } from "effect"
import { pointsAlone } from "../../archive/chosenRows.ts"
import type { RowBatch } from "../../domain/RowBatch.ts"
import { rowsText, utf8 } from "../pieces.ts"
import { RowWriter } from "../RowWriter.ts"
import { type WrittenColumns, writersOf } from "../writers.ts"

/** A writer of objects with these keys, and the text of the first key. */
export const objectWriter = (columns: ReadonlyArray<string>, pointed: ReadonlyArray<boolean>) => {
  const [fields, ...keys] = columns.map((column) => `"${column}":`)
  return {
    fields,
    writer: new RowWriter(
      keys.map((key) => `,${key}`),
      "null",
      pointed
    )
  }
}

/** Writers by set of columns. A writer's text is taken before another document uses it. */
const writers = writersOf(({ columns }) => objectWriter(columns, []))

/** `head`, the rows as a JSON array, `tail`; nothing where there are no rows. */
export const rows = <E, R>(
  head: string,
  batches: Stream.Stream<RowBatch, E, R>,
  tail: string,
  written: WrittenColumns
): Stream.Stream<Uint8Array, E, R> => {
  const { fields, writer } = writers(written)
  return rowsText(writer, { first: `${head}[{${fields}`, next: `},{${fields}`, last: `}]${tail}` }, batches)
}

/**
 * A JSON document in pieces of UTF-8: `head`, the rows as a JSON array, `tail`. The batches must have these columns.
 */
export const document = <E, R>(
  head: string,
  batches: Stream.Stream<RowBatch, E, R>,
  tail: string,
  written: WrittenColumns = pointsAlone
): Stream.Stream<Uint8Array, E, R> =>
  rows(head, batches, tail, written).pipe(Stream.orElseIfEmpty(() => utf8(`${head}[]${tail}`)))
