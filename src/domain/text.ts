/**
 * The same rules for text twice: as code that checks it, and as patterns that a JSON schema can hold, for clients. The
 * code is not made of the patterns: of a megabyte of spaces one would have a second's work.
 *
 * The patterns are written for every dialect that reads JSON schemas (ECMA 262 with `u`, Rust, Python): no classes by
 * name, no `\s`, which means something else in each of them.
 */

/** What `String.prototype.trim` takes off (ECMA 262, WhiteSpace and LineTerminator). */
const SPACE = String.raw`\t-\r \u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff`

/** The characters of Unicode's category Cc. */
const CONTROL = String.raw`\u0000-\u001f\u007f-\u009f`

/** Of text that is trimmed first, and then matches `pattern`, which begins and ends with what is no space. */
export const trimmedPattern = (pattern: string): string => `^[${SPACE}]*${pattern}[${SPACE}]*$`

/** Trimmed, 1 to `longest` characters of which none is a control character. */
export const namePattern = (longest: number): string =>
  trimmedPattern(`[^${CONTROL}${SPACE}](?:[^${CONTROL}]{0,${longest - 2}}[^${CONTROL}${SPACE}])?`)

/** Up to `longest` characters as they are, of which none is a control character. */
export const plainPattern = (longest: number): string => `^[^${CONTROL}]{0,${longest}}$`

/**
 * Whether trimmed text has 1 to `longest` characters as people count them, not UTF-16 units; neither control characters
 * (no store keeps NUL) nor half of a surrogate pair (no store gives it back, and no pattern of Rust can name it).
 */
export const isName = (text: string, longest: number): boolean =>
  text.length > 0 && text.length <= 2 * longest && [...text].length <= longest && !/\p{Cc}|\p{Cs}/u.test(text)
