/**
 * Circuits with their official numbering: facts only, no line. `source` of each circuit names where its numbers and
 * directions come from, and what was measured here.
 *
 * Distances are the centroids of curvature of each corner, rounded to 5 m and scaled to the published length. They
 * count from the start of the measured line, which lies near the start line but need not lie on it: only the distances
 * between corners are used.
 *
 * A circuit is listed when each of its corners was found in measured data.
 */
import { american } from "./known/america.ts"
import { asian } from "./known/asia.ts"
import { european } from "./known/europe.ts"
import type { KnownCircuit } from "./known/KnownCircuit.ts"

export const knownCircuits: ReadonlyArray<KnownCircuit> = [...european, ...asian, ...american]
