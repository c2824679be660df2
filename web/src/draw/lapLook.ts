/** Looks of compared laps: six colours, and another dash for each further six laps. */

export const LAP_COLOURS = 6
/** Solid first; in pixels, drawn and blank in turn. Four patterns distinguish more laps than a comparison has (20). */
const DASHES: ReadonlyArray<ReadonlyArray<number>> = [[], [6, 4], [2, 3], [12, 3, 2, 3]]

/** The name of a colour in tokens.css. */
export const lapToken = (index: number) => `lap-${index % LAP_COLOURS}`
export const lapColour = (index: number) => `var(--${lapToken(index)})`
export const dashOf = (index: number): ReadonlyArray<number> =>
  DASHES[Math.floor(index / LAP_COLOURS) % DASHES.length]!
