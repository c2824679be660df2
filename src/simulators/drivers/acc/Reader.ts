/**
 * Reads packed little-endian fields one after another. Past the end everything is 0 or "", and `isBroken` says so: a
 * packet is read through, and asked once.
 */
export class Reader {
  readonly bytes: Buffer
  #at: number
  #broken = false

  constructor(bytes: Buffer, from: number) {
    this.bytes = bytes
    this.#at = from
  }

  get isBroken(): boolean {
    return this.#broken
  }

  /** Bytes that were not read. */
  get left(): number {
    return this.bytes.length - this.#at
  }

  u8(): number {
    const at = this.take(1)
    return at < 0 ? 0 : this.bytes[at]!
  }

  u16(): number {
    const at = this.take(2)
    return at < 0 ? 0 : this.bytes.readUInt16LE(at)
  }

  i32(): number {
    const at = this.take(4)
    return at < 0 ? 0 : this.bytes.readInt32LE(at)
  }

  /** A number of bytes, and so many of UTF-8; what is no UTF-8 is replaced, control characters are left out. */
  text(): string {
    const length = this.u16()
    const at = this.take(length)
    return at < 0 ? "" : this.bytes.toString("utf8", at, at + length).replace(/\p{Cc}/gu, "")
  }

  skip(bytes: number): void {
    this.take(bytes)
  }

  skipText(): void {
    this.skip(this.u16())
  }

  /** Where so many bytes begin, which are thereby read; -1 past the end. */
  take(bytes: number): number {
    const at = this.#at
    if (this.#broken || at + bytes > this.bytes.length) {
      this.#broken = true
      return -1
    }
    this.#at = at + bytes
    return at
  }
}
