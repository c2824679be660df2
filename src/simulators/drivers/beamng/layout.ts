/**
 * MotionSim of BeamNG.drive as a table (sheet beamng-outgauge-motionsim). Little endian. World: right-handed, z up, the axes of
 * our points.
 */
import { each, Struct } from "../../packets/Struct.ts"

const axes = ["X", "Y", "Z"] as const

export const motionSim = new Struct([
  /** "BNG1". */
  ["format", "u32"],
  ...each(axes, "position", "f32", "m"),
  ...each(axes, "velocity", "f32", "m/s"),
  /** In the car's axes, without gravity. */
  ...each(axes, "acceleration", "f32", "m/s²"),
  ...each(axes, "up", "f32"),
  ["roll", "f32", "rad"],
  ["pitch", "f32", "rad"],
  ["yaw", "f32", "rad"],
  ["rollRate", "f32", "rad/s"],
  ["pitchRate", "f32", "rad/s"],
  ["yawRate", "f32", "rad/s"],
  ["rollAcceleration", "f32", "rad/s²"],
  ["pitchAcceleration", "f32", "rad/s²"],
  ["yawAcceleration", "f32", "rad/s²"]
])

/** "BNG1" as one number. */
export const MAGIC = 0x31474e42
