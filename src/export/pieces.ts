import { Stream } from "effect"
import type { PointBatch } from "../domain/PointBatch.ts"

/** Points encoded in one go: some hundred kilobytes, which the buffer they are written into has room for. */
const PIECE_POINTS = 1000

const encoder = new TextEncoder()

export const utf8 = (text: string): Uint8Array => encoder.encode(text)

/** The text of all batches, in pieces; `encode` makes that of the points `from` (inclusive) to `to` (exclusive). */
export const inPieces =
  (encode: (batch: PointBatch, from: number, to: number) => Uint8Array) =>
  <E, R>(batches: Stream.Stream<PointBatch, E, R>): Stream.Stream<Uint8Array, E, R> =>
    Stream.mapConcat(batches, (batch) => {
      const pieces: Array<Uint8Array> = []
      for (let from = 0; from < batch.length; from += PIECE_POINTS) {
        pieces.push(encode(batch, from, Math.min(from + PIECE_POINTS, batch.length)))
      }
      return pieces
    })
