import { describe, expect, it } from "vitest"
import { decodeOutGauge, type OutGauge } from "../../../src/simulators/drivers/outgauge/decodeOutGauge.ts"
import { bytesOf, goldenVectors, haveGolden } from "./interpreting.ts"
import { needing } from "../../runner/needing.ts"
import { goldenHere } from "../../runner/sharedData.ts"

/** The golden file's names of the fields. */
const namedAsInSheet = (packet: OutGauge | string) =>
  typeof packet === "string"
    ? { refused: packet }
    : {
        Time: packet.time,
        Car: packet.car,
        Flags: packet.flags,
        Gear: packet.gear,
        PLID: packet.plid,
        Speed: packet.speed,
        RPM: packet.rpm,
        Turbo: packet.turbo,
        EngTemp: packet.engineTemperature,
        Fuel: packet.fuel,
        OilPressure: packet.oilPressure,
        OilTemp: packet.oilTemperature,
        DashLights: packet.dashLights,
        ShowLights: packet.showLights,
        Throttle: packet.throttle,
        Brake: packet.brake,
        Clutch: packet.clutch,
        Display1: packet.display1,
        Display2: packet.display2,
        ID: packet.id
      }

describe("golden packets", needing(goldenHere), () => {
  const vectors = haveGolden
    ? goldenVectors("lfs.json").filter(({ name }) => name.startsWith("OutGauge"))
    : []

  it("are one with and one without an id", () => {
    expect(vectors.map(({ name }) => name)).toEqual(["OutGauge", "OutGauge with ID"])
  })

  it.each(vectors)("$name decodes to its values", (vector) => {
    const packet = namedAsInSheet(decodeOutGauge(bytesOf(vector)))
    expect(packet).toMatchObject({ ID: undefined, ...vector.expect })
  })
})

describe("OutGauge", () => {
  it("refuses a short one, takes what a third party adds, and reads texts that fill their field", () => {
    expect(decodeOutGauge(Buffer.alloc(91))).toBe("an OutGauge packet of 91 bytes, where 92 are expected")
    expect(decodeOutGauge(Buffer.alloc(95))).toMatchObject({ id: undefined })
    const bytes = Buffer.alloc(104)
    bytes.write("x".repeat(32), 60)
    bytes.writeInt32LE(-5, 92)
    const full = "x".repeat(16)
    expect(decodeOutGauge(bytes)).toMatchObject({ id: -5, display1: full, display2: full, car: "" })
  })
})
