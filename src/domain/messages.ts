/** Error messages of schemas that name the value: `must be a whole number between 1 and 1000, got 0`. */
import type { ParseResult } from "effect"

/** Enough to recognise a value; a client may have sent a megabyte. */
const MAX_SHOWN = 100

export const abridged = (text: string): string =>
  text.length <= MAX_SHOWN
    ? text
    : // A character is never cut in half.
      `${text.slice(0, MAX_SHOWN).replace(/[\uD800-\uDBFF]$/, "")}…`

/** A value in a sentence: as the client wrote it, in quotes if it would not stand out otherwise. */
export const shown = (value: unknown): string =>
  abridged(
    typeof value === "string" && /^[\w.:+-]+$/.test(value) ? value : (JSON.stringify(value) ?? "nothing")
  )

/**
 * Annotates a schema with a message that says which value the schema expected. The message ends a sentence that begins
 * with the field's name.
 */
export const expecting = (expected: string | ((actual: unknown) => string)) => ({
  message: ({ actual }: ParseResult.ParseIssue) => ({
    message: `must be ${typeof expected === "string" ? expected : expected(actual)}, got ${shown(actual)}`,
    override: true
  })
})
