/** Whether packets that come one after another differ in more than the game's clock. */
export class Stillness {
  /** The clock, and the numbers of packets, are before this byte. */
  readonly #from: number
  #last = Buffer.alloc(0)

  constructor(from: number) {
    this.#from = from
  }

  /** Whether the packet equals the one before, except for its clock. */
  take(bytes: Buffer): boolean {
    const { length } = bytes
    const isStill =
      length === this.#last.length && bytes.compare(this.#last, this.#from, length, this.#from) === 0
    if (this.#last.length !== length) this.#last = Buffer.alloc(length)
    bytes.copy(this.#last)
    return isStill
  }
}
