/** Project Motor Racing: a state and telemetry of every car, and info on the race. */
import { PmrEmulator } from "../../../../simulator/emulators/project-motor-racing/emulator.ts"
import { GRAVITY } from "../../../../simulator/model/forces.ts"
import { protocol } from "../../../../src/simulators/drivers/project-motor-racing/PmrDriver.ts"
import { scene } from "../emulating.ts"
import { constant, type Expected, type Kind, onWheels, pushed } from "../suite/kind.ts"

const { circuit, vehicle } = scene

const expected: Expected = {
  circuit: `${circuit.name} GP`,
  vehicle: vehicle.name,
  started: { driver: scene.driver, circuitLength: Math.fround(circuit.length) },
  channels: 147,
  values: {
    ...constant(
      0,
      "clutch handbrake steering_angle abs_active tc_active pit_limiter camber in_pit lap_invalid",
      "damage_aero engine_damage pmr_suspension_damage pmr_sideslip pmr_local_angular_velocity_x",
      "pmr_local_angular_velocity_z pmr_rev_limiter pmr_orientation_x pmr_orientation_y",
      "pmr_orientation_z pmr_engine_load pmr_turbo_speed pmr_boost pmr_fuel_use_rate",
      "pmr_exhaust_temperature pmr_motor_speed pmr_battery_remaining pmr_battery_use_rate",
      "pmr_gearbox_torque pmr_total_brake_force pmr_front_anti_roll_bar pmr_rear_anti_roll_bar",
      "pmr_spring_strain pmr_force_x pmr_force_z pmr_slide_x pmr_slide_z pmr_wheel_torque"
    ),
    ...constant(1, "pmr_orientation_w race_position"),
    brake_bias: () => 0.58,
    abs_level: () => 2,
    tc_level: () => 3,
    rpm_max: () => vehicle.shiftUp * 1.04,
    rpm_idle: () => vehicle.idle,
    gears: () => vehicle.ratios.length,
    fuel_capacity: () => vehicle.fuel,
    ...onWheels("tyre_middle_temperature", ({ carValue }, wheel) =>
      carValue(`tyre_surface_temperature_${wheel}`)
    ),
    ...onWheels("tyre_rim_temperature", ({ carValue }, wheel) => carValue(`tyre_temperature_${wheel}`) - 15),
    ...onWheels("tyre_air_temperature", ({ carValue }, wheel) => carValue(`tyre_temperature_${wheel}`) - 8),
    current_lap: ({ lap }) => lap.lapNumber,
    lap_distance: ({ lapDistance }) => lapDistance,
    lap_fraction: ({ lapDistance }) => lapDistance / circuit.length,
    lap_time_so_far: ({ lapTime }) => lapTime,
    sector: ({ sector }) => sector + 1,
    session_time: ({ sessionTime }) => sessionTime,
    // As sent: to the left, and in no unit or sign that any source states.
    pmr_local_velocity_x: ({ carValue }) => -carValue("velocity_right"),
    pmr_local_acceleration_x: ({ carValue }) => -carValue("g_lateral") * GRAVITY,
    pmr_local_acceleration_y: ({ carValue }) => carValue("g_vertical") * GRAVITY,
    pmr_local_acceleration_z: ({ carValue }) => carValue("g_longitudinal") * GRAVITY,
    pmr_local_angular_velocity_y: ({ carValue }) => (-carValue("yaw_rate") * Math.PI) / 180,
    pmr_total_mass: () => 1300,
    pmr_track_grip: () => 0.97,
    ...onWheels("pmr_slip_angle", ({ carValue }, wheel) => carValue(`slip_angle_${wheel}`)),
    ...onWheels("pmr_damper_velocity", ({ carValue }, wheel) => carValue(`suspension_velocity_${wheel}`)),
    ...onWheels("pmr_force_y", ({ carValue }, wheel) => carValue(`wheel_load_${wheel}`)),
    pmr_material: () => 0x19_1ed
  },
  within: {
    // Reported once a second.
    session_time: 1.1
  },
  refused: [
    ["a packet of type 99", (good) => ((good[0] = 99), good)],
    ["cut short", (good) => good.subarray(0, good.length - 1)]
  ]
}

export const kinds: ReadonlyArray<Kind> = [
  pushed("project-motor-racing", (where) => new PmrEmulator(where), protocol, expected, { sectors: true })
]
