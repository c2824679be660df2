/**
 * EA SPORTS WRC's packet session_update as a table, a reader a channel (codemasters-dirt-rally2-and-ea-wrc.md, part B).
 * The channels and their order are those of docs/simulators/ea-wrc/telemetry-service.json, which users copy into the
 * game: the example structure "custom1" and what it may be followed by. Little endian, packed.
 */

type Read = (bytes: Buffer) => number

const f32 =
  (at: number): Read =>
  (bytes) =>
    bytes.readFloatLE(at)
const f64 =
  (at: number): Read =>
  (bytes) =>
    bytes.readDoubleLE(at)
const u8 =
  (at: number): Read =>
  (bytes) =>
    bytes.readUInt8(at)
const u16 =
  (at: number): Read =>
  (bytes) =>
    bytes.readUInt16LE(at)

/** Without the tail. */
export const MIN_BYTES = 237
/** Where a channel of the tail ends: older versions of the game know less of them, and users may want fewer. */
export const tailBytes: ReadonlyArray<number> = [
  239, 241, 243, 245, 247, 248, 249, 253, 257, 261, 265, 266, 267, 268, 269, 270, 271
]

export const channels = {
  /** s. */
  game_total_time: f32(8),
  shiftlights_rpm_valid: u8(36),
  vehicle_gear_index: u8(37),
  vehicle_gear_index_neutral: u8(38),
  vehicle_gear_index_reverse: u8(39),
  vehicle_gear_maximum: u8(40),
  /** m/s. */
  vehicle_speed: f32(41),
  /** m: x left, y up, z forward. */
  vehicle_position_x: f32(49),
  vehicle_position_y: f32(53),
  vehicle_position_z: f32(57),
  vehicle_engine_rpm_current: f32(193),
  /** 0..1. */
  vehicle_throttle: f32(197),
  vehicle_brake: f32(201),
  /** -1 left .. 1 right. */
  vehicle_steering: f32(209),
  /** s. */
  stage_current_time: f32(217),
  /** m. */
  stage_current_distance: f64(221),
  stage_length: f64(229)
} as const

/** Each is there in packets that are long enough. */
export const tail = {
  vehicle_id: u16(237),
  location_id: u16(243),
  route_id: u16(245),
  /** s; told a moment after the finish. */
  stage_result_time: f32(257),
  stage_result_status: u8(265)
} as const

export const IDS_BYTES = 247
export const RESULT_BYTES = 266

/** Of stage_result_status; there are others for those who did not get there. */
export const ResultStatus = { notFinished: 0, finished: 1 } as const
