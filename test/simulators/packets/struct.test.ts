import { FastCheck as fc } from "effect"
import { describe, expect, it } from "vitest"
import { at, each, Struct } from "../../../src/simulators/packets/Struct.ts"

const i = (min: number, max: number) => fc.integer({ min, max })
const values = fc.record({
  a: i(0, 255),
  b: i(-128, 127),
  c: i(0, 65_535),
  d: i(-32_768, 32_767),
  e: i(0, 4_294_967_295),
  f: i(-2_147_483_648, 2_147_483_647),
  g: fc.float({ noNaN: true }),
  h: fc.double({ noNaN: true }),
  u: fc.bigInt({ min: 0n, max: 0xffff_ffff_ffff_ffffn })
})

const fields = [
  ["a", "u8"],
  ["b", "i8"],
  ["c", "u16"],
  ["d", "i16"],
  ["e", "u32"],
  ["f", "i32"],
  ["g", "f32"],
  ["h", "f64"],
  ["u", "u64"]
] as const

describe("a structure", () => {
  it("reads a DataView's numbers, and writes them", () => {
    const struct = new Struct(fields)
    expect(struct.size).toBe(34)
    fc.assert(
      fc.property(values, fc.nat(9), (given, base) => {
        const bytes = Buffer.alloc(base + struct.size + 1)
        const view = new DataView(bytes.buffer, bytes.byteOffset + base)
        const little = true
        view.setUint8(0, given.a)
        view.setInt8(1, given.b)
        view.setUint16(2, given.c, little)
        view.setInt16(4, given.d, little)
        view.setUint32(6, given.e, little)
        view.setInt32(10, given.f, little)
        view.setFloat32(14, given.g, little)
        view.setFloat64(18, given.h, little)
        view.setBigUint64(26, given.u, little)
        const { read } = struct
        const seen = [read.a, read.b, read.c, read.d, read.e, read.f, read.g, read.h].map((one) =>
          one(bytes, base)
        )
        const { u, ...rest } = given
        expect(seen).toEqual(Object.values(rest))
        expect(struct.readBig.u(bytes, base)).toBe(u)
        const written = Buffer.alloc(bytes.length)
        struct.write(written, base, { ...given, unknown: 1 })
        expect(written).toEqual(bytes)
      })
    )
  })

  it("places fields one after another, or at a stated offset", () => {
    const struct = new Struct([
      ...each(["X", "Y"], "place", "u16"),
      ["rest", 3],
      ...at(16, [
        ["late", "u8"],
        ["later", "u8"]
      ])
    ])
    const bytes = Buffer.from(Array.from({ length: 18 }, (_, n) => n))
    const { late, later, placeX, placeY } = struct.read
    expect([placeX(bytes), placeY(bytes), late(bytes), later(bytes)]).toEqual([0x0100, 0x0302, 16, 17])
    expect(struct.size).toBe(18)
    // Fields that are not decoded have no reader, and are not written.
    expect(Object.keys(struct.read)).toEqual(["placeX", "placeY", "late", "later"])
    expect(struct.readBytes.rest(bytes)).toEqual(Buffer.of(4, 5, 6))
    struct.write(bytes, 0, { rest: Buffer.of(9) })
    expect(struct.readBytes.rest(bytes)).toEqual(Buffer.of(9, 0, 0))
    expect(bytes[7]).toBe(7)
  })

  it("reads all values by name, and writes them again", () => {
    const struct = new Struct([
      ["number", "f32"],
      ["big", "u64"],
      ["text", "text4"],
      ["rest", 2],
      [
        "latin",
        { bytes: 3, decode: (bytes) => bytes.toString("latin1"), encode: (v) => Buffer.from(v, "latin1") }
      ]
    ])
    const values = { number: 0.5, big: 7n, text: "Zoë", rest: Buffer.of(1, 2), latin: "Zoë" }
    const bytes = struct.bytes(values)
    expect(bytes.toString("hex")).toBe("0000003f07000000000000005a6fc3ab01025a6feb")
    expect(struct.values(bytes)).toEqual(values)
    expect(struct.values(Buffer.concat([Buffer.alloc(9), bytes]), 9)).toEqual(values)
    expect([struct.fits(bytes), struct.fits(bytes, 1)]).toEqual([true, false])
    expect(struct.bytes({ latin: "Zoëlle" })).toEqual(struct.bytes({ latin: "Zoë" }))
  })

  it("cuts text to its field's size, in whole characters, and reads it up to the first zero", () => {
    const struct = new Struct([
      ["name", "text8"],
      ["after", "u8"]
    ])
    const bytes = Buffer.alloc(9, 0xff)
    const written = (name: string) => {
      struct.write(bytes, 0, { name })
      return struct.readText.name(bytes)
    }
    expect([written("Zoë"), written("Žižkovská"), written("12345678"), written("")]).toEqual([
      "Zoë",
      "Žiž…",
      "12345678",
      ""
    ])
    expect(struct.read.after(bytes)).toBe(255)
    // A game that cuts a character in two.
    Buffer.from("abcdefgë").copy(bytes, 0, 0, 8)
    expect(struct.readText.name(bytes)).toBe("abcdefg")
    Buffer.from("abcdefë").copy(bytes, 0, 0, 7)
    bytes[7] = 0
    expect(struct.readText.name(bytes)).toBe("abcdef")
  })

  it("reads text as windows-1252 if it is no UTF-8", () => {
    const { readText } = new Struct([["name", "text8"]])
    const read = (...codes: ReadonlyArray<number>) =>
      readText.name(Buffer.from([...codes, ...Array(8).fill(0)]).subarray(0, 8))
    expect(read(0x56, 0xe4, 0x6c, 0xe9)).toBe("Välé")
    expect(read(0x80, 0x31)).toBe("€1")
    expect(read(0x56, 0xe4, 0x6c, 0xe9, 0x56, 0xe4, 0x6c, 0xe9)).toBe("VäléVälé")
    expect(read(...Buffer.from("Välé"))).toBe("Välé")
  })
})
