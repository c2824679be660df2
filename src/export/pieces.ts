import { Stream } from "effect"
import type { PointBatch } from "../domain/PointBatch.ts"

/** Points encoded in one go: a millisecond or two, after which others get their turn. */
const PIECE_POINTS = 1000

/** The same points in batches small enough to encode one without keeping the event loop. */
export const inPieces = <E, R>(batches: Stream.Stream<PointBatch, E, R>): Stream.Stream<PointBatch, E, R> =>
  Stream.mapConcat(batches, (batch) => {
    const pieces: Array<PointBatch> = []
    for (let from = 0; from < batch.length; from += PIECE_POINTS) {
      pieces.push(batch.slice(from, Math.min(from + PIECE_POINTS, batch.length)))
    }
    return pieces
  })
