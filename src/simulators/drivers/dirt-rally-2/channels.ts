/** The channels of the packet (dirt-rally-1-and-codemasters-264.md, section 5); the signs were measured on real packets. */
import { channelMap, ofWheels } from "../../packets/ChannelMap.ts"
import { angleOfSine, circle, fromOne, kmh, minus, notNegative, positive } from "../../packets/conversions.ts"
import { rpmPerRate } from "./decode.ts"
import { packet } from "./layout.ts"

const wheel = ofWheels("FL", "FR", "RL", "RR")

const rpm = (rate: number, maxRate: number): number => Math.round(rate * rpmPerRate(maxRate))

/** Values that the driver computes: along the car's directions, m/s; and those of the lap or stage. */
const car = ["velocityForward", "velocityRight"] as const
const run = ["lapNumber", "lapDistance", "progress"] as const

export const channels = channelMap(
  { telemetry: packet, car, run },
  {
    telemetry: [
      ["g_lateral", "gLateral", minus],
      ["g_longitudinal", "gLongitudinal"],
      // Clockwise from our y, which is the game's -z.
      ["yaw", ["forwardX", "forwardZ"], (x, z) => circle(Math.atan2(x, -z))],
      ["pitch", "forwardY", angleOfSine],
      ["roll", "rightY", (sine: number) => minus(angleOfSine(sine))],
      ["velocity_x", "velocityX"],
      ["velocity_y", "velocityZ", minus],
      ["velocity_z", "velocityY"],
      ["velocity_forward", "car.velocityForward"],
      ["velocity_right", "car.velocityRight"],
      ["clutch", "clutch"],
      ...wheel("wheel_speed", "wheelSpeed", kmh),
      ...wheel("brake_temperature", "brakeTemperature"),
      ...wheel("suspension_travel", "suspensionPosition"),
      ...wheel("suspension_velocity", "suspensionVelocity", undefined, {
        description: "Some 35 mm/s less at rest, as the game has it"
      }),
      ["current_lap", "run.lapNumber"],
      ["lap_distance", "run.lapDistance"],
      ["lap_fraction", "run.progress"],
      ["lap_time_so_far", "lapTime", undefined, { description: "With penalties" }],
      ["sector", "sector", fromOne],
      ["last_lap_time", "lastLap", positive],
      ["sector1_time", "sector1", positive],
      ["sector2_time", "sector2", positive],
      ["distance", "distance", notNegative],
      ["rpm_max", ["maxRate", "maxRate"], rpm],
      ["rpm_idle", ["idleRate", "maxRate"], rpm],
      ["gears", "maxGears"]
    ]
  }
)
