/** The lines of a JSON text that may be packed by gzip, read in pieces: memory does not grow with the file. */
import { constants, gunzipSync } from "node:zlib"
import type { SourceFile } from "../FileReader.ts"
import { MAX_TEXT_BYTES } from "../../simulators/drivers/native/messageText.ts"
import { isGzip, unpackedText } from "./unpackedText.ts"

/** Text that unpacks to more is no recording: gzip packs repeated text a thousand times, real recordings 5 to 20 times. */
const MAX_RATIO = 500
/** The ratio of shorter files is not looked at, bytes. */
const MIN_JUDGED_BYTES = 1 << 16
const MAX_UNPACKED_BYTES = 64 * 2 ** 30

const NEW_LINE = 0x0a

/** Gzip packs at most 1,032 times: so many bytes unpack to 4 MiB at most. */
const PACKED_HEAD_BYTES = 4064

/** The text of a file's first bytes, unpacked. */
export const headText = (head: Uint8Array): string => {
  if (!isGzip(head)) return Buffer.from(head).toString("utf8")
  try {
    return gunzipSync(head.subarray(0, PACKED_HEAD_BYTES), {
      finishFlush: constants.Z_SYNC_FLUSH,
      maxOutputLength: 1 << 22
    }).toString("utf8")
  } catch {
    return ""
  }
}

/** Lines, and why some are missing before them. */
export interface Lines {
  readonly lines: ReadonlyArray<string>
  /** The bytes of the file that were read so far. */
  readonly read: number
  readonly damage?: string
}

const linesOf = (bytes: Uint8Array): ReadonlyArray<string> =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    .toString("utf8")
    .split("\n")
    .filter((line) => line.trim() !== "")

const isJson = (line: string): boolean => {
  try {
    JSON.parse(line)
    return true
  } catch {
    return false
  }
}

const CUT_LINE = "The file ends within its last line: what is before it was read"

/** The complete lines of each piece of the file, without their ends; empty lines are left out. */
export async function* packedLines(file: SourceFile): AsyncGenerator<Lines, void, void> {
  let rest: Uint8Array = new Uint8Array(0)
  let read = 0
  let all = 0
  for await (const piece of unpackedText(file)) {
    if (typeof piece === "string") {
      // The line under way has no end.
      rest = new Uint8Array(0)
      yield { lines: [], read, damage: piece }
      continue
    }
    read = piece.read
    all += piece.bytes.length
    if (all > MAX_UNPACKED_BYTES || all > MAX_RATIO * Math.max(read, MIN_JUDGED_BYTES)) {
      const damage = `It unpacks to more than ${MAX_RATIO} times its size, as no recording does`
      yield { lines: [], read, damage }
      return
    }
    const end = piece.bytes.lastIndexOf(NEW_LINE)
    if (end < 0) {
      rest = Buffer.concat([rest, piece.bytes])
      if (rest.length > MAX_TEXT_BYTES) {
        yield { lines: [], read, damage: `A line is longer than ${MAX_TEXT_BYTES} bytes` }
        return
      }
      continue
    }
    const whole = Buffer.concat([rest, piece.bytes.subarray(0, end)])
    rest = piece.bytes.slice(end + 1)
    yield { lines: linesOf(whole), read }
  }
  const last = linesOf(rest)
  // Without a line's end the last line may be cut.
  if (last.every(isJson)) yield { lines: last, read: file.size }
  else yield { lines: [], read: file.size, damage: CUT_LINE }
}
