/**
 * The channels of NGP's packet (richard-burns-rally.md, section 6). Values whose sign, unit or scale no source states
 * become channels of the game's own, as sent.
 */
import { ABSENT } from "../../../domain/RowBatch.ts"
import { channelMap, ofWheels, ownChannels } from "../../packets/ChannelMap.ts"
import { kilo, milli } from "../../packets/conversions.ts"
import { CORNERS, packet, SEGMENTS } from "./layout.ts"

const KELVIN = 273.15

const fromKelvin = (kelvin: number): number => (kelvin > 0 ? kelvin - KELVIN : ABSENT)
/** A value that is assumed to be a share; a number outside 0..1 shows that it is none. */
const onlyShare = (value: number): number => (value >= 0 && value <= 1 ? value : ABSENT)

const wheel = ofWheels(...CORNERS)

/** The program is GenericTelemetryProvider. */
const RATE = "As sent: one program reads deg/s, no source has its sign"

const own = ownChannels("rbr")

/** Values that the driver computes, m. */
const run = ["lapDistance"] as const
/** The mean wear of each tyre's segments. */
const wearNames = CORNERS
/** The names that `ChannelRows.set` takes. */
export const wearValues = wearNames.map((corner) => `wear.${corner}`)

const segments = wearNames.map((corner) =>
  SEGMENTS.map((segment) => packet.read[`segmentWear${segment}${corner}`])
)

/** The tyre of this index. */
export const meanWear = (bytes: Buffer, tyre: number): number => {
  let sum = 0
  for (const read of segments[tyre]!) sum += read(bytes)
  return sum / SEGMENTS.length
}

export const channels = channelMap(
  { telemetry: packet, run, wear: wearNames },
  {
    telemetry: [
      ["clutch", "clutch"],
      ["handbrake", "handbrake"],
      ["water_temperature", "engineCoolantTemperature", fromKelvin],
      ["engine_temperature", "engineTemperature", fromKelvin],
      ...wheel("tyre_temperature", "tireCarcassTemperature", fromKelvin),
      ...wheel("tyre_tread_temperature", "tireTreadTemperature", fromKelvin),
      ...wheel("tyre_pressure", "tirePressure", kilo, {
        description: "Assumed to be above atmosphere, as no source says"
      }),
      ...wheel("brake_temperature", "brakeDiskTemperature", fromKelvin),
      ...wheel("suspension_load", "springForce", undefined, { description: "Of the spring" }),
      ["lap_distance", "run.lapDistance"],
      ["lap_time_so_far", "raceTime", undefined, { description: "With penalties" }],
      ["distance", "run.lapDistance"],
      ...wheel("damage_suspension", "damperDamage", onlyShare, { description: "Of the damper" }),
      ["rbr_radiator_temperature", "radiatorCoolantTemperature", fromKelvin, own("engine", "°C", "")],
      ["rbr_brake_pressure", "footbrakePressure", undefined, own("controls", "", "No source has its unit")],
      [
        "rbr_handbrake_pressure",
        "handbrakePressure",
        undefined,
        own("controls", "", "No source has its unit")
      ],
      ["rbr_roll", "roll", undefined, own("motion", "deg")],
      ["rbr_pitch", "pitch", undefined, own("motion", "deg")],
      ["rbr_yaw", "yaw", undefined, own("motion", "deg", "As sent: no source has its zero and its sense")],
      ["rbr_surge", "velocitySurge", undefined, own("motion", "m/s")],
      ["rbr_sway", "velocitySway", undefined, own("motion", "m/s")],
      ["rbr_heave", "velocityHeave", undefined, own("motion", "m/s")],
      ["rbr_roll_rate", "velocityRoll", undefined, own("motion", "", RATE)],
      ["rbr_pitch_rate", "velocityPitch", undefined, own("motion", "", RATE)],
      ["rbr_yaw_rate", "velocityYaw", undefined, own("motion", "", RATE)],
      ["rbr_surge_acceleration", "accelerationSurge", undefined, own("motion", "m/s²")],
      ["rbr_sway_acceleration", "accelerationSway", undefined, own("motion", "m/s²")],
      [
        "rbr_heave_acceleration",
        "accelerationHeave",
        undefined,
        own("motion", "m/s²", "As sent: no source has its sign, nor whether gravity is in it")
      ],
      [
        "rbr_drive_line_location",
        "driveLineLocation",
        undefined,
        own("stage", "m", "Along the driving line")
      ],
      ["rbr_distance_to_end", "distanceToEnd", undefined, own("stage", "m", "Negative behind the finish")],
      ...wheel("rbr_spring_deflection", "springDeflection", milli, own("suspension", "mm")),
      ...wheel("rbr_damper_velocity", "damperPistonVelocity", milli, own("suspension", "mm/s")),
      ...wheel("rbr_rollbar_force", "rollbarForce", undefined, own("suspension", "N")),
      ...wheel("rbr_damper_force", "damperForce", undefined, own("suspension", "N")),
      ...wheel("rbr_strut_force", "strutForce", undefined, own("suspension", "N")),
      ...wheel("rbr_helper_spring", "helperSpringIsActive", undefined, {
        ...own("suspension", "", "It bears"),
        kind: "flag"
      }),
      ...wheel(
        "rbr_tyre_overall_temperature",
        "tireTemperature",
        fromKelvin,
        own("tyres", "°C", "The plug-in's overall value")
      ),
      ...wheel(
        "rbr_brake_layer_temperature",
        "brakeDiskLayerTemperature",
        fromKelvin,
        own("tyres", "°C", "Of the disc's surface")
      ),
      ...wheel("rbr_brake_wear", "brakeDiskWear", undefined, own("tyres", "", "No source has its scale")),
      ...wearNames.map(
        (corner, n) =>
          [
            `rbr_tyre_wear_${["fl", "fr", "rl", "rr"][n]!}`,
            `wear.${corner}`,
            undefined,
            own("tyres", "", "The mean of the tread's segments; no source has its scale")
          ] as const
      )
    ]
  }
)
