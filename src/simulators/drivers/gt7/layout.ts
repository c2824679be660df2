/** A decrypted packet as a table, a reader a field (gran-turismo-7.md, section 3). Little endian. */

type Read = (plain: Buffer) => number

const i32 =
  (at: number): Read =>
  (plain) =>
    plain.readInt32LE(at)
const i16 =
  (at: number): Read =>
  (plain) =>
    plain.readInt16LE(at)
const u8 =
  (at: number): Read =>
  (plain) =>
    plain.readUInt8(at)
const f32 =
  (at: number): Read =>
  (plain) =>
    plain.readFloatLE(at)

/** Every format. */
export const packet = {
  /** m in the world, y up. */
  positionX: f32(0x04),
  positionY: f32(0x08),
  positionZ: f32(0x0c),
  rpm: f32(0x3c),
  fuel: f32(0x44),
  fuelCapacity: f32(0x48),
  /** m/s. */
  speed: f32(0x4c),
  /** Counts up by 1, 60 times a second. */
  packetId: i32(0x70),
  /** 0 before the start, -1 in menus and replays. */
  lap: i16(0x74),
  laps: i16(0x76),
  /** ms, -1 for none. */
  bestLap: i32(0x78),
  lastLap: i32(0x7c),
  timeOfDay: i32(0x80),
  gridPosition: i16(0x84),
  carsAtStart: i16(0x86),
  rpmWarningMin: i16(0x88),
  rpmWarningMax: i16(0x8a),
  /** km/h. */
  topSpeed: i16(0x8c),
  flags: i16(0x8e),
  /** Low nibble: 0 reverse, 1.. forward, 15 neutral. High nibble: suggested, 15 for none. */
  gears: u8(0x90),
  /** 0..255. */
  throttle: u8(0x91),
  brake: u8(0x92),
  /** rad/s. */
  wheelSpeed0: f32(0xa4),
  wheelSpeed1: f32(0xa8),
  wheelSpeed2: f32(0xac),
  wheelSpeed3: f32(0xb0),
  /** Overwritten by a gear's ratio in cars with nine gears and more. */
  carCode: i32(0x124)
} as const

/** From format B on: rad. */
export const steeringRotation = f32(0x128)
/** Format C: ms. */
export const currentLap = i32(0x15c)

export const flag = { onTrack: 1, paused: 2, loading: 4 } as const
