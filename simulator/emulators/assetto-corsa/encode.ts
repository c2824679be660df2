/**
 * The datagrams of Assetto Corsa's side (sheet assetto-corsa-remote-telemetry, sections 4 to 6), with what the game
 * leaves uncleared: garbage after names and in the padding.
 */
import { uniform } from "../../model/random.ts"

const ANSWER_BYTES = 408
const CAR_INFO_BYTES = 328
const SPOT_BYTES = 212
const NAME_CHARACTERS = 50
const NAME_END = "%"
const CONNECTED = 4242
const VERSION = 1

/** Whatever was there before: any 16 bits, also halves of characters. */
const garbage = (bytes: Buffer, from: number, to: number, seed: number): void => {
  for (let at = from; at < to; at++) bytes[at] = uniform(seed, at) * 256
}

/** `text` up to 49 characters, its end, and garbage. */
const writeName = (bytes: Buffer, text: string, at: number): void => {
  const name = text.replaceAll(NAME_END, "").slice(0, NAME_CHARACTERS - 1)
  garbage(bytes, at, at + 2 * NAME_CHARACTERS, at + text.length)
  bytes.write(name + NAME_END, at, "utf16le")
}

export interface SessionInfo {
  readonly car: string
  readonly driver: string
  readonly track: string
  readonly config: string
}

export const encodeAnswer = (names: SessionInfo): Buffer => {
  const bytes = Buffer.alloc(ANSWER_BYTES)
  writeName(bytes, names.car, 0)
  writeName(bytes, names.driver, 100)
  bytes.writeInt32LE(CONNECTED, 200)
  bytes.writeInt32LE(VERSION, 204)
  writeName(bytes, names.track, 208)
  writeName(bytes, names.config, 308)
  return bytes
}

export interface SpotFields {
  readonly carIndex: number
  readonly lap: number
  readonly driver: string
  readonly car: string
  /** ms. */
  readonly time: number
}

export const encodeSpot = ({ car, carIndex, driver, lap, time }: SpotFields): Buffer => {
  const bytes = Buffer.alloc(SPOT_BYTES)
  bytes.writeInt32LE(carIndex, 0)
  bytes.writeInt32LE(lap, 4)
  writeName(bytes, driver, 8)
  writeName(bytes, car, 108)
  bytes.writeInt32LE(time, 208)
  return bytes
}

/** What a car info says, as on the wire; what a drive of ours does not know is 0 there. */
export interface CarInfoFields {
  /** km/h. */
  readonly speed: number
  readonly isInPit: boolean
  /** ms. */
  readonly lapTime: number
  readonly lastLap: number
  readonly bestLap: number
  /** Completed. */
  readonly lapCount: number
  readonly gas: number
  readonly brake: number
  readonly rpm: number
  /** Degrees. */
  readonly steer: number
  /** 0 reverse, 1 neutral. */
  readonly gear: number
  /** rad/s and m. */
  readonly wheelSpeed: number
  readonly wheelRadius: number
  /** 0..1 along the track. */
  readonly position: number
  /** m, y up. */
  readonly x: number
  readonly y: number
  readonly z: number
}

const KMH = 3.6
const MPH = 1.609344
/** First of four floats each. */
const WHEEL_SPEEDS = 84
const TYRE_RADII = 260

/** `seed` decides the garbage. */
export const encodeCarInfo = (fields: CarInfoFields, seed: number): Buffer => {
  const bytes = Buffer.alloc(CAR_INFO_BYTES)
  bytes.write("a", 0, "latin1")
  garbage(bytes, 1, 4, seed)
  bytes.writeInt32LE(CAR_INFO_BYTES, 4)
  bytes.writeFloatLE(fields.speed, 8)
  bytes.writeFloatLE(fields.speed / MPH, 12)
  bytes.writeFloatLE(fields.speed / KMH, 16)
  bytes[20] = 1
  bytes[23] = 1
  bytes[24] = Number(fields.isInPit)
  garbage(bytes, 26, 28, seed)
  bytes.writeFloatLE(1, 28)
  bytes.writeInt32LE(fields.lapTime, 40)
  bytes.writeInt32LE(fields.lastLap, 44)
  bytes.writeInt32LE(fields.bestLap, 48)
  bytes.writeInt32LE(fields.lapCount, 52)
  bytes.writeFloatLE(fields.gas, 56)
  bytes.writeFloatLE(fields.brake, 60)
  bytes.writeFloatLE(1, 64)
  bytes.writeFloatLE(fields.rpm, 68)
  bytes.writeFloatLE(fields.steer, 72)
  bytes.writeInt32LE(fields.gear, 76)
  for (let wheel = 0; wheel < 4; wheel++) {
    bytes.writeFloatLE(fields.wheelSpeed, WHEEL_SPEEDS + 4 * wheel)
    bytes.writeFloatLE(fields.wheelRadius, TYRE_RADII + 4 * wheel)
  }
  bytes.writeFloatLE(fields.position, 308)
  bytes.writeFloatLE(fields.x, 316)
  bytes.writeFloatLE(fields.y, 320)
  bytes.writeFloatLE(fields.z, 324)
  return bytes
}
