import { describe, expect, it } from "vitest"
import { isSo, list, meaning } from "../../../src/simulators/packets/parts.ts"
import { Sequence, since } from "../../../src/simulators/packets/Sequence.ts"
import { Struct } from "../../../src/simulators/packets/Struct.ts"

const driver = new Sequence([
  ["name", "longText"],
  ["age", "u8"]
])
const place = new Struct([
  ["x", "f32"],
  ["y", "u16"]
])
const orNone = meaning(
  "i32",
  (ms) => (ms === -1 ? null : ms),
  (ms) => ms ?? -1
)
const car = new Sequence([
  ["type", "u8"],
  ["version", "u16"],
  ["team", "text"],
  ["drivers", list(driver, "u16")],
  ["place", place],
  ["times", list(orNone, "u8")],
  ["isReplay", isSo],
  ["played", "f32", "s", ({ isReplay }) => isReplay === true],
  ["grip", "i16", undefined, since(2)]
])

const values = {
  type: 3,
  version: 2,
  team: "Zoë",
  drivers: [
    { name: "Ü", age: 20 },
    { name: "", age: 30 }
  ],
  place: { x: 0.5, y: 7 },
  times: [1000, null],
  isReplay: true,
  played: 1.5,
  grip: -2
}
const hex =
  "03" +
  "0200" +
  "045a6fc3ab" +
  "0200" +
  "0200c39c" +
  "14" +
  "0000" +
  "1e" +
  "0000003f0700" +
  "02e8030000ffffffff" +
  "01" +
  "0000c03f" +
  "feff"
const bytes = Buffer.from(hex, "hex")

describe("a sequence", () => {
  it("reads fields in their order, and writes them", () => {
    expect(car.read(bytes)).toEqual(values)
    expect(car.encode(values).toString("hex")).toBe(hex)
  })

  it("leaves out absent fields", () => {
    const { grip: _, played: __, ...rest } = values
    const old = { ...rest, version: 1, isReplay: false }
    expect(car.read(car.encode({ ...values, version: 1, isReplay: false }))).toEqual(old)
    expect(car.encode(old)).toHaveLength(bytes.length - 6)
  })

  it("is undefined if a byte is missing, and ignores the bytes behind it", () => {
    for (let length = 0; length < bytes.length; length++) {
      expect(car.read(bytes.subarray(0, length))).toBeUndefined()
      expect(car.placesIn(bytes.subarray(0, length))).toBeUndefined()
    }
    expect(car.read(Buffer.concat([Buffer.alloc(5), bytes, Buffer.alloc(9)]), 5)).toEqual(values)
  })

  it("returns where its fields begin", () => {
    const places = { type: 0, version: 1, team: 3, drivers: 8, place: 18, times: 24, isReplay: 33 }
    expect(car.placesIn(bytes)).toEqual({ ...places, played: 34, grip: 38, end: 40 })
    const old = car.encode({ ...values, version: 1, isReplay: false })
    expect(car.placesIn(old, 0)).toEqual({ ...places, end: 34 })
    expect(car.reader("version")(bytes)).toBe(2)
    expect([...car.places.keys()]).toEqual(["type", "version"])
    expect(() => car.reader("grip")).toThrow("grip")
  })

  it("reads only the requested fields, also behind absent ones", () => {
    const read = car.only("version", "times", "grip")
    expect(read(bytes)).toEqual({ version: 2, times: [1000, null], grip: -2, bytes })
    const replay = car.encode({ ...values, isReplay: false })
    expect(read(replay)).toMatchObject({ times: [1000, null], grip: -2 })
    const old = car.encode({ ...values, version: 1 })
    expect(read(old)?.grip).toBeUndefined()
    for (let length = 0; length < bytes.length; length++) {
      expect(read(bytes.subarray(0, length))).toBeUndefined()
    }
  })

  it("reads no more of a list than there are bytes for, and no control characters", () => {
    const many = new Sequence([["all", list("u8", "u16")]])
    expect(many.read(Buffer.from("ffff0102", "hex"))).toBeUndefined()
    const text = new Sequence([["text", "text"]])
    expect(text.read(Buffer.from("04410a4200", "hex"))).toEqual({ text: "AB" })
    expect(text.encode({ text: "x".repeat(300) })).toHaveLength(256)
  })
})
