/**
 * Whether a shift between a lap's place on the reference's line and its speed is the lap's own line: a narrower or wider way
 * than the reference's shifts the place although neither source is wrong. Then the length of the way by the positions follows
 * the speed all along.
 */
import { lowerBound } from "../../domain/RowBatch.ts"
import type { Sources } from "../faults/sources.ts"
import { wayBetween } from "../math/wayBetween.ts"
import type { Disagreement } from "./agreement.ts"

/** Over shorter chords the noise of positions lengthens the way; over longer ones a hairpin shortens it, m. */
const CHORD_M = 5
/** At the end of the stretch the way may differ from the speed's by this share of the shift. */
const SHARE = 1 / 3
/** Within it, by this share: displaced positions differ by the whole shift, which is a mean over a second. */
const WITHIN = 0.9

/** `start`: epoch s of the disagreement's zero; `speed`: m/s of each point. */
export const isOwnLine = (
  { t, x, y }: Sources,
  speed: Float64Array,
  start: number,
  { from, shift, to }: Disagreement
): boolean => {
  const first = lowerBound(t, start + from)
  const end = lowerBound(t, start + to)
  if (end - first < 2) return false
  const most = Math.abs(shift) * WITHIN
  let last = first
  let way = 0
  let driven = 0
  let differs = Infinity
  for (let i = first + 1; i < end; i++) {
    driven += ((speed[i - 1]! + speed[i]!) / 2) * (t[i]! - t[i - 1]!)
    const chord = wayBetween(x[last]!, y[last]!, x[i]!, y[i]!)
    if (!(chord >= CHORD_M)) {
      // A place that is unknown, or a car that stays, shows no way.
      if (driven - way > most + CHORD_M) return false
      continue
    }
    way += chord
    last = i
    differs = Math.abs(way - driven)
    if (differs > most) return false
  }
  return differs <= Math.abs(shift) * SHARE
}
