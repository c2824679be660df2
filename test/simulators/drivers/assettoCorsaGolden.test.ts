/** Assetto Corsa: the golden packets, field by field. */
import { describe, expect, it } from "vitest"
import { decode } from "../../../src/simulators/drivers/assetto-corsa/decode.ts"
import { carInfo } from "../../../src/simulators/drivers/assetto-corsa/layout.ts"
import { encodeRequest } from "../../../src/simulators/drivers/assetto-corsa/requests.ts"
import { bytesOf, goldenVectors, haveGolden } from "./interpreting.ts"
import { needing } from "../../runner/needing.ts"
import { goldenHere } from "../../runner/sharedData.ts"

describe("golden packets", needing(goldenHere), () => {
  const vectors = haveGolden ? goldenVectors("assetto-corsa.json") : []
  const named = (begin: string) => vectors.filter(({ name }) => name.startsWith(begin))

  it("requests are ours, byte for byte", () => {
    const requests = named("client ")
    expect(requests).toHaveLength(4)
    requests.forEach((vector, n) => {
      const operation = (["handshake", "subscribeUpdates", "subscribeSpots", "dismiss"] as const)[n]!
      expect(encodeRequest(operation)).toEqual(bytesOf(vector))
    })
  })

  it("handshake answers", () => {
    const answers = named("handshake response")
    expect(answers).toHaveLength(3)
    for (const vector of answers) {
      const { identifier, ...told } = vector.expect
      // The decoder takes no other.
      expect(identifier).toBe(4242)
      expect(decode(bytesOf(vector))).toEqual({ kind: "answer", ...told })
    }
  })

  it("car infos", () => {
    const infos = named("car info")
    expect(infos).toHaveLength(2)
    for (const vector of infos) {
      const bytes = bytesOf(vector)
      const read = (name: keyof typeof carInfo) => carInfo[name](bytes)
      const told = {
        identifier: bytes.toString("latin1", 0, 1),
        size: read("size"),
        speed_Kmh: read("speedKmh"),
        speed_Mph: read("speedMph"),
        speed_Ms: read("speedMs"),
        isAbsEnabled: read("isAbsEnabled"),
        isAbsInAction: read("isAbsInAction"),
        isTcInAction: read("isTcInAction"),
        isTcEnabled: read("isTcEnabled"),
        isInPit: read("isInPit"),
        isEngineLimiterOn: read("isEngineLimiterOn"),
        accG_vertical: read("accelerationUp"),
        accG_horizontal: read("accelerationAside"),
        accG_frontal: read("accelerationAhead"),
        lapTime: read("lapTime"),
        lastLap: read("lastLap"),
        bestLap: read("bestLap"),
        lapCount: read("lapCount"),
        gas: read("gas"),
        brake: read("brake"),
        clutch: read("clutch"),
        engineRPM: read("engineRpm"),
        steer: read("steer"),
        gear: read("gear"),
        cgHeight: read("cgHeight"),
        wheelAngularSpeed: read("wheelAngularSpeed"),
        slipAngle: read("slipAngle"),
        slipAngle_ContactPatch: read("slipAngleContactPatch"),
        slipRatio: read("slipRatio"),
        tyreSlip: read("tyreSlip"),
        ndSlip: read("ndSlip"),
        load: read("load"),
        Dy: read("dy"),
        Mz: read("mz"),
        tyreDirtyLevel: read("tyreDirtyLevel"),
        camberRAD: read("camber"),
        tyreRadius: read("tyreRadius"),
        tyreLoadedRadius: read("tyreLoadedRadius"),
        suspensionHeight: read("suspensionHeight"),
        carPositionNormalized: read("carPositionNormalized"),
        carSlope: read("carSlope"),
        carCoordinates: [read("x"), read("y"), read("z")]
      }
      expect(told).toEqual(vector.expect)
      expect(decode(bytes)).toEqual({
        kind: "car",
        speed: told.speed_Kmh,
        isInPit: told.isInPit,
        lapTime: told.lapTime,
        lastLap: told.lastLap,
        lapCount: told.lapCount,
        gas: told.gas,
        brake: told.brake,
        rpm: told.engineRPM,
        steer: told.steer,
        gear: told.gear,
        x: read("x"),
        y: read("y"),
        z: read("z")
      })
    }
  })

  it("laps of any car", () => {
    const [vector] = named("lap")
    const { carIdentifierNumber, ...told } = vector!.expect
    expect(decode(bytesOf(vector!))).toEqual({ kind: "spot", carIndex: carIdentifierNumber, ...told })
  })
})
