/**
 * The place and the motion of a car, for packets that have both. Where packets have neither number nor time, late and
 * repeated ones are found by steps that no moving car makes.
 */
import type { Read } from "./numbers.ts"

/** A slower car may send equal packets, m/s. */
export const MOVING = 1
/** An equal packet of a moving car within this time is a repetition; after it the game is paused, s. */
export const PAUSED_AFTER_S = 0.25
/** A car that is further behind its last place than it drives in this time was reset, and its packet is not late, s. */
const OVERTAKEN_S = 0.5

/** In the axes and units of the packet. */
export interface Moving {
  readonly x: number
  readonly y: number
  readonly z: number
  readonly velocityX: number
  readonly velocityY: number
  readonly velocityZ: number
}

/** Reads them from a structure whose fields have these names, followed by the axis. */
export const movingReader = <Position extends string, Velocity extends string>(
  read: { readonly [Name in `${Position | Velocity}${"X" | "Y" | "Z"}`]: Read },
  position: Position,
  velocity: Velocity
) => {
  const [x, y, z] = [read[`${position}X`], read[`${position}Y`], read[`${position}Z`]]
  const [vx, vy, vz] = [read[`${velocity}X`], read[`${velocity}Y`], read[`${velocity}Z`]]
  return (bytes: Buffer, base = 0): Moving => ({
    x: x(bytes, base),
    y: y(bytes, base),
    z: z(bytes, base),
    velocityX: vx(bytes, base),
    velocityY: vy(bytes, base),
    velocityZ: vz(bytes, base)
  })
}

export const speedOf = ({ velocityX, velocityY, velocityZ }: Moving): number =>
  Math.hypot(velocityX, velocityY, velocityZ)

export const distance = (a: Moving, b: Moving): number => Math.hypot(b.x - a.x, b.y - a.y, b.z - a.z)

/** Positive if the step from one place to the other agrees with the velocity of `moving`, negative if it contradicts it. */
const along = (from: Moving, to: Moving, moving: Moving): number =>
  (to.x - from.x) * moving.velocityX + (to.y - from.y) * moving.velocityY + (to.z - from.z) * moving.velocityZ

/** Whether `next` was sent before `newest`: the velocities of both contradict the step between them. */
export const isOvertaken = (newest: Moving, next: Moving): boolean => {
  const speed = speedOf(next)
  return (
    speed > MOVING &&
    distance(newest, next) < speed * OVERTAKEN_S &&
    along(newest, next, newest) < 0 &&
    along(newest, next, next) < 0
  )
}
