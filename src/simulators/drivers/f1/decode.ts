/** Decodes the bytes of EA's F1 telemetry for the state machine (f1-udp-2023-2026.md). Pure; one header object is reused. */
import type { Sample } from "../../EventBuffer.ts"
import { secondsOrNone } from "../../packets/conversions.ts"
import { type Sectors, timeOfMs } from "../../toldTimes.ts"
import { HEADER_BYTES, headerStruct, type Layout, layoutOf, formats } from "./layout.ts"

const { read, readBig } = headerStruct

/** Why the bytes are no packet; undefined for a packet. */
export const problemWith = (bytes: Buffer): string | undefined => {
  const { length } = bytes
  if (length < HEADER_BYTES) return `an F1 packet has at least ${HEADER_BYTES} bytes, not ${length}`
  const format = read.packetFormat(bytes)
  const layout = layoutOf(format)
  if (layout === undefined) return `F1 format ${format} is not one of ${formats.join(", ")}`
  const packetId = read.packetId(bytes)
  const size = layout.sizes[packetId]
  if (size === undefined) return `F1 format ${format} has no packet ${packetId}`
  return size === length
    ? undefined
    : `packet ${packetId} of F1 format ${format} has ${size} bytes, not ${length}`
}

/** In front of every packet (section 2). */
export class Header {
  layout: Layout = layoutOf(formats[0])!
  /** Two digits: 25 is F1 25, whatever format it sends. */
  gameYear = 0
  packetId = 0
  /** 0 in menus. */
  sessionUid = 0n
  /** s; goes back at a flashback. */
  sessionTime = 0
  /** The number of the game's frame, of which it sends some; goes back at a flashback. */
  frame = 0
  /** The same number, but it continues through a flashback. */
  overallFrame = 0
  /** 255 where the player only watches. */
  player = 0

  /** Reads the header of a packet that has no problem. */
  read(bytes: Buffer): void {
    this.layout = layoutOf(read.packetFormat(bytes))!
    this.gameYear = read.gameYear(bytes)
    this.packetId = read.packetId(bytes)
    this.sessionUid = readBig.sessionUID(bytes)
    this.sessionTime = read.sessionTime(bytes)
    this.frame = read.frameIdentifier(bytes)
    this.overallFrame = read.overallFrameIdentifier(bytes)
    this.player = read.playerCarIndex(bytes)
  }
}

/** The game's world is right-handed with y up (section 4.1; in real captures forward x up is right); ours has z up. */
export const readMotion = (
  bytes: Buffer,
  { packets: { motion } }: Layout,
  car: number,
  into: Sample
): void => {
  const { read } = motion.element
  const at = motion.at(car)
  into.x = read.worldPositionX(bytes, at)
  into.y = -read.worldPositionZ(bytes, at)
  into.z = read.worldPositionY(bytes, at)
}

/** In our units and signs. */
export const readTelemetry = (
  bytes: Buffer,
  { packets: { carTelemetry } }: Layout,
  car: number,
  into: Sample
): void => {
  const { read } = carTelemetry.element
  const at = carTelemetry.at(car)
  into.speed = read.speed(bytes, at)
  into.rpm = read.engineRPM(bytes, at)
  into.gear = read.gear(bytes, at)
  into.throttle = read.throttle(bytes, at)
  into.brake = read.brake(bytes, at)
  into.steering = read.steer(bytes, at)
}

/** A time in ms that is split into minutes and a remainder in ms. */
export const joinMs = (ms: number, minutes: number): number => ms + 60_000 * minutes

/** Times in ms, 0 for none. */
export type F1LapData = Readonly<ReturnType<typeof readLapData>>

export const readLapData = (bytes: Buffer, { packets: { lapData } }: Layout, car: number) => {
  const { read } = lapData.element
  const at = lapData.at(car)
  return {
    lastLapMs: read.lastLapTimeInMS(bytes, at),
    currentLapMs: read.currentLapTimeInMS(bytes, at),
    sector1Ms: joinMs(read.sector1TimeMSPart(bytes, at), read.sector1TimeMinutesPart(bytes, at)),
    sector2Ms: joinMs(read.sector2TimeMSPart(bytes, at), read.sector2TimeMinutesPart(bytes, at)),
    /** m since the line; negative on the drive to the start. */
    lapDistance: read.lapDistance(bytes, at),
    /** The current lap, from 1. */
    lapNumber: read.currentLapNum(bytes, at),
    /** Whether the current lap is invalid. */
    invalid: read.currentLapInvalid(bytes, at) !== 0,
    /** 0 on the track. */
    pitStatus: read.pitStatus(bytes, at),
    driverStatus: read.driverStatus(bytes, at),
    resultStatus: read.resultStatus(bytes, at)
  }
}

/** How far the next car is behind this one, s; NaN without one. */
export const readGapBehind = (
  bytes: Buffer,
  { cars, packets: { lapData }, format }: Layout,
  car: number
): number => {
  const { read } = lapData.element
  const behind = read.carPosition(bytes, lapData.at(car)) + 1
  for (let other = 0; other < cars; other++) {
    const at = lapData.at(other)
    if (read.carPosition(bytes, at) !== behind) continue
    const ms =
      format === 2023
        ? read.deltaToCarInFrontInMS(bytes, at)
        : joinMs(read.deltaToCarInFrontMSPart(bytes, at), read.deltaToCarInFrontMinutesPart(bytes, at))
    return secondsOrNone(ms)
  }
  return Number.NaN
}

/** `lapMs`: 0 for none. */
export interface LapHistory {
  readonly lapMs: number
  readonly sectors: Sectors
  readonly valid: boolean
}

/** The same in every format. */
const { sessionHistory: history } = layoutOf(formats[0])!.packets
const LAP_VALID = 0x01

/** The car of a SessionHistory. */
export const readHistoryCar = (bytes: Buffer): number => history.head.read.carIdx(bytes, HEADER_BYTES)

/** A lap of a SessionHistory by its number, from 1; undefined where it lacks the lap. */
export const readHistoryLap = (bytes: Buffer, lapNumber: number): LapHistory | undefined => {
  const laps = Math.min(history.head.read.numLaps(bytes, HEADER_BYTES), history.elements)
  if (lapNumber < 1 || lapNumber > laps) return undefined
  const { read } = history.element
  const at = history.at(lapNumber - 1)
  return {
    lapMs: read.lapTimeInMS(bytes, at),
    sectors: [
      timeOfMs(joinMs(read.sector1TimeMSPart(bytes, at), read.sector1TimeMinutesPart(bytes, at))),
      timeOfMs(joinMs(read.sector2TimeMSPart(bytes, at), read.sector2TimeMinutesPart(bytes, at))),
      timeOfMs(joinMs(read.sector3TimeMSPart(bytes, at), read.sector3TimeMinutesPart(bytes, at)))
    ],
    valid: (read.lapValidBitFlags(bytes, at) & LAP_VALID) !== 0
  }
}

/** The time of the best lap of a SessionHistory, s; NaN without one. */
export const readBestLap = (bytes: Buffer): number => {
  const best = readHistoryLap(bytes, history.head.read.bestLapTimeLapNum(bytes, HEADER_BYTES))
  return secondsOrNone(best?.lapMs ?? 0)
}
