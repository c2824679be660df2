/** EA's F1 games: all cars in every packet, in four formats. */
import type { Frame } from "../../../../simulator/emulators/Emulator.ts"
import { F1Emulator } from "../../../../simulator/emulators/f1/F1Emulator.ts"
import { isFront, wheels } from "../../../../simulator/model/chassis.ts"
import { protocol } from "../../../../src/simulators/drivers/f1/F1Driver.ts"
import type { F1Format } from "../../../../src/simulators/drivers/f1/layout.ts"
import { RATE, scene } from "../emulating.ts"
import { constant, type Expected, type Kind, onWheels, pushed, sectorTime } from "../suite/kind.ts"

const { circuit, vehicle } = scene

const share = ({ lapDistance }: Frame) => lapDistance / circuit.length
/** kJ: the emulator takes 2.2 MJ out of the store in a lap, and gets it back at the lap's end. */
const deployed = (frame: Frame) => 2200 * share(frame)
const harvested = (frame: Frame) => 2200 * share(frame) ** 2
const stored = (frame: Frame) => 3500 - deployed(frame) + harvested(frame)
const drs = ({ speed, throttle }: Frame) => (throttle === 1 && speed > 240 ? 1 : 0)
export const expected: Expected = {
  circuit: "Zandvoort",
  vehicle: "McLaren",
  started: { driver: scene.driver, circuitLength: Math.round(circuit.length) },
  begin: 0,
  channels: 178,
  // A tenth of a second behind the flag.
  around: 3,
  values: {
    ...constant(
      0,
      "clutch tc_level abs_level pit_limiter in_pit pit_stops pit_status lap_invalid surface on_kerb",
      "tyre_damage tyre_blisters brake_damage damage_front damage_rear damage_aero damage_gearbox",
      "engine_damage gap_to_leader f1_front_left_wing_damage f1_front_right_wing_damage f1_floor_damage",
      "f1_diffuser_damage f1_sidepod_damage f1_mguh_wear f1_es_wear f1_ce_wear f1_ice_wear f1_mguk_wear",
      "f1_tc_wear f1_drs_fault f1_ers_fault f1_engine_blown f1_engine_seized f1_flag f1_penalties",
      "f1_warnings f1_corner_warnings f1_drive_throughs f1_stop_gos f1_safety_car_delta f1_safety_car",
      "f1_weather f1_active_aero_mode f1_active_aero_available f1_overtake_available f1_overtake_active",
      "f1_wrong_way"
    ),
    ...constant(1, "engine_map ers_mode race_position"),
    ...constant(17, "tyre_compound f1_tyre_colour"),
    f1_driver_status: () => 4,
    gap_ahead: "absent",
    fuel_laps: "absent",
    f1_pit_lane_time: "absent",
    f1_pit_stop_time: "absent",
    f1_drs_distance: "absent",
    brake_bias: () => 0.62,
    drs_open: drs,
    drs_allowed: drs,
    engine_speed_fraction: ({ rpm }) => Math.min(1, Math.max(0, (rpm / vehicle.shiftUp - 0.7) / 0.3)),
    engine_temperature: ({ carValue }) => carValue("water_temperature"),
    fuel_laps_surplus: (frame) =>
      frame.carValue("fuel_laps") - (50 - (frame.lap.lapNumber - 1) - share(frame)),
    fuel_mass_capacity: () => vehicle.fuel,
    ers_store: stored,
    ers_deployed: deployed,
    ers_harvested: harvested,
    ers_power: ({ throttle }) => throttle * 120,
    ers_fraction: (frame) => stored(frame) / 4000,
    f1_ers_harvest_limit: () => 3500,
    rpm_max: () => vehicle.shiftUp,
    rpm_idle: () => vehicle.idle,
    current_lap: ({ lap }) => lap.lapNumber,
    lap_distance: ({ lapDistance }) => lapDistance,
    lap_fraction: share,
    lap_time_so_far: ({ lapTime }) => lapTime,
    sector: ({ sector }) => sector + 1,
    // The next car does the same eight frames later.
    gap_behind: () => 8 / RATE,
    sector1_time: sectorTime(0),
    sector2_time: sectorTime(1),
    session_time_left: ({ sessionTime }) => 7200 - sessionTime,
    time_of_day: ({ sessionTime }) => 15 * 3600 + sessionTime,
    session_laps: () => 50,
    pit_speed_limit: () => 80,
    f1_cog_height: () => 300,
    ...onWheels("camber", (_, wheel) => (isFront(wheels.indexOf(wheel as never)) ? -3 : -1.5)),
    ...onWheels(
      "f1_lateral_force",
      ({ carValue }, wheel) => carValue("g_lateral") * carValue(`wheel_load_${wheel}`)
    ),
    ...onWheels(
      "f1_longitudinal_force",
      ({ carValue }, wheel) => carValue("g_longitudinal") * carValue(`wheel_load_${wheel}`)
    )
  },
  within: {
    speed: 0.501,
    rpm: 0.501,
    throttle: 1e-6,
    brake: 1e-6,
    steering: 1e-6,
    engine_speed_fraction: 0.0051,
    engine_temperature: 0.501,
    tyre_temperature: 0.501,
    tyre_surface_temperature: 0.501,
    brake_temperature: 0.501,
    air_temperature: 0.501,
    track_temperature: 0.501,
    yaw: 0.02,
    // Told twice a second, in whole seconds and minutes.
    session_time_left: 1.1,
    time_of_day: 60.6
  },
  refused: [
    ["an F1 packet has at least 29 bytes, not 28", (good) => good.subarray(0, 28)],
    ["bytes, not", (good) => good.subarray(0, good.length - 1)],
    ["bytes, not", (good) => Buffer.concat([good, Buffer.of(0)])],
    ["F1 format 2022 is not one of 2023, 2024, 2025, 2026", (good) => (good.writeUInt16LE(2022), good)],
    ["has no packet 99", (good) => ((good[6] = 99), good)]
  ]
}

const inFormat = (format: F1Format, more: Partial<Expected>): Kind =>
  pushed(
    `f1-${format}`,
    (where) => new F1Emulator(where, format),
    protocol,
    { ...expected, ...more },
    { sectors: true }
  )

export const kinds: ReadonlyArray<Kind> = [inFormat(2025, {})]

export const variants: ReadonlyArray<Kind> = [
  inFormat(2023, { channels: 168 }),
  inFormat(2024, { channels: 170 }),
  inFormat(2026, { channels: 183 })
]
