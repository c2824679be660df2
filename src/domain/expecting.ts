/** Messages of schemas that name the value: `must be a whole number between 1 and 1000, got 0`. */
import type { ParseResult } from "effect"

/** Enough of a value to recognise it by; what a client sent may be a megabyte. */
const MAX_SHOWN = 100

export const abridged = (text: string): string =>
  text.length <= MAX_SHOWN
    ? text
    : // Never half a character.
      `${text.slice(0, MAX_SHOWN).replace(/[\uD800-\uDBFF]$/, "")}…`

/** A value as a sentence shows it: as it was written, in quotes where that would not stand out. */
export const shown = (value: unknown): string =>
  abridged(
    typeof value === "string" && /^[\w.:+-]+$/.test(value) ? value : (JSON.stringify(value) ?? "nothing")
  )

/** The message of a schema that says what it expected, the end of a sentence that begins with the field's name. */
export const expecting = (expected: string | ((actual: unknown) => string)) => ({
  message: ({ actual }: ParseResult.ParseIssue) => ({
    message: `must be ${typeof expected === "string" ? expected : expected(actual)}, got ${shown(actual)}`,
    override: true
  })
})
