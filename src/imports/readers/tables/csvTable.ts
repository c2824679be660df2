/** Reads a table of CSV whose head a layout has understood: one session, with its laps if the table tells them. */
import { POINTS } from "../../../domain/Dictionary.ts"
import { SimulatorEvent } from "../../../domain/SimulatorEvent.ts"
import { fileStarted } from "../../fileStarted.ts"
import { type Facts, type Piece, type SourceFile, UnreadableFile } from "../../FileReader.ts"
import { csvCells, valueReader } from "../../tables/csv.ts"
import { type ImportedChannel, ours, OwnNames } from "../../tables/importedChannels.ts"
import { CourseOfFixes } from "../../tables/place.ts"
import type { RowLaps } from "../../tables/RowLaps.ts"
import { type Checked, SignCheck } from "../../tables/SignCheck.ts"
import { type TableColumn, TableRows } from "../../tables/TableRows.ts"
import { CUT_ROW, textLines } from "../../tables/textLines.ts"
import { conversion } from "../../tables/units.ts"

/** Rows by which signs are checked. */
const CHECKED_ROWS = 50_000

export interface CsvColumn {
  readonly name: string
  readonly unit: string
  /** The channel of the vocabulary that the name means; its unit must convert. */
  readonly channel?: string | undefined
  /** It may be this channel: its rows must show it, with its sign. */
  readonly checked?: Checked | undefined
  /** To the channel's unit, in place of that which `unit` means. */
  readonly convert?: ((value: number) => number) | undefined
  /** It says of the row, and is no channel. */
  readonly isOfRow?: boolean | undefined
  /** The column that is 1 in rows for which this one is new; in others its value is a repetition, and absent. */
  readonly newWhere?: number | undefined
}

export interface CsvHead {
  readonly separator: string
  readonly columns: ReadonlyArray<CsvColumn>
  /** The lines before the rows. */
  readonly lines: number
  /** The column of times; a number is a table without one, with so many rows a second. */
  readonly time: number | { readonly rate: number }
  /** Of the times' unit: 1000 for milliseconds; 1 where it is left out. */
  readonly perSecond?: number | undefined
  /** The epoch seconds of the time 0. */
  readonly zero: number
  readonly circuit: string
  readonly vehicle: string
  readonly driver: string
  /** Before the names of channels of the file's own: `csv`. */
  readonly prefix: string
  /** How it tells laps; undefined if it does not. `start`: of the session, epoch seconds. */
  readonly laps?: ((start: number) => RowLaps) | undefined
  readonly facts?: Facts | undefined
  readonly warnings: ReadonlyArray<string>
}

/** Rows by which a column of text is known. */
const FIRST_ROWS = 1000

/** Rows with too few cells are damage if they are more than this share of all. */
const MAX_SHORT = 0.01

/** The rows after the head, as lines; a line that begins with `#` is a remark. */
function* rowsAfter(file: SourceFile, skipped: number) {
  let line = 0
  for (const { lines, ...rest } of textLines(file)) {
    const from = Math.max(0, skipped - line)
    line += lines.length
    yield { ...rest, lines: lines.slice(from).filter((one) => one !== "" && !one.startsWith("#")) }
  }
}

const same = (value: number) => value

/** Gives the epoch seconds of one row after the other. */
const clockOf = ({ perSecond = 1, time, zero }: CsvHead): ((cells: ArrayLike<number>) => number) => {
  if (typeof time === "number") return (cells) => zero + cells[time]! / perSecond
  let row = 0
  return () => zero + row++ / time.rate
}

/** Reads one row after the other: `cells` are its values, with repetitions left out. Returns whether it is whole. */
const cellsOf = ({ columns, separator }: CsvHead, cells: Float64Array) => {
  const valueOf = valueReader(separator)
  const repeated = columns.flatMap(({ newWhere }, n) =>
    newWhere === undefined ? [] : [[n, newWhere] as const]
  )
  return (line: string): boolean => {
    const texts = csvCells(line, separator)
    for (let n = 0; n < cells.length; n++) cells[n] = valueOf(texts[n])
    for (const [n, where] of repeated) if (cells[where] !== 1) cells[n] = Number.NaN
    return texts.length >= cells.length
  }
}

const signsOf = (file: SourceFile, head: CsvHead): SignCheck["found"] => {
  const { columns, lines: skipped } = head
  const signs = new SignCheck(
    columns.flatMap(({ checked }, column) => (checked === undefined ? [] : [{ channel: checked, column }]))
  )
  const [speed, heading, latitude, longitude] = ["speed", "gps_heading", "latitude", "longitude"].map(
    (name) => columns.findIndex(({ channel }) => channel === name)
  ) as [number, number, number, number]
  const metres = conversion(columns[speed]?.unit ?? "", "m/s")
  const isKnown = heading >= 0 || (latitude >= 0 && longitude >= 0)
  if (metres === undefined || !isKnown || columns.every(({ checked }) => checked === undefined))
    return signs.found
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
      if (++rows >= CHECKED_ROWS) return signs.found
    }
  }
  return signs.found
}

/** How a column's values become those of a channel; undefined if its unit cannot. */
const convertTo = (known: ImportedChannel & { readonly unit: string }, { convert, unit }: CsvColumn) => {
  const given = convert ?? conversion(unit, known.unit)
  if (given === undefined) return undefined
  // Gears are whole: a value between two is none.
  const isGear = known.group === POINTS && known.name === "gear"
  return isGear ? (value: number) => (Number.isInteger(value) ? value : Number.NaN) : given
}

const tableColumns = ({ columns, prefix, time }: CsvHead, signs: SignCheck["found"]) => {
  const names = new OwnNames(prefix)
  const table = columns.flatMap((column, n): ReadonlyArray<TableColumn> => {
    const { channel, isOfRow, name, unit } = column
    if (n === time || isOfRow === true || name === "") return []
    const checked = [...signs].find(([, one]) => one.column === n)
    if (checked !== undefined && names.take(checked[0])) {
      const known = ours(checked[0])!
      const convert = conversion(unit, known.unit) ?? same
      return [{ channel: known, column: n, convert: (value) => checked[1].sign * convert(value) }]
    }
    const known = channel === undefined ? undefined : ours(channel)
    const convert = known === undefined ? undefined : convertTo(known, column)
    if (known !== undefined && convert !== undefined && names.take(known.name)) {
      return [{ channel: known, column: n, convert }]
    }
    const own = names.own({ name, unit, kind: "continuous" }, prefix)
    return own === undefined ? [] : [{ channel: own, column: n }]
  })
  return { table, warnings: names.warnings }
}

const begin = (head: CsvHead, rows: TableRows, start: number): ReadonlyArray<SimulatorEvent> => [
  SimulatorEvent.ChannelsDeclared({ groups: rows.declarations }),
  fileStarted(head, start, head.laps !== undefined)
]

/** Columns with texts and no value in the first rows: they are no channels. */
const textColumns = (
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

const noLaps: RowLaps = { take: () => [], finish: () => [], warnings: [] }

export function* csvPieces(file: SourceFile, given: CsvHead): Generator<Piece, void, void> {
  const texts = textColumns(file, given)
  const head: CsvHead = {
    ...given,
    columns: given.columns.map((column, n) => (texts.has(n) ? { ...column, isOfRow: true } : column))
  }
  const left = given.columns.filter(({ isOfRow, name }, n) => texts.has(n) && isOfRow !== true && name !== "")
  const { table, warnings } = tableColumns(head, signsOf(file, head))
  const rows = new TableRows(table)
  const timeOf = clockOf(head)
  const cells = new Float64Array(head.columns.length)
  const readCells = cellsOf(head, cells)
  let laps: RowLaps | undefined
  let damage: string | undefined
  let taken = 0
  let short = 0
  for (const { damage: broken, lines, read } of rowsAfter(file, head.lines)) {
    damage ??= broken
    const events: Array<SimulatorEvent> = []
    for (const [n, line] of lines.entries()) {
      const isWhole = readCells(line)
      if (!isWhole && n === lines.length - 1 && read >= file.size) {
        // The last cell that is there may be cut, too.
        damage ??= CUT_ROW
        break
      }
      taken++
      if (!isWhole) short++
      const time = timeOf(cells)
      if (Number.isNaN(time)) continue
      if (laps === undefined) {
        laps = head.laps?.(time) ?? noLaps
        events.push(...begin(head, rows, time))
      }
      const ended = rows.push(time, cells) ? laps.take(time, cells) : []
      if (rows.isFull || ended.length > 0) events.push(...rows.take(), ...ended)
    }
    events.push(...rows.take())
    yield { events, read }
  }
  if (laps === undefined) throw new UnreadableFile("The table has no rows")
  if (short > taken * MAX_SHORT) damage ??= `${short} of ${taken} rows have too few cells`
  const { origin } = rows.plane
  yield {
    events: [...laps.finish(rows.last), SimulatorEvent.SessionEnded()],
    read: file.size,
    warnings: [
      ...head.warnings,
      ...(left.length === 0
        ? []
        : [`Left out, because they are text: ${left.map(({ name }) => name).join(", ")}`]),
      ...warnings,
      ...laps.warnings
    ],
    duplicates: rows.duplicates,
    refused: rows.refused,
    facts: [{ ...head.facts, ...(origin === undefined ? {} : { origin }) }],
    ...(damage === undefined ? {} : { partial: damage })
  }
}
