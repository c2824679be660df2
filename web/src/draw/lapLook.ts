/** How laps that are compared are distinguished: six colours, and for every six further ones another dash. */

export const LAP_COLOURS = 6
/** Solid first; in pixels, drawn and left out by turns. With these four, more laps differ than are compared (20). */
const DASHES: ReadonlyArray<ReadonlyArray<number>> = [[], [6, 4], [2, 3], [12, 3, 2, 3]]

/** Of tokens.css. */
export const lapToken = (index: number) => `lap-${index % LAP_COLOURS}`
export const lapColour = (index: number) => `var(--${lapToken(index)})`
export const dashOf = (index: number): ReadonlyArray<number> =>
  DASHES[Math.floor(index / LAP_COLOURS) % DASHES.length]!
