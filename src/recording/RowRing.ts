import { PointBatch } from "../domain/PointBatch.ts"

/**
 * Room beyond the points that it is made for, because a batch lies in one piece: what does not fit between the last one
 * and the end of the memory goes to the beginning, and leaves a gap.
 */
const SPARE = 1.25

/**
 * Memory for the points and samples that wait to be stored, used again and again, first in, first out. Threads share it, so that
 * a writing thread reads the rows where they are.
 *
 * With a new buffer for each batch, alive until its commit, garbage collection took a third of the CPU of an ingest: the
 * bytes of such buffers make V8 collect its whole heap, again and again (bench/ingest.ts).
 */
export class RowRing {
  readonly #memory: Float64Array
  /** Where the next batch goes, and where the oldest one kept begins; equal only when nothing is kept. */
  #head = 0
  #tail = 0

  /** For so many values. Pages of the memory that none was in yet cost nothing. */
  constructor(values: number) {
    const doubles = Math.ceil(values * SPARE)
    this.#memory = new Float64Array(new SharedArrayBuffer(doubles * Float64Array.BYTES_PER_ELEMENT))
  }

  /** A copy of the batch, in memory of its own where the ring has no room; until it is released. */
  keep<Name extends string>({ channels, data, length }: PointBatch<Name>): PointBatch<Name> {
    const from = length === 0 ? undefined : this.#room(data.length)
    if (from === undefined) return new PointBatch(length, data.slice(), channels)
    const kept = this.#memory.subarray(from, from + data.length)
    kept.set(data)
    this.#head = from + data.length
    return new PointBatch(length, kept, channels)
  }

  /** The oldest batch that `keep` returned and that was not released yet: its memory is used for others. */
  release({ data }: { readonly data: Float64Array }): void {
    if (data.buffer !== this.#memory.buffer) return
    this.#tail = data.byteOffset / Float64Array.BYTES_PER_ELEMENT + data.length
    // An empty ring begins at index 0: a ring that is hardly used touches few pages.
    if (this.#tail === this.#head) this.#head = this.#tail = 0
  }

  #room(doubles: number): number | undefined {
    if (this.#head < this.#tail) return this.#head + doubles < this.#tail ? this.#head : undefined
    if (this.#head + doubles <= this.#memory.length) return this.#head
    return doubles < this.#tail ? 0 : undefined
  }
}
