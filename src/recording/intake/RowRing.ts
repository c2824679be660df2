import { RowBatch } from "../../domain/RowBatch.ts"

/**
 * The memory is larger than the points by this factor, because a batch must be contiguous: a batch that does not fit
 * between the last one and the end of the memory goes to the beginning, and leaves a gap.
 */
const SPARE = 1.25

/** Where a kept batch ends, and whether it was released. */
interface Kept {
  readonly from: number
  readonly to: number
  isReleased: boolean
}

/**
 * Memory for the points and samples that wait to be stored, reused first in, first out. Threads share it, so that a writing
 * thread reads the rows in place.
 *
 * With a new buffer for each batch, alive until its commit, garbage collection took a third of the CPU of an ingest:
 * such buffers make V8 collect its whole heap again and again (bench/ingest.ts).
 */
export class RowRing {
  readonly #memory: Float64Array
  /** Where the next batch goes, and where the oldest kept batch begins; equal only if nothing is kept. */
  #head = 0
  #tail = 0
  /** The kept batches in order. The first `#gone` of them are released; the next one is the oldest that is not. */
  #kept: Array<Kept> = []
  #gone = 0

  /** Has room for `values` values. Pages of the memory that were never used cost nothing. */
  constructor(values: number) {
    const doubles = Math.ceil(values * SPARE)
    this.#memory = new Float64Array(new SharedArrayBuffer(doubles * Float64Array.BYTES_PER_ELEMENT))
  }

  /** A copy of the batch, valid until it is released. It has its own memory if the ring has no room. */
  keep<Name extends string>({ channels, data, length }: RowBatch<Name>): RowBatch<Name> {
    const from = length === 0 ? undefined : this.#room(data.length)
    if (from === undefined) return new RowBatch(length, data.slice(), channels)
    const kept = this.#memory.subarray(from, from + data.length)
    kept.set(data)
    this.#head = from + data.length
    this.#kept.push({ from, to: this.#head, isReleased: false })
    return new RowBatch(length, kept, channels)
  }

  /**
   * Releases a batch that `keep` returned. Its memory is reused when all earlier batches are released as well. Batches
   * are released nearly in order. While an earlier one is not released, later ones may need memory of their own.
   */
  release({ data }: { readonly data: Float64Array }): void {
    if (data.buffer !== this.#memory.buffer) return
    const from = data.byteOffset / Float64Array.BYTES_PER_ELEMENT
    for (let i = this.#gone; i < this.#kept.length; i++) {
      const kept = this.#kept[i]!
      if (kept.from !== from || kept.isReleased) continue
      kept.isReleased = true
      break
    }
    while (this.#kept[this.#gone]?.isReleased === true) this.#tail = this.#kept[this.#gone++]!.to
    if (this.#gone < this.#kept.length) return void this.#forget()
    this.#kept = []
    this.#gone = 0
    // An empty ring begins at index 0, so that a ring with little use touches few pages.
    this.#head = this.#tail = 0
  }

  /** Removes the released batches from the array once they are half of it. */
  #forget(): void {
    if (this.#gone * 2 < this.#kept.length) return
    this.#kept = this.#kept.slice(this.#gone)
    this.#gone = 0
  }

  #room(doubles: number): number | undefined {
    if (this.#head < this.#tail) return this.#head + doubles < this.#tail ? this.#head : undefined
    if (this.#head + doubles <= this.#memory.length) return this.#head
    return doubles < this.#tail ? 0 : undefined
  }
}
