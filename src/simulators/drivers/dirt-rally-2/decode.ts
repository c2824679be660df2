/**
 * The telemetry packet of DiRT Rally 2.0, and of other Codemasters games that know "extradata": floats without names
 * (codemasters-dirt-rally2-and-ea-wrc.md, part A). Little endian.
 */

import type { OtherGame } from "../../../domain/errors.ts"

const FLOATS = 66
export const PACKET_BYTES = 4 * FLOATS
/** The fields up to the velocity, which every level of detail has. */
const MIN_FLOATS = 11

/** Where each field stands, counted in floats. */
export const index = {
  /** s. */
  totalTime: 0,
  lapTime: 1,
  /** m. */
  distance: 2,
  /** 0..1. */
  progress: 3,
  /** m, y up. */
  x: 4,
  y: 5,
  z: 6,
  /** m/s. */
  speed: 7,
  velocityX: 8,
  velocityY: 9,
  velocityZ: 10,
  throttle: 29,
  /** -1 left .. 1 right. */
  steering: 30,
  brake: 31,
  /** 0 neutral; reverse is -1, 10 in older titles. */
  gear: 33,
  /** From 0. */
  lap: 36,
  /** rad/s. */
  engineRate: 37,
  /** s, each its own duration; 0 until set. */
  sector1: 49,
  sector2: 50,
  lapsCompleted: 59,
  totalLaps: 60,
  /** m. */
  trackLength: 61,
  /** s; on circuits only. */
  lastLap: 62,
  /** rad/s. */
  maxRate: 63,
  idleRate: 64,
  maxGears: 65
} as const

export const float = (bytes: Buffer, at: number): number => bytes.readFloatLE(4 * at)

/** Engine rates are in rad/s. */
export const rpmOf = (rate: number): number => (rate * 60) / (2 * Math.PI)

const OLD_REVERSE = 10

export const gearOf = (gear: number): number => (gear === OLD_REVERSE || gear < 0 ? -1 : Math.round(gear))

/** s to the millisecond, further digits are the float's; null for none. */
export const timeOf = (seconds: number): number | null =>
  seconds > 0 && seconds < Infinity ? Math.round(seconds * 1000) / 1000 : null

/** What tells order, lap and place must be numbers. */
const needed = [index.totalTime, index.lapTime, index.distance, index.progress] as const

/** Why these bytes are no packet; undefined where they are one. */
export const problemWith = (bytes: Buffer): string | undefined => {
  if (bytes.length !== PACKET_BYTES) return `a packet has ${PACKET_BYTES} bytes, not ${bytes.length}`
  for (const at of needed)
    if (!Number.isFinite(float(bytes, at))) return "a time or distance that is no number"
  return undefined
}

/** Sent when no run is under way: all zeros, or at least no engine. There is no car at (0, 0, 0). */
export const isEmpty = (bytes: Buffer): boolean =>
  float(bytes, index.maxRate) === 0 && float(bytes, index.idleRate) === 0

/** m/s: slower cars prove nothing. */
const MOVING = 2
const CLOSE = 0.01

/** Relatives of the packet have no lengths of their own; but their speed is that of their velocity. */
const isRelated = (bytes: Buffer): boolean => {
  if (bytes.length < 4 * MIN_FLOATS || bytes.length % 4 !== 0) return false
  const speed = float(bytes, index.speed)
  const velocity = Math.hypot(
    float(bytes, index.velocityX),
    float(bytes, index.velocityY),
    float(bytes, index.velocityZ)
  )
  return speed > MOVING && Math.abs(velocity - speed) < CLOSE * speed
}

/** A packet with less detail, of a car that moves. */
export const isLessDetailed = (bytes: Buffer): boolean => bytes.length < PACKET_BYTES && isRelated(bytes)

/** Bytes of packets with less extradata, of which a car that stands shows no more. */
const lessDetailed: ReadonlySet<number> = new Set([68, 152])
const MAX_BYTES = 512

/** Another game's packet that is made as ours is; its layout is another. */
export const relativeOf = (bytes: Buffer): OtherGame | undefined => {
  const { length } = bytes
  if (lessDetailed.has(length)) {
    return { game: "a Codemasters game with less extradata", advice: 'set extradata="3" in its settings' }
  }
  return length > PACKET_BYTES && length <= MAX_BYTES && isRelated(bytes)
    ? { game: "WRC Generations or a custom packet", advice: "it has another layout, and cannot be recorded" }
    : undefined
}
