/** Richard Burns Rally with the plug-in NGP: 664 bytes of a stage, whose speed has the player's unit. */
import {
  RbrEmulator,
  type SpeedUnitName
} from "../../../../simulator/emulators/richard-burns-rally/emulator.ts"
import { GRAVITY } from "../../../../simulator/model/forces.ts"
import { wheels } from "../../../../simulator/model/chassis.ts"
import { packet } from "../../../../src/simulators/drivers/richard-burns-rally/layout.ts"
import { protocol } from "../../../../src/simulators/drivers/richard-burns-rally/RbrDriver.ts"
import { scene } from "../emulating.ts"
import { type Expected, type Kind, pushed, type Value } from "../suite/kind.ts"

const { length } = scene.circuit
const zero = () => 0
const of =
  (channel: string, factor = 1, offset = 0): Value =>
  ({ carValue }) =>
    carValue(channel) * factor + offset
const ofWheels = (name: string, value: (wheel: string) => Value) =>
  Object.fromEntries(wheels.map((wheel) => [`${name}_${wheel}`, value(wheel)]))

const expected: Expected = {
  circuit: "RBR stage 71",
  vehicle: "RBR car 5",
  channels: 88,
  // A quarter of a second behind the first finish.
  around: 5,
  values: {
    clutch: zero,
    handbrake: zero,
    engine_temperature: of("oil_temperature"),
    ...ofWheels("tyre_tread_temperature", (wheel) => of(`tyre_surface_temperature_${wheel}`)),
    ...ofWheels("suspension_load", (wheel) => of(`wheel_load_${wheel}`)),
    lap_distance: ({ lapDistance }) => lapDistance,
    lap_time_so_far: ({ lapTime }) => lapTime,
    distance: ({ lapDistance }) => lapDistance,
    damage_suspension: zero,
    rbr_radiator_temperature: () => 82,
    rbr_brake_pressure: zero,
    rbr_handbrake_pressure: zero,
    rbr_roll: of("roll"),
    rbr_pitch: of("pitch"),
    rbr_yaw: of("yaw"),
    rbr_surge: of("velocity_forward"),
    rbr_sway: of("velocity_right"),
    rbr_heave: of("velocity_up"),
    rbr_roll_rate: zero,
    rbr_pitch_rate: zero,
    rbr_yaw_rate: zero,
    rbr_surge_acceleration: of("g_longitudinal", GRAVITY),
    rbr_sway_acceleration: of("g_lateral", GRAVITY),
    rbr_heave_acceleration: of("g_vertical", GRAVITY),
    rbr_drive_line_location: ({ lapDistance }) => lapDistance,
    rbr_distance_to_end: ({ lapDistance }) => length - lapDistance,
    ...ofWheels("rbr_spring_deflection", (wheel) => of(`suspension_travel_${wheel}`, -1, 240)),
    ...ofWheels("rbr_damper_velocity", (wheel) => of(`suspension_velocity_${wheel}`)),
    rbr_rollbar_force: zero,
    rbr_damper_force: zero,
    ...ofWheels("rbr_strut_force", (wheel) => of(`wheel_load_${wheel}`, -1)),
    rbr_helper_spring: zero,
    ...ofWheels(
      "rbr_tyre_overall_temperature",
      (wheel) =>
        ({ carValue }) =>
          (carValue(`tyre_temperature_${wheel}`) + carValue(`tyre_surface_temperature_${wheel}`)) / 2
    ),
    ...ofWheels("rbr_brake_layer_temperature", (wheel) => of(`brake_temperature_${wheel}`, 1, 20)),
    rbr_brake_wear: zero,
    ...ofWheels("rbr_tyre_wear", (wheel) => of(`tyre_wear_${wheel}`))
  },
  within: { speed: 0.001, rpm: 0.01, position_x: 0.001, position_y: 0.001, position_z: 0.001 },
  refused: [
    ["a packet has 664 bytes, not 663", (good) => good.subarray(1)],
    ["a packet has 664 bytes, not 665", (good) => Buffer.concat([good, Buffer.of(0)])],
    ["positionX is no number", (good) => (packet.write(good, 0, { positionX: Number.NaN }), good)]
  ]
}

const kindOf = (name: string, unit: SpeedUnitName): Kind =>
  pushed(name, (where) => new RbrEmulator(where, unit), protocol, expected, { counts: false, sectors: true })

export const kinds: ReadonlyArray<Kind> = [kindOf("richard-burns-rally", "km/h")]
export const variants: ReadonlyArray<Kind> = [kindOf("richard-burns-rally in mph", "mph")]
