/** Points as JSON objects, written by hand: there is one shape, and JSON.stringify would need the objects first. */
import { Stream } from "effect"
import type { PointBatch } from "../domain/PointBatch.ts"
import { decimal } from "./numbers.ts"
import { inPieces } from "./pieces.ts"

/** `{…},{…}`, the points of one batch. */
const objects = (batch: PointBatch): string => {
  const { length, channels, data } = batch
  const keys = channels.map((channel, index) => `${index === 0 ? "{" : ","}"${channel}":`)
  let out = ""
  for (let i = 0; i < length; i++) {
    if (i > 0) out += ","
    for (let c = 0; c < keys.length; c++) out += keys[c]! + decimal(data[c * length + i]!)
    out += "}"
  }
  return out
}

/** A JSON document in pieces of text: `head`, the points as a JSON array, `tail`. */
export const document = <E, R>(
  head: string,
  batches: Stream.Stream<PointBatch, E, R>,
  tail: string
): Stream.Stream<string, E, R> =>
  Stream.suspend(() => {
    let separator = ""
    const array = Stream.map(inPieces(batches), (piece) => {
      const text = separator + objects(piece)
      separator = ","
      return text
    })
    return Stream.make(`${head}[`).pipe(Stream.concat(array), Stream.concat(Stream.make(`]${tail}`)))
  })
