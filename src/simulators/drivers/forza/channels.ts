/**
 * The channels of Data Out (addendum-forza-channel-map.md). The signs follow from the documented axes, of a left-handed frame, in
 * which rotations are positive to the right about y, nose down about x and right side up about z; values of the game that others
 * recorded agree (test/simulators/drivers/forza/recording.test.ts).
 */
import { channelMap, type Lines, ofWheels } from "../../packets/ChannelMap.ts"
import {
  byte,
  celsius,
  circle,
  degrees,
  flag,
  g,
  kilo,
  kPaOfPsi,
  milli,
  minusDegrees,
  positive,
  share
} from "../../packets/conversions.ts"
import { type DataOutPacket, type Game, packets } from "./layout.ts"

/** Values that RaceLaps finds for the current lap. */
const laps = ["lapNumber", "lapDistance"] as const

const wheel = ofWheels("0", "1", "2", "3")

const slip = (description: string) => ({ group: "forza_wheels", unit: "", description })

const lines: Lines<{ readonly dataOut: DataOutPacket; readonly laps: typeof laps }> = {
  dataOut: [
    ["g_lateral", "accelerationX", g],
    ["g_longitudinal", "accelerationZ", g],
    ["g_vertical", "accelerationY", g],
    ["yaw_rate", "angularVelocityY", degrees],
    ["pitch_rate", "angularVelocityX", minusDegrees],
    ["roll_rate", "angularVelocityZ", minusDegrees],
    ["yaw", "yaw", circle],
    ["pitch", "pitch", minusDegrees],
    ["roll", "roll", minusDegrees],
    ["velocity_forward", "velocityZ"],
    ["velocity_right", "velocityX"],
    ["velocity_up", "velocityY"],
    ["clutch", "clutch", byte],
    ["handbrake", "handBrake", byte],
    ["engine_power", "power", kilo],
    ["engine_torque", "torque"],
    ["boost", "boost", kPaOfPsi],
    ["fuel_fraction", "fuel", undefined, { description: "Of the tank, 0 to 1; 1 if fuel is not simulated" }],
    ...wheel("tyre_temperature", "tireTemp", celsius, {
      description: "Reported in °F according to the community; the game's makers name no unit"
    }),
    ...wheel("tyre_wear", "tireWear"),
    ...wheel("wheel_rotation", "wheelRotationSpeed"),
    ...wheel("on_kerb", "wheelOnRumbleStrip", flag),
    ...wheel("puddle_depth", "wheelInPuddleDepth", share),
    ...wheel("forza_slip_ratio", "tireSlipRatio", undefined, slip("Slip along, 1 at the limit of grip")),
    ...wheel("forza_slip_angle", "tireSlipAngle", undefined, slip("Slip across, 1 at the limit of grip")),
    ...wheel(
      "forza_combined_slip",
      "tireCombinedSlip",
      undefined,
      slip("Slip in all, 1 at the limit of grip")
    ),
    ...wheel("suspension_fraction", "normalizedSuspensionTravel"),
    ...wheel("suspension_travel", "suspensionTravelMeters", milli),
    ["current_lap", "laps.lapNumber"],
    ["lap_distance", "laps.lapDistance"],
    ["lap_time_so_far", "currentLap", positive],
    ["race_position", "racePosition", positive],
    ["laps_completed", "lapNumber"],
    ["last_lap_time", "lastLap", positive],
    ["best_lap_time", "bestLap", positive],
    ["distance", "distanceTraveled"],
    ["session_time", "currentRaceTime"],
    ["rpm_max", "engineMaxRpm"],
    ["rpm_idle", "engineIdleRpm"]
  ]
}

const mapOf = (game: Game) => channelMap({ dataOut: packets[game], laps }, lines)

/** By game. */
export const channels = {
  motorsport7: mapOf("motorsport7"),
  horizon: mapOf("horizon"),
  motorsport: mapOf("motorsport")
} satisfies Readonly<Record<Game, unknown>>
