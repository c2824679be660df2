/**
 * What Assetto Corsa Competizione sends all the time (sheet acc-broadcasting, section 3): the session, and each car.
 * Bytes after a message that is whole are left alone, as a newer game may add some.
 */
import { Reader } from "./Reader.ts"

/** "None" of lap and split times. */
const NO_TIME = 2147483647

export type Splits = readonly [number | null, number | null, number | null]

/** Times in ms, null for none; splits are each sector's own. */
export interface LapInfo {
  readonly lapTime: number | null
  readonly carIndex: number
  readonly driverIndex: number
  readonly splits: Splits
  readonly isInvalid: boolean
  readonly isValidForBest: boolean
  readonly isOutLap: boolean
  readonly isInLap: boolean
}

export interface RealtimeUpdate {
  readonly eventIndex: number
  readonly sessionIndex: number
  readonly sessionType: number
  readonly phase: number
  /** ms. */
  readonly sessionTime: number
  readonly sessionEndTime: number
  /** -1 for none. */
  readonly focusedCarIndex: number
  readonly isReplayPlaying: boolean
  /** ms, of a replay that plays. */
  readonly replaySessionTime: number | undefined
  readonly replayRemainingTime: number | undefined
  /** s. */
  readonly timeOfDay: number
  /** Degrees C. */
  readonly ambientTemperature: number
  readonly trackTemperature: number
  /** 0..1. */
  readonly clouds: number
  readonly rainLevel: number
  readonly wetness: number
  readonly bestSessionLap: LapInfo
}

export interface CarUpdate {
  readonly carIndex: number
  readonly driverIndex: number
  readonly driverCount: number
  readonly gearRaw: number
  /** m, on the ground plane. */
  readonly worldPosX: number
  readonly worldPosY: number
  /** rad. */
  readonly yaw: number
  /** 0 none, 1 track, 2 pit lane, 3 pit entry, 4 pit exit. */
  readonly carLocation: number
  /** km/h. */
  readonly speed: number
  readonly position: number
  readonly cupPosition: number
  readonly trackPosition: number
  /** 0..1 along the track. */
  readonly splinePosition: number
  /** Completed. */
  readonly laps: number
  /** ms, to the best lap of the session. */
  readonly delta: number
  readonly bestSessionLap: LapInfo
  readonly lastLap: LapInfo
  readonly currentLap: LapInfo
}

const timeOf = (ms: number): number | null => (ms === NO_TIME ? null : ms)

const readLap = (reader: Reader): LapInfo => {
  const lapTime = timeOf(reader.i32())
  const carIndex = reader.u16()
  const driverIndex = reader.u16()
  const splits: [number | null, number | null, number | null] = [null, null, null]
  const count = reader.u8()
  for (let n = 0; n < count; n++) {
    const split = timeOf(reader.i32())
    if (n < splits.length) splits[n] = split
  }
  return {
    lapTime,
    carIndex,
    driverIndex,
    splits,
    isInvalid: reader.u8() > 0,
    isValidForBest: reader.u8() > 0,
    isOutLap: reader.u8() > 0,
    isInLap: reader.u8() > 0
  }
}

/** Undefined for bytes that are too few, or a time that is no number. */
export const decodeRealtimeUpdate = (bytes: Buffer): RealtimeUpdate | undefined => {
  const reader = new Reader(bytes, 1)
  const eventIndex = reader.u16()
  const sessionIndex = reader.u16()
  const sessionType = reader.u8()
  const phase = reader.u8()
  const sessionTime = reader.f32()
  const sessionEndTime = reader.f32()
  const focusedCarIndex = reader.i32()
  // The cameras and the page of the game's screen.
  reader.skipText()
  reader.skipText()
  reader.skipText()
  const isReplayPlaying = reader.u8() > 0
  const update = {
    eventIndex,
    sessionIndex,
    sessionType,
    phase,
    sessionTime,
    sessionEndTime,
    focusedCarIndex,
    isReplayPlaying,
    replaySessionTime: isReplayPlaying ? reader.f32() : undefined,
    replayRemainingTime: isReplayPlaying ? reader.f32() : undefined,
    timeOfDay: reader.f32(),
    ambientTemperature: reader.u8(),
    trackTemperature: reader.u8(),
    clouds: reader.u8() / 10,
    rainLevel: reader.u8() / 10,
    wetness: reader.u8() / 10,
    bestSessionLap: readLap(reader)
  }
  return reader.isBroken || !Number.isFinite(sessionTime) ? undefined : update
}

/** Whose update it is: most are of cars that nobody records. Undefined for too few bytes. */
export const carIndexOf = (bytes: Buffer): number | undefined =>
  bytes.length < 3 ? undefined : bytes.readUInt16LE(1)

/** Undefined for bytes that are too few. Floats are not checked: they may be anything that four bytes hold. */
export const decodeCarUpdate = (bytes: Buffer): CarUpdate | undefined => {
  const reader = new Reader(bytes, 1)
  const update = {
    carIndex: reader.u16(),
    driverIndex: reader.u16(),
    driverCount: reader.u8(),
    gearRaw: reader.u8(),
    worldPosX: reader.f32(),
    worldPosY: reader.f32(),
    yaw: reader.f32(),
    carLocation: reader.u8(),
    speed: reader.u16(),
    position: reader.u16(),
    cupPosition: reader.u16(),
    trackPosition: reader.u16(),
    splinePosition: reader.f32(),
    laps: reader.u16(),
    delta: reader.i32(),
    bestSessionLap: readLap(reader),
    lastLap: readLap(reader),
    currentLap: readLap(reader)
  }
  return reader.isBroken ? undefined : update
}
