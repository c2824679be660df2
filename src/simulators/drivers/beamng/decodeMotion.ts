/**
 * MotionSim of BeamNG.drive: how the car moves (sheet beamng-outgauge-motionsim). The fields after the velocity are
 * read as channels only.
 */
import { MAGIC, motionSim } from "./layout.ts"

const { read } = motionSim

/** In the world: right-handed, z up, m; the axes of our points. */
export interface Motion {
  readonly x: number
  readonly y: number
  readonly z: number
  /** m/s. */
  readonly velocityX: number
  readonly velocityY: number
  readonly velocityZ: number
}

export const isMotion = (bytes: Buffer): boolean => bytes.length >= 4 && read.format(bytes) === MAGIC

/** m/s. */
export const speedOf = ({ velocityX: x, velocityY: y, velocityZ: z }: Motion): number => Math.hypot(x, y, z)

/** m. */
export const distance = (a: Motion, b: Motion): number => Math.hypot(b.x - a.x, b.y - a.y, b.z - a.z)

/** The packet, or why the bytes are no packet. All its numbers are finite. */
export const decodeMotion = (bytes: Buffer): Motion | string => {
  if (!isMotion(bytes)) return `a datagram of ${bytes.length} bytes that does not begin with BNG1`
  if (bytes.length !== motionSim.size) {
    return `a MotionSim packet of ${bytes.length} bytes, where ${motionSim.size} are expected`
  }
  const motion = {
    x: read.positionX(bytes),
    y: read.positionY(bytes),
    z: read.positionZ(bytes),
    velocityX: read.velocityX(bytes),
    velocityY: read.velocityY(bytes),
    velocityZ: read.velocityZ(bytes)
  }
  // x * 0 is 0 for every finite x and NaN for the others.
  const { velocityX, velocityY, velocityZ, x, y, z } = motion
  return (x + y + z + velocityX + velocityY + velocityZ) * 0 === 0
    ? motion
    : "a MotionSim packet with a number that is not finite"
}
