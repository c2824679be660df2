/**
 * EA SPORTS WRC's packet session_update as a table, by the game's names of channels (codemasters-dirt-rally2-and-ea-wrc.md, part
 * B). The channels and their order are those of docs/simulators/ea-wrc/telemetry-service.json, which users copy into the game:
 * the example structure "custom1" and optional fields behind it. Little endian, packed. World: x left, y up, z forward.
 */
import { each, Struct } from "../../packets/Struct.ts"

const axes = ["x", "y", "z"] as const
const wheels = ["bl", "br", "fl", "fr"] as const

const custom1 = [
  ["packet_uid", "u64"],
  ["game_total_time", "f32", "s"],
  ["game_delta_time", "f32", "s"],
  ["game_frame_count", "u64"],
  /** 0..1. */
  ["shiftlights_fraction", "f32"],
  ["shiftlights_rpm_start", "f32", "1/min"],
  ["shiftlights_rpm_end", "f32", "1/min"],
  ["shiftlights_rpm_valid", "u8"],
  ["vehicle_gear_index", "u8"],
  ["vehicle_gear_index_neutral", "u8"],
  ["vehicle_gear_index_reverse", "u8"],
  ["vehicle_gear_maximum", "u8"],
  ["vehicle_speed", "f32", "m/s"],
  ["vehicle_transmission_speed", "f32", "m/s"],
  ...each(axes, "vehicle_position_", "f32", "m"),
  ...each(axes, "vehicle_velocity_", "f32", "m/s"),
  /** In the world. */
  ...each(axes, "vehicle_acceleration_", "f32", "m/s²"),
  ...each(axes, "vehicle_left_direction_", "f32"),
  ...each(axes, "vehicle_forward_direction_", "f32"),
  ...each(axes, "vehicle_up_direction_", "f32"),
  /** Positive upwards, as the velocity. */
  ...each(wheels, "vehicle_hub_position_", "f32", "m"),
  ...each(wheels, "vehicle_hub_velocity_", "f32", "m/s"),
  ...each(wheels, "vehicle_cp_forward_speed_", "f32", "m/s"),
  ...each(wheels, "vehicle_brake_temperature_", "f32", "°C"),
  ["vehicle_engine_rpm_max", "f32", "1/min"],
  ["vehicle_engine_rpm_idle", "f32", "1/min"],
  ["vehicle_engine_rpm_current", "f32", "1/min"],
  /** 0..1, after assists. */
  ["vehicle_throttle", "f32"],
  ["vehicle_brake", "f32"],
  ["vehicle_clutch", "f32"],
  /** -1 left .. 1 right. */
  ["vehicle_steering", "f32"],
  ["vehicle_handbrake", "f32"],
  ["stage_current_time", "f32", "s"],
  ["stage_current_distance", "f64", "m"],
  ["stage_length", "f64", "m"]
] as const

const ids = [
  ["vehicle_id", "u16"],
  ["vehicle_class_id", "u16"],
  ["vehicle_manufacturer_id", "u16"],
  ["location_id", "u16"],
  ["route_id", "u16"]
] as const

/** Present in packets that are long enough. */
const tail = [
  ...ids,
  ["stage_shakedown", "u8"],
  ["game_mode", "u8"],
  ["stage_previous_split_time", "f32", "s"],
  /** 0..1. */
  ["stage_progress", "f32"],
  /** Set a moment after the finish. */
  ["stage_result_time", "f32", "s"],
  ["stage_result_time_penalty", "f32", "s"],
  ["stage_result_status", "u8"],
  ["vehicle_cluster_abs", "u8"],
  /** 0 ok, 1 punctured, 2 burst. */
  ...each(wheels, "vehicle_tyre_state_", "u8")
] as const

type EaWrcField = (typeof custom1 | typeof tail)[number]
/** For packets of any length: a missing channel has no reader. */
export type EaWrcPacket = Struct<EaWrcField>

/** By length: older versions of the game know fewer fields of the tail, and users may want fewer. */
export const packets: ReadonlyMap<number, EaWrcPacket> = new Map(
  Array.from({ length: tail.length + 1 }, (_, n) => {
    const packet = new Struct<EaWrcField>([...custom1, ...tail.slice(0, n)])
    return [packet.size, packet]
  })
)

/** The shortest packet. */
export const least = new Struct(custom1)

/** The packet that ends with the ids. */
export const identified = new Struct([...custom1, ...ids])

/** Values of stage_result_status; other codes are of runs without a finish. */
export const ResultStatus = { notFinished: 0, finished: 1 } as const
