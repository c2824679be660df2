/**
 * The channels of Live for Speed (addendum-lfs.md): OutGauge always, MCI, and OutSim as set in its cfg.txt. No capture
 * confirms the signs: where the sheet states none, a channel of the game's own has the value as sent.
 */
import { channelMap, type Lines, ofWheels, ownChannels } from "../../packets/ChannelMap.ts"
import { circle, degrees, g, milli, minusDegrees, notNegative, positive } from "../../packets/conversions.ts"
import {
  engineTemperatureLine,
  gaugeLines,
  handbrakeLine,
  oilPressureLine,
  pitLimiterLine
} from "../outgauge/channels.ts"
import { outGauge } from "../outgauge/layout.ts"
import { compCar, motion, outSim2 } from "./layout.ts"

/** Values that the driver takes from InSim: s, and counts. */
const race = ["lap", "lastLap", "sector1", "sector2", "pitStops", "isInPit"] as const

const wheel = ofWheels("FL", "FR", "RL", "RR")
const byTheSheet = { description: "Its sign and wheel are the sheet's; no real packet bears them out" }
const own = ownChannels("lfs")

/** A turn is 65536, counter-clockwise. */
const fromTurn = (heading: number): number => (360 - (heading / 65_536) * 360) % 360

const lines: Lines<{
  readonly outSim2: typeof outSim2
  readonly motion: typeof motion
  readonly car: typeof compCar
  readonly gauge: typeof outGauge
  readonly race: typeof race
}> = {
  outSim2: [
    ["clutch", "Clutch"],
    ["handbrake", "Handbrake"],
    ["steering_torque", "SteerTorque", undefined, { description: "As sent: no source has its sign" }],
    ...wheel("tyre_air_temperature", "AirTemp"),
    ...wheel("wheel_rotation", "AngVel", undefined, byTheSheet),
    ...wheel("slip_ratio", "SlipRatio", undefined, byTheSheet),
    ...wheel("slip_angle", "TanSlipAngle", (tangent) => degrees(Math.atan(tangent)), byTheSheet),
    ...wheel("wheel_load", "VerticalLoad", undefined, byTheSheet),
    ...wheel("suspension_travel", "SuspDeflect", milli),
    ["current_lap", "race.lap", positive],
    ["lap_distance", "CurrentLapDist", notNegative],
    ...wheel("lfs_lean", "LeanRelToRoad", degrees, own("suspension", "deg", "To the road, as sent"))
  ],
  motion: [
    [
      "g_lateral",
      ["AccelX", "AccelY", "Heading"],
      (x, y, heading) => g(x * Math.cos(heading) + y * Math.sin(heading)),
      { description: "Assumed to be in the world's axes" }
    ],
    [
      "g_longitudinal",
      ["AccelX", "AccelY", "Heading"],
      (x, y, heading) => g(y * Math.cos(heading) - x * Math.sin(heading)),
      { description: "Assumed to be in the world's axes" }
    ],
    ["yaw_rate", "AngVelZ", minusDegrees],
    ["yaw", "Heading", (heading: number) => circle(0 - heading)],
    ["pitch", "Pitch", degrees],
    ["roll", "Roll", degrees],
    ["velocity_x", "VelX"],
    ["velocity_y", "VelY"],
    ["velocity_z", "VelZ"],
    [
      "velocity_forward",
      ["VelX", "VelY", "Heading"],
      (x, y, heading) => y * Math.cos(heading) - x * Math.sin(heading)
    ],
    [
      "velocity_right",
      ["VelX", "VelY", "Heading"],
      (x, y, heading) => x * Math.cos(heading) + y * Math.sin(heading)
    ],
    ["lfs_angular_velocity_x", "AngVelX", undefined, own("motion", "rad/s", "As sent; its axes are unknown")],
    ["lfs_angular_velocity_y", "AngVelY", undefined, own("motion", "rad/s", "As sent; its axes are unknown")],
    [
      "lfs_acceleration_z",
      "AccelZ",
      undefined,
      own("motion", "m/s²", "As sent: no source says whether gravity is in it")
    ]
  ],
  car: [
    ["yaw", "Heading", fromTurn],
    ["yaw_rate", "AngVel", (rate: number) => 0 - (rate / 16_384) * 360],
    [
      "velocity_right",
      ["Direction", "Heading", "Speed"],
      (direction, heading, speed) =>
        0 - (speed / 327.68) * Math.sin(((direction - heading) / 65_536) * 2 * Math.PI)
    ],
    ["current_lap", "race.lap", positive],
    ["race_position", "Position", positive],
    ["laps_completed", "race.lap", (lap: number) => notNegative(lap - 1)],
    ["last_lap_time", "race.lastLap", positive],
    ["sector1_time", "race.sector1", positive],
    ["sector2_time", "race.sector2", positive],
    ["pit_stops", "race.pitStops"],
    ["in_pit", "race.isInPit"]
  ],
  gauge: [...gaugeLines, engineTemperatureLine, handbrakeLine, pitLimiterLine, oilPressureLine]
}

const { car, gauge, motion: classic } = lines
const always = { car: compCar, gauge: outGauge, race }
const withMotion = { motion, ...always }
/** Without OutSim, with the classic one, and with all of OutSim 2. */
export const channels = {
  none: channelMap(always, { car, gauge } as Lines<typeof always>),
  classic: channelMap(withMotion, { motion: classic, car, gauge } as Lines<typeof withMotion>),
  full: channelMap({ outSim2, ...withMotion }, lines)
}
