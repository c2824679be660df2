/** Which bytes are datagrams of F1. */
import { readFileSync } from "node:fs"
import { describe, expect, it } from "vitest"
import { protocol } from "../../../../src/simulators/drivers/f1/F1Driver.ts"
import { formats, layoutOf } from "../../../../src/simulators/drivers/f1/layout.ts"
import { needing } from "../../../support/needing.ts"
import { goldenHere, sharedFolder } from "../../../support/sharedData.ts"
import { Game } from "./packets.ts"

const layoutsFile = sharedFolder("protocols/f1-layouts.json")

const reasonOf = (bytes: Buffer) => {
  const game = new Game()
  game.deliver(bytes)
  expect(protocol.recognises(bytes)).toBe(false)
  return game.events.flatMap((event) => (event._tag === "Refused" ? [event.reason] : []))
}

describe("datagrams of F1", () => {
  it("have the sheet's sizes", needing(goldenHere), () => {
    const sheet = JSON.parse(readFileSync(layoutsFile, "utf8")) as {
      readonly formats: Readonly<
        Record<
          string,
          {
            readonly cars: number
            readonly packets: Readonly<Record<string, { readonly datagramSize: number }>>
          }
        >
      >
    }
    for (const format of formats) {
      const { cars: count, packets } = sheet.formats[format]!
      const { cars: ours, sizes } = layoutOf(format)!
      expect(ours).toBe(count)
      expect(Object.entries(packets).map(([id, { datagramSize }]) => [Number(id), datagramSize])).toEqual(
        sizes.flatMap((size, id) => (size !== undefined && String(id) in packets ? [[id, size]] : []))
      )
    }
  })

  const whole = new Game(2025).packet("motion")
  const with16 = (at: number, value: number) => {
    const bytes = Buffer.from(whole)
    bytes.writeUInt16LE(value, at)
    return bytes
  }

  it("are recognised by their format, packet and length", () => {
    expect(protocol.recognises(whole)).toBe(true)
    expect(protocol.hint?.(whole)).toBeUndefined()
    expect(reasonOf(whole.subarray(0, 20))).toEqual(["an F1 packet has at least 29 bytes, not 20"])
    expect(reasonOf(whole.subarray(0, 700))).toEqual(["packet 0 of F1 format 2025 has 1349 bytes, not 700"])
    expect(reasonOf(with16(6, 16))).toEqual(["F1 format 2025 has no packet 16"])
    expect(reasonOf(with16(6, 99))).toEqual(["F1 format 2025 has no packet 99"])
    expect(reasonOf(with16(0, 2027))).toEqual(["F1 format 2027 is not one of 2023, 2024, 2025, 2026"])
  })

  it("of a format that the driver cannot read have advice", () => {
    const old = Buffer.alloc(1464)
    old.writeUInt16LE(2022, 0)
    old.set([1, 3, 1, 6], 2)
    expect(protocol.hint?.(old)).toBe(
      "F1 format 2022 is too old: choose 2023 to 2026 as the UDP format in the game's telemetry settings"
    )
    expect(protocol.hint?.(with16(0, 2027))).toMatch("F1 format 2027 is not known: choose 2023 to 2026")
    // Other simulators' bytes, and our own that were cut.
    expect(
      [Buffer.alloc(1), Buffer.alloc(264), whole.subarray(0, 700)].map((bytes) => protocol.hint?.(bytes))
    ).toEqual([undefined, undefined, undefined])
  })
})
