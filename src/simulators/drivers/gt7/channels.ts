/** The channels of the packets (addendum-gran-turismo-7.md). Signs are those of a real lap of Spa, where nothing else is stated. */
import { ABSENT } from "../../../domain/RowBatch.ts"
import { channelMap, type ChannelMap, type Lines, type More, ofWheels } from "../../packets/ChannelMap.ts"
import {
  bit,
  byte,
  degrees,
  g,
  kilo,
  milli,
  minus,
  minusDegrees,
  notNegative,
  positive,
  secondsOrNone,
  share,
  times
} from "../../packets/conversions.ts"
import { flag, type Gt7Packet, type Heartbeat, isSet, packets } from "./layout.ts"

/** Values that Attitude and Gt7Laps compute. */
const attitude = ["yaw", "pitch", "roll"] as const
const laps = ["lapNumber"] as const

/** bar to kPa. */
const kPa = times(100)
/** A kart has no tank, and an electric car has a share of its charge instead of fuel. */
const NO_TANK = 5
const NO_GEAR = 15

const wheel = ofWheels("0", "1", "2", "3")

const own = (unit: string, description: string, more: More = {}): More => ({
  group: "gt7_car",
  unit,
  description,
  ...more
})

const lines: Lines<{
  readonly packet: Gt7Packet
  readonly attitude: typeof attitude
  readonly laps: typeof laps
}> = {
  packet: [
    ["g_lateral", "sway", g],
    ["g_longitudinal", "surge", g],
    ["g_vertical", "heave", g],
    ["yaw_rate", "angularVelocity_y", minusDegrees],
    ["pitch_rate", "angularVelocity_x", degrees],
    ["roll_rate", "angularVelocity_z", minusDegrees],
    ["yaw", "attitude.yaw"],
    ["pitch", "attitude.pitch"],
    ["roll", "attitude.roll"],
    ["velocity_x", "velocity_x"],
    ["velocity_y", "velocity_z", minus],
    ["velocity_z", "velocity_y"],
    ["clutch", "clutch"],
    ["handbrake", "flags", bit(flag.handbrake)],
    ["steering_angle", "steeringRad", minusDegrees],
    ["tc_active", "flags", bit(flag.tcs)],
    ["boost", ["boost", "flags"], (boost, flags) => (isSet(flags, "turbo") ? kPa(boost - 1) : ABSENT)],
    ["oil_pressure", "oilPressure", kPa],
    [
      "engine_speed_fraction",
      ["rpm", "rpmMin", "rpmMax"],
      (rpm, min, max) => (max > min ? share((rpm - min) / (max - min)) : ABSENT)
    ],
    [
      "fuel",
      ["fuel", "fuelCapacity"],
      (fuel, capacity) => (capacity > NO_TANK ? fuel : ABSENT),
      { description: "In litres according to the community" }
    ],
    [
      "fuel_fraction",
      ["fuel", "fuelCapacity"],
      (fuel, capacity) => (capacity > NO_TANK ? fuel / capacity : ABSENT)
    ],
    ...wheel("tyre_surface_temperature", "tyreTemperature"),
    ...(["fl", "fr", "rl", "rr"] as const).map(
      (end, n) =>
        [
          `wheel_speed_${end}`,
          [`wheelSpeed${n as 0 | 1 | 2 | 3}`, `tyreRadius${n as 0 | 1 | 2 | 3}`],
          (rotation: number, radius: number) => (0 - rotation) * radius * 3.6
        ] as const
    ),
    ...wheel("wheel_rotation", "wheelSpeed", minus),
    ...wheel("on_kerb", "surface", (letter) => (letter === 67 ? 1 : 0)),
    ...wheel("surface", "surface", positive, {
      labels: { 67: "kerb", 68: "dirt", 71: "grass or gravel", 84: "tarmac" }
    }),
    ...wheel("suspension_travel", "suspensionHeight", milli, {
      description: "Positive in compression, from a zero of the car's own"
    }),
    ["current_lap", "laps.lapNumber"],
    ["lap_time_so_far", "currentLapMs", secondsOrNone],
    ["last_lap_time", "lastLapMs", secondsOrNone],
    ["best_lap_time", "bestLapMs", secondsOrNone],
    ["time_of_day", "timeOfDayMs", (ms: number) => kilo(notNegative(ms))],
    ["session_laps", "laps", positive],
    [
      "rpm_max",
      "rpmMax",
      positive,
      { description: "Where the rev lights end, which is not the engine's limit" }
    ],
    ["fuel_capacity", "fuelCapacity", (capacity: number) => (capacity > NO_TANK ? capacity : ABSENT)],
    ["gt7_body_height", "bodyHeight", milli, own("mm", "Of the body above the road")],
    ["gt7_clutch_engagement", "clutchEngagement", undefined, own("", "0 open to 1 closed")],
    ["gt7_clutch_rpm", "rpmAfterClutch", undefined, own("1/min", "Behind the clutch")],
    [
      "gt7_suggested_gear",
      "gears",
      (gears: number) => (gears >> 4 === NO_GEAR ? ABSENT : gears >> 4),
      own("", "", { kind: "step" })
    ],
    [
      "gt7_top_speed",
      "topSpeed",
      positive,
      own("km/h", "As the game estimates it for the car", { kind: "step" })
    ],
    ["gt7_rev_limiter", "flags", bit(flag.revLimiter), own("", "", { kind: "flag" })],
    ["gt7_asm_active", "flags", bit(flag.asm), own("", "Stability management", { kind: "flag" })],
    ["gt7_lights", "flags", bit(flag.lights), own("", "", { kind: "flag" })],
    ["gt7_steering_rate", "steeringRate", minusDegrees, own("deg/s", "Of steering_angle")],
    [
      "gt7_throttle_pressed",
      "throttlePressed",
      byte,
      own("", "0 to 1, before traction control, according to the community; throttle is after it")
    ],
    [
      "gt7_brake_applied",
      "brakeApplied",
      byte,
      own("", "0 to 1, after ABS, according to the community; not in replays")
    ],
    [
      "gt7_wheel_angle_fl",
      "wheelAngle0",
      minusDegrees,
      own("deg", "Of the wheel on the road, positive to the right")
    ],
    [
      "gt7_wheel_angle_fr",
      "wheelAngle1",
      minusDegrees,
      own("deg", "Of the wheel on the road, positive to the right")
    ]
  ]
}

const mapOf = (heartbeat: Heartbeat) => channelMap({ packet: packets[heartbeat], attitude, laps }, lines)

/** By format. */
export const channels: Readonly<Record<Heartbeat, ChannelMap>> = {
  A: mapOf("A"),
  B: mapOf("B"),
  "~": mapOf("~"),
  C: mapOf("C")
}
