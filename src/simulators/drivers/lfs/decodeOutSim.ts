/**
 * OutSim: how the driven car moves (sheet lfs-insim-outgauge-outsim, section 5). The classic packet has 64 bytes, 68 with an id;
 * OutSim 2 has the fields that its options in cfg.txt select; it is read where these are 1ff: all fields.
 */
import type { Moving } from "../../packets/Moving.ts"
import { MAIN_AT, motion, MOTION_WITH_ID_BYTES, OUT_SIM_2_HEADER, outSim2 } from "./layout.ts"

const CLASSIC_BYTES: ReadonlySet<number> = new Set([motion.size, MOTION_WITH_ID_BYTES])

export const isOutSim2 = (bytes: Buffer): boolean => bytes.toString("latin1", 0, 4) === OUT_SIM_2_HEADER

export const isOutSim = (bytes: Buffer): boolean => CLASSIC_BYTES.has(bytes.length) || isOutSim2(bytes)

/** Why the bytes are no packet; undefined for a packet. */
export const problemWith = (bytes: Buffer): string | undefined => {
  const { length } = bytes
  if (isOutSim2(bytes)) {
    return length === outSim2.size
      ? undefined
      : `an OutSim 2 packet of ${length} bytes: set "OutSim Opts 1ff" in LFS's cfg.txt`
  }
  return CLASSIC_BYTES.has(length) ? undefined : `an OutSim packet of ${length} bytes`
}

/** Where the motion begins in a packet. */
export const mainAt = (bytes: Buffer): number => (isOutSim2(bytes) ? MAIN_AT : 0)

/** The fields of the car's place and motion; 65536 is 1 m. */
export interface Motion extends Moving {
  /** s. */
  readonly clock: number
  /** rad, and m driven since the lap began: in OutSim 2 only, else NaN. */
  readonly inputSteer: number
  readonly lapDistance: number
}

/** One object for each packet: to spread a `Moving` into it costs as much as the rest of a datagram. */
export const motionIn = (bytes: Buffer): Motion => {
  const at = mainAt(bytes)
  const isSecond = at > 0
  const { read } = motion
  return {
    clock: read.Time(bytes, at) / 1000,
    x: read.PosX(bytes, at),
    y: read.PosY(bytes, at),
    z: read.PosZ(bytes, at),
    velocityX: read.VelX(bytes, at),
    velocityY: read.VelY(bytes, at),
    velocityZ: read.VelZ(bytes, at),
    inputSteer: isSecond ? outSim2.read.InputSteer(bytes) : Number.NaN,
    lapDistance: isSecond ? outSim2.read.CurrentLapDist(bytes) : Number.NaN
  }
}
