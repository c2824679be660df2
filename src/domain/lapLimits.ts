/** The limits of laps, apart from their schemas: the analysis threads load no schemas. */

/**
 * The largest magnitude of a lap number. Catalogs keep lap numbers up to 2^31; a feed that starts this far below can go
 * on counting without ever reaching that.
 */
const MAX_LAP_NUMBER = 1_000_000_000

/** Whether a feed may give a lap this number; false for NaN. */
export const isLapNumber = (number: number): boolean =>
  Number.isInteger(number) && Math.abs(number) <= MAX_LAP_NUMBER

/** No lap or sector takes longer, s; a longer time is an error of its source. */
export const MAX_LAP_S = 86_400

/**
 * A pause in the data longer than this, s, and longer than three of the feed's own intervals makes a lap invalid,
 * unless the simulator reports the validity (contract, section 4).
 */
export const MAX_GAP_S = 1
const MAX_GAP_INTERVALS = 3

/** The longest pause, s, that is not a gap for a feed with this interval, s, which is NaN if unknown. */
export const gapAfter = (interval: number): number =>
  interval * MAX_GAP_INTERVALS > MAX_GAP_S ? interval * MAX_GAP_INTERVALS : MAX_GAP_S
