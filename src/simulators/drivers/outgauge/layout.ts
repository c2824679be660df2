/**
 * OutGauge: the dashboard of the driven car, as Live for Speed and BeamNG.drive send it, by LFS' names (sheet
 * lfs-insim-outgauge-outsim, section 4). Little endian, 92 bytes, 96 with an id; additions of a third party may follow.
 */
import { Struct } from "../../packets/Struct.ts"

const fields = [
  /** BeamNG always sends 0. */
  ["Time", "u32", "ms"],
  /** The car's code; BeamNG always sends "beam". */
  ["Car", "text4"],
  /** 8192 turbo, 16384 km, 32768 bar. */
  ["Flags", "u16"],
  /** 0 reverse, 1 neutral, 2 first. */
  ["Gear", "u8"],
  /** The player; 0 for none. */
  ["PLID", "u8"],
  ["Speed", "f32", "m/s"],
  ["RPM", "f32", "1/min"],
  ["Turbo", "f32", "bar"],
  ["EngTemp", "f32", "°C"],
  /** 0..1. */
  ["Fuel", "f32"],
  ["OilPressure", "f32", "bar"],
  ["OilTemp", "f32", "°C"],
  /** Bits of the lights that the car has, and of those that are on. */
  ["DashLights", "u32"],
  ["ShowLights", "u32"],
  /** 0..1, as the next two fields. */
  ["Throttle", "f32"],
  ["Brake", "f32"],
  ["Clutch", "f32"],
  ["Display1", "text16"],
  ["Display2", "text16"]
] as const

export const outGauge = new Struct(fields)
/** Present if the user configured one in the simulator. */
export const outGaugeWithId = new Struct([...fields, ["ID", "i32"]] as const)

/** Bits of Flags and of the lights. */
export const GaugeFlag = { turbo: 8192, km: 16_384, bar: 32_768 } as const
export const Light = { handbrake: 4, pitLimiter: 8, tractionControl: 16, abs: 1024 } as const

/** Why the bytes are no packet; undefined for a packet. Floats may have any value. */
export const problemWith = ({ length }: Buffer): string | undefined =>
  length < outGauge.size
    ? `an OutGauge packet of ${length} bytes, where ${outGauge.size} are expected`
    : undefined
