/**
 * The packet of Richard Burns Rally with the plug-in NGP, by the names of its header (richard-burns-rally.md, section 2). Little
 * endian, packed. Wheels: left front, right front, left back, right back.
 */
import { each, Struct } from "../../packets/Struct.ts"

/** Of the tread of a tyre. */
export const SEGMENTS = ["0", "1", "2", "3", "4", "5", "6", "7"] as const

const segment = <const Corner extends string, const Number extends string>(corner: Corner, number: Number) =>
  [
    [`segmentTemperature${number}${corner}`, "f32", "K"],
    [`segmentWear${number}${corner}`, "f32"]
  ] as const

/** One corner of the car. */
const suspension = <const Corner extends string>(corner: Corner) =>
  [
    /** 0.195 at rest in the one known packet. */
    [`springDeflection${corner}`, "f32", "m"],
    [`rollbarForce${corner}`, "f32", "N"],
    [`springForce${corner}`, "f32", "N"],
    [`damperForce${corner}`, "f32", "N"],
    [`strutForce${corner}`, "f32", "N"],
    [`helperSpringIsActive${corner}`, "i32"],
    [`damperDamage${corner}`, "f32"],
    [`damperPistonVelocity${corner}`, "f32", "m/s"],
    [`brakeDiskLayerTemperature${corner}`, "f32", "K"],
    [`brakeDiskTemperature${corner}`, "f32", "K"],
    [`brakeDiskWear${corner}`, "f32"],
    [`tirePressure${corner}`, "f32", "Pa"],
    [`tireTemperature${corner}`, "f32", "K"],
    [`tireCarcassTemperature${corner}`, "f32", "K"],
    [`tireTreadTemperature${corner}`, "f32", "K"],
    /** The tyre on the road. */
    [`tireCurrentSegment${corner}`, "u32"],
    ...segment(corner, "0"),
    ...segment(corner, "1"),
    ...segment(corner, "2"),
    ...segment(corner, "3"),
    ...segment(corner, "4"),
    ...segment(corner, "5"),
    ...segment(corner, "6"),
    ...segment(corner, "7")
  ] as const

/** Forward or back, left or right, up or down; then about these axes. No source states signs and units. */
const motions = ["Surge", "Sway", "Heave", "Roll", "Pitch", "Yaw"] as const

export const CORNERS = ["LF", "RF", "LB", "RB"] as const

export const packet = new Struct([
  /** Steps of the physics, which count up. */
  ["totalSteps", "u32"],
  ["stageIndex", "i32"],
  /** Metres by one source, a share by another: not used. */
  ["stageProgress", "f32"],
  /** 0 before the start; with penalties. */
  ["raceTime", "f32", "s"],
  ["driveLineLocation", "f32", "m"],
  /** Negative behind the finish. */
  ["distanceToEnd", "f32", "m"],
  /** -1 to 1. */
  ["steering", "f32"],
  /** Each 0 to 1. */
  ["throttle", "f32"],
  ["brake", "f32"],
  ["handbrake", "f32"],
  ["clutch", "f32"],
  /** 0 reverse, 1 neutral, 2 first. */
  ["gear", "i32"],
  ["footbrakePressure", "f32"],
  ["handbrakePressure", "f32"],
  ["carIndex", "i32"],
  /** In km/h or mph, by the player's choice. */
  ["speed", "f32"],
  ["positionX", "f32", "m"],
  ["positionY", "f32", "m"],
  ["positionZ", "f32", "m"],
  ["roll", "f32", "deg"],
  ["pitch", "f32", "deg"],
  ["yaw", "f32", "deg"],
  ...each(motions, "velocity", "f32", "m/s; of turns deg/s or rad/s"),
  ...each(motions, "acceleration", "f32", "m/s², rad/s²"),
  ["rpm", "f32", "1/min"],
  ["radiatorCoolantTemperature", "f32", "K"],
  ["engineCoolantTemperature", "f32", "K"],
  ["engineTemperature", "f32", "K"],
  ...suspension("LF"),
  ...suspension("RF"),
  ...suspension("LB"),
  ...suspension("RB")
])
