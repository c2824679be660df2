import invariant from "tiny-invariant"
import type { RowBatch } from "../domain/RowBatch.ts"
import { MAX_DECIMAL_BYTES, writeDecimal, writePoint } from "./decimals.ts"

/**
 * A key is copied as doubles, at least two; the number behind it overwrites the bytes that were copied beyond the key.
 */
const WORD_BYTES = 8
const MIN_KEY_WORDS = 2

/** Points as rows of text, written into one buffer that is reused. */
export class RowWriter {
  readonly #keys: Float64Array
  readonly #keyLengths: Uint8Array
  /** The length of the longest key, in words, used for every key. */
  readonly #keyWords: number
  readonly #absent: string
  /** By column: 1 where a whole number is written with a decimal point, too. */
  readonly #pointed: Uint8Array
  #bytes = new Uint8Array(0)
  #view = new DataView(this.#bytes.buffer)
  #length = 0

  /**
   * `keys`: the text before each value but the first of a row. `absent`: the text for an absent value. Both are ASCII.
   * `pointed`, by column: a whole number is written with a decimal point, too.
   */
  constructor(keys: ReadonlyArray<string>, absent: string, pointed: ReadonlyArray<boolean> = []) {
    const longest = Math.max(0, ...keys.map((key) => key.length))
    this.#keyWords = Math.max(MIN_KEY_WORDS, Math.ceil(longest / WORD_BYTES))
    const text = keys.map((key) => key.padEnd(this.#keyWords * WORD_BYTES)).join("")
    this.#keys = new Float64Array(new Uint8Array(Buffer.from(text, "latin1")).buffer)
    this.#absent = absent
    this.#pointed = Uint8Array.from({ length: keys.length + 1 }, (_, column) =>
      Number(pointed[column] ?? false)
    )
    this.#keyLengths = Uint8Array.from(keys, (key) => key.length)
  }

  /**
   * Writes the points `from` (inclusive) to `to` (exclusive), a row each. A row begins with `begin`, the first row with
   * `first`.
   */
  write(batch: RowBatch, from: number, to: number, begin: Uint8Array, first = begin): void {
    const { data, length } = batch
    const keys = this.#keys
    const keyLengths = this.#keyLengths
    const keyWords = this.#keyWords
    const absent = this.#absent
    const pointed = this.#pointed
    invariant(batch.channels.length === keyLengths.length + 1, "a row has all channels")
    const rowBytes = begin.length + batch.channels.length * (keyWords * WORD_BYTES + MAX_DECIMAL_BYTES)
    this.#makeRoom(first.length + (to - from) * rowBytes)
    const words = new Int32Array(data.buffer, data.byteOffset, 2 * data.length)
    const bytes = this.#bytes
    const view = this.#view
    let at = this.#length
    for (let row = from; row < to; row++) {
      const before = row === from ? first : begin
      for (let i = 0; i < before.length; i++) bytes[at + i] = before[i]!
      at = writeDecimal(data, words, row, absent, bytes, view, at + before.length)
      if (pointed[0] === 1) at = writePoint(data[row]!, bytes, at)
      for (let key = 0; key < keyLengths.length; key++) {
        const word = keyWords * key
        view.setFloat64(at, keys[word]!, true)
        view.setFloat64(at + WORD_BYTES, keys[word + 1]!, true)
        for (let w = MIN_KEY_WORDS; w < keyWords; w++) {
          view.setFloat64(at + w * WORD_BYTES, keys[word + w]!, true)
        }
        const index = (key + 1) * length + row
        at = writeDecimal(data, words, index, absent, bytes, view, at + keyLengths[key]!)
        if (pointed[key + 1] === 1) at = writePoint(data[index]!, bytes, at)
      }
    }
    this.#length = at
  }

  /** Returns a copy of the text that was written since the last call. */
  take(): Uint8Array {
    const text = Buffer.allocUnsafeSlow(this.#length)
    text.set(this.#bytes.subarray(0, this.#length))
    this.#length = 0
    return text
  }

  #makeRoom(bytes: number) {
    const wanted = this.#length + bytes
    if (wanted <= this.#bytes.length) return
    const longer = new Uint8Array(wanted)
    longer.set(this.#bytes.subarray(0, this.#length))
    this.#bytes = longer
    this.#view = new DataView(longer.buffer)
  }
}
