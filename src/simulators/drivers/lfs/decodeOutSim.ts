/**
 * OutSim: how the driven car moves (sheet lfs-insim-outgauge-outsim, section 5). Little endian. The classic packet has 64
 * bytes, 68 with an id; OutSim 2 has what its options in cfg.txt say, and is read where they are 1ff: all of it.
 */

const CLASSIC_BYTES: ReadonlySet<number> = new Set([64, 68])
const OUT_SIM_2_BYTES = 280
const OUT_SIM_2_HEADER = "LFST"

/** As on the wire. What only OutSim 2 says is NaN where a classic packet was read. */
export interface OutSim {
  /** ms. */
  time: number
  angularVelocityX: number
  angularVelocityY: number
  angularVelocityZ: number
  /** rad. */
  heading: number
  pitch: number
  roll: number
  /** m/s^2. */
  accelerationX: number
  accelerationY: number
  accelerationZ: number
  /** m/s. */
  velocityX: number
  velocityY: number
  velocityZ: number
  /** 65536 = 1 m. */
  x: number
  y: number
  z: number
  /** rad. */
  inputSteer: number
  /** Driven since the lap began, m. */
  lapDistance: number
}

export const newOutSim = (): OutSim => ({
  time: 0,
  angularVelocityX: 0,
  angularVelocityY: 0,
  angularVelocityZ: 0,
  heading: 0,
  pitch: 0,
  roll: 0,
  accelerationX: 0,
  accelerationY: 0,
  accelerationZ: 0,
  velocityX: 0,
  velocityY: 0,
  velocityZ: 0,
  x: 0,
  y: 0,
  z: 0,
  inputSteer: Number.NaN,
  lapDistance: Number.NaN
})

const hasHeader = (bytes: Buffer): boolean => bytes.toString("latin1", 0, 4) === OUT_SIM_2_HEADER

export const isOutSim = (bytes: Buffer): boolean => CLASSIC_BYTES.has(bytes.length) || hasHeader(bytes)

/** Reads into `into` the packet, or says why it cannot. */
export const decodeOutSim = (bytes: Buffer, into: OutSim): string | undefined => {
  const second = hasHeader(bytes)
  if (second && bytes.length !== OUT_SIM_2_BYTES) {
    return `an OutSim 2 packet of ${bytes.length} bytes: set "OutSim Opts 1ff" in LFS's cfg.txt`
  }
  if (!second && !CLASSIC_BYTES.has(bytes.length)) return `an OutSim packet of ${bytes.length} bytes`
  // After the header and the id.
  const at = second ? 8 : 0
  into.time = bytes.readUInt32LE(at)
  into.angularVelocityX = bytes.readFloatLE(at + 4)
  into.angularVelocityY = bytes.readFloatLE(at + 8)
  into.angularVelocityZ = bytes.readFloatLE(at + 12)
  into.heading = bytes.readFloatLE(at + 16)
  into.pitch = bytes.readFloatLE(at + 20)
  into.roll = bytes.readFloatLE(at + 24)
  into.accelerationX = bytes.readFloatLE(at + 28)
  into.accelerationY = bytes.readFloatLE(at + 32)
  into.accelerationZ = bytes.readFloatLE(at + 36)
  into.velocityX = bytes.readFloatLE(at + 40)
  into.velocityY = bytes.readFloatLE(at + 44)
  into.velocityZ = bytes.readFloatLE(at + 48)
  into.x = bytes.readInt32LE(at + 52)
  into.y = bytes.readInt32LE(at + 56)
  into.z = bytes.readInt32LE(at + 60)
  into.inputSteer = second ? bytes.readFloatLE(80) : Number.NaN
  into.lapDistance = second ? bytes.readFloatLE(104) : Number.NaN
  return undefined
}
