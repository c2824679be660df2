/**
 * MotionSim of BeamNG.drive: how the car moves (sheet beamng-outgauge-motionsim). The fields after the velocity are
 * read as channels only.
 */
import { type Moving, movingReader } from "../../packets/Moving.ts"
import { MAGIC, motionSim } from "./layout.ts"

export const isMotion = (bytes: Buffer): boolean =>
  bytes.length >= 4 && motionSim.read.format(bytes) === MAGIC

const movingIn = movingReader(motionSim.read, "position", "velocity")

/** The packet, or why the bytes are no packet. All its numbers are finite. */
export const decodeMotion = (bytes: Buffer): Moving | string => {
  if (!isMotion(bytes)) return `a datagram of ${bytes.length} bytes that does not begin with BNG1`
  if (bytes.length !== motionSim.size) {
    return `a MotionSim packet of ${bytes.length} bytes, where ${motionSim.size} are expected`
  }
  const motion = movingIn(bytes)
  const { velocityX, velocityY, velocityZ, x, y, z } = motion
  // x * 0 is 0 for every finite x and NaN for the others.
  return (x + y + z + velocityX + velocityY + velocityZ) * 0 === 0
    ? motion
    : "a MotionSim packet with a number that is not finite"
}
