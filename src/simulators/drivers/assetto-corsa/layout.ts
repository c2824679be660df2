/**
 * The datagrams from and to Assetto Corsa's remote telemetry as tables, by the names of its document, which exchanges vertical
 * and horizontal (assetto-corsa-remote-telemetry.md, sections 2 and 4 to 6, and its addendum). Little endian. Wheels: front
 * left, front right, rear left, rear right.
 */
import { type Coded, each, Struct, type ValuesIn } from "../../packets/Struct.ts"

export const VERSION = 1

/** The request of a client. */
export const request = new Struct([
  /** A kind of device, which the simulator ignores. */
  ["identifier", "i32"],
  ["version", "i32"],
  ["operationId", "i32"]
])
export const operations = { handshake: 0, subscribeUpdates: 1, subscribeSpots: 2, dismiss: 3 } as const

/** Ends a name on the wire; the bytes behind it are uncleared memory. */
const NAME_END = "%"
/** Control characters, and surrogates without a partner. */
const NOT_TEXT = /[\p{Cc}\p{Cs}]/gu

/** A name of 50 characters. */
export const name: Coded = {
  bytes: 100,
  /** The text up to the first `%`, else up to the first zero, else all: garbage follows the name. */
  decode: (bytes) => {
    const text = bytes.toString("utf16le")
    const mark = text.indexOf(NAME_END)
    const zero = text.indexOf("\0")
    const end = mark >= 0 ? mark : zero >= 0 ? zero : text.length
    return text.slice(0, end).replace(NOT_TEXT, "").trim()
  },
  encode: (text) => Buffer.from(text.replaceAll(NAME_END, "").slice(0, 49) + NAME_END, "utf16le")
}

export const answer = new Struct([
  ["carName", name],
  ["driverName", name],
  /** `CONNECTED`. */
  ["identifier", "i32"],
  ["version", "i32"],
  ["trackName", name],
  ["trackConfig", name]
])
export const CONNECTED = 4242
export type Answer = ValuesIn<typeof answer>

/** A lap that any car of the session ended. */
export const spot = new Struct([
  ["carIdentifierNumber", "i32"],
  ["lap", "i32"],
  ["driverName", name],
  ["carName", name],
  ["time", "i32", "ms"]
])

const wheels = ["1", "2", "3", "4"] as const

/** "a". */
export const CAR_INFO_MARK = 0x61

/** The player's car. */
export const carInfo = new Struct([
  /** `CAR_INFO_MARK`; its three neighbours are garbage. */
  ["identifier", "u8"],
  ["garbage", 3],
  ["size", "i32"],
  ["speedKmh", "f32", "km/h"],
  ["speedMph", "f32", "mph"],
  ["speedMs", "f32", "m/s"],
  ["isAbsEnabled", "u8"],
  ["isAbsInAction", "u8"],
  ["isTcInAction", "u8"],
  ["isTcEnabled", "u8"],
  ["isInPit", "u8"],
  ["isEngineLimiterOn", "u8"],
  ["padding", 2],
  /** Measured: sideways, positive to the left. */
  ["accGVertical", "f32", "g"],
  /** Measured: up, without gravity. */
  ["accGHorizontal", "f32", "g"],
  ["accGFrontal", "f32", "g"],
  /** Of the current lap, the last and the best; 0 for none. */
  ["lapTime", "i32", "ms"],
  ["lastLap", "i32", "ms"],
  ["bestLap", "i32", "ms"],
  /** Completed. */
  ["lapCount", "i32"],
  ["gas", "f32"],
  ["brake", "f32"],
  /** 1: the pedal is up. */
  ["clutch", "f32"],
  ["engineRPM", "f32", "1/min"],
  /** Of the steering wheel, positive to the right. */
  ["steer", "f32", "deg"],
  /** 0 reverse, 1 neutral, 2 first. */
  ["gear", "i32"],
  ["cgHeight", "f32", "m"],
  ...each(wheels, "wheelAngularSpeed", "f32", "rad/s"),
  ...each(wheels, "slipAngle", "f32", "deg"),
  ...each(wheels, "slipAngleContactPatch", "f32"),
  ...each(wheels, "slipRatio", "f32"),
  ...each(wheels, "tyreSlip", "f32"),
  ...each(wheels, "ndSlip", "f32"),
  ...each(wheels, "load", "f32", "N"),
  ...each(wheels, "Dy", "f32"),
  ...each(wheels, "Mz", "f32", "N m"),
  /** 0 to 5. */
  ...each(wheels, "tyreDirtyLevel", "f32"),
  ...each(wheels, "camberRAD", "f32", "rad"),
  ...each(wheels, "tyreRadius", "f32", "m"),
  ...each(wheels, "tyreLoadedRadius", "f32", "m"),
  /** Grows in compression. */
  ...each(wheels, "suspensionHeight", "f32", "m"),
  /** 0 to 1 along the track. */
  ["carPositionNormalized", "f32"],
  ["carSlope", "f32"],
  /** y up. */
  ...each(["X", "Y", "Z"], "carCoordinates", "f32", "m")
])
