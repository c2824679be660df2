/** What the rows of a table show before they are read: signs of its columns, columns of text, and crossings of a known line. */
import type { Gate } from "../../../domain/Gate.ts"
import type { SourceFile } from "../../FileReader.ts"
import { csvCells, valueReader } from "../../tables/csv.ts"
import { type KnownLaps, KnownLines } from "../../tables/KnownLines.ts"
import { CourseOfFixes } from "../../tables/place.ts"
import { SignCheck } from "../../tables/SignCheck.ts"
import { conversion } from "../../tables/units.ts"
import { cellsOf, clockOf, type CsvHead, rowsAfter } from "./csvRows.ts"

/** Rows by which signs are checked. */
const CHECKED_ROWS = 50_000

/** Rows by which a column of text is known. */
const FIRST_ROWS = 1000

/** Where each of these channels of the vocabulary is; -1 without it. */
const placesOf = ({ columns }: CsvHead, ...names: ReadonlyArray<string>) =>
  names.map((name) => columns.findIndex(({ channel }) => channel === name))

export const signsOf = (file: SourceFile, head: CsvHead): SignCheck => {
  const { columns, lines: skipped } = head
  const signs = new SignCheck(
    columns.flatMap(({ checked }, column) => (checked === undefined ? [] : [{ channel: checked, column }]))
  )
  const [speed = -1, heading = -1, latitude = -1, longitude = -1] = placesOf(
    head,
    "speed",
    "gps_heading",
    "latitude",
    "longitude"
  )
  const metres = conversion(columns[speed]?.unit ?? "", "m/s")
  const isKnown = heading >= 0 || (latitude >= 0 && longitude >= 0)
  if (metres === undefined || !isKnown || columns.every(({ checked }) => checked === undefined)) return signs
  const course = new CourseOfFixes()
  const timeOf = clockOf(head)
  const cells = new Float64Array(columns.length)
  const read = cellsOf(head, cells)
  let rows = 0
  for (const { lines } of rowsAfter(file, skipped)) {
    for (const line of lines) {
      read(line)
      const degrees = heading >= 0 ? cells[heading]! : course.at(cells[latitude]!, cells[longitude]!)
      signs.add(timeOf(cells), metres(cells[speed]!), degrees, cells)
      if (++rows >= CHECKED_ROWS) return signs
    }
  }
  return signs
}

/** The laps of a table that tells none, by a start line that is known. */
export const knownLaps = (
  file: SourceFile,
  head: CsvHead,
  startLines: ReadonlyArray<Gate> = []
): KnownLaps | undefined => {
  const known = new KnownLines(startLines)
  const [latitude = -1, longitude = -1] = placesOf(head, "latitude", "longitude")
  if (!known.isAny || head.laps !== undefined || latitude < 0 || longitude < 0) return undefined
  const timeOf = clockOf(head)
  const cells = new Float64Array(head.columns.length)
  const read = cellsOf(head, cells)
  let last = Number.NEGATIVE_INFINITY
  for (const { lines } of rowsAfter(file, head.lines)) {
    for (const line of lines) {
      read(line)
      const time = timeOf(cells)
      if (!(time > last)) continue
      last = time
      known.add(time, cells[latitude]!, cells[longitude]!)
    }
  }
  return known.laps
}

/** Columns with texts and no value in the first rows: they are no channels. */
export const textColumns = (
  file: SourceFile,
  { columns, lines: skipped, separator }: CsvHead
): ReadonlySet<number> => {
  const valueOf = valueReader(separator)
  const first = rowsAfter(file, skipped).next().value?.lines.slice(0, FIRST_ROWS) ?? []
  const rows = first.map((line) => csvCells(line, separator))
  const isText = (n: number) =>
    rows.some((cells) => (cells[n] ?? "").trim() !== "") &&
    rows.every((cells) => Number.isNaN(valueOf(cells[n])))
  return new Set([...columns.keys()].filter(isText))
}
