import { describe, expect, it } from "vitest"
import { decodePacket } from "../../../src/simulators/drivers/lfs/decode.ts"
import { carAt, carsIn } from "../../../src/simulators/drivers/lfs/decodeCars.ts"
import { mainAt, problemWith } from "../../../src/simulators/drivers/lfs/decodeOutSim.ts"
import { encodeInit } from "../../../src/simulators/drivers/lfs/insim.ts"
import { compCar, motion } from "../../../src/simulators/drivers/lfs/layout.ts"
import { outGauge, outGaugeWithId } from "../../../src/simulators/drivers/outgauge/layout.ts"
import { numbersOf } from "./numbersOf.ts"
import { bytesOf, goldenVectors, haveGolden } from "./interpreting.ts"
import { needing } from "../../runner/needing.ts"
import { goldenHere } from "../../runner/sharedData.ts"

const typed = (type: number, tag: string, bytes: Buffer) => {
  const packet = decodePacket(bytes)
  expect(packet).toMatchObject({ _tag: tag })
  return { Type: type, ...(packet as object) } as Record<string, unknown>
}

/** What the decoders read of each vector, by the names of the golden file. */
const decoded: Readonly<Record<string, (bytes: Buffer) => Record<string, unknown>>> = {
  "IS_ISI (client)": (bytes) => {
    // What we send and never read: the values of the file must give its bytes.
    const init = { udpPort: 30_000, flags: 36, interval: 100, adminPassword: "secret", name: "Telemetry Svc" }
    const isSame = encodeInit(init).equals(bytes)
    const { adminPassword: Admin, flags: Flags, interval: Interval, name: IName, udpPort: UDPPort } = init
    return isSame ? { Type: 1, ReqI: 1, InSimVer: 9, Admin, Flags, IName, Interval, UDPPort } : {}
  },
  IS_VER: (bytes) => {
    const {
      Type,
      request: ReqI,
      version: Version,
      product: Product,
      inSimVersion: InSimVer
    } = typed(2, "Version", bytes)
    return { Type, ReqI, Version, Product, InSimVer }
  },
  IS_STA: (bytes) => {
    const p = typed(5, "State", bytes)
    return {
      Type: p["Type"],
      ReplaySpeed: p["replaySpeed"],
      Flags: p["flags"],
      InGameCam: p["camera"],
      ViewPLID: p["viewed"],
      NumP: p["players"],
      NumConns: p["connections"],
      NumFinished: p["finished"],
      RaceInProg: p["race"],
      QualMins: p["qualifyingMinutes"],
      RaceLaps: p["laps"],
      ServerStatus: p["serverStatus"],
      Track: p["track"],
      Weather: p["weather"],
      Wind: p["wind"]
    }
  },
  IS_NPL: (bytes) => {
    const p = typed(21, "Player", bytes)
    const [TyreRL, TyreRR, TyreFL, TyreFR] = p["tyres"] as ReadonlyArray<number>
    return {
      Type: p["Type"],
      PLID: p["plid"],
      UCID: p["connection"],
      PType: p["kind"],
      Flags: p["flags"],
      PName: p["name"],
      Plate: p["plate"],
      CName: p["car"],
      SName: p["skin"],
      TyreRL,
      TyreRR,
      TyreFL,
      TyreFR,
      H_Mass: p["mass"],
      H_TRes: p["restriction"],
      SetF: p["setup"],
      NumP: p["players"],
      Fuel: p["fuel"]
    }
  },
  IS_SPX: (bytes) => {
    const p = typed(25, "Split", bytes)
    return {
      Type: p["Type"],
      PLID: p["plid"],
      STime: p["time"],
      ETime: p["elapsed"],
      Split: p["split"],
      Penalty: p["penalty"],
      NumStops: p["stops"],
      Fuel200: p["fuel"]
    }
  },
  IS_LAP: (bytes) => {
    const p = typed(24, "Lap", bytes)
    return {
      Type: p["Type"],
      PLID: p["plid"],
      LTime: p["time"],
      ETime: p["elapsed"],
      LapsDone: p["lapsDone"],
      Flags: p["flags"],
      Penalty: p["penalty"],
      NumStops: p["stops"],
      Fuel200: p["fuel"]
    }
  },
  IS_MCI: (bytes) => {
    const cars = carsIn(bytes) as number
    const at = carAt(bytes, cars, 7)
    expect([at, carAt(bytes, cars, 8)]).toEqual([4, -1])
    const { Sp3: _, ...one } = numbersOf(compCar, bytes, at)
    return { Type: bytes[1], NumC: cars, Info: [one] }
  },
  IS_RST: (bytes) => {
    const p = typed(17, "RaceStart", bytes)
    const [Split1, Split2, Split3] = p["splits"] as ReadonlyArray<number>
    return {
      Type: p["Type"],
      RaceLaps: p["laps"],
      QualMins: p["qualifyingMinutes"],
      NumP: p["players"],
      Timing: p["timing"],
      Track: p["track"],
      Weather: p["weather"],
      Wind: p["wind"],
      Flags: p["flags"],
      NumNodes: p["nodes"],
      Finish: p["finish"],
      Split1,
      Split2,
      Split3
    }
  },
  "IS_TINY keep-alive": (bytes) => {
    const { Type, subType: SubT } = typed(3, "Tiny", bytes)
    return { Type, SubT }
  },
  IS_PLL: (bytes) => {
    const { Type, plid: PLID } = typed(23, "Leave", bytes)
    return { Type, PLID }
  },
  IS_FIN: (bytes) => {
    const p = typed(34, "Finish", bytes)
    return {
      Type: p["Type"],
      PLID: p["plid"],
      TTime: p["total"],
      BTime: p["best"],
      NumStops: p["stops"],
      Confirm: p["confirmed"],
      LapsDone: p["lapsDone"],
      Flags: p["flags"]
    }
  },
  OutGauge: (bytes) => {
    const { Car, Display1, Display2 } = outGauge.readText
    const texts = { Car: Car(bytes), Display1: Display1(bytes), Display2: Display2(bytes) }
    return { ...numbersOf(outGauge, bytes), ...texts }
  },
  "OutGauge with ID": (bytes) => {
    const { ID, Time } = numbersOf(outGaugeWithId, bytes)
    return { Time, ID }
  },
  OutSim: (bytes) => {
    expect([problemWith(bytes), mainAt(bytes)]).toEqual([undefined, 0])
    return numbersOf(motion, bytes)
  }
}

describe("the golden packets", needing(goldenHere), () => {
  it.each(haveGolden ? goldenVectors("lfs.json") : [])("$name", (vector) => {
    expect(decoded[vector.name]!(bytesOf(vector))).toEqual(vector.expect)
  })

  it("too short by one unit are refused", () => {
    for (const vector of goldenVectors("lfs.json")) {
      if (!vector.name.startsWith("IS_") || vector.name === "IS_ISI (client)") continue
      const whole = bytesOf(vector)
      const bytes = whole.subarray(0, Math.max(2, whole.length - 4))
      const refusal = bytes[1] === 38 ? carsIn(bytes) : decodePacket(bytes)
      expect([vector.name, typeof refusal]).toEqual([vector.name, "string"])
    }
  })
})
