/** The lines of a JSON text that may be packed by gzip, read in pieces: memory does not grow with the file. */
import { constants, createGunzip, gunzipSync } from "node:zlib"
import { type SourceFile, UnreadableFile } from "../FileReader.ts"
import { MAX_TEXT_BYTES } from "../../simulators/drivers/native/messageText.ts"

const CHUNK_BYTES = 1 << 16
/** Text that unpacks to more is no recording: gzip packs repeated text a thousand times, real recordings 5 to 20 times. */
const MAX_RATIO = 500
const MAX_UNPACKED_BYTES = 64 * 2 ** 30

const NEW_LINE = 0x0a

const isGzip = (head: Uint8Array): boolean => head[0] === 0x1f && head[1] === 0x8b

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

function* chunks(file: SourceFile): Generator<Uint8Array, void, void> {
  for (let at = 0; at < file.size; at += CHUNK_BYTES) yield file.bytes(at, CHUNK_BYTES)
}

/** Lines, and why the text ended before the file did. */
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

/** The unpacked text of the file; ends with a sentence where it is damaged. */
async function* unpacked(
  file: SourceFile
): AsyncGenerator<{ bytes: Uint8Array; read: number } | string, void, void> {
  if (!isGzip(file.bytes(0, 2))) {
    let read = 0
    for (const bytes of chunks(file)) yield { bytes, read: (read += bytes.length) }
    return
  }
  const gunzip = createGunzip({ chunkSize: CHUNK_BYTES })
  let read = 0
  let all = 0
  const feed = async () => {
    for (const bytes of chunks(file)) {
      read += bytes.length
      if (!gunzip.write(bytes)) await new Promise((resolve) => gunzip.once("drain", resolve))
    }
    gunzip.end()
  }
  const fed = feed()
  try {
    for await (const bytes of gunzip as AsyncIterable<Buffer>) {
      all += bytes.length
      if (all > MAX_UNPACKED_BYTES || all > MAX_RATIO * Math.max(read, CHUNK_BYTES)) {
        return yield `It unpacks to more than ${MAX_RATIO} times its size, as no recording does`
      }
      yield { bytes, read }
    }
    await fed
  } catch {
    yield `Its packed text is damaged after ${all} bytes of text`
  } finally {
    gunzip.destroy()
  }
}

/** The complete lines of each piece of the file, without their ends; empty lines are left out. */
export async function* packedLines(file: SourceFile): AsyncGenerator<Lines, void, void> {
  let rest: Uint8Array = new Uint8Array(0)
  let at = 0
  for await (const piece of unpacked(file)) {
    if (typeof piece === "string") {
      yield { lines: [], read: at, damage: piece }
      return
    }
    at = piece.read
    const end = piece.bytes.lastIndexOf(NEW_LINE)
    if (end < 0) {
      rest = Buffer.concat([rest, piece.bytes])
      if (rest.length > MAX_TEXT_BYTES) {
        yield { lines: [], read: at, damage: `A line is longer than ${MAX_TEXT_BYTES} bytes` }
        return
      }
      continue
    }
    const whole = Buffer.concat([rest, piece.bytes.subarray(0, end)])
    rest = piece.bytes.slice(end + 1)
    yield { lines: linesOf(whole), read: at }
  }
  const last = linesOf(rest)
  // Without a line's end the last line may be cut.
  if (last.every(isJson)) yield { lines: last, read: file.size }
  else yield { lines: [], read: file.size, damage: CUT_LINE }
  if (file.size === 0) throw new UnreadableFile("The file is empty")
}
