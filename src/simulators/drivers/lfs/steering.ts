/** The most that cars of the game can turn their front wheels by: 36 degrees, and so far is 1. */
const FULL_LOCK_RAD = (36 / 180) * Math.PI

export const within = (value: number, min: number, max: number) => Math.min(max, Math.max(min, value))

/**
 * OutSim's steering is positive to the left: by one tool that compares it with a real wheel (sheet, section 7); no real
 * packets bear it out yet.
 */
export const steered = (left: number): number => within(0 - left / FULL_LOCK_RAD, -1, 1)
