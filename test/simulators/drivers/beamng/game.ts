/** BeamNG.drive: OutGauge and MotionSim to one port, without a clock, a lap or a name. */
import { beamNgEmulator } from "../../../../simulator/emulators/beamng/BeamNgEmulator.ts"
import { GRAVITY } from "../../../../simulator/model/forces.ts"
import { protocol } from "../../../../src/simulators/drivers/beamng/BeamNgDriver.ts"
import { MAGIC, motionSim } from "../../../../src/simulators/drivers/beamng/layout.ts"
import { outGauge } from "../../../../src/simulators/drivers/outgauge/layout.ts"
import { type Expected, type Kind, pushed } from "../suite/kind.ts"

const zero = () => 0

const expected: Expected = {
  circuit: "",
  vehicle: "",
  absent: ["steering"],
  channels: 21,
  learned: ["g_lateral", "g_longitudinal", "yaw_rate", "yaw", "pitch", "roll"],
  values: {
    clutch: zero,
    boost: ({ throttle }) => throttle * 80,
    handbrake: zero,
    abs_active: zero,
    tc_active: zero,
    beamng_pitch_rate: ({ carValue }) => carValue("pitch_rate"),
    beamng_roll_rate: ({ carValue }) => carValue("roll_rate"),
    beamng_acceleration_z: ({ carValue }) => carValue("g_vertical") * GRAVITY,
    beamng_wheel_speed: ({ speed }) => speed
  },
  within: {
    position_x: 0.0005,
    position_y: 0.0005,
    position_z: 0.0005,
    g_lateral: 0.01,
    g_longitudinal: 0.01,
    yaw_rate: 0.01,
    yaw: 0.01,
    pitch: 0.1,
    roll: 0.1
  },
  refused: [
    ["a MotionSim packet of 87 bytes, where 88 are expected", () => Buffer.from("BNG1".padEnd(87))],
    ["an OutGauge packet whose car is not BeamNG's", () => outGauge.bytes({ Car: "XFG" })],
    ["a number that is not finite", () => motionSim.bytes({ format: MAGIC, velocityY: Number.NaN })],
    ["an OutGauge packet of 91 bytes, where 92 are expected", () => Buffer.alloc(91)]
  ]
}

export const kinds: ReadonlyArray<Kind> = [
  pushed("beamng", () => beamNgEmulator(), protocol, expected, {
    precise: 0.05,
    counts: false,
    clockless: true
  })
]
