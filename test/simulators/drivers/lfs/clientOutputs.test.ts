/** The independent npm client node-insim reads our emulator's frequent packets, and sends the packets of our driver. */
import { describe, expect, it } from "vitest"
import { OutGaugePack, OutSimPack, OutSimPack2 } from "node-insim"
import { IS_ISI, IS_MCI, IS_SMALL, IS_TINY, SmallType, TinyType } from "node-insim/packets"
import * as outputs from "../../../../simulator/emulators/lfs/outputs.ts"
import * as packets from "../../../../simulator/emulators/lfs/packets.ts"
import { heard, sent } from "../../../../src/simulators/drivers/lfs/insim.ts"
import { fieldsOf, frameWith, type Unpacks } from "./client.ts"

/** To the west, at 50 m/s. */
const reported: Readonly<Record<string, number>> = {
  yaw: 270,
  velocity_x: -50,
  water_temperature: 88,
  oil_temperature: 99,
  fuel_fraction: 0.5,
  oil_pressure: 300
}
const frame = frameWith((name: string) => reported[name] ?? 0)

describe("node-insim reads our emulator's frequent packets, field by field", () => {
  it.each([
    [
      "OutGauge",
      new OutGaugePack(),
      outputs.outGauge(frame, 7, "XFG", 77),
      {
        Time: 83_456,
        Car: "XFG",
        Flags: 16_384,
        Gear: 4,
        PLID: 7,
        Speed: 50,
        RPM: 6543.5,
        Turbo: 0,
        EngTemp: 88,
        Fuel: 0.5,
        OilPressure: 3,
        OilTemp: 99,
        DashLights: 3,
        ShowLights: 0,
        Throttle: 0.75,
        Brake: 0.125,
        Clutch: 0,
        Display1: "Fuel 50%",
        Display2: "Brake Bal Fr 65%",
        ID: 77
      }
    ],
    [
      "OutSim",
      new OutSimPack(),
      outputs.outSim(frame),
      {
        Time: 83_456,
        Heading: Math.fround(Math.PI / 2),
        Pitch: 0,
        Roll: 0,
        VelX: -50,
        PosX: -6_553_600,
        PosY: 16_416_768,
        PosZ: 196_608
      }
    ]
  ] as ReadonlyArray<readonly [string, Unpacks, Buffer, object]>)("%s", (_, reader, bytes, fields) => {
    expect(fieldsOf(reader, bytes)).toMatchObject(fields)
  })

  it("MCI", () => {
    const position = { plid: 7, lap: 3, x: -100, y: 250, z: 3, speed: 180, heading: Math.PI }
    const { Info, NumC } = fieldsOf(
      new IS_MCI(),
      packets.cars([{ ...position, plid: 3 }, position])
    ) as unknown as IS_MCI
    expect(NumC).toBe(2)
    expect(Info[0]).toMatchObject({ PLID: 3, Info: 0 })
    expect(Info[1]).toMatchObject({
      Node: 0,
      Lap: 3,
      PLID: 7,
      Position: 1,
      Info: 128,
      X: -6_553_600,
      Y: 16_384_000,
      Z: 196_608,
      Speed: 16_384,
      // West: a quarter turn against the clock from the y axis.
      Direction: 16_384,
      Heading: 16_384,
      AngVel: 0
    })
  })

  it("OutSim 2", () => {
    const fields = fieldsOf(new OutSimPack2(0x1ff), outputs.outSim2(frame)) as unknown as OutSimPack2
    expect(fields).toMatchObject({ Header: "LFST", Time: 83_456, Gear: 4, CurrentLapDist: 1234.5 })
    expect(fields.OSMain.Pos).toEqual([-6_553_600, 16_416_768, 196_608])
    expect(fields.OSMain.Vel[0]).toBe(-50)
    expect(fields.OSInputs).toMatchObject({
      Throttle: 0.75,
      Brake: 0.125,
      // Half of the lock, to the left.
      InputSteer: Math.fround((18 / 180) * Math.PI)
    })
    expect((fields.EngineAngVel * 60) / (2 * Math.PI)).toBeCloseTo(6543.5, 2)
  })
})

describe("node-insim", () => {
  it("sends the packets that our driver sends", () => {
    const init = {
      ReqI: 1,
      UDPPort: 30_000,
      Flags: 292,
      InSimVer: 9,
      Interval: 20,
      Admin: "secret",
      IName: "Telemetry"
    }
    expect(Buffer.from(new IS_ISI(init).pack())).toEqual(sent.ISI.encode(init))
    expect(Buffer.from(new IS_TINY({ ReqI: 1, SubT: TinyType.TINY_NPL }).pack())).toEqual(
      heard.TINY.encode({ ReqI: 1, SubT: 14 })
    )
    const ssg = new IS_SMALL({ SubT: SmallType.SMALL_SSG, UVal: 2 })
    expect(Buffer.from(ssg.pack())).toEqual(sent.SMALL.encode({ SubT: 2, UVal: 2 }))
  })
})
