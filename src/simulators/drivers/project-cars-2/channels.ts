/**
 * The channels of Project CARS 2 and Automobilista 2 (addendum-project-cars2-ams2.md). No packet of version 2 is known to us.
 * Where the sheet states no sign, the car's motion shows it (senses.ts), or the value becomes a channel of the game's own,
 * as sent.
 */
import { ABSENT } from "../../../domain/RowBatch.ts"
import { channelMap, type Line, type Lines, ofWheels, ownChannels } from "../../packets/ChannelMap.ts"
import { bit, bits, byte, degrees, g, kilo, milli, notNegative, positive } from "../../packets/conversions.ts"
import {
  builds,
  gameState,
  participant,
  raceDefinition,
  stats,
  type TelemetryPacket,
  timings
} from "./layout.ts"

const KELVIN = 273.15
const celsius = (kelvin: number): number => (kelvin > 0 ? kelvin - KELVIN : ABSENT)
/** In °C, or in K where no tyre would be so hot. */
const celsiusOfEither = (value: number): number => (value > 200 ? value - KELVIN : value)
/** In m, or in cm where no car would be so high. */
const millimetres = (height: number): number => height * (height < 2 ? 1000 : 10)
/** Builds of 2017 sent 65467 for a tyre, which no tyre has. */
const pressure = (kPa: number): number => (kPa < 0x8000 ? kPa : ABSENT)
/** A rumble strip, that of an exit, and two more. */
const kerbs: ReadonlySet<number> = new Set([10, 25, 40, 41])
const onKerb = (terrain: number): number => (kerbs.has(terrain) ? 1 : 0)
const isTimed = bit(15)
const low7 = bits(0, 7)
const low3 = bits(0, 3)

/** Multiplied by a sense, 1 or -1. */
const turned = (value: number, sign: number): number => value * sign + 0

/** 1 or -1, except `yawZero`, rad. */
export const senses = ["lateral", "longitudinal", "forward", "rolling", "yawRate", "yaw", "yawZero"] as const

/** The current lap, s. */
const laps = ["sector1", "sector2"] as const

const wheel = ofWheels("FL", "FR", "RL", "RR")

const own = ownChannels("pc2")

/** The inner edge faces the car. */
const edges: ReadonlyArray<Line<`tyreTemp${"Left" | "Right"}${"FL" | "FR" | "RL" | "RR"}`>> = (
  ["FL", "FR", "RL", "RR"] as const
).flatMap((at) => {
  const [outer, inner] = at.endsWith("L") ? (["Left", "Right"] as const) : (["Right", "Left"] as const)
  const end = at.toLowerCase()
  return [
    [`tyre_inner_edge_temperature_${end}`, `tyreTemp${inner}${at}`, celsiusOfEither] as const,
    [`tyre_outer_edge_temperature_${end}`, `tyreTemp${outer}${at}`, celsiusOfEither] as const
  ]
})

const rolling = (["FL", "FR", "RL", "RR"] as const).map(
  (at) =>
    [
      `wheel_rotation_${at.toLowerCase()}`,
      [`tyreRPS${at}`, "senses.rolling"],
      turned,
      { description: "Forward, judged by the car's movement" }
    ] as const
)

const byPath = { description: "Its sign is found from the car's path" }

const lines: Lines<{
  readonly telemetry: TelemetryPacket
  readonly participant: typeof participant
  readonly timings: typeof timings
  readonly stats: typeof stats
  readonly raceDefinition: typeof raceDefinition
  readonly gameState: typeof gameState
  readonly senses: typeof senses
  readonly laps: typeof laps
}> = {
  telemetry: [
    ["g_lateral", ["localAccelerationX", "senses.lateral"], (a, sign) => g(turned(a, sign)), byPath],
    [
      "g_longitudinal",
      ["localAccelerationZ", "senses.longitudinal"],
      (a, sign) => g(turned(a, sign)),
      byPath
    ],
    ["g_vertical", "localAccelerationY", g, { description: "Assumed to be upwards, as no source says" }],
    ["yaw_rate", ["angularVelocityY", "senses.yawRate"], (a, sign) => degrees(turned(a, sign)), byPath],
    [
      "yaw",
      ["orientationY", "senses.yaw", "senses.yawZero"],
      (angle, sign, zero) => (((degrees(angle * sign + zero) % 360) + 360) % 360) + 0,
      { description: "Its zero and sense are found from the car's path" }
    ],
    ["velocity_x", "worldVelocityX"],
    ["velocity_y", "worldVelocityZ"],
    ["velocity_z", "worldVelocityY"],
    ["velocity_forward", ["localVelocityZ", "senses.forward"], turned, byPath],
    ["velocity_up", "localVelocityY"],
    ["clutch", "clutch", byte],
    ["handbrake", "handBrake", byte],
    ["abs_active", "carFlags", bit(4)],
    ["pit_limiter", "carFlags", bit(3)],
    ["engine_power", ["engineTorque", "engineSpeed"], (torque, speed) => kilo(torque * speed)],
    ["engine_torque", "engineTorque"],
    ["water_temperature", "waterTemp"],
    ["oil_temperature", "oilTemp"],
    ["oil_pressure", "oilPressure"],
    ["water_pressure", "waterPressure"],
    ["fuel_pressure", "fuelPressure"],
    ["fuel", ["fuelLevel", "fuelCapacity"], (level, capacity) => level * capacity],
    ["fuel_fraction", "fuelLevel"],
    ...wheel("tyre_temperature", "tyreCarcassTemp", celsius),
    ...wheel("tyre_surface_temperature", "tyreTemp"),
    ...wheel("tyre_tread_temperature", "tyreTreadTemp", celsius),
    ...wheel("tyre_middle_temperature", "tyreTempCenter", celsiusOfEither),
    ...edges,
    ...wheel("tyre_rim_temperature", "tyreRimTemp", celsius),
    ...wheel("tyre_air_temperature", "tyreInternalAirTemp", celsius),
    ...wheel("tyre_pressure", "airPressure", pressure, {
      description: "Above atmosphere, by a packet of the game: 141 in a tyre at 55 °C"
    }),
    ...wheel("tyre_wear", "tyreWear", byte),
    ...rolling,
    ...wheel("on_kerb", "terrain", onKerb),
    ...wheel("surface", "terrain"),
    ...wheel("brake_temperature", "brakeTemp"),
    ...wheel("ride_height", "rideHeight", millimetres),
    ...wheel("brake_damage", "brakeDamage", byte),
    ...wheel("damage_suspension", "suspensionDamage", byte),
    ["damage_aero", "aeroDamage", byte],
    ["engine_damage", "engineDamage", byte],
    ["rpm_max", "maxRpm", positive],
    ["gears", "gearNumGears", bits(4, 4)],
    ["fuel_capacity", "fuelCapacity", positive],
    ["pc2_pitch", "orientationX", degrees, own("motion", "deg")],
    ["pc2_roll", "orientationZ", degrees, own("motion", "deg")],
    ["pc2_pitch_rate", "angularVelocityX", degrees, own("motion", "deg/s")],
    ["pc2_roll_rate", "angularVelocityZ", degrees, own("motion", "deg/s")],
    ["pc2_velocity_sideways", "localVelocityX", undefined, own("motion", "m/s")],
    ...wheel("pc2_suspension_travel", "suspensionTravel", milli, own("suspension", "mm")),
    ...wheel("pc2_suspension_velocity", "suspensionVelocity", milli, own("suspension", "mm/s"))
  ],
  participant: [
    ["current_lap", "currentLap", positive],
    ["lap_distance", "currentLapDistance"],
    [
      "lap_fraction",
      ["currentLapDistance", "raceDefinition.trackLength"],
      (distance, length) => (length > 0 ? distance / length : ABSENT)
    ],
    ["lap_time_so_far", "currentTime", notNegative],
    ["sector", "sector", (flags: number) => positive(low3(flags))],
    ["race_position", "racePosition", (flags: number) => positive(low7(flags))],
    ["laps_completed", "currentLap", (lap: number) => notNegative(lap - 1)],
    [
      "pit_status",
      "pitModeSchedule",
      low3,
      {
        labels: {
          0: "none",
          1: "driving in",
          2: "in the pits",
          3: "driving out",
          4: "garage",
          5: "driving out of the garage"
        }
      }
    ],
    ["in_pit", "pitModeSchedule", (flags: number) => (low3(flags) === 0 ? 0 : 1)],
    ["lap_invalid", "raceState", bit(7)],
    ["session_time_left", "timings.eventTimeRemaining", notNegative],
    ["gap_ahead", "timings.splitTimeAhead", notNegative],
    ["gap_behind", "timings.splitTimeBehind", notNegative],
    ["last_lap_time", "stats.lastLap", positive],
    ["best_lap_time", "stats.fastestLap", positive],
    ["sector1_time", "laps.sector1"],
    ["sector2_time", "laps.sector2"],
    [
      "session_laps",
      "raceDefinition.lapsTimeInEvent",
      (laps: number) => (isTimed(laps) ? ABSENT : positive(laps))
    ]
  ],
  gameState: [
    ["air_temperature", "ambientTemperature"],
    ["track_temperature", "trackTemperature"],
    ["rain", "rainDensity", byte]
  ]
}

const others = { participant, timings, stats, raceDefinition, gameState, senses, laps }
const maps = new Map(builds.map((telemetry) => [telemetry, channelMap({ telemetry, ...others }, lines)]))

/** By the build's telemetry and the other packets. */
export const channelsOf = (build: TelemetryPacket) => maps.get(build)!
