/** Forza: the golden packets both ways, as points, and which datagrams are recognised. */
import { describe, expect, it } from "vitest"
import { protocol } from "../../../../src/simulators/drivers/forza/ForzaDriver.ts"
import { formatOf } from "../../../../src/simulators/drivers/forza/formats.ts"
import { sledPacket } from "../../../../src/simulators/drivers/forza/layout.ts"
import { tracks } from "../../../../src/simulators/drivers/forza/tracks.ts"
import type { FieldValues } from "../../../../src/simulators/packets/Struct.ts"
import { bytesOf, goldenVectors, haveGolden, interpret, linkOptions } from "../interpreting.ts"
import { pointAt, recorded } from "../suite/events.ts"
import { needing } from "../../../support/needing.ts"
import { goldenHere } from "../../../support/sharedData.ts"

const newInterpreter = () => protocol.interpreter(linkOptions())
const packetOf = (bytes: Buffer) => formatOf(bytes)?.packet ?? sledPacket

describe("golden packets of Data Out", needing(goldenHere), () => {
  const vectors = haveGolden ? goldenVectors("forza.json") : []

  it.each(vectors)("$name: every field reads as in the sheet", (vector) => {
    const bytes = bytesOf(vector)
    const read: Readonly<Record<string, (bytes: Buffer) => number>> = packetOf(bytes).read
    const seen = Object.fromEntries(Object.keys(vector.expect).map((name) => [name, read[name]?.(bytes)]))
    expect(seen).toEqual(vector.expect)
  })

  it.each(vectors)("$name: the same bytes are written", (vector) => {
    const bytes = bytesOf(vector)
    const written = Buffer.alloc(bytes.length)
    packetOf(bytes).write(written, 0, vector.expect as FieldValues)
    expect(written).toEqual(bytes)
  })

  it("become points in our units and axes", () => {
    const points = goldenVectors("forza.json")
      .filter(({ name }) => name !== "sled")
      .map((vector) => recorded(interpret(newInterpreter(), [bytesOf(vector)]))[0]!)
    expect(points.map(({ circuit }) => circuit)).toEqual([
      "",
      "Silverstone Racing Circuit - Grand Prix Circuit",
      "Forza Horizon"
    ])
    for (const { batch, lapNumber, vehicle } of points) {
      expect(vehicle).toBe("Car #2345")
      expect(lapNumber).toEqual([3])
      expect(pointAt(batch, 0)).toEqual({
        timestamp: 100,
        speed: 44.5 * 3.6,
        rpm: 6543.25,
        gear: 4,
        throttle: 1,
        brake: 0.2,
        steering: -64 / 127,
        position_x: -1234.5,
        position_y: 987.75,
        position_z: 12.25
      })
    }
  })
})

describe("a datagram of Forza", () => {
  it("is recognised by the length and the first field", () => {
    for (const length of [311, 323, 324, 331]) expect(protocol.recognises(Buffer.alloc(length))).toBe(true)
    for (const length of [0, 232, 310, 312, 325, 332])
      expect(protocol.recognises(Buffer.alloc(length))).toBe(false)
    expect(protocol.recognises(Buffer.alloc(331, 0xff))).toBe(false)
  })

  it("does not use the Sled format, and gives advice", () => {
    expect(protocol.hint?.(Buffer.alloc(232))).toContain("Data Out format to Dash")
    expect(protocol.hint?.(Buffer.alloc(232, 0xff))).toBeUndefined()
    expect(protocol.hint?.(Buffer.alloc(100))).toBeUndefined()
  })

  it("knows the 73 circuits of the sheet", () => {
    expect(tracks.size).toBe(73)
    expect(tracks.get(860)).toBe("Brands Hatch - Grand Prix Circuit")
    expect(tracks.get(861)).toBe("Brands Hatch - Indy Circuit")
  })
})
