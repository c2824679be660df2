/** The lines of a recording, read lazily: memory does not grow with the file. */
import { createReadStream } from "node:fs"
import { pipeline } from "node:stream"
import { createGunzip } from "node:zlib"

/** Longer than any message of a feed, bytes: a file without line ends is no recording, and must not fill the memory. */
const MAX_LINE = 1 << 24
const CHUNK_BYTES = 1 << 16

const NEW_LINE = 0x0a

/** The complete lines of each chunk of the file, without their ends; empty lines are left out. */
export async function* recordingLines(file: string): AsyncGenerator<ReadonlyArray<string>, void, void> {
  const bytes = createReadStream(file, { highWaterMark: CHUNK_BYTES })
  // `pipeline` hands an error of the file on to the reader of the text, and closes the file when the reader stops.
  const text = file.endsWith(".gz")
    ? pipeline(bytes, createGunzip({ chunkSize: CHUNK_BYTES }), () => undefined)
    : bytes
  let rest: Buffer = Buffer.alloc(0)
  for await (const chunk of text as AsyncIterable<Buffer>) {
    const end = chunk.lastIndexOf(NEW_LINE)
    if (end < 0) {
      rest = Buffer.concat([rest, chunk])
      if (rest.length > MAX_LINE) throw new Error(`a line is longer than ${MAX_LINE} bytes`)
      continue
    }
    const whole = Buffer.concat([rest, chunk.subarray(0, end)])
    rest = chunk.subarray(end + 1)
    yield linesOf(whole)
  }
  if (rest.length > 0) yield linesOf(rest)
}

const linesOf = (bytes: Buffer): ReadonlyArray<string> =>
  bytes
    .toString("utf8")
    .split("\n")
    .filter((line) => line.trim() !== "")
