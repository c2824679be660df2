/**
 * Recognises packets of Project CARS 2: they have no mark, only a type in one byte, so plausible values of the fields
 * decide (timekeeping.md, rule 10).
 */
import { isWithin } from "../../packets/isWithin.ts"
import { problemWith } from "./decode.ts"
import {
  basePacket,
  MAX_PARTICIPANTS,
  PacketType,
  participant,
  participantAt,
  raceDefinition,
  stats,
  statsAt,
  telemetryOf,
  timings
} from "./layout.ts"
import { isProjectCars1 } from "./projectCars1.ts"

/** The game has had up to 4; the largest number of parts is that of the vehicles' names. */
const MAX_VERSION = 15
const MAX_PARTS = 32
/** m/s, km, m, s: no car and no circuit has more. */
const MAX_SPEED = 300
const MAX_ODOMETER = 1e7
const MAX_LENGTH = 100_000
const MAX_TIME = 1e6

/** -1 for none; absent values of stats are 0, or not set. */
const isTime = (seconds: number): boolean => isWithin(seconds, -1, MAX_TIME)

const isTelemetry = (bytes: Buffer): boolean => {
  const { read } = telemetryOf(bytes)
  return (
    isWithin(read.speed(bytes), -MAX_SPEED, MAX_SPEED) &&
    isWithin(read.fuelLevel(bytes), 0, 1.01) &&
    isWithin(read.odometer(bytes), 0, MAX_ODOMETER) &&
    (["X", "Y", "Z"] as const).every((axis) =>
      isWithin(read[`localVelocity${axis}`](bytes), -MAX_SPEED, MAX_SPEED)
    )
  )
}

const isTimings = (bytes: Buffer): boolean => {
  const count = timings.read.numParticipants(bytes)
  const first = participantAt(0)
  return (
    count >= -1 &&
    count <= 2 * MAX_PARTICIPANTS &&
    (count < 1 ||
      (isTime(participant.read.currentTime(bytes, first)) &&
        isTime(participant.read.currentSectorTime(bytes, first))))
  )
}

const isStats = (bytes: Buffer): boolean =>
  isTime(stats.read.fastestLap(bytes, statsAt(0))) && isTime(stats.read.lastLap(bytes, statsAt(0)))

const contents: ReadonlyMap<number, (bytes: Buffer) => boolean> = new Map([
  [PacketType.telemetry, isTelemetry],
  [PacketType.timings, isTimings],
  [PacketType.timeStats, isStats],
  [PacketType.raceDefinition, (bytes) => isWithin(raceDefinition.read.trackLength(bytes), -1, MAX_LENGTH)]
])

export const recognises = (bytes: Buffer): boolean => {
  if (isProjectCars1(bytes) || problemWith(bytes) !== undefined) return false
  const { packetType, packetVersion, partialPacketIndex, partialPacketNumber } = basePacket.read
  const parts = partialPacketNumber(bytes)
  return (
    isWithin(packetVersion(bytes), 1, MAX_VERSION) &&
    parts <= MAX_PARTS &&
    partialPacketIndex(bytes) <= Math.max(1, parts) &&
    (contents.get(packetType(bytes))?.(bytes) ?? true)
  )
}
