/**
 * What Assetto Corsa Competizione sends all the time (sheet acc-broadcasting, section 3): the session, and each car.
 * Bytes after a message that is whole are left alone, as a newer game may add some.
 */
import {
  carUpdate,
  conditions,
  lapFlags,
  lapHead,
  NO_TIME,
  PIT_LANE,
  replay,
  sessionUpdate
} from "./layout.ts"
import { Reader } from "./Reader.ts"

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
  readonly bytes: Buffer
  /** Where `conditions` begins in them. */
  readonly conditions: number
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
  readonly bestSessionLap: LapInfo
}

export interface CarUpdate {
  readonly bytes: Buffer
  readonly carIndex: number
  readonly driverIndex: number
  readonly driverCount: number
  readonly gearRaw: number
  /** m, on the ground plane. */
  readonly worldPosX: number
  readonly worldPosY: number
  /** rad. */
  readonly yaw: number
  /** km/h. */
  readonly speed: number
  /** 0..1 along the track. */
  readonly splinePosition: number
  readonly isInPitLane: boolean
  /** Completed. */
  readonly laps: number
  readonly bestSessionLap: LapInfo
  readonly lastLap: LapInfo
  readonly currentLap: LapInfo
}

const timeOf = (ms: number): number | null => (ms === NO_TIME ? null : ms)

/** Undefined where it is cut short. */
const readLap = (reader: Reader): LapInfo | undefined => {
  const head = reader.take(lapHead.size)
  if (head < 0) return undefined
  const { bytes } = reader
  const { read } = lapHead
  const splits: [number | null, number | null, number | null] = [null, null, null]
  const count = read.splitCount(bytes, head)
  for (let n = 0; n < count; n++) {
    const split = timeOf(reader.i32())
    if (n < splits.length) splits[n] = split
  }
  const flags = reader.take(lapFlags.size)
  if (flags < 0) return undefined
  return {
    lapTime: timeOf(read.laptimeMs(bytes, head)),
    carIndex: read.carIndex(bytes, head),
    driverIndex: read.driverIndex(bytes, head),
    splits,
    isInvalid: lapFlags.read.isInvalid(bytes, flags) > 0,
    isValidForBest: lapFlags.read.isValidForBest(bytes, flags) > 0,
    isOutLap: lapFlags.read.isOutlap(bytes, flags) > 0,
    isInLap: lapFlags.read.isInlap(bytes, flags) > 0
  }
}

/** Undefined for bytes that are too few, or a time that is no number. */
export const decodeRealtimeUpdate = (bytes: Buffer): RealtimeUpdate | undefined => {
  if (bytes.length < sessionUpdate.size) return undefined
  const { read } = sessionUpdate
  const reader = new Reader(bytes, sessionUpdate.size)
  // The cameras and the page of the game's screen.
  reader.skipText()
  reader.skipText()
  reader.skipText()
  const isReplayPlaying = reader.u8() > 0
  const played = isReplayPlaying ? reader.take(replay.size) : -1
  const rest = reader.take(conditions.size)
  const bestSessionLap = readLap(reader)
  const sessionTime = read.sessionTime(bytes)
  if (bestSessionLap === undefined || !Number.isFinite(sessionTime)) return undefined
  return {
    bytes,
    conditions: rest,
    eventIndex: read.eventIndex(bytes),
    sessionIndex: read.sessionIndex(bytes),
    sessionType: read.sessionType(bytes),
    phase: read.phase(bytes),
    sessionTime,
    sessionEndTime: read.sessionEndTime(bytes),
    focusedCarIndex: read.focusedCarIndex(bytes),
    isReplayPlaying,
    replaySessionTime: played < 0 ? undefined : replay.read.replaySessionTime(bytes, played),
    replayRemainingTime: played < 0 ? undefined : replay.read.replayRemainingTime(bytes, played),
    bestSessionLap
  }
}

/** Whose update it is: most are of cars that are not recorded. Undefined for too few bytes. */
export const carIndexOf = (bytes: Buffer): number | undefined =>
  bytes.length < 3 ? undefined : carUpdate.read.carIndex(bytes)

/** Undefined for bytes that are too few. Floats are not checked: they may be anything that four bytes hold. */
export const decodeCarUpdate = (bytes: Buffer): CarUpdate | undefined => {
  if (bytes.length < carUpdate.size) return undefined
  const { read } = carUpdate
  const reader = new Reader(bytes, carUpdate.size)
  const bestSessionLap = readLap(reader)
  const lastLap = readLap(reader)
  const currentLap = readLap(reader)
  if (bestSessionLap === undefined || lastLap === undefined || currentLap === undefined) return undefined
  return {
    bytes,
    carIndex: read.carIndex(bytes),
    driverIndex: read.driverIndex(bytes),
    driverCount: read.driverCount(bytes),
    gearRaw: read.gear(bytes),
    worldPosX: read.worldPosX(bytes),
    worldPosY: read.worldPosY(bytes),
    yaw: read.yaw(bytes),
    speed: read.kmh(bytes),
    splinePosition: read.splinePosition(bytes),
    isInPitLane: read.carLocation(bytes) === PIT_LANE,
    laps: read.laps(bytes),
    bestSessionLap,
    lastLap,
    currentLap
  }
}
