/** Tables of CSV: those of loggers, and any table with a column of times (formats.md, 3.6). */
import { type FileReader, type ReadOptions, type SourceFile, UnreadableFile } from "../../FileReader.ts"
import { csvCells } from "../../tables/csv.ts"
import { decoderOf, textLines } from "../../tables/textLines.ts"
import { csvPieces } from "./csvTable.ts"
import { layout as garage61 } from "./garage61.ts"
import type { Layout, TableHead } from "./Layout.ts"
import { layouts as loggers } from "./loggers.ts"
import { layout as plain } from "./plain.ts"
import { layout as raceBox } from "./raceBox.ts"
import { layout as raceCapture } from "./raceCapture.ts"
import { layout as trackAddict } from "./trackAddict.ts"

/** The lines before the rows of a table, at most. */
const MAX_HEAD_LINES = 100

/** The first that knows a table reads it: the last takes tables that others know better. */
const layouts: ReadonlyArray<Layout> = [...loggers, raceBox, garage61, raceCapture, trackAddict, plain]

function* linesOf(file: SourceFile): Generator<string, void, void> {
  for (const { lines } of textLines(file)) yield* lines
}

const firstOf = (lines: Iterable<string>): ReadonlyArray<string> => {
  const first: Array<string> = []
  for (const line of lines) {
    first.push(line)
    if (first.length === MAX_HEAD_LINES) break
  }
  return first
}

const tableHead = (
  lines: ReadonlyArray<string>,
  { all, modified, timeZone }: Pick<TableHead, "all" | "modified" | "timeZone">
): TableHead => ({ lines, rows: lines.map((line) => csvCells(line)), modified, timeZone, all })

function* pieces(file: SourceFile, { head }: Layout, options: ReadOptions) {
  const all = () => linesOf(file)
  const found = head(tableHead(firstOf(all()), { all, modified: file.modified, timeZone: options.timeZone }))
  if (found === undefined) throw new UnreadableFile("The head of the table is damaged")
  yield* csvPieces(file, found, options)
}

/** The layout of a file with these first bytes; undefined if it is no table. */
const layoutOf = (head: Uint8Array): Layout | undefined => {
  // The last line may be cut.
  const lines = firstOf(decoderOf(head).decode(head).split(/\r?\n/))
  const table = tableHead(lines, { all: () => lines, modified: 0, timeZone: "UTC" })
  return layouts.find((layout) => layout.head(table) !== undefined)
}

export const readers: ReadonlyArray<FileReader> = layouts.map((layout) => ({
  format: layout.format,
  title: layout.title,
  endings: [".csv"],
  recognises: (head) => layoutOf(head) === layout,
  read: (file, options) => pieces(file, layout, options)
}))
