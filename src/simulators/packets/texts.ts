/**
 * Texts whose encoding no game reports: UTF-8 where the bytes are valid UTF-8, else windows-1252, which games made for
 * western Europe write. A text in windows-1252 is hardly ever valid UTF-8.
 */
import { isUtf8 } from "node:buffer"

/** From 80 to 9f, where Latin-1 has control characters; some versions of Node decode 1252 as Latin-1. */
const LATIN_80 = "€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ"

export const decodeLatin = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) =>
    byte >= 0x80 && byte < 0xa0 ? LATIN_80[byte - 0x80] : String.fromCharCode(byte)
  ).join("")

/** The first byte of a character of several; all that follow are from 80 to bf. */
const FIRST_OF_SEVERAL = 0xc0
/** A character has at most one byte more. */
const MOST_CUT = 3

/** The bytes without a character at their end that was cut in two. */
const whole = (bytes: Buffer): Buffer => {
  for (let cut = 1; cut <= MOST_CUT && cut <= bytes.length; cut++) {
    const at = bytes.length - cut
    if (bytes[at]! >= FIRST_OF_SEVERAL) return bytes.subarray(0, at)
  }
  return bytes
}

/** `isFull`: the text takes all of its room, so that its last character may be cut in two; that one is dropped. */
export const textOf = (bytes: Buffer, isFull: boolean): string => {
  if (isUtf8(bytes)) return bytes.toString("utf8")
  const cut = isFull ? whole(bytes) : bytes
  return isUtf8(cut) ? cut.toString("utf8") : decodeLatin(bytes)
}
