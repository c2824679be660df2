/** Gran Turismo 7: the golden packets both ways, as points, and a recorded lap that is not mirrored. */
import { salsa20 } from "@noble/ciphers/salsa.js"
import { describe, expect, it } from "vitest"
import { ABSENT } from "../../../../src/domain/RowBatch.ts"
import { encrypt } from "../../../../simulator/emulators/gt7/packets.ts"
import { Decryption, MAGIC } from "../../../../src/simulators/drivers/gt7/cipher.ts"
import { Gt7Interpreter } from "../../../../src/simulators/drivers/gt7/Gt7Interpreter.ts"
import { type Gt7Packet, type Heartbeat, packets } from "../../../../src/simulators/drivers/gt7/layout.ts"
import type { FieldValues } from "../../../../src/simulators/packets/Struct.ts"
import { bytesOf, goldenVectors, haveGolden, interpret } from "../interpreting.ts"
import { pointAt, recorded, signedArea } from "../suite/events.ts"
import { needing } from "../../../support/needing.ts"
import { goldenHere } from "../../../support/sharedData.ts"

/** All of a packet by the table's names, which are those of the golden file; gears and surfaces as that has them, too. */
const valuesOf = (plain: Buffer, packet: Gt7Packet): object => {
  const { gears, surface0, surface1, surface2, surface3, ...values } = packet.values(plain)
  return {
    ...values,
    length: packet.size,
    gear: gears & 0x0f,
    suggestedGear: gears >> 4,
    surface: String.fromCharCode(surface0, surface1, surface2, surface3)
  }
}

const newInterpreter = () => new Gt7Interpreter(900)

describe("Salsa20", () => {
  // ECRYPT's verified vectors, 256 bit keys: set 1, vector 0.
  it("makes the stream of the specification", () => {
    const key = new Uint8Array(32)
    key[0] = 0x80
    expect(Buffer.from(salsa20(key, new Uint8Array(8), new Uint8Array(64))).toString("hex")).toBe(
      "e3be8fdd8beca2e3ea8ef9475b29a6e7003951e1097a5c38d23b7a5fad9f6844" +
        "b22c97559e2723c7cbbd3fe4fc8d9a0744652a83e72a9c461876af4d7ef1a117"
    )
  })
})

describe("golden packets of the console", needing(goldenHere), () => {
  const vectors = haveGolden ? goldenVectors("gt7.json") : []

  it.each(vectors)("$name decrypts and decodes", (vector) => {
    const decryption = new Decryption()
    const plain = decryption.read(bytesOf(vector))!
    const expected = Buffer.from(String(vector["plainHex"]), "hex")
    // The nonce's place means nothing in plain.
    for (const bytes of [plain, expected]) bytes.writeUInt32LE(0, 0x40)
    expect(plain.toString("hex")).toBe(expected.toString("hex"))
    expect(decryption.heartbeat).toBe(vector.expect["heartbeat"])
    const { heartbeat: _, ...reported } = vector.expect
    expect(valuesOf(plain, packets[decryption.heartbeat!])).toMatchObject(reported)
  })

  it.each(vectors)("$name: the same bytes are written", (vector) => {
    const { expect: values } = vector
    const letters = [...String(values["surface"] ?? "")]
    const fields = {
      ...values,
      magic: MAGIC,
      gears: (Number(values["suggestedGear"]) << 4) | Number(values["gear"]),
      ...Object.fromEntries(letters.map((letter, n) => [`surface${n}`, letter.charCodeAt(0)]))
    }
    const plain = Buffer.alloc(Number(values["length"]))
    packets[values["heartbeat"] as Heartbeat].write(plain, 0, fields as FieldValues)
    expect(plain.toString("hex")).toBe(vector["plainHex"])
  })

  it.each(vectors)("$name is what our emulator encrypts", (vector) => {
    const plain = Buffer.from(String(vector["plainHex"]), "hex")
    const bytes = encrypt(plain, vector.expect["heartbeat"] as Heartbeat, Number(vector["iv1"]))
    expect(bytes.toString("hex")).toBe(vector.hex)
  })

  it("become points in our units and axes", () => {
    for (const vector of vectors) {
      const [session] = recorded(interpret(newInterpreter(), [bytesOf(vector)]))
      expect(session).toMatchObject({ circuit: "", vehicle: "GT7 car 3582", lapNumber: [2] })
      expect(pointAt(session!.batch, 0)).toEqual({
        timestamp: 100,
        speed: 180,
        rpm: 7321.5,
        gear: 4,
        throttle: 1,
        brake: 0.2,
        steering: vector.name === "format A" ? ABSENT : 0.25 / (2.5 * Math.PI),
        position_x: -373.75,
        position_y: 699.875,
        position_z: 118.125
      })
    }
  })

  it("decrypt with another format's mask", () => {
    const plain = Buffer.from(String(vectors[1]!["plainHex"]), "hex")
    expect(packets.B.read.carCode(new Decryption().read(encrypt(plain, "A"))!)).toBe(3582)
    expect(packets.B.read.carCode(new Decryption().read(encrypt(plain, "~"))!)).toBe(3582)
  })

  it("have the wheel by the lock that the user states", () => {
    const [session] = recorded(interpret(new Gt7Interpreter(90), [bytesOf(vectors[1]!)]))
    expect(session!.batch.column("steering")[0]).toBeCloseTo(1 / Math.PI, 9)
  })
})

/** x and z of a recorded lap of Brands Hatch Indy, from the line through its first corner (zetetos/gt-telemetry, MIT). */
const PADDOCK_HILL = [
  [-139.29, -399.3],
  [-84.34, -428.07],
  [-10.28, -459.13],
  [38.22, -467.93],
  [56.61, -466.5],
  [154.52, -375.32],
  [159.77, -305.57],
  [155.87, -218.28]
] as const

it("never mirrors a map: Paddock Hill is a right-hander", () => {
  const datagrams = PADDOCK_HILL.map(([x, z], n) => {
    const plain = Buffer.alloc(296)
    plain.write("0S7G", "latin1")
    plain.writeFloatLE(x, 4)
    plain.writeFloatLE(z, 12)
    plain.writeInt32LE(n, 0x70)
    plain.writeInt16LE(1, 0x8e)
    return encrypt(plain, "A")
  })
  const { batch } = recorded(interpret(newInterpreter(), datagrams))[0]!
  expect(batch.length).toBe(PADDOCK_HILL.length)
  // Clockwise, seen from above.
  expect(signedArea(batch.column("position_x"), batch.column("position_y"))).toBeLessThan(0)
})
