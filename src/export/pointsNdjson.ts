/** Rows as NDJSON (https://github.com/ndjson/ndjson-spec): a JSON object in each line, null where a channel is absent. */
import { Stream } from "effect"
import { channels, type SampleBatch } from "../domain/PointBatch.ts"
import { rowsText } from "./pieces.ts"
import { writers } from "./pointsJson.ts"
import type { StretchRows } from "./StretchRows.ts"

export const NDJSON_TYPE = "application/x-ndjson"

/** `prefix`: the fields before the columns. */
const rows = <E, R>(
  prefix: string,
  batches: Stream.Stream<SampleBatch, E, R>,
  columns: ReadonlyArray<string>
) => {
  const { fields, writer } = writers(columns)
  const begin = `{${prefix}${fields}`
  return rowsText(writer, { first: begin, next: `}\n${begin}`, last: "}\n" }, batches)
}

/** The batches must have these columns. */
export const lines = <E, R>(
  batches: Stream.Stream<SampleBatch, E, R>,
  columns: ReadonlyArray<string> = channels
): Stream.Stream<Uint8Array, E, R> => rows("", batches, columns)

/** The same, with each row's lap number first; it is null for a point outside any lap. */
export const linesWithLaps = <E, R>(
  stretches: ReadonlyArray<StretchRows<E, R>>,
  columns: ReadonlyArray<string> = channels
): Stream.Stream<Uint8Array, E, R> =>
  Stream.flatMap(Stream.fromIterable(stretches), ({ lap, points }) =>
    rows(`"lap_number":${lap?.lapNumber ?? null},`, points, columns)
  )
