/** EA SPORTS WRC: the structure that users copy into the game, whole and without its optional fields. */
import { EaWrcEmulator, type Length } from "../../../../simulator/emulators/ea-wrc/emulator.ts"
import { GRAVITY } from "../../../../simulator/model/forces.ts"
import { protocol } from "../../../../src/simulators/drivers/ea-wrc/EaWrcDriver.ts"
import { least } from "../../../../src/simulators/drivers/ea-wrc/layout.ts"
import { scene } from "../emulating.ts"
import { type Expected, type Kind, pushed } from "../suite/kind.ts"

const { circuit, vehicle } = scene
const zero = () => 0

const expected: Expected = {
  circuit: "",
  vehicle: "",
  channels: 47,
  // A quarter of a second behind the first finish.
  around: 5,
  values: {
    clutch: zero,
    handbrake: zero,
    tyre_damage: zero,
    lap_distance: ({ lapDistance }) => lapDistance,
    lap_fraction: ({ lapDistance }) => lapDistance / circuit.length,
    lap_time_so_far: ({ lapTime }) => lapTime,
    // It comes with the result, behind the finish.
    last_lap_time: "absent",
    distance: ({ lapDistance }) => lapDistance,
    rpm_max: () => vehicle.shiftUp * 1.04,
    rpm_idle: () => vehicle.idle,
    gears: () => vehicle.ratios.length,
    wrc_acceleration_up: ({ carValue }) => carValue("g_vertical") * GRAVITY,
    wrc_abs_light: zero,
    wrc_previous_split_time: "absent",
    wrc_time_penalty: zero,
    wrc_result_status: zero
  },
  within: {
    rpm: 0.01,
    speed: 0.001,
    position_x: 0.001,
    position_y: 0.001,
    position_z: 0.001,
    yaw: 0.001,
    pitch: 0.001,
    roll: 0.01,
    g_lateral: 0.01,
    g_longitudinal: 0.01,
    velocity_x: 0.001,
    velocity_y: 0.001,
    velocity_z: 0.001,
    velocity_forward: 0.1,
    velocity_right: 0.5,
    velocity_up: 0.1,
    engine_speed_fraction: 0.001,
    wheel_speed: 0.001,
    brake_temperature: 0.001,
    suspension_travel: 0.001,
    suspension_velocity: 0.01
  },
  refused: [
    ["bytes that are no packet in our structure", (good) => good.subarray(0, 236)],
    ["272 bytes that are no packet in our structure", (good) => Buffer.concat([good, Buffer.of(0)], 272)],
    ["bytes that are no packet in our structure", (good) => good.fill(0xff)],
    ...(["game_total_time", "stage_current_time", "stage_current_distance"] as const).map(
      (name) =>
        [
          "a time or distance that is no number",
          (good: Buffer) => (least.write(good, 0, { [name]: Number.NaN }), good)
        ] as const
    )
  ]
}

export const kindOf = (length: Length, name = "ea-wrc", channels = expected.channels): Kind =>
  pushed(
    name,
    (where) => new EaWrcEmulator(where, length),
    protocol,
    { ...expected, channels },
    {
      counts: false,
      sectors: true
    }
  )

export const kinds: ReadonlyArray<Kind> = [kindOf(271)]

/** Without the tail, which has the result, the tyres and the light of the anti-lock brakes. */
export const variants: ReadonlyArray<Kind> = [kindOf(237, "ea-wrc in 237 bytes", 38)]
