/**
 * Rows as CSV (RFC 4180): a header row with the columns' names, numbers as the shortest decimals, an empty field where
 * a channel is absent, CRLF.
 */
import { Stream } from "effect"
import { channels, type SampleBatch } from "../domain/PointBatch.ts"
import { rowsText, utf8 } from "./pieces.ts"
import { RowWriter } from "./RowWriter.ts"
import type { StretchRows } from "./StretchRows.ts"
import { writersOf } from "./writers.ts"

const EOL = "\r\n"

/** Writers by number of columns. A writer's text is taken before another table uses it. */
const writers = writersOf(
  (columns) =>
    new RowWriter(
      columns.slice(1).map(() => ","),
      ""
    )
)

/** `prefix`: the fields before the columns. */
const rows = <E, R>(
  prefix: string,
  batches: Stream.Stream<SampleBatch, E, R>,
  columns: ReadonlyArray<string>
) => rowsText(writers(columns), { first: prefix, next: EOL + prefix, last: EOL }, batches)

/** The header goes out with the first row, or alone: until then the answer can still be an error. */
const withHeader = <E, R>(names: ReadonlyArray<string>, text: Stream.Stream<Uint8Array, E, R>) => {
  const header = utf8(names.join(",") + EOL)
  return text.pipe(
    Stream.mapAccum(true, (isFirst, piece) => [false, isFirst ? Buffer.concat([header, piece]) : piece]),
    Stream.orElseIfEmpty(() => header)
  )
}

/** The batches must have these columns. */
export const table = <E, R>(
  batches: Stream.Stream<SampleBatch, E, R>,
  columns: ReadonlyArray<string> = channels
): Stream.Stream<Uint8Array, E, R> => withHeader(columns, rows("", batches, columns))

/** The same, with each row's lap number first; the number is empty for a point outside any lap. */
export const tableWithLaps = <E, R>(
  stretches: ReadonlyArray<StretchRows<E, R>>,
  columns: ReadonlyArray<string> = channels
): Stream.Stream<Uint8Array, E, R> =>
  withHeader(
    ["lap_number", ...columns],
    Stream.flatMap(Stream.fromIterable(stretches), ({ lap, points }) =>
      rows(`${lap?.lapNumber ?? ""},`, points, columns)
    )
  )
