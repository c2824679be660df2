/** Assetto Corsa: the channels of its emulator beyond those of points. */
import { expect, it } from "vitest"
import { assettoCorsaEmulator } from "../../../simulator/emulators/assetto-corsa/AssettoCorsaEmulator.ts"
import type { Frame } from "../../../simulator/emulators/Emulator.ts"
import { wheels } from "../../../simulator/model/chassis.ts"
import { AssettoCorsaInterpreter } from "../../../src/simulators/drivers/assetto-corsa/AssettoCorsaInterpreter.ts"
import { emulate, RATE, scene } from "./emulating.ts"
import { linkOptions, opened } from "./interpreting.ts"
import { channelsIn, type Expected, expectDeclared } from "./telling.ts"

const ofWheels = (channel: string, expected: (wheel: string) => Expected) =>
  Object.fromEntries(wheels.map((wheel) => [`${channel}_${wheel}`, expected(wheel)]))

it("tells each of its 65 channels as it was driven", () => {
  const emulated = emulate({
    emulator: assettoCorsaEmulator(scene),
    interpreter: (send) => opened(new AssettoCorsaInterpreter(linkOptions()), send),
    frames: { laps: 2 }
  })
  const { circuit, vehicle } = scene
  expect(channelsIn(emulated.events).size).toBe(65)
  expectDeclared(
    emulated,
    RATE,
    {
      clutch: () => 0,
      steering_angle: ({ steering }) => steering * 450,
      abs_active: () => 0,
      tc_active: () => 0,
      // Below 2 m/s there are no slip angles.
      ...ofWheels(
        "slip_angle",
        (wheel) =>
          ({ speed, carValue }: Frame) =>
            speed / 3.6 < 2 ? Number.NaN : carValue(`slip_angle_${wheel}`)
      ),
      ...ofWheels("tyre_dirt", () => () => 0),
      ...ofWheels("camber", () => () => (-0.05 * 180) / Math.PI),
      current_lap: ({ lap }) => lap.lapNumber,
      lap_fraction: ({ lapDistance }) => lapDistance / circuit.length,
      lap_time_so_far: ({ lapTime }) => lapTime,
      ...ofWheels(
        "assetto_corsa_slip",
        (wheel) =>
          ({ carValue }: Frame) =>
            Math.hypot(carValue(`slip_ratio_${wheel}`) / 0.1, carValue(`slip_angle_${wheel}`) / 5)
      ),
      ...ofWheels("assetto_corsa_friction", () => () => vehicle.grip),
      ...ofWheels("assetto_corsa_aligning_torque", () => () => 0),
      ...ofWheels("assetto_corsa_loaded_radius", () => () => vehicle.wheelRadius * 1000 - 10),
      assetto_corsa_abs_enabled: () => 1,
      assetto_corsa_tc_enabled: () => 1,
      assetto_corsa_cg_height: () => 420
    },
    { lap_time_so_far: 0.0011 }
  )
})
