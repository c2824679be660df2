/** The lines of a recording, read lazily: memory does not grow with the file. */
import { basename } from "node:path"
import { withFile } from "../../src/imports/sourceFile.ts"
import { unpackedText } from "../../src/imports/tables/unpackedText.ts"

/** Longer than any message of a feed, bytes: a file without line ends is no recording, and must not fill the memory. */
const MAX_LINE = 1 << 24

const NEW_LINE = 0x0a

/**
 * The complete lines of each piece of the file, without their ends; empty lines are left out. What follows a place where a kill
 * cut the packed text is read, too; a file that ends damaged fails at its end.
 */
export async function* recordingLines(path: string): AsyncGenerator<ReadonlyArray<string>, void, void> {
  let rest: Buffer = Buffer.alloc(0)
  let damage: string | undefined
  for await (const piece of withFile({ path, name: basename(path) }, unpackedText)) {
    if (typeof piece === "string") {
      damage = piece
      rest = Buffer.alloc(0)
      continue
    }
    damage = undefined
    const chunk = Buffer.from(piece.bytes.buffer, piece.bytes.byteOffset, piece.bytes.length)
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
  if (damage !== undefined) throw new Error(damage)
}

const linesOf = (bytes: Buffer): ReadonlyArray<string> =>
  bytes
    .toString("utf8")
    .split("\n")
    .filter((line) => line.trim() !== "")
