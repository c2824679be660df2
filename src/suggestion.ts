/** What a user may have meant by a word that is not known. */
import { closest, distance } from "fastest-levenshtein"

/** Letters that are put in, left out or put for others: two that change places are two. */
const MAX_SLIPS = 2

/** `. Did you mean …?` where a known word is a slip of the fingers away; else nothing. */
export const suggestion = (word: string, known: ReadonlyArray<string>): string => {
  const nearest = closest(word, known)
  return distance(word, nearest) <= MAX_SLIPS ? `. Did you mean ${nearest}?` : ""
}
