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

/** Whole lines as bytes, valid until the next are read, and the number of bytes up to the end of the last. */
interface LineBytes {
  readonly bytes: Uint8Array
  readonly read: number
  /** The text cannot be read on. */
  readonly damage?: string
}

export function* lineBytes(file: SourceFile): Generator<LineBytes, void, void> {
  const memory = new Uint8Array(MAX_LINE_BYTES + CHUNK_BYTES)
  /** Bytes of a line whose end is not there yet. */
  let rest = 0
  for (let at = 0; at < file.size; at += CHUNK_BYTES) {
    const { length } = file.bytes(at, CHUNK_BYTES, memory.subarray(rest))
    const filled = rest + length
    const isLast = at + CHUNK_BYTES >= file.size
    const end = isLast ? filled : memory.subarray(0, filled).lastIndexOf(NEW_LINE) + 1
    yield { bytes: memory.subarray(0, end), read: Math.min(file.size, at + length) }
    memory.copyWithin(0, end, filled)
    rest = filled - end
    if (rest > MAX_LINE_BYTES) {
      yield {
        bytes: memory.subarray(0, 0),
        read: at,
        damage: `A line is longer than ${MAX_LINE_BYTES} bytes`
      }
      return
    }
  }
}

/** Lines without their ends; the rest as of their bytes. */
interface TextLines extends Omit<LineBytes, "bytes"> {
  readonly lines: ReadonlyArray<string>
}

export function* textLines(file: SourceFile): Generator<TextLines, void, void> {
  const decoder = decoderOf(file.bytes(0, MAX_LINE_BYTES))
  for (const { bytes, ...rest } of lineBytes(file)) {
    const lines = decoder.decode(bytes).split(/\r?\n/)
    // A text that ends with a line's end has no further line.
    if (lines.at(-1) === "") lines.pop()
    yield { ...rest, lines }
  }
}
