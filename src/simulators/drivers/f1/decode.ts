/** Bytes of EA's F1 telemetry to packets (f1-udp-2023-2026.md). Pure; what a caller fills again and again is its own. */
import { HEADER_BYTES, type Layout, formats, layoutOf } from "./layout.ts"

/** In front of every packet (section 2). */
export interface Header {
  layout: Layout
  /** Two digits: 25 is F1 25, whatever format it sends. */
  gameYear: number
  packetId: number
  /** 0 in menus. */
  sessionUid: bigint
  /** s; goes back at a flashback. */
  sessionTime: number
  /** Of the game's frames, of which it sends some; goes back at a flashback. */
  frame: number
  /** The same, only that it goes on at a flashback. */
  overallFrame: number
  /** 255 where the player only looks on. */
  player: number
}

export const newHeader = (): Header => ({
  layout: layoutOf(formats[0]!)!,
  gameYear: 0,
  packetId: 0,
  sessionUid: 0n,
  sessionTime: 0,
  frame: 0,
  overallFrame: 0,
  player: 0
})

/** Why these bytes are no packet; undefined where they are one. */
export const problemWith = (bytes: Buffer): string | undefined => {
  const { length } = bytes
  if (length < HEADER_BYTES) return `an F1 packet has at least ${HEADER_BYTES} bytes, not ${length}`
  const format = bytes.readUInt16LE(0)
  const layout = layoutOf(format)
  if (layout === undefined) return `F1 format ${format} is not one of ${formats.join(", ")}`
  const packetId = bytes[6]!
  const size = layout.sizes[packetId]
  if (size === undefined) return `F1 format ${format} has no packet ${packetId}`
  return size === length
    ? undefined
    : `packet ${packetId} of F1 format ${format} has ${size} bytes, not ${length}`
}

/** Reads the header of a packet that has no problem. */
export const readHeader = (bytes: Buffer, header: Header): void => {
  header.layout = layoutOf(bytes.readUInt16LE(0))!
  header.gameYear = bytes[2]!
  header.packetId = bytes[6]!
  header.sessionUid = bytes.readBigUInt64LE(7)
  header.sessionTime = bytes.readFloatLE(15)
  header.frame = bytes.readUInt32LE(19)
  header.overallFrame = bytes.readUInt32LE(23)
  header.player = bytes[27]!
}

/** m; right-handed, y up. */
export interface CarMotion {
  x: number
  y: number
  z: number
}

export const readMotion = (bytes: Buffer, { motion }: Layout, car: number, into: CarMotion): void => {
  const at = motion.at + car * motion.size
  into.x = bytes.readFloatLE(at)
  into.y = bytes.readFloatLE(at + 4)
  into.z = bytes.readFloatLE(at + 8)
}

/** In the units and signs of our points already. */
export interface CarTelemetry {
  speed: number
  throttle: number
  steering: number
  brake: number
  gear: number
  rpm: number
}

export const readTelemetry = (
  bytes: Buffer,
  { telemetry }: Layout,
  car: number,
  into: CarTelemetry
): void => {
  const at = telemetry.at + car * telemetry.size
  into.speed = bytes.readUInt16LE(at)
  into.throttle = bytes.readFloatLE(at + 2)
  into.steering = bytes.readFloatLE(at + 6)
  into.brake = bytes.readFloatLE(at + 10)
  into.gear = bytes.readInt8(at + 15)
  into.rpm = bytes.readUInt16LE(at + 16)
}

/** A time that is split into minutes and what is left in ms. */
const splitMs = (bytes: Buffer, at: number): number => bytes.readUInt16LE(at) + 60_000 * bytes[at + 2]!

/** Times in ms, 0 where there is none. */
export interface F1LapData {
  readonly lastLapMs: number
  readonly currentLapMs: number
  /** Of the lap under way. */
  readonly sector1Ms: number
  readonly sector2Ms: number
  /** m since the line; negative on the way to the start. */
  readonly lapDistance: number
  /** Of the lap under way, from 1. */
  readonly lapNumber: number
  /** The lap under way does not count. */
  readonly invalid: boolean
  /** 0 garage, 1 flying lap, 2 in lap, 3 out lap, 4 on track. */
  readonly driverStatus: number
  /** 2 active, 3 finished, more: out of the race. */
  readonly resultStatus: number
}

export const readLapData = (bytes: Buffer, { lap }: Layout, car: number): F1LapData => {
  const at = lap.at + car * lap.size
  return {
    lastLapMs: bytes.readUInt32LE(at),
    currentLapMs: bytes.readUInt32LE(at + 4),
    sector1Ms: splitMs(bytes, at + 8),
    sector2Ms: splitMs(bytes, at + 11),
    lapDistance: bytes.readFloatLE(at + lap.distance),
    lapNumber: bytes[at + lap.number]!,
    invalid: bytes[at + lap.invalid] !== 0,
    driverStatus: bytes[at + lap.driverStatus]!,
    resultStatus: bytes[at + lap.resultStatus]!
  }
}

export interface Participant {
  readonly team: number
  readonly myTeam: boolean
  readonly name: string
}

/** Ends at the first zero byte; a character that was cut in two there is none. */
const text = (bytes: Buffer): string => {
  const end = bytes.indexOf(0)
  return bytes
    .toString("utf8", 0, end === -1 ? bytes.length : end)
    .replace(/\uFFFD+$/, "")
    .trim()
}

export const readParticipant = (bytes: Buffer, { participant }: Layout, car: number): Participant => {
  const at = participant.at + car * participant.size
  const team = at + participant.team
  const name = at + participant.name
  return {
    team: participant.wideTeam ? bytes.readUInt16LE(team) : bytes[team]!,
    myTeam: bytes[at + participant.myTeam] === 1,
    name: text(bytes.subarray(name, name + participant.nameBytes))
  }
}

/** The same in all formats: before the first array. */
export interface SessionPacket {
  /** m. */
  readonly trackLength: number
  /** -1 where it is not known. */
  readonly trackId: number
  readonly isSpectating: boolean
}

export const readSession = (bytes: Buffer): SessionPacket => ({
  trackLength: bytes.readUInt16LE(HEADER_BYTES + 4),
  trackId: bytes.readInt8(HEADER_BYTES + 7),
  isSpectating: bytes[HEADER_BYTES + 15] === 1
})

/** Four letters. */
export const readEventCode = (bytes: Buffer): string =>
  bytes.toString("latin1", HEADER_BYTES, HEADER_BYTES + 4)

/** Times in ms, 0 where there is none. */
export interface LapHistory {
  readonly lapMs: number
  readonly sectorsMs: readonly [number, number, number]
  readonly valid: boolean
}

const HISTORY_AT = HEADER_BYTES + 7
const HISTORY_LAP_BYTES = 14
const HISTORY_LAPS = 100
const LAP_VALID = 0x01

/** The car that a SessionHistory is about. */
export const readHistoryCar = (bytes: Buffer): number => bytes[HEADER_BYTES]!

/** A lap of a SessionHistory by its number, from 1; undefined for one that it has not. */
export const readHistoryLap = (bytes: Buffer, lapNumber: number): LapHistory | undefined => {
  const laps = Math.min(bytes[HEADER_BYTES + 1]!, HISTORY_LAPS)
  if (lapNumber < 1 || lapNumber > laps) return undefined
  const at = HISTORY_AT + (lapNumber - 1) * HISTORY_LAP_BYTES
  return {
    lapMs: bytes.readUInt32LE(at),
    sectorsMs: [splitMs(bytes, at + 4), splitMs(bytes, at + 7), splitMs(bytes, at + 10)],
    valid: (bytes[at + 13]! & LAP_VALID) !== 0
  }
}
