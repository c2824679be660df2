/** Points as JSON objects, written by hand: there is one shape, and JSON.stringify would need the objects first. */
import { Stream } from "effect"
import { channels, type PointBatch } from "../domain/PointBatch.ts"
import { inPieces, utf8 } from "./pieces.ts"
import { RowWriter } from "./RowWriter.ts"

const [firstKey, ...keys] = channels.map((channel) => `"${channel}":`)

/** One for all documents: what it has written is taken before another's turn. */
const writer = new RowWriter(
  keys.map((key) => `,${key}`),
  "null"
)

const BETWEEN = utf8(`},{${firstKey}`)

/** A JSON document in pieces of UTF-8: `head`, the points as a JSON array, `tail`. */
export const document = <E, R>(
  head: string,
  batches: Stream.Stream<PointBatch, E, R>,
  tail: string
): Stream.Stream<Uint8Array, E, R> =>
  Stream.suspend(() => {
    let empty = true
    const points = inPieces((batch, from, to) => {
      writer.write(batch, from, to, BETWEEN, empty ? utf8(`${head}[{${firstKey}`) : BETWEEN)
      empty = false
      return writer.take()
    })
    const end = Stream.suspend(() => Stream.make(utf8(empty ? `${head}[]${tail}` : `}]${tail}`)))
    return Stream.concat(points(batches), end)
  })
