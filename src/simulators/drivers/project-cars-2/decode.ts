/** Bytes of Project CARS 2 to packets (project-cars2-ams2-udp.md). Pure. */
import {
  base,
  CLASSES_BYTES,
  fullPosition,
  hasFullPosition,
  hasTickCount,
  leastBytes,
  MAX_PARTICIPANTS,
  NAME_BYTES,
  NAMES_A_PACKET,
  NAMES_AT,
  participant,
  participantAt,
  raceDefinition,
  stats,
  statsAt,
  telemetry,
  tickCount,
  timings,
  track,
  vehicle,
  VEHICLE_BYTES,
  VEHICLES_A_PACKET,
  VEHICLES_AT
} from "./layout.ts"

const BASE_BYTES = 12

/** Why these bytes are no packet; undefined where they are one. */
export const problemWith = (bytes: Buffer): string | undefined => {
  const { length } = bytes
  if (length < BASE_BYTES) return `a packet has at least ${BASE_BYTES} bytes, not ${length}`
  const type = base.packetType(bytes)
  const least = leastBytes.get(type)
  if (least === undefined) return `there is no packet of type ${type}`
  return length < least ? `a packet of type ${type} has at least ${least} bytes, not ${length}` : undefined
}

/** Up to the NUL; what follows is garbage. */
export const readName = (bytes: Buffer, at: number): string => {
  const room = bytes.subarray(at, at + NAME_BYTES)
  const end = room.indexOf(0)
  return room.toString("utf8", 0, end === -1 ? room.length : end).trim()
}

export interface Place {
  readonly circuit: string
  /** m; undefined where the game does not say. */
  readonly length: number | undefined
}

export const readPlace = (bytes: Buffer): Place => {
  const length = raceDefinition.trackLength(bytes)
  return {
    circuit: `${readName(bytes, track.location)} ${readName(bytes, track.variation)}`.trim(),
    length: length > 0 && length < Infinity ? length : undefined
  }
}

/** Sixteen participants, and the index of the first: parts are counted from 1. */
export const readParticipants = (
  bytes: Buffer
): { readonly first: number; readonly names: ReadonlyArray<string> } => ({
  first: (Math.max(1, base.partialPacketIndex(bytes)) - 1) * NAMES_A_PACKET,
  names: Array.from({ length: NAMES_A_PACKET }, (_, i) => readName(bytes, NAMES_AT + NAME_BYTES * i))
})

/** Names of vehicles by their index; none in a packet of classes. */
export const readVehicles = (bytes: Buffer): ReadonlyArray<readonly [index: number, name: string]> => {
  if (bytes.length >= CLASSES_BYTES) return []
  return Array.from({ length: VEHICLES_A_PACKET }, (_, i) => {
    const at = VEHICLES_AT + VEHICLE_BYTES * i
    return [vehicle.index(bytes, at), readName(bytes, at + vehicle.nameAt)] as const
  }).filter(([, name]) => name !== "")
}

/** What a timings packet says of one participant. Times in s, NaN for none. */
export interface CarTimings {
  readonly number: number
  readonly x: number
  readonly y: number
  readonly z: number
  readonly lapDistance: number
  readonly sector: number
  readonly pitMode: number
  readonly vehicle: number
  readonly raceState: number
  readonly isLapInvalid: boolean
  readonly currentLap: number
  readonly currentTime: number
  readonly currentSectorTime: number
}

/** Whether a number names one of those who take part. */
export const isParticipant = (bytes: Buffer, index: number): boolean =>
  index >= 0 && index < Math.min(MAX_PARTICIPANTS, timings.numParticipants(bytes))

const time = (seconds: number): number => (seconds >= 0 && seconds < Infinity ? seconds : Number.NaN)

export const readTiming = (bytes: Buffer, index: number): CarTimings => {
  const at = participantAt(index)
  return {
    number: base.packetNumber(bytes),
    x: participant.worldPositionX(bytes, at),
    y: participant.worldPositionY(bytes, at),
    z: participant.worldPositionZ(bytes, at),
    lapDistance: participant.lapDistance(bytes, at),
    sector: participant.sector(bytes, at),
    pitMode: participant.pitMode(bytes, at),
    vehicle: participant.vehicle(bytes, at),
    raceState: participant.raceState(bytes, at),
    isLapInvalid: participant.isLapInvalid(bytes, at) === 1,
    currentLap: participant.currentLap(bytes, at),
    currentTime: time(participant.currentTime(bytes, at)),
    currentSectorTime: time(participant.currentSectorTime(bytes, at))
  }
}

/** The last lap and sector that a participant completed, s to the millisecond; null for none. */
export interface Stats {
  readonly lastLap: number | null
  readonly lastSector: number | null
}

/** Games show milliseconds; further digits are the float's. */
const milliseconds = (seconds: number): number | null =>
  seconds > 0 && seconds < Infinity ? Math.round(seconds * 1000) / 1000 : null

export const readStats = (bytes: Buffer, index: number): Stats => {
  const at = statsAt(index)
  return {
    lastLap: milliseconds(stats.lastLap(bytes, at)),
    lastSector: milliseconds(stats.lastSector(bytes, at))
  }
}

/** The viewed car, in the units and signs of our points; position and clock as far as the build has them. */
export interface Telemetry {
  viewed: number
  speed: number
  rpm: number
  gear: number
  throttle: number
  brake: number
  steering: number
  hasPosition: boolean
  /** m, y up, as the game has them. */
  x: number
  y: number
  z: number
  /** s; NaN without one. */
  clock: number
}

export const newTelemetry = (): Telemetry => ({
  viewed: -1,
  speed: 0,
  rpm: 0,
  gear: 0,
  throttle: 0,
  brake: 0,
  steering: 0,
  hasPosition: false,
  x: 0,
  y: 0,
  z: 0,
  clock: Number.NaN
})

const REVERSE = 15

export const readTelemetry = (bytes: Buffer, into: Telemetry): void => {
  const gear = telemetry.gear(bytes)
  into.viewed = telemetry.viewedParticipantIndex(bytes)
  into.speed = telemetry.speed(bytes) * 3.6
  into.rpm = telemetry.rpm(bytes)
  into.gear = gear === REVERSE ? -1 : gear
  into.throttle = telemetry.throttle(bytes) / 255
  into.brake = telemetry.brake(bytes) / 255
  into.steering = Math.max(-1, telemetry.steering(bytes) / 127)
  into.hasPosition = hasFullPosition(bytes)
  if (into.hasPosition) {
    into.x = fullPosition.fullPositionX(bytes)
    into.y = fullPosition.fullPositionY(bytes)
    into.z = fullPosition.fullPositionZ(bytes)
  }
  into.clock = hasTickCount(bytes) ? tickCount(bytes) / 1000 : Number.NaN
}
