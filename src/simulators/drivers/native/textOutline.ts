/** What a long text message is made of, seen without parsing it: what would take a second to parse is refused before. */

/** No message of the native feed is deeper than 6; parsing a million levels takes a second. */
export const MAX_DEPTH = 32
/** A sample has 513 keys at most that are read; parsing an object of two hundred thousand takes a second. */
export const MAX_KEYS = 640
/** Where points lie: in an array in the message. */
const POINT_DEPTH = 3

const QUOTE = 34
const BACKSLASH = 92

/** Where the string that begins before `at` has ended: the place of its last quote, or the text's end. */
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
  /** Objects where points are. */
  readonly points: number
  /** Of the object that has most. */
  readonly keys: number
}

/** Of JSON as far as it is some, whatever else it is; and only up to where it is deeper, or an object has more keys, than may be. */
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
