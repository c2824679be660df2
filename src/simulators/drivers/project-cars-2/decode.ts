/** Decodes the bytes of Project CARS 2 (project-cars2-ams2-udp.md). Pure. */
import type { Sample } from "../../EventBuffer.ts"
import { bits } from "../../packets/conversions.ts"
import { timeOfSeconds } from "../../timekeeping/reportedTimes.ts"
import {
  basePacket,
  CLASSES_BYTES,
  leastBytes,
  MAX_PARTICIPANTS,
  NAMES_A_PACKET,
  PacketType,
  participant,
  participantAt,
  participants,
  raceDefinition,
  stats,
  statsAt,
  telemetryOf,
  timings,
  vehicle,
  VEHICLES_A_PACKET,
  VEHICLES_AT
} from "./layout.ts"

/** Packets of the first release, by type: fewer fields of each car. */
const firstRelease: ReadonlyMap<number, number> = new Map([
  [PacketType.participants, 1040],
  [PacketType.timings, 993],
  [PacketType.timeStats, 784]
])

/** Why the bytes are no packet; undefined for a packet. */
export const problemWith = (bytes: Buffer): string | undefined => {
  const { length } = bytes
  if (length < basePacket.size) return `a packet has at least ${basePacket.size} bytes, not ${length}`
  const type = basePacket.read.packetType(bytes)
  const least = leastBytes.get(type)
  if (least === undefined) return `there is no packet of type ${type}`
  if (firstRelease.get(type) === length) {
    return `a packet of ${length} bytes is of the game's first release, which reported less: update the game`
  }
  return length < least ? `a packet of type ${type} has at least ${least} bytes, not ${length}` : undefined
}

export interface Place {
  readonly circuit: string
  /** m; undefined where the game does not report it. */
  readonly length: number | undefined
}

export const readPlace = (bytes: Buffer): Place => {
  const length = raceDefinition.read.trackLength(bytes)
  const { trackLocation, trackVariation } = raceDefinition.readText
  return {
    circuit: `${trackLocation(bytes)} ${trackVariation(bytes)}`.trim(),
    length: length > 0 && length < Infinity ? length : undefined
  }
}

const nameReaders = Array.from({ length: NAMES_A_PACKET }, (_, i) => participants.readText[`name${i}`]!)

/** Sixteen participants, and the index of the first; parts are counted from 1. */
export const readParticipants = (
  bytes: Buffer
): { readonly first: number; readonly names: ReadonlyArray<string>; readonly stamp: number } => ({
  stamp: participants.read.changedTimestamp(bytes),
  first: (Math.max(1, basePacket.read.partialPacketIndex(bytes)) - 1) * NAMES_A_PACKET,
  names: nameReaders.map((read) => read(bytes))
})

/** The names of vehicles by their index; a packet of classes has none. */
export const readVehicles = (bytes: Buffer): ReadonlyArray<readonly [index: number, name: string]> => {
  if (bytes.length >= CLASSES_BYTES) return []
  return Array.from({ length: VEHICLES_A_PACKET }, (_, i) => {
    const at = VEHICLES_AT + vehicle.size * i
    return [vehicle.read.index(bytes, at), vehicle.readText.name(bytes, at)] as const
  }).filter(([, name]) => name !== "")
}

/** Whether a number identifies a participant. */
export const isParticipant = (bytes: Buffer, index: number): boolean =>
  index >= 0 && index < Math.min(MAX_PARTICIPANTS, timings.read.numParticipants(bytes))

const time = (seconds: number): number => (seconds >= 0 && seconds < Infinity ? seconds : Number.NaN)

const low3 = bits(0, 3)

/** One participant in a timings packet. Times in s, NaN for none. */
export type CarTimings = Readonly<ReturnType<typeof readTiming>>

export const readTiming = (bytes: Buffer, index: number) => {
  const at = participantAt(index)
  const { read } = participant
  const raceState = read.raceState(bytes, at)
  return {
    x: read.worldPositionX(bytes, at),
    y: read.worldPositionY(bytes, at),
    z: read.worldPositionZ(bytes, at),
    lapDistance: read.currentLapDistance(bytes, at),
    sector: low3(read.sector(bytes, at)),
    pitMode: low3(read.pitModeSchedule(bytes, at)),
    vehicle: read.carIndex(bytes, at) & 0x7fff,
    raceState: low3(raceState),
    isLapInvalid: raceState >= 0x80,
    currentLap: read.currentLap(bytes, at),
    currentTime: time(read.currentTime(bytes, at)),
    currentSectorTime: time(read.currentSectorTime(bytes, at))
  }
}

/** The last lap and sector that a participant completed, s to the millisecond; null for none. */
export interface Stats {
  readonly lastLap: number | null
  readonly lastSector: number | null
}

export const readStats = (bytes: Buffer, index: number): Stats => {
  const at = statsAt(index)
  return {
    lastLap: timeOfSeconds(stats.read.lastLap(bytes, at)),
    lastSector: timeOfSeconds(stats.read.lastSector(bytes, at))
  }
}

/** The participant that telemetry describes. */
export const viewedIn = (bytes: Buffer): number => telemetryOf(bytes).read.viewedParticipantIndex(bytes)

/** The time of telemetry, s; NaN in builds without one. */
export const clockOf = (bytes: Buffer): number => {
  const { tickCount } = telemetryOf(bytes).read
  return tickCount === undefined ? Number.NaN : tickCount(bytes) / 1000
}

const REVERSE = 15

/** The viewed car, in our units and signs. */
export const readTelemetry = (bytes: Buffer, timing: CarTimings, into: Sample): void => {
  const { read } = telemetryOf(bytes)
  const gear = read.gearNumGears(bytes) & 15
  into.speed = read.speed(bytes) * 3.6
  into.rpm = read.rpm(bytes)
  into.gear = gear === REVERSE ? -1 : gear
  into.throttle = read.throttle(bytes) / 255
  into.brake = read.brake(bytes) / 255
  into.steering = Math.max(-1, read.steering(bytes) / 127)
  // In the first release only the timings have the position, to the metre.
  const hasPosition = read.fullPositionX !== undefined
  // The world is left-handed: y is up, and where x points east, z points north (tools that draw its cars on real maps
  // add them to longitude and latitude unchanged). With y and z exchanged it is right-handed with z up.
  into.x = hasPosition ? read.fullPositionX(bytes) : timing.x
  into.y = hasPosition ? read.fullPositionZ(bytes) : timing.z
  into.z = hasPosition ? read.fullPositionY(bytes) : timing.y
}
