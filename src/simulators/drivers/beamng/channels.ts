/**
 * The channels of BeamNG.drive (addendum-beamng.md). The protocol states neither the axes of the acceleration nor the signs of
 * angles: the car's path shows them; where it does not, the values become channels of the game's own, as sent.
 */
import { channelMap, ownChannels } from "../../packets/ChannelMap.ts"
import { degrees, g, kmh } from "../../packets/conversions.ts"
import { gaugeLines, handbrakeLine, waterTemperatureLine } from "../outgauge/channels.ts"
import { outGauge } from "../outgauge/layout.ts"
import { motionSim } from "./layout.ts"

/** Signs, 1 or -1; angles in rad. */
const found = ["lateral", "longitudinal", "yawRate", "yaw", "pitch", "roll"] as const

const byPath = { description: "Its axis and sign are found from the car's path" }
const own = ownChannels("beamng")

const turned = (value: number, sign: number): number => value * sign + 0

export const channels = channelMap(
  { motion: motionSim, gauge: outGauge, found },
  {
    motion: [
      ["g_lateral", ["accelerationX", "found.lateral"], (a, sign) => g(turned(a, sign)), byPath],
      ["g_longitudinal", ["accelerationY", "found.longitudinal"], (a, sign) => g(turned(a, sign)), byPath],
      ["yaw_rate", ["yawRate", "found.yawRate"], (rate, sign) => degrees(turned(rate, sign)), byPath],
      ["yaw", "found.yaw", degrees, { description: "Its zero and sense are found from the car's path" }],
      ["pitch", "found.pitch", degrees, { description: "By the vector that points up" }],
      ["roll", "found.roll", degrees, { description: "By the vector that points up" }],
      ["velocity_x", "velocityX"],
      ["velocity_y", "velocityY"],
      ["velocity_z", "velocityZ"],
      ["beamng_pitch_rate", "pitchRate", degrees, own("motion", "deg/s")],
      ["beamng_roll_rate", "rollRate", degrees, own("motion", "deg/s")],
      [
        "beamng_acceleration_z",
        "accelerationZ",
        undefined,
        own("motion", "m/s²", "As sent; without gravity, by the game's script. No source has its sign")
      ]
    ],
    gauge: [
      ...gaugeLines,
      handbrakeLine,
      waterTemperatureLine,
      [
        "beamng_wheel_speed",
        "Speed",
        kmh,
        own("gauge", "km/h", "The mean of the wheels that the speedometer reads, as OutGauge reports it")
      ]
    ]
  }
)
