/**
 * The parts of Assetto Corsa Competizione's messages whose fields have fixed places, as tables, by the names of the sheet
 * (acc-broadcasting.md, section 3). Little endian, packed. Texts and lists, which have none, stand between them (decode.ts, realtime.ts).
 */
import { Struct } from "../../packets/Struct.ts"

/** A car's update from its first byte up to its three laps. */
export const PIT_LANE = 2

export const carUpdate = new Struct([
  ["type", "u8"],
  ["carIndex", "u16"],
  ["driverIndex", "u16"],
  ["driverCount", "u8"],
  /** 0 reverse, 1 neutral, 2 first. */
  ["gear", "u8"],
  /** On the ground plane: not height. */
  ["worldPosX", "f32", "m"],
  ["worldPosY", "f32", "m"],
  ["yaw", "f32", "rad"],
  /** 0 none, 1 track, 2 `PIT_LANE`, 3 pit entry, 4 pit exit. */
  ["carLocation", "u8"],
  ["kmh", "u16", "km/h"],
  /** From 1. */
  ["position", "u16"],
  ["cupPosition", "u16"],
  ["trackPosition", "u16"],
  /** 0 to 1 along the track. */
  ["splinePosition", "f32"],
  /** Completed. */
  ["laps", "u16"],
  /** To the best lap of the session. */
  ["delta", "i32", "ms"]
])

/** The session's update from its first byte up to the names of cameras and of the page of the game's screen. */
export const sessionUpdate = new Struct([
  ["type", "u8"],
  ["eventIndex", "u16"],
  ["sessionIndex", "u16"],
  ["sessionType", "u8"],
  ["phase", "u8"],
  ["sessionTime", "f32", "ms"],
  ["sessionEndTime", "f32", "ms"],
  /** -1 for none. */
  ["focusedCarIndex", "i32"]
])

/** Of a replay that plays: after the session's names, and a byte that says whether one does. */
export const replay = new Struct([
  ["replaySessionTime", "f32", "ms"],
  ["replayRemainingTime", "f32", "ms"]
])

/** What follows in the session's update, up to its best lap. The last three in tenths of 1. */
export const conditions = new Struct([
  ["timeOfDay", "f32", "s"],
  ["ambientTemp", "u8", "°C"],
  ["trackTemp", "u8", "°C"],
  ["clouds", "u8"],
  ["rainLevel", "u8"],
  ["wetness", "u8"]
])

/** A lap up to its splits, each an i32 in ms. */
export const lapHead = new Struct([
  /** NO_TIME for none, here and of splits. */
  ["laptimeMs", "i32", "ms"],
  ["carIndex", "u16"],
  ["driverIndex", "u16"],
  ["splitCount", "u8"]
])

/** A lap after its splits. */
export const lapFlags = new Struct([
  ["isInvalid", "u8"],
  ["isValidForBest", "u8"],
  ["isOutlap", "u8"],
  ["isInlap", "u8"]
])

/** "None" of lap and split times. */
export const NO_TIME = 2147483647
