/** Project CARS 2 and Automobilista 2: telemetry and timings in packets of their own, in three builds. */
import type { Frame } from "../../../../simulator/emulators/Emulator.ts"
import {
  type Pc2Options,
  ProjectCars2Emulator
} from "../../../../simulator/emulators/project-cars-2/emulator.ts"
import { isFront, wheels } from "../../../../simulator/model/chassis.ts"
import { ABSENT } from "../../../../src/domain/RowBatch.ts"
import { protocol } from "../../../../src/simulators/drivers/project-cars-2/ProjectCars2Driver.ts"
import { scene } from "../emulating.ts"
import {
  constant,
  type Expected,
  type Kind,
  onWheels,
  placeBefore,
  pushed,
  sectorTime
} from "../suite/kind.ts"

const { circuit, vehicle } = scene

/** Tyres lean on their inner edges: so many K each way. */
const edge = (by: number) => (frame: Frame, wheel: string) =>
  frame.carValue(`tyre_surface_temperature_${wheel}`) + by
const carcass = (frame: Frame, wheel: string) => frame.carValue(`tyre_temperature_${wheel}`)
const height = ({ carValue }: Frame, wheel: string) =>
  carValue(isFront(wheels.indexOf(wheel as never)) ? "ride_height_front" : "ride_height_rear")

const expected: Expected = {
  circuit: "Larkspur Park GP",
  vehicle: "Merlin F-08",
  started: { driver: scene.driver, circuitLength: Math.fround(circuit.length) },
  channels: 130,
  values: {
    ...constant(
      0,
      "clutch handbrake abs_active pit_limiter pit_status in_pit lap_invalid on_kerb surface",
      "brake_damage damage_suspension damage_aero engine_damage"
    ),
    ...constant("absent", "gap_ahead gap_behind session_laps session_time_left"),
    race_position: () => 18,
    water_pressure: () => 130,
    fuel_pressure: () => 380,
    fuel_capacity: () => 100,
    fuel_fraction: ({ carValue }) => carValue("fuel") / 100,
    rpm_max: () => Math.round(vehicle.shiftUp * 1.04),
    gears: () => vehicle.ratios.length,
    ...onWheels("tyre_inner_edge_temperature", edge(3)),
    ...onWheels("tyre_outer_edge_temperature", edge(-3)),
    ...onWheels("tyre_middle_temperature", edge(0)),
    ...onWheels("tyre_tread_temperature", edge(0)),
    ...onWheels("tyre_rim_temperature", (frame, wheel) => carcass(frame, wheel) + 5 + 5 * frame.brake),
    ...onWheels("tyre_air_temperature", carcass),
    ...onWheels("ride_height", height),
    ...onWheels(
      "pc2_suspension_travel",
      ({ carValue }, wheel) => 40 + carValue(`suspension_travel_${wheel}`)
    ),
    ...onWheels("pc2_suspension_velocity", ({ carValue }, wheel) => carValue(`suspension_velocity_${wheel}`)),
    pc2_pitch: ({ carValue }) => carValue("pitch"),
    pc2_roll: ({ carValue }) => -carValue("roll"),
    pc2_pitch_rate: ({ carValue }) => carValue("pitch_rate"),
    pc2_roll_rate: ({ carValue }) => -carValue("roll_rate"),
    pc2_velocity_sideways: ({ carValue }) => carValue("velocity_right"),
    current_lap: ({ lap }) => lap.lapNumber,
    // Timings come behind the telemetry, which leads the rows.
    lap_distance: (_, before) => Math.floor(before?.lapDistance ?? ABSENT),
    lap_fraction: (_, before) => Math.floor(before?.lapDistance ?? ABSENT) / circuit.length,
    lap_time_so_far: (_, before) => before?.lapTime ?? ABSENT,
    sector: ({ sector }) => sector + 1,
    sector1_time: sectorTime(0),
    sector2_time: sectorTime(1)
  },
  within: {
    rpm: 0.5,
    throttle: 0.002,
    brake: 0.002,
    steering: 0.004,
    water_temperature: 0.51,
    oil_temperature: 0.51,
    oil_pressure: 0.51,
    tyre_surface_temperature: 0.51,
    tyre_inner_edge_temperature: 0.51,
    tyre_outer_edge_temperature: 0.51,
    tyre_middle_temperature: 0.51,
    tyre_temperature: 0.7,
    tyre_tread_temperature: 0.7,
    tyre_rim_temperature: 0.7,
    tyre_air_temperature: 0.7,
    tyre_pressure: 0.51,
    tyre_wear: 0.003,
    brake_temperature: 0.51,
    air_temperature: 0.7,
    track_temperature: 0.7,
    rain: 0.01
  },
  learned: ["g_lateral", "g_longitudinal", "yaw_rate", "yaw", "velocity_forward", "wheel_rotation"],
  refused: [
    ["a packet has at least 12 bytes, not 11", (good) => good.subarray(0, 11)],
    ["there is no packet of type 99", (good) => ((good[10] = 99), good)],
    ["bytes, not 20", (good) => good.subarray(0, 20)]
  ]
}

const ofBuild = (build: NonNullable<Pc2Options["build"]>, name: string, more: Partial<Expected> = {}): Kind =>
  pushed(
    name,
    (where) => new ProjectCars2Emulator(where, { build }),
    protocol,
    { ...expected, ...more },
    { sectors: true }
  )

export const kinds: ReadonlyArray<Kind> = [ofBuild(559, "project-cars-2")]

/** Their clock is that of arrival. */
export const variants: ReadonlyArray<Kind> = [
  ofBuild(556, "project-cars-2 of 556 bytes"),
  ofBuild(538, "project-cars-2 of 538 bytes", {
    // In whole metres, with the timings of the frame before.
    values: {
      ...expected.values,
      ...placeBefore
    },
    within: { ...expected.within, position_x: 0.501, position_y: 0.501, position_z: 0.501 }
  })
]
