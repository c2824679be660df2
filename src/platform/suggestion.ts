/** Suggests the known word that a user may have meant by an unknown one. */
import { closest, distance } from "fastest-levenshtein"

/** The maximum number of inserted, deleted or replaced letters. Two swapped letters count as two. */
const MAX_SLIPS = 2

/** `. Did you mean …?` if a known word is a few typing errors away; else empty. */
export const suggestion = (word: string, known: ReadonlyArray<string>): string => {
  const nearest = closest(word, known)
  return distance(word, nearest) <= MAX_SLIPS ? `. Did you mean ${nearest}?` : ""
}
