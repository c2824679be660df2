/** What a user may have meant by an unknown word. */
import { closest, distance } from "fastest-levenshtein"

/** Letters that are inserted, deleted or replaced. Two swapped letters count as two. */
const MAX_SLIPS = 2

/** `. Did you mean …?` if a known word is a few typing errors away; else empty. */
export const suggestion = (word: string, known: ReadonlyArray<string>): string => {
  const nearest = closest(word, known)
  return distance(word, nearest) <= MAX_SLIPS ? `. Did you mean ${nearest}?` : ""
}
