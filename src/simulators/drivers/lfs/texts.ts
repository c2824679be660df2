/** Texts of LFS: bytes in changing code pages, with colours (sheet lfs-insim-outgauge-outsim, section 8). */
import { TextDecoder } from "node:util"
import { decodeLatin } from "../../packets/texts.ts"

/**
 * The letters that switch the code page behind a caret, and the pages. Implementations disagree on those of H, S and K; these
 * are the usual code pages of the scripts, and those of lfs-insim 0.9 (PyPI), which cites LFS's own InSim.txt.
 */
const PAGES: ReadonlyMap<string, string> = new Map([
  ["L", "windows-1252"],
  ["G", "windows-1253"],
  ["C", "windows-1251"],
  ["E", "windows-1250"],
  ["T", "windows-1254"],
  ["B", "windows-1257"],
  ["J", "shift_jis"],
  ["H", "big5"],
  ["S", "gbk"],
  ["K", "euc-kr"]
])
const LATIN = "windows-1252"

const ESCAPED: ReadonlyMap<string, string> = new Map([
  ["^", "^"],
  ["v", "|"],
  ["a", "*"],
  ["c", ":"],
  ["d", "\\"],
  ["s", "/"],
  ["q", "?"],
  ["t", '"'],
  ["l", "<"],
  ["r", ">"],
  ["h", "#"]
])

const CARET = 0x5e
/** The second byte of a two-byte character may equal a caret's, so characters are skipped in pairs. */
const firstOfTwo: ReadonlyMap<string, (byte: number) => boolean> = new Map([
  ["shift_jis", (byte) => (byte >= 0x81 && byte <= 0x9f) || (byte >= 0xe0 && byte <= 0xfc)],
  ["big5", (byte) => byte >= 0x81 && byte <= 0xfe],
  ["gbk", (byte) => byte >= 0x81 && byte <= 0xfe],
  ["euc-kr", (byte) => byte >= 0x81 && byte <= 0xfe]
])

const decoders = new Map<string, TextDecoder>()

const decoderOf = (page: string): TextDecoder => {
  const known = decoders.get(page)
  if (known !== undefined) return known
  const decoder = new TextDecoder(page)
  decoders.set(page, decoder)
  return decoder
}

/** The text of these bytes up to the first zero, without colours, white space around it, or code pages. */
export const plainText = (bytes: Uint8Array): string => {
  const zero = bytes.indexOf(0)
  const end = zero === -1 ? bytes.length : zero
  let page = LATIN
  let text = ""
  let from = 0
  let at = 0
  const flush = (until: number) => {
    if (until <= from) return
    const part = bytes.subarray(from, until)
    text += page === LATIN ? decodeLatin(part) : decoderOf(page).decode(part)
  }
  while (at < end) {
    if (firstOfTwo.get(page)?.(bytes[at]!) === true) {
      at = Math.min(at + 2, end)
      continue
    }
    if (bytes[at] !== CARET || at + 1 >= end) {
      at++
      continue
    }
    const code = String.fromCharCode(bytes[at + 1]!)
    const escaped = ESCAPED.get(code)
    // ":" follows "9".
    const isColour = code >= "0" && code <= ":"
    if (escaped === undefined && !isColour && !PAGES.has(code)) {
      at++
      continue
    }
    flush(at)
    if (escaped !== undefined) text += escaped
    // Both are the default colour. "8" also returns to the default code page, and ":" to Latin-1, which is the default in all
    // packets that are read.
    else page = code === "8" || code === ":" ? LATIN : (PAGES.get(code) ?? page)
    at += 2
    from = at
  }
  flush(end)
  return text.trim()
}

/** Unchanged, up to the first zero. */
export const latinText = (bytes: Buffer): string => {
  const zero = bytes.indexOf(0)
  return bytes.toString("latin1", 0, zero === -1 ? bytes.length : zero)
}

/** In code page 1252 as far as it equals Latin-1, and never longer than `most` bytes. */
export const latinBytes = (text: string, most: number): Buffer => {
  const latin = Array.from(text.normalize("NFC"), (c) => (c.codePointAt(0)! < 0x100 ? c : "?")).join("")
  return Buffer.from(latin.slice(0, most), "latin1")
}
