/** What a long text message is made of, seen without parsing it: what would take a second to parse is refused before. */

/** No message of the native feed is deeper than 3; parsing a million levels takes a second. */
export const MAX_DEPTH = 32
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

/** The deepest level, and the objects where points are; of JSON as far as it is some, whatever else it is. */
export const outlineOf = (text: string): { readonly depth: number; readonly points: number } => {
  let level = 0
  let depth = 0
  let points = 0
  for (let i = 0; i < text.length; i++) {
    switch (text.charCodeAt(i)) {
      case QUOTE:
        i = endOfString(text, i + 1)
        break
      case 123: // {
        if (level === POINT_DEPTH - 1) points++
        level++
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
  return { depth, points }
}
