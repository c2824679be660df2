/**
 * OutSim: how the driven car moves (sheet lfs-insim-outgauge-outsim, section 5). The classic packet has 64 bytes, 68 with an id;
 * OutSim 2 has the fields that its options in cfg.txt select; it is read where these are 1ff: all fields.
 */
import { movingReader } from "../../packets/Moving.ts"
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

const movingIn = movingReader(motion.read, "Pos", "Vel")

/** The fields that tell where the car is; 65536 is 1 m. */
export type Motion = ReturnType<typeof motionIn>

/** Of a packet. */
export const motionIn = (bytes: Buffer) => {
  const at = mainAt(bytes)
  const isSecond = at > 0
  return {
    ...movingIn(bytes, at),
    /** s. */
    clock: motion.read.Time(bytes, at) / 1000,
    /** rad, and m driven since the lap began: in OutSim 2 only, else NaN. */
    inputSteer: isSecond ? outSim2.read.InputSteer(bytes) : Number.NaN,
    lapDistance: isSecond ? outSim2.read.CurrentLapDist(bytes) : Number.NaN
  }
}
