/** Tables of CSV: AiM, MoTeC, Traqmate, and any table with a column of times (formats.md, 3.6). */
import { type FileReader, type ReadOptions, type SourceFile, UnreadableFile } from "../../FileReader.ts"
import { decoderOf, textLines } from "../../tables/textLines.ts"
import { csvPieces } from "./csvTable.ts"
import { headOf, MAX_HEAD_LINES } from "./layouts.ts"

const linesOf = (file: SourceFile): ReadonlyArray<string> => {
  const lines: Array<string> = []
  for (const piece of textLines(file)) {
    lines.push(...piece.lines)
    if (lines.length >= MAX_HEAD_LINES) break
  }
  return lines.slice(0, MAX_HEAD_LINES)
}

/** The whole lines among a file's first bytes. */
const linesIn = (head: Uint8Array): ReadonlyArray<string> =>
  decoderOf(head).decode(head).split(/\r?\n/).slice(0, MAX_HEAD_LINES)

function* pieces(file: SourceFile, options: ReadOptions) {
  const head = headOf(linesOf(file), file, options)
  if (head === undefined) throw new UnreadableFile("The head of the table is damaged")
  yield* csvPieces(file, head)
}

const readerOf = (format: string, title: string): FileReader => ({
  format,
  title,
  endings: [".csv"],
  recognises: (head) => headOf(linesIn(head), { modified: 0 }, { timeZone: "UTC" })?.format === format,
  read: pieces
})

export const readers: ReadonlyArray<FileReader> = [
  readerOf("aim-csv", "AiM CSV (.csv)"),
  readerOf("motec-csv", "MoTeC CSV (.csv)"),
  readerOf("traqmate", "Traqmate CSV (.csv)"),
  readerOf("csv", "table with a column of times (.csv)")
]
