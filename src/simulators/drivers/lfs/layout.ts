/**
 * The frequent packets of LFS as tables, by its names: OutSim, OutSim 2 and the cars of MCI, whose other packets are in
 * insim.ts (sheet lfs-insim-outgauge-outsim, sections 3 and 5, and its addendum). Little endian. World: right-handed, z up.
 */
import { each, Struct } from "../../packets/Struct.ts"

const axes = ["X", "Y", "Z"] as const

/** A classic packet; OutSim 2 has the same behind its header and id. */
export const motion = new Struct([
  ["Time", "u32", "ms"],
  ...each(axes, "AngVel", "f32", "rad/s"),
  /** Counter-clockwise from above, 0 along +y. */
  ["Heading", "f32", "rad"],
  ["Pitch", "f32", "rad"],
  ["Roll", "f32", "rad"],
  ...each(axes, "Accel", "f32", "m/s²"),
  ...each(axes, "Vel", "f32", "m/s"),
  /** 65536 = 1 m. */
  ...each(axes, "Pos", "i32")
])
/** Of a classic packet with an id behind it. */
export const MOTION_WITH_ID_BYTES = motion.size + 4

const wheel = <const End extends string>(end: End) =>
  [
    /** In compression. */
    [`SuspDeflect${end}`, "f32", "m"],
    [`Steer${end}`, "f32", "rad"],
    [`XForce${end}`, "f32", "N"],
    [`YForce${end}`, "f32", "N"],
    [`VerticalLoad${end}`, "f32", "N"],
    [`AngVel${end}`, "f32", "rad/s"],
    [`LeanRelToRoad${end}`, "f32", "rad"],
    [`AirTemp${end}`, "u8", "°C"],
    [`SlipFraction${end}`, "u8"],
    [`Touching${end}`, "u8"],
    [`Sp3${end}`, "u8"],
    [`SlipRatio${end}`, "f32"],
    [`TanSlipAngle${end}`, "f32"]
  ] as const

/** OutSim 2 with the options 1ff: all fields. */
export const outSim2 = new Struct([
  /** "LFST". */
  ["Header", "text4"],
  ["ID", "i32"],
  /** As in a classic packet. */
  ["Main", motion.size],
  ["Throttle", "f32"],
  ["Brake", "f32"],
  /** Left positive. */
  ["InputSteer", "f32", "rad"],
  ["Clutch", "f32"],
  ["Handbrake", "f32"],
  /** 0 reverse, 1 neutral. */
  ["Gear", "u8"],
  ["Sp1", "u8"],
  ["Sp2", "u8"],
  ["Sp3", "u8"],
  ["EngineAngVel", "f32", "rad/s"],
  ["MaxTorqueAtVel", "f32", "N m"],
  ["CurrentLapDist", "f32", "m"],
  ["IndexedDistance", "f32", "m"],
  ...wheel("RL"),
  ...wheel("RR"),
  ...wheel("FL"),
  ...wheel("FR"),
  ["SteerTorque", "f32", "N m"],
  ["Spare", 4]
])
export const OUT_SIM_2_HEADER = "LFST"
/** Where the motion begins in it. */
export const MAIN_AT = 8

/** One car of a MCI packet. */
export const compCar = new Struct([
  ["Node", "u16"],
  ["Lap", "u16"],
  ["PLID", "u8"],
  /** 0 for none. */
  ["Position", "u8"],
  ["Info", "u8"],
  ["Sp3", "u8"],
  /** 65536 = 1 m. */
  ...each(axes, "", "i32"),
  /** 32768 = 100 m/s. */
  ["Speed", "u16"],
  /** The direction of the car's way, and of the car: 65536 is a turn, counter-clockwise, 0 along +y. */
  ["Direction", "u16"],
  ["Heading", "u16"],
  /** 16384 is a turn a second, counter-clockwise. */
  ["AngVel", "i16"]
])
