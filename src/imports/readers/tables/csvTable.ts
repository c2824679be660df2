/** Reads a table of CSV whose head a layout has understood: one session, with laps by beacons or by a column. */
import { POINTS } from "../../../domain/Dictionary.ts"
import { SimulatorEvent } from "../../../domain/SimulatorEvent.ts"
import { fileStarted } from "../../fileStarted.ts"
import { type Facts, type Piece, type SourceFile, UnreadableFile } from "../../FileReader.ts"
import { Crossings } from "../../tables/Crossings.ts"
import { csvCells, csvNumber } from "../../tables/csv.ts"
import { type ImportedChannel, ours, OwnNames } from "../../tables/importedChannels.ts"
import { NumberedLaps } from "../../tables/NumberedLaps.ts"
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
  /** It says of the row, and is no channel. */
  readonly isOfRow?: boolean | undefined
}

export interface CsvHead {
  readonly separator: string
  readonly columns: ReadonlyArray<CsvColumn>
  /** The lines before the rows. */
  readonly lines: number
  /** The column of times, s, and their zero, epoch seconds. */
  readonly time: number
  readonly zero: number
  readonly circuit: string
  readonly vehicle: string
  readonly driver: string
  /** Before the names of channels of the file's own: `csv`. */
  readonly prefix: string
  /** The column of lap numbers; -1 without one. */
  readonly lap: number
  /** When the car crossed the line, s on the table's clock. */
  readonly beacons?: ReadonlyArray<number> | undefined
  /** The table begins on the line. */
  readonly isAtLine?: boolean | undefined
  readonly facts?: Facts | undefined
  readonly warnings: ReadonlyArray<string>
}

/** The rows after the head, as lines. */
function* rowsAfter(file: SourceFile, skipped: number) {
  let line = 0
  for (const { lines, ...rest } of textLines(file)) {
    const from = Math.max(0, skipped - line)
    line += lines.length
    yield { ...rest, lines: lines.slice(from).filter((one) => one !== "") }
  }
}

const same = (value: number) => value

const signsOf = (
  file: SourceFile,
  { columns, lines: skipped, separator, time }: CsvHead
): SignCheck["found"] => {
  const signs = new SignCheck(
    columns.flatMap(({ checked }, column) => (checked === undefined ? [] : [{ channel: checked, column }]))
  )
  const speed = columns.findIndex(({ channel }) => channel === "speed")
  const heading = columns.findIndex(({ channel }) => channel === "gps_heading")
  const metres = conversion(columns[speed]?.unit ?? "", "m/s")
  if (metres === undefined || heading < 0) return signs.found
  let rows = 0
  for (const { lines } of rowsAfter(file, skipped)) {
    for (const line of lines) {
      const cells = csvCells(line, separator).map(csvNumber)
      signs.add(cells[time]!, metres(cells[speed]!), cells[heading]!, cells)
      if (++rows >= CHECKED_ROWS) return signs.found
    }
  }
  return signs.found
}

const tableColumns = ({ columns, prefix, time }: CsvHead, signs: SignCheck["found"]) => {
  const names = new OwnNames(prefix)
  const table = columns.flatMap(({ channel, isOfRow, name, unit }, column): ReadonlyArray<TableColumn> => {
    if (column === time || isOfRow === true) return []
    const checked = [...signs].find(([, one]) => one.column === column)
    if (checked !== undefined && names.take(checked[0])) {
      const known = ours(checked[0])!
      const convert = conversion(unit, known.unit) ?? same
      return [{ channel: known, column, convert: (value) => checked[1].sign * convert(value) }]
    }
    const known: (ImportedChannel & { readonly unit: string }) | undefined =
      channel === undefined ? undefined : ours(channel)
    const convert = known === undefined ? undefined : conversion(unit, known.unit)
    if (known !== undefined && convert !== undefined && names.take(known.name)) {
      // Gears are whole: a value between two is none.
      const isGear = known.group === POINTS && known.name === "gear"
      return [
        {
          channel: known,
          column,
          convert: isGear ? (value) => (Number.isInteger(value) ? value : Number.NaN) : convert
        }
      ]
    }
    const own = names.own({ name, unit, kind: "continuous" }, prefix)
    return own === undefined ? [] : [{ channel: own, column }]
  })
  return { table, warnings: names.warnings }
}

const begin = (
  head: CsvHead,
  rows: TableRows,
  start: number,
  tellsLaps: boolean
): ReadonlyArray<SimulatorEvent> => [
  SimulatorEvent.ChannelsDeclared({ groups: rows.declarations }),
  fileStarted(head, start, tellsLaps)
]

export function* csvPieces(file: SourceFile, head: CsvHead): Generator<Piece, void, void> {
  const { beacons, columns, lap, lines: skipped, separator, time: timeColumn, zero } = head
  const { table, warnings } = tableColumns(head, signsOf(file, head))
  const rows = new TableRows(table)
  const numbered = new NumberedLaps()
  const tellsLaps = lap >= 0 || (beacons !== undefined && beacons.length > 0)
  const cells = new Float64Array(columns.length)
  let laps: Crossings | undefined
  let damage: string | undefined
  let isWhole = true
  for (const { damage: broken, lines, read } of rowsAfter(file, skipped)) {
    damage ??= broken
    const events: Array<SimulatorEvent> = []
    for (const line of lines) {
      const texts = csvCells(line, separator)
      for (let n = 0; n < cells.length; n++) cells[n] = csvNumber(texts[n])
      isWhole = texts.length >= cells.length
      const time = zero + cells[timeColumn]!
      if (!isWhole || Number.isNaN(time)) continue
      if (laps === undefined) {
        laps = new Crossings(
          (beacons ?? []).map((at) => ({ time: zero + at })),
          time,
          head.isAtLine
        )
        events.push(...begin(head, rows, time, tellsLaps))
      }
      const ended = rows.push(time, cells) && lap >= 0 ? numbered.take(time, cells[lap]!) : []
      if (rows.isFull || ended.length > 0) events.push(...rows.take(), ...ended, ...laps.until(rows.last))
    }
    events.push(...rows.take(), ...(laps?.until(rows.last) ?? []))
    yield { events, read }
  }
  if (laps === undefined) throw new UnreadableFile("The table has no rows")
  const { origin } = rows.plane
  yield {
    events: [
      ...(lap >= 0 ? numbered.finish(rows.last) : laps.isAny ? laps.finish(rows.last) : []),
      SimulatorEvent.SessionEnded()
    ],
    read: file.size,
    warnings: [...head.warnings, ...warnings, ...laps.warnings],
    duplicates: rows.duplicates,
    refused: rows.refused,
    facts: [{ ...head.facts, ...(origin === undefined ? {} : { origin }) }],
    ...(damage === undefined && isWhole ? {} : { partial: damage ?? CUT_ROW })
  }
}
