/**
 * The channels of Project Motor Racing (project-motor-racing.md, section 7). Values whose sign or unit no source states
 * become channels of the game's own, as sent.
 */
import { ABSENT } from "../../../domain/RowBatch.ts"
import { AS_SENT, channelMap, ofWheels, ownChannels } from "../../packets/ChannelMap.ts"
import {
  degrees,
  flag,
  fromOne,
  kmh,
  milli,
  minus,
  notNegative,
  positive
} from "../../packets/conversions.ts"
import { body, CORNERS, inputs, wheels } from "./layout.ts"

/** The pressures that a tyre may have, kPa: a far greater number is in Pa. */
const MIN_KPA = 100
const MAX_KPA = 400

const tyrePressure = (value: number): number => {
  const kPa = value > 1000 ? value / 1000 : value
  return kPa >= MIN_KPA && kPa <= MAX_KPA ? kPa : ABSENT
}

const isZero = (value: number): number => 1 - flag(value)

const wheel = ofWheels(...CORNERS)

const own = ownChannels("pmr")
const unitless = "As sent: sources disagree on its unit"

/** Values of the player's car and of the race. */
const state = [
  "lapNumber",
  "currentLapTime",
  "bestLapTime",
  "lastLapTime",
  "lapProgress",
  "lapDistance",
  "currentSector",
  "racePosition",
  "inPits",
  "lapValid",
  "aeroDamage",
  "suspensionDamage",
  "engineDamage"
] as const
const race = ["sessionTimeElapsed", "ambientTemperature", "trackTemperature", "trackGrip"] as const

export const channels = channelMap(
  { body, inputs, wheels, state, race },
  {
    body: [
      // The axes are those of position, and as little proved.
      ["velocity_x", "worldVelocityX"],
      ["velocity_y", "worldVelocityZ", minus],
      ["velocity_z", "worldVelocityY"],
      ["velocity_forward", "forwardSpeed"],
      ["engine_power", "power"],
      ["engine_torque", "torque"],
      ["water_temperature", "coolantTemperature"],
      ["oil_temperature", "oilTemperature"],
      ["oil_pressure", "oilPressure"],
      ["engine_speed_fraction", "revRatio"],
      ["fuel", "fuelRemaining"],
      ["pmr_local_velocity_x", "localVelocityX", undefined, own("motion", "m/s")],
      ["pmr_local_acceleration_x", "localAccelerationX", undefined, own("motion", "m/s²")],
      ["pmr_local_acceleration_y", "localAccelerationY", undefined, own("motion", "m/s²")],
      ["pmr_local_acceleration_z", "localAccelerationZ", undefined, own("motion", "m/s²")],
      ["pmr_local_angular_velocity_x", "localAngularVelocityX", undefined, own("motion", "rad/s")],
      ["pmr_local_angular_velocity_y", "localAngularVelocityY", undefined, own("motion", "rad/s")],
      ["pmr_local_angular_velocity_z", "localAngularVelocityZ", undefined, own("motion", "rad/s")],
      ["pmr_sideslip", "sideslip", undefined, own("motion", "rad")],
      ["pmr_orientation_x", "orientationX", undefined, own("motion", "", "Of a quaternion, as sent")],
      ["pmr_orientation_y", "orientationY", undefined, own("motion", "", "Of a quaternion, as sent")],
      ["pmr_orientation_z", "orientationZ", undefined, own("motion", "", "Of a quaternion, as sent")],
      ["pmr_orientation_w", "orientationW", undefined, own("motion", "", "Of a quaternion, as sent")],
      ["pmr_engine_load", "load", undefined, own("engine", "", "")],
      ["pmr_turbo_speed", "turboRPM", undefined, own("engine", "1/min", "")],
      [
        "pmr_boost",
        "boost",
        undefined,
        own("engine", "kPa", "No source says whether it is above atmosphere")
      ],
      ["pmr_fuel_use_rate", "fuelUseRate", undefined, own("engine", "l/s", "")],
      ["pmr_exhaust_temperature", "exhaustTemperature", undefined, own("engine", "°C", "")],
      ["pmr_motor_speed", "motorRPM", undefined, own("engine", "1/min", "")],
      ["pmr_battery_remaining", "batteryRemaining", undefined, own("engine", "", unitless)],
      ["pmr_battery_use_rate", "batteryUseRate", undefined, own("engine", "", unitless)],
      ["pmr_gearbox_torque", "gearboxTorque", undefined, own("engine", "N m", "")],
      ["pmr_rev_limiter", "revLimiterActive", flag, { ...own("engine", "", ""), kind: "flag" }]
    ],
    inputs: [
      ["clutch", "clutch"],
      ["handbrake", "handbrake"],
      ["brake_bias", "brakeBias"],
      ["steering_angle", "steeringWheelAngle", undefined, { description: "As sent: no source has its sign" }],
      ["abs_level", "absLevel"],
      ["tc_level", "tcLevel"],
      ["abs_active", "absActive", flag],
      ["tc_active", "body.tcActive", flag],
      ["pit_limiter", "body.limiterActive", flag],
      ["rpm_max", "maxRPM", positive],
      ["rpm_idle", "starterIdleRPM", positive],
      ["gears", "forwardGears", positive],
      ["fuel_capacity", "fuelCapacity", positive],
      ["pmr_total_mass", "totalMass", undefined, own("car", "kg", "")],
      ["pmr_total_brake_force", "totalBrakeForce", undefined, own("car", "N", "")],
      ["pmr_front_anti_roll_bar", "frontAntiRollBar", undefined, own("car", "", "")],
      ["pmr_rear_anti_roll_bar", "rearAntiRollBar", undefined, own("car", "", "")]
    ],
    wheels: [
      ...wheel("tyre_temperature", "carcassTemperature"),
      // Of the tread only the middle is named: sources disagree on the edges.
      ...wheel("tyre_middle_temperature", "middleTemperature"),
      ...wheel("tyre_rim_temperature", "rimTemperature"),
      ...wheel("tyre_air_temperature", "internalAirTemperature"),
      ...wheel("tyre_pressure", "pressure", tyrePressure, {
        description:
          "Reported in kPa or Pa, judged by its size; assumed to be above atmosphere, as no source says"
      }),
      ...wheel("wheel_speed", "linearSpeed", kmh),
      ...wheel("wheel_rotation", "angularVelocity"),
      ...wheel("slip_ratio", "slipRatio"),
      ...wheel("brake_temperature", "brakeTemperature"),
      ...wheel("camber", "inclination", degrees, { description: AS_SENT }),
      ...wheel("pmr_slip_angle", "slipAngle", degrees, own("wheels", "deg")),
      ...wheel("pmr_damper_velocity", "damperVelocity", milli, own("wheels", "mm/s")),
      ...wheel("pmr_spring_strain", "springStrain", undefined, own("wheels", "", "As sent")),
      ...wheel("pmr_force_x", "forceX", undefined, own("wheels", "N")),
      ...wheel("pmr_force_y", "forceY", undefined, own("wheels", "N")),
      ...wheel("pmr_force_z", "forceZ", undefined, own("wheels", "N")),
      ...wheel("pmr_slide_x", "slideX", undefined, own("wheels", "m/s")),
      ...wheel("pmr_slide_z", "slideZ", undefined, own("wheels", "m/s")),
      ...wheel("pmr_wheel_torque", "wheelTorque", undefined, own("wheels", "N m")),
      ...wheel("pmr_material", "material", undefined, {
        ...own("wheels", "", "The game's number of the surface below the wheel; 0 for none"),
        kind: "step"
      })
    ],
    state: [
      ["current_lap", "state.lapNumber"],
      ["lap_distance", "state.lapDistance"],
      ["lap_fraction", "state.lapProgress"],
      ["lap_time_so_far", "state.currentLapTime", notNegative],
      ["sector", "state.currentSector", fromOne],
      ["race_position", "state.racePosition", positive],
      ["in_pit", "state.inPits", flag],
      ["lap_invalid", "state.lapValid", isZero],
      ["last_lap_time", "state.lastLapTime", positive],
      ["best_lap_time", "state.bestLapTime", positive],
      ["session_time", "race.sessionTimeElapsed", notNegative],
      ["damage_aero", "state.aeroDamage"],
      ["engine_damage", "state.engineDamage"],
      ["pmr_suspension_damage", "state.suspensionDamage", undefined, own("damage", "", "As sent")]
    ],
    race: [
      ["air_temperature", "race.ambientTemperature"],
      ["track_temperature", "race.trackTemperature"],
      ["pmr_track_grip", "race.trackGrip", undefined, own("track", "", "As sent: no source has its scale")]
    ]
  }
)

/** Each with its name for `ChannelRows.set`. */
const named = <const Name extends string, const Value extends string>(
  packet: Name,
  values: ReadonlyArray<Value>
) => values.map((value) => [value, `${packet}.${value}`] as const)

export const carValues = named("state", state)
export const raceValues = named("race", race)
