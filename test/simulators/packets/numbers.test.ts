/** The numbers of packets, compared to the bit with those that Node's Buffer reads. */
import { describe, expect, it } from "vitest"
import { NumberTable, type NumberType, reader, sizeOf } from "../../../src/simulators/packets/numbers.ts"

const nodes: Readonly<Record<NumberType, (bytes: Buffer, at: number) => number>> = {
  u8: (bytes, at) => bytes.readUInt8(at),
  i8: (bytes, at) => bytes.readInt8(at),
  u16: (bytes, at) => bytes.readUInt16LE(at),
  i16: (bytes, at) => bytes.readInt16LE(at),
  u32: (bytes, at) => bytes.readUInt32LE(at),
  i32: (bytes, at) => bytes.readInt32LE(at),
  f32: (bytes, at) => bytes.readFloatLE(at),
  f64: (bytes, at) => bytes.readDoubleLE(at)
}
const types = Object.keys(nodes) as ReadonlyArray<NumberType>

/** Any bytes, among them NaN and infinities of both sizes; as datagrams are, in the middle of larger memory. */
const memory = Buffer.alloc(
  4096,
  Buffer.from("0000807f000080ff0000c07f000000000000f07f000000000000f8ff01fe8040c3", "hex")
)
const datagrams = [memory.subarray(7, 1307), memory.subarray(1500, 2800)]

describe("numbers of packets", () => {
  it.each(types)("%s: each is what Node reads, of one datagram and the next", (type) => {
    for (let at = 0; at < 600; at++)
      for (const bytes of datagrams) {
        expect(reader(type, at)(bytes)).toBe(nodes[type](bytes, at))
        expect(reader(type, at)(bytes, 31)).toBe(nodes[type](bytes, at + 31))
      }
  })

  it("are refused behind the end of their datagram, where its memory goes on", () => {
    const [bytes] = datagrams
    for (const type of types)
      expect(() => reader(type, bytes!.length - sizeOf(type) + 1)(bytes!)).toThrow(RangeError)
  })

  it("are read anew when the memory of a datagram is reused", () => {
    const bytes = Buffer.alloc(8)
    const read = reader("u16", 2)
    expect(read(bytes)).toBe(0)
    bytes.writeUInt16LE(777, 2)
    expect(read(bytes)).toBe(777)
  })

  it("go to their targets, and a number that is not finite becomes infinite", () => {
    const places = types.flatMap((type, n) =>
      Array.from({ length: 40 }, (_, i) => ({ type, at: 13 * n + i, target: 40 * n + i }))
    )
    const table = new NumberTable(places.toReversed())
    for (const bytes of datagrams) {
      const values = new Float64Array(places.length)
      table.read(bytes, 5, values)
      const wanted = places.map(({ at, type }) => nodes[type](bytes, 5 + at))
      expect([...values]).toEqual(wanted.map((value) => (Number.isFinite(value) ? value : Infinity)))
    }
  })
})
