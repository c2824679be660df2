/**
 * The rules for text, each in two forms: as code that checks it, and as a pattern for JSON schemas, for clients. The
 * code does not use the patterns: a megabyte of spaces would keep a pattern busy for a second.
 *
 * The patterns work in every dialect that reads JSON schemas (ECMA 262 with `u`, Rust, Python): they use no named
 * classes, and no `\s`, whose meaning differs between them.
 */

/** The characters that `String.prototype.trim` removes (ECMA 262, WhiteSpace and LineTerminator). */
const SPACE = String.raw`\t-\r \u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff`

/** The characters of Unicode's category Cc. */
const CONTROL = String.raw`\u0000-\u001f\u007f-\u009f`

/** A pattern for text that is trimmed before it must match `pattern`. `pattern` must not begin or end with a space. */
export const trimmedPattern = (pattern: string): string => `^[${SPACE}]*${pattern}[${SPACE}]*$`

/** Trimmed text of 1 to `longest` characters, without control characters. */
export const namePattern = (longest: number): string =>
  trimmedPattern(`[^${CONTROL}${SPACE}](?:[^${CONTROL}]{0,${longest - 2}}[^${CONTROL}${SPACE}])?`)

/** Up to `longest` characters, not trimmed, without control characters. */
export const plainPattern = (longest: number): string => `^[^${CONTROL}]{0,${longest}}$`

/**
 * Turns text from a simulator into text that `isName` accepts, or "" if nothing is left. A control character becomes a
 * space, half of a surrogate pair becomes the replacement character, and text that is too long is cut.
 */
export const toName = (said: string, longest: number): string => {
  const text = said
    .replace(/\p{Cc}+/gu, " ")
    .replace(/\p{Cs}/gu, "\ufffd")
    .trim()
  // A character has two units at most.
  const characters = Array.from(text.slice(0, 2 * longest))
  return characters.slice(0, longest).join("").trim()
}

/**
 * Whether trimmed text has 1 to `longest` characters as people count them, not UTF-16 units. It may contain neither
 * control characters (no store keeps NUL) nor half of a surrogate pair (no store returns it, and no pattern of Rust can
 * name it).
 */
export const isName = (text: string, longest: number): boolean =>
  text.length > 0 && text.length <= 2 * longest && [...text].length <= longest && !/\p{Cc}|\p{Cs}/u.test(text)
