/**
 * Data Out's packets as tables, by the names of Microsoft's own pages (forza-data-out.md, sections 3 to 5). Little endian, packed.
 * Vectors of the car are x right, y up, z forward. Wheels: front left, front right, rear left, rear right.
 */
import { each, Struct } from "../../packets/Struct.ts"

const axes = ["X", "Y", "Z"] as const
const wheels = ["0", "1", "2", "3"] as const

/** The start of every packet. */
const sled = [
  /** 1 driving; 0 in menus and pauses. */
  ["isRaceOn", "i32"],
  /** Wraps around. */
  ["timestampMS", "u32", "ms"],
  ["engineMaxRpm", "f32", "1/min"],
  ["engineIdleRpm", "f32", "1/min"],
  ["currentEngineRpm", "f32", "1/min"],
  ...each(axes, "acceleration", "f32", "m/s²"),
  ...each(axes, "velocity", "f32", "m/s"),
  ...each(axes, "angularVelocity", "f32", "rad/s"),
  ["yaw", "f32", "rad"],
  ["pitch", "f32", "rad"],
  ["roll", "f32", "rad"],
  /** 0 stretched to 1 compressed. */
  ...each(wheels, "normalizedSuspensionTravel", "f32"),
  /** 1 at the limit of grip, as the slip angle and both together. */
  ...each(wheels, "tireSlipRatio", "f32"),
  ...each(wheels, "wheelRotationSpeed", "f32", "rad/s"),
  ...each(wheels, "wheelOnRumbleStrip", "i32"),
  ...each(wheels, "wheelInPuddleDepth", "f32"),
  ...each(wheels, "surfaceRumble", "f32"),
  ...each(wheels, "tireSlipAngle", "f32"),
  ...each(wheels, "tireCombinedSlip", "f32"),
  ...each(wheels, "suspensionTravelMeters", "f32", "m"),
  ["carOrdinal", "i32"],
  ["carClass", "i32"],
  ["carPerformanceIndex", "i32"],
  ["drivetrainType", "i32"],
  ["numCylinders", "i32"]
] as const

/** The fields that "Dash" adds. */
const dash = [
  /** In the world, y up, left-handed. */
  ...each(axes, "position", "f32", "m"),
  ["speed", "f32", "m/s"],
  ["power", "f32", "W"],
  ["torque", "f32", "N m"],
  ...each(wheels, "tireTemp", "f32", "°F"),
  ["boost", "f32", "psi"],
  /** 0 to 1. */
  ["fuel", "f32"],
  /** Since the start of the race; it may be negative before that. */
  ["distanceTraveled", "f32", "m"],
  /** 0 for none. */
  ["bestLap", "f32", "s"],
  ["lastLap", "f32", "s"],
  ["currentLap", "f32", "s"],
  ["currentRaceTime", "f32", "s"],
  /** 0 in the first lap. */
  ["lapNumber", "u16"],
  ["racePosition", "u8"],
  /** Each 0 to 255. */
  ["accel", "u8"],
  ["brake", "u8"],
  ["clutch", "u8"],
  ["handBrake", "u8"],
  /** 0 reverse, 1 to 10 forward, 11 while shifting. */
  ["gear", "u8"],
  /** -127 left to 127 right. */
  ["steer", "i8"],
  ["normalizedDrivingLine", "i8"],
  ["normalizedAIBrakeDifference", "i8"]
] as const

/** The fields that Horizon has between the two. */
const horizon = [
  ["carCategory", "i32"],
  ["smashableVelDiff", "f32"],
  ["smashableMass", "f32"]
] as const

/** The fields that Motorsport (2023) adds. */
const motorsport = [
  /** 0 new to 1 gone. */
  ...each(wheels, "tireWear", "f32"),
  ["trackOrdinal", "i32"]
] as const

type DataOutField = (typeof sled | typeof horizon | typeof dash | typeof motorsport)[number]

/** For any game: a missing field has no reader. */
export type DataOutPacket = Struct<DataOutField>

/** Not usable: it has no position, inputs or laps. */
export const sledPacket = new Struct(sled)

/** The packet of each game. */
export const packets = {
  motorsport7: new Struct<DataOutField>([...sled, ...dash]),
  /** Some users report one more byte at the end, which is spare. */
  horizon: new Struct<DataOutField>([...sled, ...horizon, ...dash]),
  motorsport: new Struct<DataOutField>([...sled, ...dash, ...motorsport])
}

export type Game = keyof typeof packets
