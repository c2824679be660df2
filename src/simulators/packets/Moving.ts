/** The place and the motion of a car, for packets that tell both. */
import type { Read } from "./numbers.ts"

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
