/** The lines of a text file, read in pieces: memory does not grow with the file. */
import type { SourceFile } from "../FileReader.ts"

const CHUNK_BYTES = 1 << 18
/** A longer line is no line of a table, bytes. */
const MAX_LINE_BYTES = 64 * 1024
const NEW_LINE = 0x0a

/** A decoder of the file's text: UTF-8 if its first bytes are that, else Windows-1252. */
export const decoderOf = (head: Uint8Array): InstanceType<typeof TextDecoder> => {
  try {
    // The last character may be cut.
    new TextDecoder("utf-8", { fatal: true }).decode(head, { stream: true })
    return new TextDecoder("utf-8")
  } catch {
    return new TextDecoder("windows-1252")
  }
}

/** The damage of a table whose last row has too few cells. */
export const CUT_ROW = "The file ends within its last row: what is before it was read"

/** Lines without their ends, and the number of bytes up to the end of the last. */
interface TextLines {
  readonly lines: ReadonlyArray<string>
  readonly read: number
  /** The text cannot be read on. */
  readonly damage?: string
}

export function* textLines(file: SourceFile): Generator<TextLines, void, void> {
  const decoder = decoderOf(file.bytes(0, MAX_LINE_BYTES))
  let rest = new Uint8Array(0)
  for (let at = 0; at < file.size; at += CHUNK_BYTES) {
    const bytes = file.bytes(at, CHUNK_BYTES)
    const isLast = at + CHUNK_BYTES >= file.size
    const end = isLast ? bytes.length : bytes.lastIndexOf(NEW_LINE) + 1
    const whole = new Uint8Array(rest.length + end)
    whole.set(rest)
    whole.set(bytes.subarray(0, end), rest.length)
    rest = bytes.slice(end)
    const lines = decoder.decode(whole).split(/\r?\n/)
    // A text that ends with a line's end has no further line.
    if (lines.at(-1) === "") lines.pop()
    yield { lines, read: Math.min(file.size, at + bytes.length) }
    if (rest.length > MAX_LINE_BYTES) {
      yield { lines: [], read: at, damage: `A line is longer than ${MAX_LINE_BYTES} bytes` }
      return
    }
  }
}
