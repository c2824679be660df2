/** Decodes the bytes of EA's F1 telemetry for the state machine (f1-udp-2023-2026.md). Pure; one header object is reused. */
import type { Sample } from "../../EventBuffer.ts"
import { secondsOrNone } from "../../packets/conversions.ts"
import type { CompletedLap, Moment } from "../../timekeeping/Moment.ts"
import { timeOfMs } from "../../timekeeping/reportedTimes.ts"
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

const IN_GARAGE = 0
/** Laps into the pits and out of the pits are invalid (contract, section 4). */
const PIT_LAPS: ReadonlySet<number> = new Set([2, 3])
const FINISHED = 3

/** Into a moment of the frame; the car's own measure of its lap into the frame's sample. */
export const readLap = (
  bytes: Buffer,
  { packets: { lapData } }: Layout,
  car: number,
  into: Moment,
  sample: Sample
): void => {
  const { read } = lapData.element
  const at = lapData.at(car)
  const lapDistance = read.lapDistance(bytes, at)
  const driverStatus = read.driverStatus(bytes, at)
  // On the drive to the start, and for some frames around the line, it is the distance to the line.
  const isBeforeLine = lapDistance < 0
  sample.lapDistance = isBeforeLine ? Number.NaN : lapDistance
  into.lapNumber = driverStatus === IN_GARAGE ? 0 : read.currentLapNum(bytes, at)
  into.clock = read.currentLapTimeInMS(bytes, at) / 1000
  into.lastLap = timeOfMs(read.lastLapTimeInMS(bytes, at))
  into.sector1 = timeOfMs(joinMs(read.sector1TimeMSPart(bytes, at), read.sector1TimeMinutesPart(bytes, at)))
  into.sector2 = timeOfMs(joinMs(read.sector2TimeMSPart(bytes, at), read.sector2TimeMinutesPart(bytes, at)))
  into.valid = read.currentLapInvalid(bytes, at) === 0 && !PIT_LAPS.has(driverStatus)
  into.isInPit = read.pitStatus(bytes, at) !== 0 && !isBeforeLine
  into.isOver = read.resultStatus(bytes, at) === FINISHED
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

/** The same in every format. */
const { sessionHistory: history } = layoutOf(formats[0])!.packets
const LAP_VALID = 0x01

/** The car of a SessionHistory. */
export const readHistoryCar = (bytes: Buffer): number => history.head.read.carIdx(bytes, HEADER_BYTES)

/** A lap of a SessionHistory by its number, from 1; undefined where it lacks the lap, or the lap is not over. */
export const readHistoryLap = (bytes: Buffer, lapNumber: number): CompletedLap | undefined => {
  const laps = Math.min(history.head.read.numLaps(bytes, HEADER_BYTES), history.elements)
  if (lapNumber < 1 || lapNumber > laps) return undefined
  const { read } = history.element
  const at = history.at(lapNumber - 1)
  const lapTime = timeOfMs(read.lapTimeInMS(bytes, at))
  if (lapTime === null) return undefined
  return {
    lapTime,
    sectors: [
      timeOfMs(joinMs(read.sector1TimeMSPart(bytes, at), read.sector1TimeMinutesPart(bytes, at))),
      timeOfMs(joinMs(read.sector2TimeMSPart(bytes, at), read.sector2TimeMinutesPart(bytes, at))),
      timeOfMs(joinMs(read.sector3TimeMSPart(bytes, at), read.sector3TimeMinutesPart(bytes, at)))
    ],
    valid: (read.lapValidBitFlags(bytes, at) & LAP_VALID) !== 0
  }
}

/** The time of the best lap of a SessionHistory, s; NaN without one. */
export const readBestLap = (bytes: Buffer): number =>
  readHistoryLap(bytes, history.head.read.bestLapTimeLapNum(bytes, HEADER_BYTES))?.lapTime ?? Number.NaN
