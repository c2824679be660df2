/** BeamNG.drive: each channel has the values that the emulated car drove. */
import { describe, expect, it } from "vitest"
import { beamNgEmulator } from "../../../simulator/emulators/beamng/BeamNgEmulator.ts"
import { protocol } from "../../../src/simulators/drivers/beamng/BeamNgDriver.ts"
import { motionSim } from "../../../src/simulators/drivers/beamng/layout.ts"
import { outGauge } from "../../../src/simulators/drivers/outgauge/layout.ts"
import type { FieldValues } from "../../../src/simulators/packets/Struct.ts"
import { emulate, type Emulated } from "./emulating.ts"
import { interpret, linkOptions } from "./interpreting.ts"
import { wrongSigns, wrongChannels, declaredChannels } from "./declaredChannels.ts"

const newInterpreter = () => protocol.interpreter(linkOptions())

const gauge = (values: FieldValues) => {
  const bytes = Buffer.alloc(outGauge.size)
  outGauge.write(bytes, 0, { Car: "beam", Speed: 20, ...values })
  return bytes
}

describe("channels of BeamNG.drive", () => {
  const played: Emulated = emulate({
    emulator: beamNgEmulator(),
    interpreter: newInterpreter,
    frames: { laps: 2 }
  })

  it("are what the car did", () => {
    const within = {
      g_lateral: 0.01,
      g_longitudinal: 0.01,
      yaw_rate: 0.01,
      yaw: 0.01,
      pitch: 0.1,
      roll: 0.1,
      velocity_x: 0.001,
      velocity_y: 0.001,
      velocity_z: 0.001,
      fuel_fraction: 0.001,
      oil_temperature: 0.01,
      water_temperature: 0.01
    }
    const byPath = ["g_lateral", "g_longitudinal", "yaw_rate", "yaw", "pitch", "roll"]
    expect(wrongChannels(played, within, byPath)).toEqual([])
    expect(wrongSigns(played)).toEqual([])
  })

  it("do not exist where no packet tells them", () => {
    const reported = declaredChannels(played.events)
    expect(
      ["oil_pressure", "engine_temperature", "pit_limiter", "g_vertical"].filter((name) => reported.has(name))
    ).toEqual([])
  })

  it("read the lights, and no boost without a turbo", () => {
    const lit = [4, 16, 1024, 0].map((ShowLights, n) =>
      gauge({ ShowLights, RPM: n, Turbo: 0.5, Flags: n % 2 === 0 ? 8192 : 0, EngTemp: 90 * (n % 2) })
    )
    const reported = declaredChannels(interpret(newInterpreter(), [...lit, ...lit], 0.3))
    const last = (name: string) => reported.get(name)!.values.slice(-4)
    expect(last("handbrake")).toEqual([1, 0, 0, 0])
    expect(last("tc_active")).toEqual([0, 1, 0, 0])
    expect(last("abs_active")).toEqual([0, 0, 1, 0])
    expect(last("boost")).toEqual([50, Number.NaN, 50, Number.NaN])
    expect(last("water_temperature")).toEqual([Number.NaN, 90, Number.NaN, 90])
    // In the first second the driver does not know which protocols come; of that it tells only the newest values.
    expect(reported.get("handbrake")!.values.length).toBeLessThan(8)
  })

  it("has each field where the sheet has it", () => {
    const bytes = Buffer.alloc(88)
    for (let n = 1; n < 22; n++) bytes.writeFloatLE(n, 4 * n)
    const { read } = motionSim
    expect(motionSim.size).toBe(88)
    expect([
      read.positionX(bytes),
      read.velocityX(bytes),
      read.accelerationX(bytes),
      read.upX(bytes)
    ]).toEqual([1, 4, 7, 10])
    expect([read.roll(bytes), read.yaw(bytes), read.rollRate(bytes), read.yawAcceleration(bytes)]).toEqual([
      13, 15, 16, 21
    ])
  })
})
