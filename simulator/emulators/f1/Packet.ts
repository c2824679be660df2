import { HEADER_BYTES, headerStruct, type PacketLayout } from "../../../src/simulators/drivers/f1/layout.ts"
import type { Field, FieldValues } from "../../../src/simulators/packets/Struct.ts"

/** The bytes of one packet, which are reused. */
export class F1Packet {
  readonly layout: PacketLayout<Field, Field, Field>
  readonly bytes: Buffer

  constructor(layout: PacketLayout<Field, Field, Field>) {
    this.layout = layout
    this.bytes = Buffer.alloc(layout.size)
  }

  header(values: FieldValues): void {
    headerStruct.write(this.bytes, 0, values)
  }

  head(values: FieldValues): void {
    this.layout.head.write(this.bytes, HEADER_BYTES, values)
  }

  /** A car, or a lap. */
  element(index: number, values: FieldValues): void {
    this.layout.element.write(this.bytes, this.layout.at(index), values)
  }

  /** A copy of an element's bytes. */
  elementBytes(index: number): Buffer {
    return Buffer.from(this.bytes.subarray(this.layout.at(index), this.layout.at(index + 1)))
  }

  put(index: number, element: Buffer): void {
    element.copy(this.bytes, this.layout.at(index))
  }

  tail(values: FieldValues): void {
    this.layout.tail.write(this.bytes, this.layout.tailAt, values)
  }

  /** Clears all elements: without a car, or without a lap. */
  clear(): void {
    this.bytes.fill(0, this.layout.at(0))
  }
}
