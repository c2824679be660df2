/** Rows as JSON objects, written as text without JSON.stringify, which would need the objects first. */
import { Stream } from "effect"
import { channels, type SampleBatch } from "../domain/PointBatch.ts"
import { rowsText, utf8 } from "./pieces.ts"
import { RowWriter } from "./RowWriter.ts"
import { writersOf } from "./writers.ts"

/** Writers by set of columns, and what precedes a row's first value. A writer's text is taken before another document uses it. */
export const writers = writersOf((columns) => {
  const [firstKey, ...keys] = columns.map((column) => `"${column}":`)
  return {
    writer: new RowWriter(
      keys.map((key) => `,${key}`),
      "null"
    ),
    fields: firstKey
  }
})

/** `head`, the rows as a JSON array, `tail`; nothing where there are no rows. */
export const rows = <E, R>(
  head: string,
  batches: Stream.Stream<SampleBatch, E, R>,
  tail: string,
  columns: ReadonlyArray<string>
): Stream.Stream<Uint8Array, E, R> => {
  const { fields, writer } = writers(columns)
  return rowsText(writer, { first: `${head}[{${fields}`, next: `},{${fields}`, last: `}]${tail}` }, batches)
}

/**
 * A JSON document in pieces of UTF-8: `head`, the rows as a JSON array, `tail`. The batches must have these columns.
 */
export const document = <E, R>(
  head: string,
  batches: Stream.Stream<SampleBatch, E, R>,
  tail: string,
  columns: ReadonlyArray<string> = channels
): Stream.Stream<Uint8Array, E, R> =>
  rows(head, batches, tail, columns).pipe(Stream.orElseIfEmpty(() => utf8(`${head}[]${tail}`)))
