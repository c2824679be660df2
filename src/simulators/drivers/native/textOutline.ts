/** The structure of a long text message, found without parsing it: a message that would take a second to parse is refused. */

/** No message of the native feed is deeper than 6; parsing a million levels takes a second. */
export const MAX_DEPTH = 32
/** A sample has at most 513 keys that are read; parsing an object of two hundred thousand takes a second. */
export const MAX_KEYS = 640
/** The depth of points: in an array in the message. */
const POINT_DEPTH = 3

const QUOTE = 34
const BACKSLASH = 92

/** Where the string that begins before `at` ends: the place of its closing quote, or the text's end. */
const endOfString = (text: string, at: number): number => {
  for (let i = text.indexOf('"', at); i >= 0; i = text.indexOf('"', i + 1)) {
    let backslashes = 0
    while (text.charCodeAt(i - 1 - backslashes) === BACKSLASH) backslashes++
    if (backslashes % 2 === 0) return i
  }
  return text.length
}

export interface Outline {
  /** The deepest level. */
  readonly depth: number
  /** The number of objects at the depth of points. */
  readonly points: number
  /** The number of keys of the largest object. */
  readonly keys: number
}

/** The outline of JSON, as far as the text is JSON; it stops where the text is deeper, or an object has more keys, than allowed. */
export const outlineOf = (text: string): Outline => {
  let level = 0
  let depth = 0
  let points = 0
  let keys = 0
  const keysAt = new Int32Array(MAX_DEPTH + 1)
  for (let i = 0; i < text.length && depth <= MAX_DEPTH && keys <= MAX_KEYS; i++) {
    switch (text.charCodeAt(i)) {
      case QUOTE:
        i = endOfString(text, i + 1)
        break
      case 123: // {
        if (level === POINT_DEPTH - 1) points++
        level++
        keysAt[level] = 0
        break
      case 58: // :
        if (++keysAt[level]! > keys) keys = keysAt[level]!
        break
      case 91: // [
        level++
        break
      case 125: // }
      case 93: // ]
        level--
        break
    }
    if (level > depth) depth = level
  }
  return { depth, points, keys }
}
