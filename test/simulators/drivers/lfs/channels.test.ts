/** Live for Speed: node-insim, an independent npm client, reads the values of our channels. */
import { describe, expect, it } from "vitest"
import { OutGaugePack, OutSimPack2 } from "node-insim"
import { ABSENT } from "../../../../src/domain/RowBatch.ts"
import * as packets from "../../../../simulator/emulators/lfs/packets.ts"
import * as outputs from "../../../../simulator/emulators/lfs/outputs.ts"
import { MAIN_AT, motion, outSim2 } from "../../../../src/simulators/drivers/lfs/layout.ts"
import { outGauge } from "../../../../src/simulators/drivers/outgauge/layout.ts"
import { fieldsOf, frameWith } from "./client.ts"
import { LfsWorld, OURS } from "./world.ts"
import { channelsIn } from "../suite/channels.ts"

/** A frame whose channels are all different. */
const frame = frameWith(
  (name: string) => 1 + ([...name].reduce((sum, c) => sum * 31 + c.charCodeAt(0), 7) % 89)
)

describe("node-insim reads our values", () => {
  it("of OutSim 2, field by field", () => {
    const bytes = outputs.outSim2(frame)
    const theirs = fieldsOf(new OutSimPack2(0x1ff), bytes) as unknown as OutSimPack2
    const { read } = outSim2
    const main = motion.read
    const at = (name: keyof typeof main) => main[name](bytes, MAIN_AT)
    expect([at("AngVelX"), at("AngVelY"), at("AngVelZ")]).toEqual(theirs.OSMain.AngVel)
    expect([at("AccelX"), at("AccelY"), at("AccelZ")]).toEqual(theirs.OSMain.Accel)
    expect([at("VelX"), at("VelY"), at("VelZ")]).toEqual(theirs.OSMain.Vel)
    expect([at("Heading"), at("Pitch"), at("Roll")]).toEqual([
      theirs.OSMain.Heading,
      theirs.OSMain.Pitch,
      theirs.OSMain.Roll
    ])
    expect([read.Clutch(bytes), read.Handbrake(bytes), read.SteerTorque(bytes)]).toEqual([
      theirs.OSInputs.Clutch,
      theirs.OSInputs.Handbrake,
      theirs.SteerTorque
    ])
    expect([read.CurrentLapDist(bytes), read.MaxTorqueAtVel(bytes)]).toEqual([
      theirs.CurrentLapDist,
      theirs.MaxTorqueAtVel
    ])
    for (const [n, end] of (["RL", "RR", "FL", "FR"] as const).entries()) {
      expect(theirs.OSWheels[n]).toMatchObject({
        SuspDeflect: read[`SuspDeflect${end}`](bytes),
        VerticalLoad: read[`VerticalLoad${end}`](bytes),
        AngVel: read[`AngVel${end}`](bytes),
        LeanRelToRoad: read[`LeanRelToRoad${end}`](bytes),
        AirTemp: read[`AirTemp${end}`](bytes),
        SlipFraction: read[`SlipFraction${end}`](bytes),
        Touching: read[`Touching${end}`](bytes),
        SlipRatio: read[`SlipRatio${end}`](bytes),
        TanSlipAngle: read[`TanSlipAngle${end}`](bytes)
      })
    }
  })

  it("and its OutGauge and OutSim 2 have the values of our channels", () => {
    const gauge = outputs.outGauge(frame, OURS, "XFG")
    outGauge.write(gauge, 0, { Turbo: 0.25, Flags: 8192, ShowLights: 8 + 1024, Clutch: 0.5 })
    const sim = outputs.outSim2(frame)
    const theirs = fieldsOf(new OutGaugePack(), gauge) as unknown as OutGaugePack
    const other = fieldsOf(new OutSimPack2(0x1ff), sim) as unknown as OutSimPack2
    const reported = channelsIn(
      new LfsWorld()
        .begun()
        // The session begins with the first of them.
        .udp(outputs.outGauge({ ...frame, sessionTime: 83.45 }, OURS, "XFG"))
        .udp(outputs.outSim2({ ...frame, sessionTime: 83.44 }))
        .udp(outputs.outGauge({ ...frame, sessionTime: 83.452 }, OURS, "XFG"), sim, gauge).events
    )
    const last = (name: string) => reported.get(name)!.values.at(-1)!
    expect([last("engine_temperature"), last("oil_temperature"), last("fuel_fraction")]).toEqual([
      theirs.EngTemp,
      theirs.OilTemp,
      theirs.Fuel
    ])
    expect([last("boost"), last("oil_pressure")]).toEqual([
      Math.fround(theirs.Turbo * 100),
      Math.fround(theirs.OilPressure * 100)
    ])
    expect([last("pit_limiter"), last("abs_active"), last("tc_active")]).toEqual([1, 1, 0])
    // OutSim 2 has the pedal and the lever themselves.
    expect([last("clutch"), last("handbrake")]).toEqual([other.OSInputs.Clutch, other.OSInputs.Handbrake])
    const { AngVel, SlipRatio, SuspDeflect, TanSlipAngle, VerticalLoad } = other.OSWheels[2]!
    expect([last("wheel_load_fl"), last("wheel_rotation_fl"), last("slip_ratio_fl")]).toEqual([
      VerticalLoad,
      AngVel,
      SlipRatio
    ])
    expect(last("suspension_travel_fl")).toBe(Math.fround(SuspDeflect * 1000))
    expect(last("slip_angle_fl")).toBeCloseTo((Math.atan(TanSlipAngle) * 180) / Math.PI, 4)
    expect(last("lap_distance")).toBe(1234.5)
    // To the north with a heading of 0, a quarter turn of it to the west: west of north is left.
    const { Accel, Heading, Vel } = other.OSMain
    const right = Math.cos(Heading) * Accel[0]! + Math.sin(Heading) * Accel[1]!
    expect(last("g_lateral")).toBeCloseTo(right / 9.80665, 4)
    expect([last("velocity_x"), last("velocity_y"), last("velocity_z")]).toEqual(Vel)
    expect(last("yaw")).toBeCloseTo(((((-Heading * 180) / Math.PI) % 360) + 360) % 360, 3)
  })

  it("show whether the car is in the pit lane once LFS has reported it", () => {
    const world = new LfsWorld().begun().drive(0, 1).car(1).drive(0.01, 1)
    for (const [n, fact] of [2, 0, 1].entries()) {
      world
        .tcp(packets.pitLane(OURS, fact), packets.pitLane(9, fact === 0 ? 1 : 0))
        .car(1)
        .drive((n + 2) / 100, 1)
    }
    world.tcp(packets.pits(OURS)).player().car(1).drive(1, 1)
    expect(channelsIn(world.events).get("in_pit")!.values).toEqual([ABSENT, 1, 0, 1, ABSENT])
  })
})
