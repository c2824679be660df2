/**
 * Data Out's packets as tables, a reader a field, named as on Microsoft's own pages (forza-data-out.md, sections 3 to 5).
 * Little endian, packed. Wheels: front left, front right, rear left, rear right.
 */

/** `shift`: how many bytes further back than in Motorsport the field stands. */
type Read = (bytes: Buffer, shift?: number) => number

const i32 =
  (at: number): Read =>
  (bytes, shift = 0) =>
    bytes.readInt32LE(at + shift)
const u32 =
  (at: number): Read =>
  (bytes, shift = 0) =>
    bytes.readUInt32LE(at + shift)
const f32 =
  (at: number): Read =>
  (bytes, shift = 0) =>
    bytes.readFloatLE(at + shift)
const u16 =
  (at: number): Read =>
  (bytes, shift = 0) =>
    bytes.readUInt16LE(at + shift)
const u8 =
  (at: number): Read =>
  (bytes, shift = 0) =>
    bytes.readUInt8(at + shift)
const i8 =
  (at: number): Read =>
  (bytes, shift = 0) =>
    bytes.readInt8(at + shift)

/** The first 232 bytes of every packet. Vectors in the car's frame: x right, y up, z forward; m, s, rad. */
export const sled = {
  /** 1 driving; 0 in menus and pauses. */
  isRaceOn: i32(0),
  /** ms, wraps around. */
  timestampMS: u32(4),
  engineMaxRpm: f32(8),
  engineIdleRpm: f32(12),
  currentEngineRpm: f32(16),
  accelerationX: f32(20),
  accelerationY: f32(24),
  accelerationZ: f32(28),
  velocityX: f32(32),
  velocityY: f32(36),
  velocityZ: f32(40),
  angularVelocityX: f32(44),
  angularVelocityY: f32(48),
  angularVelocityZ: f32(52),
  yaw: f32(56),
  pitch: f32(60),
  roll: f32(64),
  wheelOnRumbleStrip0: i32(116),
  wheelOnRumbleStrip1: i32(120),
  wheelOnRumbleStrip2: i32(124),
  wheelOnRumbleStrip3: i32(128),
  carOrdinal: i32(212),
  carClass: i32(216),
  carPerformanceIndex: i32(220),
  drivetrainType: i32(224),
  numCylinders: i32(228)
} as const

/** What "Dash" adds, where Motorsport has it; 12 bytes further back in Horizon. */
export const dash = {
  /** m in the world, y up, left-handed. */
  positionX: f32(232),
  positionY: f32(236),
  positionZ: f32(240),
  /** m/s. */
  speed: f32(244),
  /** W, Nm, psi. */
  power: f32(248),
  torque: f32(252),
  boost: f32(272),
  /** 0..1. */
  fuel: f32(276),
  /** m since the start of the race; may be negative before it. */
  distanceTraveled: f32(280),
  /** s, 0 for none. */
  bestLap: f32(284),
  lastLap: f32(288),
  currentLap: f32(292),
  currentRaceTime: f32(296),
  /** 0 in the first lap. */
  lapNumber: u16(300),
  racePosition: u8(302),
  /** 0..255. */
  accel: u8(303),
  brake: u8(304),
  clutch: u8(305),
  handBrake: u8(306),
  /** 0 reverse, 1 to 10 forward, 11 while shifting. */
  gear: u8(307),
  /** -127 left .. 127 right. */
  steer: i8(308),
  normalizedDrivingLine: i8(309),
  normalizedAIBrakeDifference: i8(310)
} as const

/** What Horizon has between the two. */
export const horizon = {
  carCategory: i32(232)
} as const

/** What Motorsport (2023) adds. */
export const motorsport = {
  tireWear0: f32(311),
  tireWear1: f32(315),
  tireWear2: f32(319),
  tireWear3: f32(323),
  trackOrdinal: i32(327)
} as const
