/** What the packet's values mean, and whether bytes are one. */
import type { OtherGame } from "../../../domain/errors.ts"
import { packet } from "./layout.ts"

const { read } = packet

/** The fields up to the velocity, which every level of detail has. */
const MIN_BYTES = 44

const RPM_PER_RADIAN = 60 / (2 * Math.PI)
/** Engines turn at a multiple of so many rpm at most. */
const ROUND_RPM = 50
/** How near to that a rate in rad/s comes, and one that was sent in rpm, as floats: rpm. */
const NEAR_RPM = 0.5
const EXACT_RPM = 0.01
const MIN_MAX_RPM = 2000
/** rpm, and a tenth of it. */
const otherUnits = [1, 10] as const

const isRound = (rpm: number, within: number): boolean =>
  Math.abs(rpm - Math.round(rpm / ROUND_RPM) * ROUND_RPM) < within

/**
 * What an engine's rates are multiplied by to be rpm. The games send rad/s; programs that send their packet for other games
 * may send rpm, or a tenth of it, which shows in the greatest one: it is a round number.
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

/** NaN for a number that is no gear. */
export const gearOf = (gear: number): number => {
  if (gear === OLD_REVERSE || gear === -1) return -1
  return gear >= 0 && gear < OLD_REVERSE ? Math.round(gear) : Number.NaN
}

/** s to the millisecond, further digits are the float's; null for none. */
export const timeOf = (seconds: number): number | null =>
  seconds > 0 && seconds < Infinity ? Math.round(seconds * 1000) / 1000 : null

/** What tells order, lap and place must be numbers. */
const needed = ["totalTime", "lapTime", "distance", "progress"] as const

/** Why these bytes are no packet; undefined where they are one. */
export const problemWith = (bytes: Buffer): string | undefined => {
  if (bytes.length !== packet.size) return `a packet has ${packet.size} bytes, not ${bytes.length}`
  for (const name of needed)
    if (!Number.isFinite(read[name](bytes))) return "a time or distance that is no number"
  return undefined
}

/** Sent when no run is under way: all zeros, or at least no engine. There is no car at (0, 0, 0). */
export const isEmpty = (bytes: Buffer): boolean => read.maxRate(bytes) === 0 && read.idleRate(bytes) === 0

type Vector = readonly [number, number, number]

const vector = (bytes: Buffer, of: "right" | "forward" | "velocity"): Vector => [
  read[`${of}X`](bytes),
  read[`${of}Y`](bytes),
  read[`${of}Z`](bytes)
]

/** How fast the car goes in a direction of its own, m/s. */
export const speedAlong = (bytes: Buffer, direction: "right" | "forward"): number =>
  read.velocityX(bytes) * read[`${direction}X`](bytes) +
  read.velocityY(bytes) * read[`${direction}Y`](bytes) +
  read.velocityZ(bytes) * read[`${direction}Z`](bytes)

const dot = (a: Vector, b: Vector): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2]

/** m/s: who goes faster at first goes forward. */
const DRIVING = 5
/** How far unit vectors may be off. */
const OFF = 0.02
/** Cosine. */
const ALONG = 0.9

/**
 * Whether a car drives as in our packet, where it looks where it goes and y is up. Relatives have vectors that point to the left and
 * backwards, or z up. Undefined of one that does not drive, or tells no directions.
 */
export const axesOf = (bytes: Buffer): "ours" | "other" | undefined => {
  const right = vector(bytes, "right")
  const forward = vector(bytes, "forward")
  const isTold =
    Math.abs(dot(right, right) - 1) < OFF &&
    Math.abs(dot(forward, forward) - 1) < OFF &&
    Math.abs(dot(right, forward)) < OFF
  const speed = read.speed(bytes)
  if (!isTold || !(speed > DRIVING)) return undefined
  const isBackwards = speedAlong(bytes, "forward") < -ALONG * speed
  // Of right crossed with forward, which is up in either.
  const isZUp = right[0] * forward[1] - right[1] * forward[0] > ALONG
  return isBackwards || isZUp ? "other" : "ours"
}

/** m/s: slower cars prove nothing. */
const MOVING = 2
const CLOSE = 0.01

/** Relatives of the packet have no lengths of their own; but their speed is that of their velocity. */
const isRelated = (bytes: Buffer): boolean => {
  if (bytes.length < MIN_BYTES || bytes.length % 4 !== 0) return false
  const speed = read.speed(bytes)
  const velocity = Math.hypot(...vector(bytes, "velocity"))
  return speed > MOVING && Math.abs(velocity - speed) < CLOSE * speed
}

/** A packet with less detail, of a car that moves. */
export const isLessDetailed = (bytes: Buffer): boolean => bytes.length < packet.size && isRelated(bytes)

/** Bytes of packets with less extradata, of which a car that stands shows no more. */
const lessDetailed: ReadonlySet<number> = new Set([68, 152])
const MAX_BYTES = 512

/** Another game's packet that is made as ours is; its layout is another. */
export const relativeOf = (bytes: Buffer): OtherGame | undefined => {
  const { length } = bytes
  if (lessDetailed.has(length)) {
    return { game: "a Codemasters game with less extradata", advice: 'set extradata="3" in its settings' }
  }
  return length > packet.size && length <= MAX_BYTES && isRelated(bytes)
    ? { game: "WRC Generations or a custom packet", advice: "it has another layout, and cannot be recorded" }
    : undefined
}
