import { describe, expect, it } from "vitest"
import { decodePacket } from "../../../src/simulators/drivers/lfs/decode.ts"
import { carsIn, newCar, readCar } from "../../../src/simulators/drivers/lfs/decodeCars.ts"
import { decodeOutSim, newOutSim } from "../../../src/simulators/drivers/lfs/decodeOutSim.ts"
import { encodeInit } from "../../../src/simulators/drivers/lfs/insim.ts"
import { decodeOutGauge } from "../../../src/simulators/drivers/outgauge/decodeOutGauge.ts"
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
    const car = newCar()
    const cars = carsIn(bytes)
    expect(readCar(bytes, cars as number, 7, car)).toBe(true)
    expect(readCar(bytes, cars as number, 8, newCar())).toBe(false)
    const { direction, heading, info, lap, node, plid, position, speed, turning, x, y, z } = car
    const one = {
      Node: node,
      Lap: lap,
      PLID: plid,
      Position: position,
      Info: info,
      X: x,
      Y: y,
      Z: z,
      Speed: speed,
      Direction: direction,
      Heading: heading,
      AngVel: turning
    }
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
    const gauge = decodeOutGauge(bytes)
    if (typeof gauge === "string") return {}
    return {
      Time: gauge.time,
      Car: gauge.car,
      Flags: gauge.flags,
      Gear: gauge.gear,
      PLID: gauge.plid,
      Speed: gauge.speed,
      RPM: gauge.rpm,
      Turbo: gauge.turbo,
      EngTemp: gauge.engineTemperature,
      Fuel: gauge.fuel,
      OilPressure: gauge.oilPressure,
      OilTemp: gauge.oilTemperature,
      DashLights: gauge.dashLights,
      ShowLights: gauge.showLights,
      Throttle: gauge.throttle,
      Brake: gauge.brake,
      Clutch: gauge.clutch,
      Display1: gauge.display1,
      Display2: gauge.display2
    }
  },
  "OutGauge with ID": (bytes) => {
    const gauge = decodeOutGauge(bytes)
    return typeof gauge === "string" ? {} : { Time: gauge.time, ID: gauge.id }
  },
  OutSim: (bytes) => {
    const sim = newOutSim()
    expect(decodeOutSim(bytes, sim)).toBeUndefined()
    return {
      Time: sim.time,
      AngVelX: sim.angularVelocityX,
      AngVelY: sim.angularVelocityY,
      AngVelZ: sim.angularVelocityZ,
      Heading: sim.heading,
      Pitch: sim.pitch,
      Roll: sim.roll,
      AccelX: sim.accelerationX,
      AccelY: sim.accelerationY,
      AccelZ: sim.accelerationZ,
      VelX: sim.velocityX,
      VelY: sim.velocityY,
      VelZ: sim.velocityZ,
      PosX: sim.x,
      PosY: sim.y,
      PosZ: sim.z
    }
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
