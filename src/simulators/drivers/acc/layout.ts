/**
 * The messages from and to Assetto Corsa Competizione as tables, by the names of the sheet (acc-broadcasting.md, sections 2
 * and 3). Little endian, packed. Bytes after a whole message are ignored: a newer game may add some.
 */
import { isSo, list, meaning } from "../../packets/parts.ts"
import { Sequence, type ValuesOf, type WrittenBy } from "../../packets/Sequence.ts"
import { Struct, type StructValues } from "../../packets/Struct.ts"

/** The first byte of messages from the game, and of messages to it. */
export const types = {
  registrationResult: 1,
  realtimeUpdate: 2,
  carUpdate: 3,
  entryList: 4,
  trackData: 5,
  entryListCar: 6,
  broadcastingEvent: 7
} as const
export const requestTypes = { register: 1, unregister: 9, entryList: 10, trackData: 11 } as const

export const PROTOCOL_VERSION = 4
export const PIT_LANE = 2

/** The value of a lap or split time that is not set. */
const NO_TIME = 2147483647
const timeOrNone = meaning(
  "i32",
  (ms) => (ms === NO_TIME ? null : ms),
  (ms) => ms ?? NO_TIME
)
/** 0 means yes: the game inverts this flag. */
const isNotSo = meaning(
  "u8",
  (byte) => byte === 0,
  (is) => (is ? 0 : 1)
)

/** The durations of the sectors, 0 to 3 of them. */
export const lap = new Sequence([
  ["laptimeMs", timeOrNone, "ms"],
  ["carIndex", "u16"],
  ["driverIndex", "u16"],
  ["splits", list(timeOrNone, "u8"), "ms"],
  ["isInvalid", isSo],
  ["isValidForBest", isSo],
  ["isOutlap", isSo],
  ["isInlap", isSo]
])

export const carUpdate = new Sequence([
  ["type", "u8"],
  ["carIndex", "u16"],
  ["driverIndex", "u16"],
  ["driverCount", "u8"],
  /** 0 reverse, 1 neutral, 2 first. */
  ["gear", "u8"],
  /** On the ground plane; the height is not reported. */
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
  ["delta", "i32", "ms"],
  ["bestSessionLap", lap],
  ["lastLap", lap],
  ["currentLap", lap]
])

/** Clouds, rain and wetness in tenths of 1. */
export const conditions = new Struct([
  ["timeOfDay", "f32", "s"],
  ["ambientTemp", "u8", "°C"],
  ["trackTemp", "u8", "°C"],
  ["clouds", "u8"],
  ["rainLevel", "u8"],
  ["wetness", "u8"]
])

const isReplay = ({ isReplayPlaying }: Readonly<Record<string, unknown>>) => isReplayPlaying === true

export const sessionUpdate = new Sequence([
  ["type", "u8"],
  ["eventIndex", "u16"],
  ["sessionIndex", "u16"],
  ["sessionType", "u8"],
  ["phase", "u8"],
  ["sessionTime", "f32", "ms"],
  ["sessionEndTime", "f32", "ms"],
  /** -1 for none. */
  ["focusedCarIndex", "i32"],
  ["activeCameraSet", "longText"],
  ["activeCamera", "longText"],
  ["currentHudPage", "longText"],
  ["isReplayPlaying", isSo],
  ["replaySessionTime", "f32", "ms", isReplay],
  ["replayRemainingTime", "f32", "ms", isReplay],
  ["conditions", conditions],
  ["bestSessionLap", lap]
])

export const registrationResult = new Sequence([
  ["type", "u8"],
  ["connectionId", "i32"],
  ["success", isSo],
  ["isReadonly", isNotSo],
  ["error", "longText"]
])

export const entryList = new Sequence([
  ["type", "u8"],
  ["connectionId", "i32"],
  ["cars", list("u16", "u16")]
])

const driver = new Sequence([
  ["firstName", "longText"],
  ["lastName", "longText"],
  ["shortName", "longText"],
  ["category", "u8"],
  ["nationality", "u16"]
])

export const entryListCar = new Sequence([
  ["type", "u8"],
  ["carIndex", "u16"],
  ["carModelType", "u8"],
  ["teamName", "longText"],
  ["raceNumber", "i32"],
  ["cupCategory", "u8"],
  ["currentDriverIndex", "u8"],
  ["nationality", "u16"],
  ["drivers", list(driver, "u8")]
])

const cameraSet = new Sequence([
  ["name", "longText"],
  ["cameras", list("longText", "u8")]
])

export const trackData = new Sequence([
  ["type", "u8"],
  ["connectionId", "i32"],
  ["trackName", "longText"],
  ["trackId", "i32"],
  ["trackMeters", "i32", "m"],
  ["cameraSets", list(cameraSet, "u8")],
  ["hudPages", list("longText", "u8")]
])

export const broadcastingEvent = new Sequence([
  ["type", "u8"],
  ["kind", "u8"],
  ["message", "longText"],
  ["timeMs", "i32", "ms"],
  ["carIndex", "i32"]
])

/** Of a client. `commandPassword`: "" to read only. */
export const registration = new Sequence([
  ["type", "u8"],
  ["version", "u8"],
  ["displayName", "longText"],
  ["connectionPassword", "longText"],
  ["updateIntervalMs", "i32", "ms"],
  ["commandPassword", "longText"]
])

/** The other requests of a client. */
export const request = new Sequence([
  ["type", "u8"],
  ["connectionId", "i32"]
])

export type LapInfo = ValuesOf<typeof lap>
export type LapFields = WrittenBy<typeof lap>

/** The values that the driver reads from the two most frequent messages; the channels are read from their bytes. */
export const readCar = carUpdate.only(
  "driverIndex",
  "driverCount",
  "gear",
  "worldPosX",
  "worldPosY",
  "yaw",
  "carLocation",
  "kmh",
  "splinePosition",
  "laps",
  "bestSessionLap",
  "lastLap",
  "currentLap"
)
export const readSession = sessionUpdate.only(
  "eventIndex",
  "sessionIndex",
  "sessionType",
  "phase",
  "sessionTime",
  "sessionEndTime",
  "focusedCarIndex",
  "isReplayPlaying",
  "bestSessionLap"
)
export type CarUpdate = NonNullable<ReturnType<typeof readCar>>
export type SessionUpdate = NonNullable<ReturnType<typeof readSession>>
export type CarFields = Omit<WrittenBy<typeof carUpdate>, "type">
/** Without the values that only the game's screen shows. */
export type SessionFields = Omit<
  WrittenBy<typeof sessionUpdate>,
  "type" | "activeCameraSet" | "activeCamera" | "currentHudPage" | "conditions" | "isReplayPlaying"
>
export type Conditions = StructValues<(typeof conditions)["fields"][number]>
export type Registration = Omit<ValuesOf<typeof registration>, "type" | "version">
export type TrackData = ValuesOf<typeof trackData>
export type EntryList = ValuesOf<typeof entryList>
export type EntryListCar = ValuesOf<typeof entryListCar>
