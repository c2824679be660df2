/** The meaning of the packet's values, and the check whether bytes are a packet. */
import type { OtherGame } from "../../../domain/errors.ts"
import { packet } from "./layout.ts"

const { read } = packet

/** The fields up to the velocity, which every detail level has. */
const MIN_BYTES = 44

const RPM_PER_RADIAN = 60 / (2 * Math.PI)
/** The games state engine speeds as a multiple of this, rpm. */
const ROUND_RPM = 50
/** The tolerance of that multiple for rates in rad/s, and for rates sent in rpm, as floats: rpm. */
const NEAR_RPM = 0.5
const EXACT_RPM = 0.01
const MIN_MAX_RPM = 2000
/** rpm, and a tenth of it. */
const otherUnits = [1, 10] as const

const isRound = (rpm: number, within: number): boolean =>
  Math.abs(rpm - Math.round(rpm / ROUND_RPM) * ROUND_RPM) < within

/**
 * The factor from an engine's rates to rpm. The games send rad/s. Programs that send this packet for other games
 * may send rpm, or a tenth of it; their greatest rate is a round number.
 */
export const rpmPerRate = (maxRate: number): number => {
  if (isRound(maxRate * RPM_PER_RADIAN, NEAR_RPM)) return RPM_PER_RADIAN
  for (const times of otherUnits) {
    const rpm = maxRate * times
    if (rpm > MIN_MAX_RPM && isRound(rpm, EXACT_RPM)) return times
  }
  return RPM_PER_RADIAN
}

const OLD_REVERSE = 10

/** NaN for a number that is not a gear. */
export const gearOf = (gear: number): number => {
  if (gear === OLD_REVERSE || gear === -1) return -1
  return gear >= 0 && gear < OLD_REVERSE ? Math.round(gear) : Number.NaN
}

/** The values that determine order, lap and place must be numbers. */
const needed = ["totalTime", "lapTime", "distance", "progress"] as const

/** Why the bytes are no packet; undefined for a packet. */
export const problemWith = (bytes: Buffer): string | undefined => {
  if (bytes.length !== packet.size) return `a packet has ${packet.size} bytes, not ${bytes.length}`
  for (const name of needed)
    if (!Number.isFinite(read[name](bytes))) return "a time or distance that is no number"
  return undefined
}

/** The games send zeros, or at least no engine, outside a run. No car is at (0, 0, 0). */
export const isEmpty = (bytes: Buffer): boolean => read.maxRate(bytes) === 0 && read.idleRate(bytes) === 0

type Vector = readonly [number, number, number]

const vector = (bytes: Buffer, of: "right" | "forward" | "velocity"): Vector => [
  read[`${of}X`](bytes),
  read[`${of}Y`](bytes),
  read[`${of}Z`](bytes)
]

/** The car's speed along one of its own directions, m/s. */
export const speedAlong = (bytes: Buffer, direction: "right" | "forward"): number =>
  read.velocityX(bytes) * read[`${direction}X`](bytes) +
  read.velocityY(bytes) * read[`${direction}Y`](bytes) +
  read.velocityZ(bytes) * read[`${direction}Z`](bytes)

const dot = (a: Vector, b: Vector): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2]

/** m/s: a car that first moves faster than this moves forward. */
const DRIVING = 5
/** Tolerance of the length of unit vectors. */
const OFF = 0.02
/** A cosine. */
const ALONG = 0.9

/**
 * Whether a driving car fits our packet, in which the direction is that of the motion and y is up. Related packets have
 * vectors to the left and backwards, or z up. Undefined for a standing car, or without directions.
 */
export const axesOf = (bytes: Buffer): "ours" | "other" | undefined => {
  const right = vector(bytes, "right")
  const forward = vector(bytes, "forward")
  const isReported =
    Math.abs(dot(right, right) - 1) < OFF &&
    Math.abs(dot(forward, forward) - 1) < OFF &&
    Math.abs(dot(right, forward)) < OFF
  const speed = read.speed(bytes)
  if (!isReported || !(speed > DRIVING)) return undefined
  const isBackwards = speedAlong(bytes, "forward") < -ALONG * speed
  // The cross product of right and forward, which is up in either.
  const isZUp = right[0] * forward[1] - right[1] * forward[0] > ALONG
  return isBackwards || isZUp ? "other" : "ours"
}

/** m/s: a slower car proves nothing. */
const MOVING = 2
const CLOSE = 0.01

/** Related packets may have the same lengths; but their speed equals the length of their velocity. */
const isRelated = (bytes: Buffer): boolean => {
  if (bytes.length < MIN_BYTES || bytes.length % 4 !== 0) return false
  const speed = read.speed(bytes)
  const velocity = Math.hypot(...vector(bytes, "velocity"))
  return speed > MOVING && Math.abs(velocity - speed) < CLOSE * speed
}

/** A packet with less detail, of a moving car. */
export const isLessDetailed = (bytes: Buffer): boolean => bytes.length < packet.size && isRelated(bytes)

/** The lengths of packets with less extradata. In packets of a standing car nothing but the length shows that. */
const lessDetailed: ReadonlySet<number> = new Set([68, 152])
const MAX_BYTES = 512

/** A packet of another game that has the same length, but another layout. */
export const relativeOf = (bytes: Buffer): OtherGame | undefined => {
  const { length } = bytes
  if (lessDetailed.has(length)) {
    return { game: "a Codemasters game with less extradata", advice: 'set extradata="3" in its settings' }
  }
  return length > packet.size && length <= MAX_BYTES && isRelated(bytes)
    ? { game: "WRC Generations or a custom packet", advice: "it has another layout, and cannot be recorded" }
    : undefined
}
