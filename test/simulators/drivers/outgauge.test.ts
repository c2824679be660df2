import { describe, expect, it } from "vitest"
import { outGauge, outGaugeWithId, problemWith } from "../../../src/simulators/drivers/outgauge/layout.ts"
import { bytesOf, goldenVectors, haveGolden } from "./interpreting.ts"
import { numbersOf } from "./numbersOf.ts"
import { needing } from "../../support/needing.ts"
import { goldenHere } from "../../support/sharedData.ts"

describe("golden packets", needing(goldenHere), () => {
  const vectors = haveGolden
    ? goldenVectors("lfs.json").filter(({ name }) => name.startsWith("OutGauge"))
    : []

  it("are one with and one without an id", () => {
    expect(vectors.map(({ name }) => name)).toEqual(["OutGauge", "OutGauge with ID"])
  })

  it.each(vectors)("$name decodes to its values", (vector) => {
    const bytes = bytesOf(vector)
    const { Car, Display1, Display2 } = outGauge.readText
    expect(problemWith(bytes)).toBeUndefined()
    expect({
      ...numbersOf(bytes.length === outGauge.size ? outGauge : outGaugeWithId, bytes),
      Car: Car(bytes),
      Display1: Display1(bytes),
      Display2: Display2(bytes)
    }).toMatchObject(vector.expect)
  })
})

describe("OutGauge", () => {
  it("refuses a short packet, accepts one with a third party's additions, and reads texts that fill their field", () => {
    expect(problemWith(Buffer.alloc(91))).toBe("an OutGauge packet of 91 bytes, where 92 are expected")
    expect([problemWith(Buffer.alloc(95)), problemWith(Buffer.alloc(104))]).toEqual([undefined, undefined])
    const bytes = Buffer.alloc(104)
    bytes.write("x".repeat(32), 60)
    bytes.writeInt32LE(-5, 92)
    const { Car, Display1, Display2 } = outGaugeWithId.readText
    const full = "x".repeat(16)
    expect([Car(bytes), Display1(bytes), Display2(bytes), outGaugeWithId.read.ID(bytes)]).toEqual([
      "",
      full,
      full,
      -5
    ])
  })
})
