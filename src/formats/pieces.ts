import { Option, Stream } from "effect"
import type { RowBatch } from "../domain/RowBatch.ts"
import type { RowWriter } from "./RowWriter.ts"

/** Values encoded at a time, those of a thousand points: some hundred kilobytes, for which the buffer has room. */
const PIECE_VALUES = 10_000

const encoder = new TextEncoder()

export const utf8 = (text: string): Uint8Array => encoder.encode(text)

/** The text of all batches, in pieces; `encode` makes the text of the rows `from` (inclusive) to `to` (exclusive). */
export const inPieces =
  (encode: (batch: RowBatch, from: number, to: number) => Uint8Array) =>
  <E, R>(batches: Stream.Stream<RowBatch, E, R>): Stream.Stream<Uint8Array, E, R> =>
    Stream.flatMap(batches, (batch) => {
      const rows = Math.ceil(PIECE_VALUES / batch.channels.length)
      // One at a time: all pieces of a batch with many channels take megabytes.
      return Stream.unfold(0, (from) =>
        from < batch.length
          ? Option.some([encode(batch, from, Math.min(from + rows, batch.length)), from + rows] as const)
          : Option.none()
      )
    })

/** The text before the first row, before each other one, and after the last. */
interface Around {
  readonly first: string
  readonly next: string
  readonly last: string
}

/**
 * Rows as text, in pieces of UTF-8; nothing where there are no rows. `writer` belongs to this text from the start of a
 * piece to its end.
 */
export const rowsText = <E, R>(
  writer: RowWriter,
  { first, last, next }: Around,
  batches: Stream.Stream<RowBatch, E, R>
): Stream.Stream<Uint8Array, E, R> =>
  Stream.suspend(() => {
    const between = utf8(next)
    let isBegun = false
    const rows = inPieces((batch, from, to) => {
      writer.write(batch, from, to, between, isBegun ? between : utf8(first))
      isBegun = true
      return writer.take()
    })
    const end = Stream.suspend(() => (isBegun ? Stream.make(utf8(last)) : Stream.empty))
    return Stream.concat(rows(batches), end)
  })
