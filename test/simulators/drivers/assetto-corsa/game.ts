/** Assetto Corsa: a client subscribes, and gets each frame of the car in focus. */
import { assettoCorsaEmulator } from "../../../../simulator/emulators/assetto-corsa/AssettoCorsaEmulator.ts"
import type { Frame } from "../../../../simulator/emulators/Emulator.ts"
import { wheels } from "../../../../simulator/model/chassis.ts"
import { ABSENT } from "../../../../src/domain/RowBatch.ts"
import { protocol } from "../../../../src/simulators/drivers/assetto-corsa/AssettoCorsaDriver.ts"
import { AssettoCorsaInterpreter } from "../../../../src/simulators/drivers/assetto-corsa/AssettoCorsaInterpreter.ts"
import { scene } from "../emulating.ts"
import { linkOptions, opened } from "../interpreting.ts"
import { askedGame, type Expected, type Kind, type Value } from "../suite/kind.ts"

const { circuit, vehicle } = scene
const zero = () => 0
const one = () => 1

const ofWheels = (channel: string, expected: (wheel: string) => Value) =>
  Object.fromEntries(wheels.map((wheel) => [`${channel}_${wheel}`, expected(wheel)]))

const expected: Expected = {
  circuit: circuit.name,
  vehicle: vehicle.name,
  channels: 65,
  values: {
    clutch: zero,
    steering_angle: ({ steering }) => steering * 450,
    abs_active: zero,
    tc_active: zero,
    // Below 2 m/s there are no slip angles.
    ...ofWheels(
      "slip_angle",
      (wheel) =>
        ({ speed, carValue }: Frame) =>
          speed / 3.6 < 2 ? ABSENT : carValue(`slip_angle_${wheel}`)
    ),
    tyre_dirt: zero,
    camber: () => (-0.05 * 180) / Math.PI,
    current_lap: ({ lap }) => lap.lapNumber,
    lap_fraction: ({ lapDistance }) => lapDistance / circuit.length,
    lap_time_so_far: ({ lapTime }) => lapTime,
    ...ofWheels(
      "assetto_corsa_slip",
      (wheel) =>
        ({ carValue }: Frame) =>
          Math.hypot(carValue(`slip_ratio_${wheel}`) / 0.1, carValue(`slip_angle_${wheel}`) / 5)
    ),
    assetto_corsa_friction: () => vehicle.grip,
    assetto_corsa_aligning_torque: zero,
    assetto_corsa_loaded_radius: () => vehicle.wheelRadius * 1000 - 10,
    assetto_corsa_abs_enabled: one,
    assetto_corsa_tc_enabled: one,
    assetto_corsa_cg_height: () => 420
  },
  within: {
    speed: 0.0005,
    steering: 5e-6,
    position_x: 0.0005,
    position_y: 0.0005,
    position_z: 0.0005,
    lap_time_so_far: 0.0011
  },
  refused: [
    ...[0, 12, 327, 329, 407].map(
      (length) =>
        [
          `a datagram of ${length} bytes, where 408, 328 or 212 are expected`,
          () => Buffer.alloc(length)
        ] as const
    ),
    ["a car info marked 0 instead of 97", () => Buffer.alloc(328)],
    ["a handshake answered with 0 instead of 4242", () => Buffer.alloc(408)]
  ]
}

export const kinds: ReadonlyArray<Kind> = [
  askedGame(
    "assetto-corsa",
    assettoCorsaEmulator,
    (send) => opened(new AssettoCorsaInterpreter(linkOptions()), send),
    protocol.silentAfter,
    expected,
    { sectors: true }
  )
]
