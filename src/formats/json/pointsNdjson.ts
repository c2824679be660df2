/** Rows as NDJSON (https://github.com/ndjson/ndjson-spec): a JSON object in each line, null where a channel is absent.
 * Numbers of continuous channels have a decimal point, as in CSV. */
import { Stream } from "effect"
import { pointsAlone } from "../../archive/chosenRows.ts"
import type { RowBatch } from "../../domain/RowBatch.ts"
import { rowsText } from "../pieces.ts"
import { objectWriter } from "./pointsJson.ts"
import type { StretchRows } from "../StretchRows.ts"
import { type WrittenColumns, writersOf } from "../writers.ts"

export const NDJSON_TYPE = "application/x-ndjson"

/** Writers by set of columns. A writer's text is taken before another one's rows use it. */
const writers = writersOf(({ columns, whole }) =>
  objectWriter(
    columns,
    columns.map((column) => !whole.has(column))
  )
)

/** `prefix`: the fields before the columns. */
const rows = <E, R>(prefix: string, batches: Stream.Stream<RowBatch, E, R>, written: WrittenColumns) => {
  const { fields, writer } = writers(written)
  const begin = `{${prefix}${fields}`
  return rowsText(writer, { first: begin, next: `}\n${begin}`, last: "}\n" }, batches)
}

/** The batches must have these columns. */
export const lines = <E, R>(
  batches: Stream.Stream<RowBatch, E, R>,
  written: WrittenColumns = pointsAlone
): Stream.Stream<Uint8Array, E, R> => rows("", batches, written)

/** The same, with each row's lap number first; it is null for a point outside any lap. */
export const linesWithLaps = <E, R>(
  stretches: ReadonlyArray<StretchRows<E, R>>,
  written: WrittenColumns = pointsAlone
): Stream.Stream<Uint8Array, E, R> =>
  Stream.flatMap(Stream.fromIterable(stretches), ({ lap, points }) =>
    rows(`"lap_number":${lap?.lapNumber ?? null},`, points, written)
  )
