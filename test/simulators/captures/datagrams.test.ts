/** Single packets of real games: the drivers recognise and read each one, and no packet of a protocol that they cannot read. */
import { describe, expect, it } from "vitest"
import { FastCheck as fc } from "effect"
import { protocol as f1 } from "../../../src/simulators/drivers/f1/F1Driver.ts"
import { protocols as onF1Port } from "../../../src/simulators/drivers/codemasters/CodemastersDriver.ts"
import { protocol as projectCars2 } from "../../../src/simulators/drivers/project-cars-2/ProjectCars2Driver.ts"
import { linkOptions } from "../drivers/interpreting.ts"
import { eventsOf, recorded } from "../drivers/suite/events.ts"
import { haveCaptures, eventsOfCapture, readCapture } from "./captures.ts"
import { needing } from "../../support/needing.ts"
import { capturesHere } from "../../support/sharedData.ts"

const read = (name: string) => (haveCaptures ? readCapture(name) : [])

const MOTION = 0
const HEADER_BYTES = 29
const CAR_BYTES = 60
const CARS = 22

describe.each([2023, 2024, 2025])("packets of F1 %i", needing(capturesHere), (year) => {
  const captured = read(`f1-${year}-datagrams`)

  it("have a known format, kind and length, and are recognised by no other driver", () => {
    expect(captured.length).toBeGreaterThan(10)
    for (const { bytes } of captured) {
      expect(bytes.readUInt16LE(0)).toBe(year)
      expect(onF1Port.filter((one) => one.recognises(bytes)).map(({ name }) => name)).toEqual(["f1"])
    }
  })

  it("are read without a refusal", () => {
    const events = eventsOfCapture(f1.interpreter(linkOptions()), captured)
    expect(eventsOf(events, "Refused")).toEqual([])
    // A point needs several packets of one frame; the capture has no two such packets of the same frame.
    expect(recorded(events).every(({ batch }) => batch.length === 0)).toBe(true)
  })

  it("have a right-handed world with y up: of every car, forward crossed with up is to the right", () => {
    const motions = captured.filter(({ bytes }) => bytes[6] === MOTION)
    expect(motions.length).toBeGreaterThan(0)
    let cars = 0
    for (const { bytes } of motions) {
      for (let car = 0; car < CARS; car++) {
        const at = HEADER_BYTES + CAR_BYTES * car
        const [x, z] = [bytes.readInt16LE(at + 24) / 32_767, bytes.readInt16LE(at + 28) / 32_767]
        const [rightX, rightZ] = [bytes.readInt16LE(at + 30) / 32_767, bytes.readInt16LE(at + 34) / 32_767]
        if (x === 0 && z === 0) continue
        cars++
        // (x, ., z) crossed with (0, 1, 0) is (-z, ., x).
        expect(-z * rightX + x * rightZ).toBeGreaterThan(0.9)
      }
    }
    expect(cars).toBeGreaterThan(0)
  })
})

describe("packets of Project CARS 1", needing(capturesHere), () => {
  const captured = read("project-cars-1-telemetry")

  it("are named, with advice on the settings", () => {
    expect(captured.length).toBe(60)
    for (const { bytes } of captured) {
      expect(bytes.length).toBe(1367)
      expect(projectCars2.recognises(bytes)).toBe(false)
      expect(projectCars2.otherGame?.(bytes)).toMatchObject({
        game: "Project CARS 1",
        advice: expect.stringContaining("Project CARS 2")
      })
    }
  })

  it("are never taken for our packets, in any state of the race", () => {
    // Their state of the race is where our packets have their type.
    fc.assert(
      fc.property(fc.nat(255), fc.nat(255), fc.nat(59), (state, number, n) => {
        const bytes = Buffer.from(captured[n]!.bytes)
        bytes[10] = state
        bytes[2] = (number & 0xfc) | 0
        expect(projectCars2.recognises(bytes)).toBe(false)
      })
    )
  })

  it("with names are recognised too, and our packets are not taken for theirs", () => {
    for (const [type, length] of [1367, 1347, 1028].entries()) {
      const bytes = Buffer.alloc(length)
      bytes[2] = type | 0x40
      expect(projectCars2.otherGame?.(bytes)?.game).toBe("Project CARS 1")
    }
    for (const length of [24, 308, 538, 556, 559, 1040, 1059, 1063, 1136, 1164, 1452]) {
      expect(projectCars2.otherGame?.(Buffer.alloc(length))).toBeUndefined()
    }
  })
})
