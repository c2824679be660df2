/**
 * Rows as CSV (RFC 4180): a header row with the columns' names, numbers as the shortest decimals, an empty field where
 * a channel is absent, CRLF. Numbers of continuous channels always have a decimal point: most readers take a column's type
 * from its first rows.
 */
import { Stream } from "effect"
import { pointsAlone } from "../../archive/chosenRows.ts"
import type { RowBatch } from "../../domain/RowBatch.ts"
import { rowsText, utf8 } from "../pieces.ts"
import { RowWriter } from "../RowWriter.ts"
import type { StretchRows } from "../StretchRows.ts"
import { type WrittenColumns, writersOf } from "../writers.ts"

const EOL = "\r\n"

/** Writers by number of columns. A writer's text is taken before another table uses it. */
const writers = writersOf(
  ({ columns, whole }) =>
    new RowWriter(
      columns.slice(1).map(() => ","),
      "",
      columns.map((column) => !whole.has(column))
    )
)

/** `prefix`: the fields before the columns. */
const rows = <E, R>(prefix: string, batches: Stream.Stream<RowBatch, E, R>, written: WrittenColumns) =>
  rowsText(writers(written), { first: prefix, next: EOL + prefix, last: EOL }, batches)

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
  batches: Stream.Stream<RowBatch, E, R>,
  written: WrittenColumns = pointsAlone
): Stream.Stream<Uint8Array, E, R> => withHeader(written.columns, rows("", batches, written))

/** The same, with each row's lap number first; the number is empty for a point outside any lap. */
export const tableWithLaps = <E, R>(
  stretches: ReadonlyArray<StretchRows<E, R>>,
  written: WrittenColumns = pointsAlone
): Stream.Stream<Uint8Array, E, R> =>
  withHeader(
    ["lap_number", ...written.columns],
    Stream.flatMap(Stream.fromIterable(stretches), ({ lap, points }) =>
      rows(`${lap?.lapNumber ?? ""},`, points, written)
    )
  )
