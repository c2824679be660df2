/**
 * The largest values that a car can have. A source that sends a larger number is wrong, and the number does harm:
 * results calculated from it overflow to infinity, which neither the schemas nor JSON accept.
 */
/** Far more than a quarter of the Earth's circumference, m: maps of real places may count from a pole or the equator. */
export const MAX_POSITION_M = 1e7
/** More than four times the speed of sound, km/h. */
const MAX_SPEED_KMH = 5000
/**
 * Doubles beyond this cannot count units, so even a bit field or a counter is wrong there. The square of this is
 * finite.
 */
const MAX_MAGNITUDE = Number.MAX_SAFE_INTEGER
/** Pedals and steering are fractions. Some sources send percent, or a byte or a word of the game's memory. */
export const MAX_FRACTION = 65_536

const byUnit: Readonly<Record<string, number>> = {
  m: MAX_POSITION_M,
  mm: MAX_POSITION_M * 1000,
  "km/h": MAX_SPEED_KMH,
  "m/s": MAX_SPEED_KMH / 3.6,
  "1/min": 1e6
}

/** The largest magnitude of a value in this unit. */
export const maxMagnitude = (unit: string): number => byUnit[unit] ?? MAX_MAGNITUDE
