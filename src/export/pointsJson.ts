/** Rows as JSON objects, written as text without JSON.stringify, which would need the objects first. */
import { Stream } from "effect"
import { channels, type SampleBatch } from "../domain/PointBatch.ts"
import { inPieces, utf8 } from "./pieces.ts"
import { RowWriter } from "./RowWriter.ts"
import { writersOf } from "./writers.ts"

/** Writers by set of columns. A writer's text is taken before another document uses it. */
const writers = writersOf((columns) => {
  const [firstKey, ...keys] = columns.map((column) => `"${column}":`)
  return {
    writer: new RowWriter(
      keys.map((key) => `,${key}`),
      "null"
    ),
    begin: `{${firstKey}`,
    between: utf8(`},{${firstKey}`)
  }
})

/**
 * A JSON document in pieces of UTF-8: `head`, the rows as a JSON array, `tail`. The batches must have these columns.
 */
export const document = <E, R>(
  head: string,
  batches: Stream.Stream<SampleBatch, E, R>,
  tail: string,
  columns: ReadonlyArray<string> = channels
): Stream.Stream<Uint8Array, E, R> =>
  Stream.suspend(() => {
    const { begin, between, writer } = writers(columns)
    let empty = true
    const points = inPieces((batch, from, to) => {
      writer.write(batch, from, to, between, empty ? utf8(`${head}[${begin}`) : between)
      empty = false
      return writer.take()
    })
    const end = Stream.suspend(() => Stream.make(utf8(empty ? `${head}[]${tail}` : `}]${tail}`)))
    return Stream.concat(points(batches), end)
  })
