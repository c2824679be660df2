/** BeamNG.drive: channels that its emulator does not send, and the places of fields. */
import { expect, it } from "vitest"
import { protocol } from "../../../../src/simulators/drivers/beamng/BeamNgDriver.ts"
import { motionSim } from "../../../../src/simulators/drivers/beamng/layout.ts"
import { outGauge } from "../../../../src/simulators/drivers/outgauge/layout.ts"
import type { FieldValues } from "../../../../src/simulators/packets/Struct.ts"
import { interpret, linkOptions } from "../interpreting.ts"
import { numbersOf } from "../numbersOf.ts"
import { channelsIn } from "../suite/channels.ts"

const newInterpreter = () => protocol.interpreter(linkOptions())

const gauge = (values: FieldValues) => {
  const bytes = Buffer.alloc(outGauge.size)
  outGauge.write(bytes, 0, { Car: "beam", Speed: 20, ...values })
  return bytes
}

it("reads the lights, and no boost without a turbo", () => {
  const lit = [4, 16, 1024, 0].map((ShowLights, n) =>
    gauge({ ShowLights, RPM: n, Turbo: 0.5, Flags: n % 2 === 0 ? 8192 : 0, EngTemp: 90 * (n % 2) })
  )
  const reported = channelsIn(interpret(newInterpreter(), [...lit, ...lit], 0.3))
  const last = (name: string) => reported.get(name)!.values.slice(-4)
  expect(last("handbrake")).toEqual([1, 0, 0, 0])
  expect(last("tc_active")).toEqual([0, 1, 0, 0])
  expect(last("abs_active")).toEqual([0, 0, 1, 0])
  expect(last("boost")).toEqual([50, Number.NaN, 50, Number.NaN])
  expect(last("water_temperature")).toEqual([Number.NaN, 90, Number.NaN, 90])
  // In the first second the driver does not know which protocols come; it keeps only their newest values.
  expect(reported.get("handbrake")!.values.length).toBeLessThan(8)
})

it("has each field at the sheet's offset", () => {
  const bytes = Buffer.alloc(88)
  for (let n = 1; n < 22; n++) bytes.writeFloatLE(n, 4 * n)
  expect(motionSim.size).toBe(88)
  expect(numbersOf(motionSim, bytes)).toMatchObject({
    positionX: 1,
    positionY: 2,
    positionZ: 3,
    velocityX: 4,
    velocityY: 5,
    velocityZ: 6,
    accelerationX: 7,
    upX: 10,
    roll: 13,
    yaw: 15,
    rollRate: 16,
    yawAcceleration: 21
  })
})
