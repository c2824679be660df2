/** The channels of a car info (addendum-assetto-corsa-remote-telemetry.md); the signs are those of a real lap of Monza. */
import { ABSENT } from "../../../domain/RowBatch.ts"
import { channelMap, type More, ofWheels } from "../../packets/ChannelMap.ts"
import { degrees, flag, fromOne, milli, minus, over, secondsOrNone } from "../../packets/conversions.ts"
import { carInfo } from "./layout.ts"

/** Below this speed slip angles are meaningless, m/s. */
const MIN_SLIP_SPEED = 2
const MAX_DIRT = 5

const wheel = ofWheels("1", "2", "3", "4")

/** A line for each wheel, from two of its fields. */
const ofWheelAnd = <Name extends string, Other extends string>(
  channel: string,
  field: Name,
  other: (end: "1" | "2" | "3" | "4") => Other,
  convert: (a: number, b: number) => number
) =>
  (
    [
      ["fl", "1"],
      ["fr", "2"],
      ["rl", "3"],
      ["rr", "4"]
    ] as const
  ).map(([name, end]) => [`${channel}_${name}`, [`${field}${end}` as const, other(end)], convert] as const)

const tyre = (unit: string, description: string): More => ({
  group: "assetto_corsa_tyres",
  unit,
  description
})
const aid: More = { group: "assetto_corsa_car", unit: "", kind: "flag" }

export const channels = channelMap(
  { carInfo },
  {
    carInfo: [
      ["g_lateral", "accGVertical", minus],
      ["g_longitudinal", "accGFrontal"],
      ["g_vertical", "accGHorizontal"],
      ["clutch", "clutch", (up: number) => 1 - up],
      ["steering_angle", "steer"],
      ["abs_active", "isAbsInAction", flag],
      ["tc_active", "isTcInAction", flag],
      ...wheel("tyre_dirt", "tyreDirtyLevel", over(MAX_DIRT)),
      ...ofWheelAnd(
        "wheel_speed",
        "wheelAngularSpeed",
        (end) => `tyreRadius${end}` as const,
        (rotation, radius) => rotation * radius * 3.6
      ),
      ...wheel("wheel_rotation", "wheelAngularSpeed"),
      ...wheel("slip_ratio", "slipRatio"),
      ...ofWheelAnd(
        "slip_angle",
        "slipAngle",
        () => "speedMs",
        (angle, speed) => (speed < MIN_SLIP_SPEED ? ABSENT : angle)
      ),
      ...wheel("wheel_load", "load"),
      ...wheel("suspension_travel", "suspensionHeight", milli),
      ...wheel("camber", "camberRAD", degrees),
      ["current_lap", "lapCount", fromOne],
      ["lap_fraction", "carPositionNormalized"],
      ["lap_time_so_far", "lapTime", secondsOrNone],
      ["laps_completed", "lapCount"],
      ["in_pit", "isInPit", flag],
      ["last_lap_time", "lastLap", secondsOrNone],
      ["best_lap_time", "bestLap", secondsOrNone],
      ...wheel(
        "assetto_corsa_slip",
        "ndSlip",
        undefined,
        tyre("", "ndSlip: slip in all, 1 at the limit by its name")
      ),
      ...wheel("assetto_corsa_friction", "Dy", undefined, tyre("", "Dy: friction")),
      ...wheel("assetto_corsa_aligning_torque", "Mz", undefined, tyre("N m", "Mz: about the tyre's height")),
      ...wheel(
        "assetto_corsa_loaded_radius",
        "tyreLoadedRadius",
        milli,
        tyre("mm", "Of the tyre under its load")
      ),
      ["assetto_corsa_abs_enabled", "isAbsEnabled", flag, aid],
      ["assetto_corsa_tc_enabled", "isTcEnabled", flag, aid],
      [
        "assetto_corsa_cg_height",
        "cgHeight",
        milli,
        { group: "assetto_corsa_car", unit: "mm", description: "Of the centre of mass" }
      ]
    ]
  }
)
