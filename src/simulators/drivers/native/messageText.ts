/** Text messages of a feed as objects. Messages that would take long to parse are refused unparsed. Never throws. */
import { record } from "./envelopes.ts"
import { MAX_PACKED_POINTS } from "./protocol.ts"
import { MAX_DEPTH, MAX_KEYS, outlineOf } from "./textOutline.ts"

/** The limits of a text message in points and bytes (native-feed.md): a second of work in the worst case. */
export const MAX_TEXT_POINTS = MAX_PACKED_POINTS
export const MAX_TEXT_BYTES = 2 * 1024 * 1024
/** A longer text message is checked before it is parsed. */
export const LONG_TEXT = 64 * 1024

/** A text message that is too long to be read. */
export class TooLong {
  readonly bytes: number

  constructor(bytes: number) {
    this.bytes = bytes
  }
}

/** A message as it arrived. */
export type NativeMessage = string | Uint8Array | TooLong

const BRACE = 0x7b
/**
 * A first line that is a whole object, with more lines after it. An object written over several lines has no such line.
 */
const firstLine = /^\s*\{[^\n]*\}[ \t\r]*\n/

/**
 * The messages of a frame: bytes that begin like JSON are text, also in a binary frame, and each line may be a message.
 */
export const messagesIn = (data: Buffer, isBinary: boolean): ReadonlyArray<NativeMessage> => {
  const hasByteOrderMark = data[0] === 0xef && data[1] === 0xbb && data[2] === 0xbf
  const bytes = hasByteOrderMark ? data.subarray(3) : data
  if (isBinary && bytes[0] !== BRACE) return [data]
  if (bytes.byteLength > MAX_TEXT_BYTES) return [new TooLong(bytes.byteLength)]
  const text = bytes.toString("utf8")
  return text.includes("\n") && firstLine.test(text)
    ? text.split("\n").filter((line) => line.trim() !== "")
    : [text]
}

/** Its bytes; for text, its UTF-16 units. */
export const bytesOf = (message: NativeMessage): number =>
  message instanceof Uint8Array
    ? message.byteLength
    : typeof message === "string"
      ? message.length
      : message.bytes

/** Why a text is no message, and how many points, or samples, it had. If it had any, their sequence is unknown. */
export class Unreadable {
  readonly reason: string
  readonly points: number
  readonly samples: number

  constructor(reason: string, points = 0, samples = 0) {
    this.reason = reason
    this.points = points
    this.samples = samples
  }
}

/** The words that programs write for a value that is no number. */
const notANumber = /[:[,]\s*(-?(?:NaN|Infinity|nan|inf))\s*[,}\]]/

/** A text that is no JSON. Its points are counted by its outline, where it says that it has any. */
const notJson = (text: string): Unreadable => {
  const [, token] = notANumber.exec(text) ?? []
  const reason = token === undefined ? "a text message that is not JSON" : `${token} is not JSON: send null`
  if (!/"type"\s*:\s*"points"/.test(text)) return new Unreadable(reason)
  const { points } = outlineOf(text)
  const isOfGroup = /"group"\s*:\s*"(?!points")/.test(text)
  return isOfGroup ? new Unreadable(reason, 0, points) : new Unreadable(reason, points)
}

export const tooMany = (points: number) =>
  `a text message of ${points} points: the limit is ${MAX_TEXT_POINTS}`

export const messageOf = (text: string | TooLong): Record<string, unknown> | Unreadable => {
  if (typeof text !== "string") {
    return new Unreadable(`a text message of ${text.bytes} bytes: the limit is ${MAX_TEXT_BYTES}`)
  }
  if (text.length > LONG_TEXT) {
    const { depth, keys, points } = outlineOf(text)
    if (depth > MAX_DEPTH) {
      return new Unreadable(`a long text message that is nested deeper than ${MAX_DEPTH} levels`)
    }
    if (keys > MAX_KEYS) {
      return new Unreadable(`a long text message with an object of more than ${MAX_KEYS} keys`)
    }
    if (points > MAX_TEXT_POINTS) return new Unreadable(tooMany(points), points)
  }
  try {
    return record(JSON.parse(text)) ?? new Unreadable("a message that is not an object")
  } catch {
    return notJson(text)
  }
}
