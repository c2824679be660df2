/**
 * The telemetry packet of DiRT Rally 2.0, and of other Codemasters games that know "extradata"
 * (codemasters-dirt-rally2-and-ea-wrc.md, part A, and dirt-rally-1-and-codemasters-264.md). Little endian, all fields are
 * floats. The world is right-handed with y up.
 */
import { each, Struct } from "../../packets/Struct.ts"

const axes = ["X", "Y", "Z"] as const
const wheels = ["RL", "RR", "FL", "FR"] as const

export const packet = new Struct([
  /** Runs through stages, or restarts with each. */
  ["totalTime", "f32", "s"],
  ["lapTime", "f32", "s"],
  /** Negative before the line. */
  ["distance", "f32", "m"],
  /** 0 to 1. */
  ["progress", "f32"],
  ...each(axes, "position", "f32", "m"),
  ["speed", "f32", "m/s"],
  ...each(axes, "velocity", "f32", "m/s"),
  /** Unit vectors of the car, to its right and forward. */
  ...each(axes, "right", "f32"),
  ...each(axes, "forward", "f32"),
  /** Positive in compression, about 0 at rest. */
  ...each(wheels, "suspensionPosition", "f32", "mm"),
  /** About 35 mm/s lower at rest. */
  ...each(wheels, "suspensionVelocity", "f32", "mm/s"),
  ...each(wheels, "wheelSpeed", "f32", "m/s"),
  ["throttle", "f32"],
  /** -1 left to 1 right. */
  ["steering", "f32"],
  ["brake", "f32"],
  ["clutch", "f32"],
  /** 0 neutral; reverse is -1, 10 in older titles. */
  ["gear", "f32"],
  /** Positive to the left. */
  ["gLateral", "f32", "g"],
  ["gLongitudinal", "f32", "g"],
  /** From 0. */
  ["lap", "f32"],
  ["engineRate", "f32", "rad/s"],
  ["sliSupport", "f32"],
  ["racePosition", "f32"],
  // Always 0 in real packets.
  ["kersLevel", "f32"],
  ["kersMaxLevel", "f32"],
  ["drs", "f32"],
  ["tractionControl", "f32"],
  ["antiLockBrakes", "f32"],
  ["fuel", "f32"],
  ["fuelCapacity", "f32"],
  ["inPit", "f32"],
  /** From 0; a rally stage has four. */
  ["sector", "f32"],
  /** Each is the duration of one sector; 0 until it is set. */
  ["sector1", "f32", "s"],
  ["sector2", "f32", "s"],
  ...each(wheels, "brakeTemperature", "f32", "°C"),
  ...each(wheels, "tyrePressure", "f32"),
  ["lapsCompleted", "f32"],
  ["totalLaps", "f32"],
  ["trackLength", "f32", "m"],
  /** On circuits only. */
  ["lastLap", "f32", "s"],
  ["maxRate", "f32", "rad/s"],
  ["idleRate", "f32", "rad/s"],
  ["maxGears", "f32"]
])
