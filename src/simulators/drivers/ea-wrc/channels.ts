/**
 * The channels of EA SPORTS WRC (addendum-codemasters-dr2-ea-wrc.md), by the game's own descriptions; no capture confirms
 * them. The world is x left, y up, z forward: (x, -z, y) is ours.
 */
import { ABSENT } from "../../../domain/RowBatch.ts"
import type { ChannelRows } from "../../packets/ChannelRows.ts"
import { channelMap, type Lines, ofWheels, ownChannels } from "../../packets/ChannelMap.ts"
import {
  angleOfSine,
  circle,
  g,
  kmh,
  milli,
  minus,
  notNegative,
  positive,
  share
} from "../../packets/conversions.ts"
import { type EaWrcPacket, least, packets, ResultStatus } from "./layout.ts"

const wheel = ofWheels("fl", "fr", "bl", "br")

/** Vectors along the car's axes, from its directions. */
const car = [
  "accelerationRight",
  "accelerationForward",
  "accelerationUp",
  "velocityRight",
  "velocityForward",
  "velocityUp"
] as const

const PUNCTURED = 1
/** The game gives punctures no scale. */
const tyreDamage = (state: number): number => (state === PUNCTURED ? 0.5 : share(state))

const own = ownChannels("wrc")

const lines: Lines<{ readonly update: EaWrcPacket; readonly car: typeof car }> = {
  update: [
    ["g_lateral", "car.accelerationRight", g],
    ["g_longitudinal", "car.accelerationForward", g],
    [
      "yaw",
      ["vehicle_forward_direction_x", "vehicle_forward_direction_z"],
      (x, z) => circle(Math.atan2(x, -z))
    ],
    ["pitch", "vehicle_forward_direction_y", angleOfSine],
    ["roll", "vehicle_left_direction_y", angleOfSine],
    ["velocity_x", "vehicle_velocity_x"],
    ["velocity_y", "vehicle_velocity_z", minus],
    ["velocity_z", "vehicle_velocity_y"],
    ["velocity_forward", "car.velocityForward"],
    ["velocity_right", "car.velocityRight"],
    ["velocity_up", "car.velocityUp"],
    ["clutch", "vehicle_clutch"],
    ["handbrake", "vehicle_handbrake"],
    [
      "engine_speed_fraction",
      ["shiftlights_fraction", "shiftlights_rpm_valid"],
      (fraction, isValid) => (isValid === 0 ? ABSENT : fraction)
    ],
    ...wheel("tyre_damage", "vehicle_tyre_state_", tyreDamage, {
      description: "0 whole, 0.5 punctured, 1 burst: the game reports only these three"
    }),
    ...wheel("wheel_speed", "vehicle_cp_forward_speed_", kmh),
    ...wheel("brake_temperature", "vehicle_brake_temperature_"),
    ...wheel("suspension_travel", "vehicle_hub_position_", milli, {
      description: "The hub's movement upwards relative to the body"
    }),
    ...wheel("suspension_velocity", "vehicle_hub_velocity_", milli),
    ["lap_distance", "stage_current_distance", notNegative],
    [
      "lap_fraction",
      ["stage_current_distance", "stage_length"],
      (distance, length) => (length > 0 ? share(distance / length) : ABSENT)
    ],
    ["lap_time_so_far", "stage_current_time"],
    [
      "last_lap_time",
      ["stage_result_time", "stage_result_status"],
      (time, status) => (status === ResultStatus.finished ? positive(time) : ABSENT)
    ],
    ["distance", "stage_current_distance", notNegative],
    ["rpm_max", "vehicle_engine_rpm_max", positive],
    ["rpm_idle", "vehicle_engine_rpm_idle", positive],
    ["gears", "vehicle_gear_maximum", positive],
    [
      "wrc_acceleration_up",
      "car.accelerationUp",
      undefined,
      own("motion", "m/s²", "No source says whether gravity is in it")
    ],
    [
      "wrc_abs_light",
      "vehicle_cluster_abs",
      undefined,
      { ...own("controls", "", "The light of the anti-lock brakes on the car's cluster is on"), kind: "flag" }
    ],
    [
      "wrc_previous_split_time",
      "stage_previous_split_time",
      positive,
      {
        ...own("stage", "s", "Of the previous sector; no source says whether it is counted from the start"),
        kind: "step"
      }
    ],
    ["wrc_time_penalty", "stage_result_time_penalty", undefined, { ...own("stage", "s", ""), kind: "step" }],
    [
      "wrc_result_status",
      "stage_result_status",
      undefined,
      {
        ...own("stage", "", ""),
        kind: "step",
        labels: {
          0: "not finished",
          1: "finished",
          2: "timed out",
          3: "terminally damaged",
          4: "retired",
          5: "disqualified"
        }
      }
    ]
  ]
}

/** By the length of the packet. */
export const channels = new Map(
  [...packets].map(([length, update]) => [length, channelMap({ update, car }, lines)])
)

type Name = keyof (typeof least)["read"]
const vector = (x: Name, y: Name, z: Name) => [least.read[x], least.read[y], least.read[z]] as const
const acceleration = vector("vehicle_acceleration_x", "vehicle_acceleration_y", "vehicle_acceleration_z")
const velocity = vector("vehicle_velocity_x", "vehicle_velocity_y", "vehicle_velocity_z")
const left = vector("vehicle_left_direction_x", "vehicle_left_direction_y", "vehicle_left_direction_z")
const forward = vector(
  "vehicle_forward_direction_x",
  "vehicle_forward_direction_y",
  "vehicle_forward_direction_z"
)
const up = vector("vehicle_up_direction_x", "vehicle_up_direction_y", "vehicle_up_direction_z")

type Vector = ReturnType<typeof vector>

const dot = (bytes: Buffer, [ax, ay, az]: Vector, [bx, by, bz]: Vector): number =>
  ax(bytes) * bx(bytes) + ay(bytes) * by(bytes) + az(bytes) * bz(bytes)

/** The car's motion along its own axes. */
export const setCar = (rows: ChannelRows, bytes: Buffer): void => {
  rows.set("car.accelerationRight", -dot(bytes, acceleration, left))
  rows.set("car.accelerationForward", dot(bytes, acceleration, forward))
  rows.set("car.accelerationUp", dot(bytes, acceleration, up))
  rows.set("car.velocityRight", -dot(bytes, velocity, left))
  rows.set("car.velocityForward", dot(bytes, velocity, forward))
  rows.set("car.velocityUp", dot(bytes, velocity, up))
}
