/** The head of RaceChrono's CSV, formats 2 and 3 (formats.md, 3.5). */
import { type SourceFile, UnreadableFile } from "../../FileReader.ts"
import { csvCells, csvNumber } from "../../tables/csv.ts"
import { decoderOf, textLines } from "../../tables/textLines.ts"

const FIRST_LINE = /^\uFEFF?This file is created using RaceChrono/
/** Lines before the rows. */
const MAX_HEAD_LINES = 64
export interface Column {
  readonly name: string
  readonly unit: string
  /** `gps`, `calc`, `obd`, ...; "" for the file's own. */
  readonly source: string
}

export interface Head {
  readonly format: 2 | 3
  readonly circuit: string
  readonly driver: string
  /** The local time of the session's start. */
  readonly created: string
  readonly columns: ReadonlyArray<Column>
  /** The index of the line after the head. */
  readonly lines: number
  /** The time in the first row, s; NaN without rows. */
  readonly begin: number
}

/** A source such as `100: gps`. */
const sourceOf = (text: string) => text.replace(/^\d+:\s*/, "").trim()

/** A display header such as `Speed (m/s) *calc`. */
const displayed = (text: string): Column => {
  const [, name = "", unit = "", source = ""] =
    /^(.*?)(?:\s*\(([^)]*)\))?(?:\s*\*(.*))?$/.exec(text.trim()) ?? []
  return { name: name.toLowerCase().replace(/#/g, "number").trim().replace(/\s+/g, "_"), unit, source }
}

export const openRaceChrono = (file: SourceFile): Head => {
  const lines: Array<string> = []
  for (const piece of textLines(file)) {
    lines.push(...piece.lines)
    if (lines.length >= MAX_HEAD_LINES) break
  }
  const facts = new Map<string, ReadonlyArray<string>>()
  let at = 1
  for (; at < lines.length && at < MAX_HEAD_LINES; at++) {
    const cells = csvCells(lines[at]!)
    if (/^(timestamp|Time \(s\))$/.test(cells[0]!)) break
    facts.set(cells[0]!.toLowerCase(), cells.slice(1))
  }
  const of = (name: string) => facts.get(name)?.[0]?.trim() ?? ""
  const [names, units, sources] = [at, at + 1, at + 2].map((line) => csvCells(lines[line] ?? "")) as [
    ReadonlyArray<string>,
    ReadonlyArray<string>,
    ReadonlyArray<string>
  ]
  const format = of("format") === "3" ? 3 : of("format") === "2" || names[0] === "Time (s)" ? 2 : undefined
  if (format === undefined || names[0] === undefined || names[0] === "") {
    throw new UnreadableFile("It is RaceChrono's first CSV format, or damaged: export it as CSV v3")
  }
  const after = format === 2 ? at + 1 : at + 3
  return {
    format,
    circuit: of("track name"),
    driver: of("driver name"),
    created: facts.get("created")?.join(" ") ?? "",
    columns:
      format === 2
        ? names.map(displayed)
        : names.map((name, n) => ({ name, unit: units[n] ?? "", source: sourceOf(sources[n] ?? "") })),
    lines: after,
    begin: csvNumber(csvCells(lines[after] ?? "")[0])
  }
}

/** Whether these first bytes are a file's. */
export const isRaceChrono = (head: Uint8Array): boolean =>
  FIRST_LINE.test(decoderOf(head).decode(head.subarray(0, 256)))
