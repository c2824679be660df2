import { minus, signedShare } from "../../packets/conversions.ts"

/** The largest angle by which cars of the game turn their front wheels, which is 1: 36 degrees. */
const FULL_LOCK_RAD = (36 / 180) * Math.PI

/**
 * OutSim's steering is positive to the left, by one tool that compares it with a real wheel (sheet, section 7); no real
 * packets confirm it yet.
 */
export const steered = (left: number): number => signedShare(minus(left / FULL_LOCK_RAD))
