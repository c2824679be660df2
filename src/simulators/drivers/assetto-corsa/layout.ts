/**
 * The datagrams of Assetto Corsa's remote telemetry as tables, by the names of its document, which exchanges vertical and horizontal
 * (assetto-corsa-remote-telemetry.md, sections 4 to 6, and its addendum). Little endian. Wheels: front left,
 * front right, rear left, rear right. decode.ts reads the names.
 */
import { each, Struct } from "../../packets/Struct.ts"

export const NAME_BYTES = 100

export const answer = new Struct([
  ["carName", NAME_BYTES],
  ["driverName", NAME_BYTES],
  ["identifier", "i32"],
  ["version", "i32"],
  ["trackName", NAME_BYTES],
  ["trackConfig", NAME_BYTES]
])

/** A lap that any car of the session ended. */
export const spot = new Struct([
  ["carIdentifierNumber", "i32"],
  ["lap", "i32"],
  ["driverName", NAME_BYTES],
  ["carName", NAME_BYTES],
  ["time", "i32", "ms"]
])

const wheels = ["1", "2", "3", "4"] as const

/** The player's car. */
export const carInfo = new Struct([
  /** "a"; its three neighbours are garbage. */
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
  /** Measured: lateral, positive to the left. */
  ["accGVertical", "f32", "g"],
  /** Measured: up, without gravity. */
  ["accGHorizontal", "f32", "g"],
  ["accGFrontal", "f32", "g"],
  /** Of the lap under way, the last and the best; 0 for none. */
  ["lapTime", "i32", "ms"],
  ["lastLap", "i32", "ms"],
  ["bestLap", "i32", "ms"],
  /** Completed. */
  ["lapCount", "i32"],
  ["gas", "f32"],
  ["brake", "f32"],
  /** 1 means that the pedal is up. */
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
