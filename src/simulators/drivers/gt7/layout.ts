/**
 * A decrypted packet of each format as a table (gran-turismo-7.md, section 3, and its addendum). Little endian. Vectors of the
 * world and of the car are x right, y up, z back. Wheels: front left, front right, rear left, rear right.
 */
import { each, Struct } from "../../packets/Struct.ts"

/** The console's formats, by the byte of the heartbeat that asks for them. */
export type Heartbeat = "A" | "B" | "~" | "C"

const axes = ["_x", "_y", "_z"] as const
const wheels = ["0", "1", "2", "3"] as const

const a = [
  /** "0S7G". */
  ["magic", "u32"],
  ...each(axes, "position", "f32", "m"),
  ...each(axes, "velocity", "f32", "m/s"),
  /** A quaternion: turns the car's axes into the world's. */
  ...each([...axes, "_w"], "rotation", "f32"),
  /** About the car's axes. */
  ...each(axes, "angularVelocity", "f32", "rad/s"),
  ["bodyHeight", "f32", "m"],
  ["rpm", "f32", "1/min"],
  /** Half of the nonce, in clear: meaningless after decryption. */
  ["iv", "u32"],
  /** In per cent for electric cars. */
  ["fuel", "f32", "l"],
  /** 0 for karts, 5 for electric cars. */
  ["fuelCapacity", "f32", "l"],
  ["speed_ms", "f32", "m/s"],
  /** Above a vacuum. */
  ["boost", "f32", "bar"],
  ["oilPressure", "f32", "bar"],
  /** Both are constant. */
  ["waterTemperature", "f32", "°C"],
  ["oilTemperature", "f32", "°C"],
  ...each(wheels, "tyreTemperature", "f32", "°C"),
  /** Counts up by 1, 60 times a second. */
  ["packetId", "i32"],
  /** The current lap, from 1; 0 before the start, -1 in menus and replays. */
  ["lap", "i16"],
  /** 0 where there is no limit. */
  ["laps", "i16"],
  /** -1 for none. */
  ["bestLapMs", "i32", "ms"],
  ["lastLapMs", "i32", "ms"],
  ["timeOfDayMs", "i32", "ms"],
  /** -1 after the start, as the next field. */
  ["gridPosition", "i16"],
  ["carsAtStart", "i16"],
  /** Where the rev lights begin and end. */
  ["rpmMin", "i16", "1/min"],
  ["rpmMax", "i16", "1/min"],
  ["topSpeed", "i16", "km/h"],
  ["flags", "i16"],
  /** Low nibble: 0 reverse, 1.. forward, 15 neutral. High nibble: suggested, 15 for none. */
  ["gears", "u8"],
  /** 0 to 255, after traction control. */
  ["throttle", "u8"],
  /** 0 to 255, as pressed. */
  ["brake", "u8"],
  ["unused", 1],
  ...each(axes, "roadNormal", "f32"),
  ["roadDistance", "f32", "m"],
  /** Negative when driving forward. */
  ...each(wheels, "wheelSpeed", "f32", "rad/s"),
  ...each(wheels, "tyreRadius", "f32", "m"),
  /** Grows in compression. */
  ...each(wheels, "suspensionHeight", "f32", "m"),
  ["reserved", 32],
  /** 1 pressed. */
  ["clutch", "f32"],
  /** 1 closed. */
  ["clutchEngagement", "f32"],
  ["rpmAfterClutch", "f32", "1/min"],
  ["transmissionTopSpeed", "f32"],
  ...each(["1", "2", "3", "4", "5", "6", "7", "8"], "gearRatio", "f32"),
  /** Overwritten by a gear's ratio in cars with nine gears and more. */
  ["carCode", "i32"]
] as const

const b = [
  /** Positive to the left, as its rate. */
  ["steeringRad", "f32", "rad"],
  ["steeringRate", "f32", "rad/s"],
  /** Without gravity: to the right, up, and forward. */
  ["sway", "f32", "m/s²"],
  ["heave", "f32", "m/s²"],
  ["surge", "f32", "m/s²"]
] as const

const tilde = [
  /** 0 to 255, as pressed. */
  ["throttlePressed", "u8"],
  /** 0 to 255, after ABS; live only. */
  ["brakeApplied", "u8"],
  ["unknown", 26]
] as const

const c = [
  /** A letter each: T tarmac, C kerb, D dirt. */
  ...each(wheels, "surface", "u8"),
  ["currentLapMs", "i32", "ms"],
  /** Positive to the left. */
  ...each(["0", "1"], "wheelAngle", "f32", "rad"),
  ["wheelbase", "f32", "m"],
  ["category", "text4"]
] as const

type Gt7Field = (typeof a | typeof b | typeof tilde | typeof c)[number]

/** For any format: a missing field has no reader. */
export type Gt7Packet = Struct<Gt7Field>

/** Each format begins with the one before it. */
export const packets: Readonly<Record<Heartbeat, Gt7Packet>> = {
  A: new Struct<Gt7Field>(a),
  B: new Struct<Gt7Field>([...a, ...b]),
  "~": new Struct<Gt7Field>([...a, ...b, ...tilde]),
  C: new Struct<Gt7Field>([...a, ...b, ...tilde, ...c])
}

/** Bits of `flags`. */
export const flag = {
  onTrack: 0,
  paused: 1,
  loading: 2,
  inGear: 3,
  turbo: 4,
  revLimiter: 5,
  handbrake: 6,
  lights: 7,
  asm: 10,
  tcs: 11
} as const

export const isSet = (flags: number, name: keyof typeof flag): boolean => ((flags >> flag[name]) & 1) === 1
