import { headerStruct, type PacketShape } from "./formats.ts"
import { Struct, type FieldValues } from "./Struct.ts"

const nothing = new Struct([])

/** One packet's bytes, written again and again. */
export class F1Packet {
  readonly id: number
  readonly bytes: Buffer
  readonly #head: Struct
  readonly #element: Struct
  readonly #tail: Struct
  readonly #elementsAt: number

  constructor({ element = nothing, elements = 0, head = nothing, id, tail = nothing }: PacketShape) {
    this.id = id
    this.#head = head
    this.#element = element
    this.#tail = tail
    this.#elementsAt = headerStruct.size + head.size
    this.bytes = Buffer.alloc(this.#elementsAt + elements * element.size + tail.size)
  }

  header(values: FieldValues): void {
    headerStruct.write(this.bytes, 0, values)
  }

  head(values: FieldValues): void {
    this.#head.write(this.bytes, headerStruct.size, values)
  }

  /** A car, or a lap. */
  element(index: number, values: FieldValues): void {
    this.#element.write(this.bytes, this.#at(index), values)
  }

  /** A copy of an element's bytes. */
  elementBytes(index: number): Buffer {
    return Buffer.from(this.bytes.subarray(this.#at(index), this.#at(index + 1)))
  }

  put(index: number, element: Buffer): void {
    element.copy(this.bytes, this.#at(index))
  }

  tail(values: FieldValues): void {
    this.#tail.write(this.bytes, this.bytes.length - this.#tail.size, values)
  }

  /** No car, or no lap, is in any element. */
  clear(): void {
    this.bytes.fill(0, this.#elementsAt)
  }

  #at(index: number): number {
    return this.#elementsAt + index * this.#element.size
  }
}
