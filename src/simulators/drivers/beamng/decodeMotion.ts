/**
 * MotionSim of BeamNG.drive: how the car moves (sheet beamng-outgauge-motionsim). Little endian, 88 bytes. What follows
 * the velocity (acceleration, attitude, its rates) says nothing that is recorded.
 */

export const MOTION_BYTES = 88
/** "BNG1", read as one number. */
const MAGIC = 0x31474e42

/** In the world: right-handed, z up, m; the same axes as our points'. */
export interface Motion {
  readonly x: number
  readonly y: number
  readonly z: number
  /** m/s. */
  readonly velocityX: number
  readonly velocityY: number
  readonly velocityZ: number
}

export const isMotion = (bytes: Buffer): boolean => bytes.length >= 4 && bytes.readUInt32LE(0) === MAGIC

/** m/s. */
export const speedOf = ({ velocityX: x, velocityY: y, velocityZ: z }: Motion): number => Math.hypot(x, y, z)

/** m. */
export const distance = (a: Motion, b: Motion): number => Math.hypot(b.x - a.x, b.y - a.y, b.z - a.z)

/** The packet, or why these bytes are none. All numbers of one are finite. */
export const decodeMotion = (bytes: Buffer): Motion | string => {
  if (!isMotion(bytes)) return `a datagram of ${bytes.length} bytes that does not begin with BNG1`
  if (bytes.length !== MOTION_BYTES) {
    return `a MotionSim packet of ${bytes.length} bytes, where ${MOTION_BYTES} are expected`
  }
  const motion = {
    x: bytes.readFloatLE(4),
    y: bytes.readFloatLE(8),
    z: bytes.readFloatLE(12),
    velocityX: bytes.readFloatLE(16),
    velocityY: bytes.readFloatLE(20),
    velocityZ: bytes.readFloatLE(24)
  }
  // x * 0 is 0 for every finite x and NaN for the others.
  const { velocityX, velocityY, velocityZ, x, y, z } = motion
  return (x + y + z + velocityX + velocityY + velocityZ) * 0 === 0
    ? motion
    : "a MotionSim packet with a number that is not finite"
}
