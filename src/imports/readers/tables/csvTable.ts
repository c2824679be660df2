/** Reads a table of CSV whose head a layout has understood: one session, with its laps if the table tells them. */
import { POINTS } from "../../../domain/Dictionary.ts"
import { SimulatorEvent } from "../../../domain/SimulatorEvent.ts"
import { fileStarted } from "../../fileStarted.ts"
import { type Piece, type ReadOptions, type SourceFile, UnreadableFile } from "../../FileReader.ts"
import { Crossings } from "../../tables/Crossings.ts"
import { type ImportedChannel, ours, OwnNames } from "../../tables/importedChannels.ts"
import { factsOfKnown, KNOWN_LINE } from "../../tables/KnownLines.ts"
import type { RowLaps } from "../../tables/RowLaps.ts"
import { type SignCheck, uncheckedSign } from "../../tables/SignCheck.ts"
import { type TableColumn, TableRows } from "../../tables/TableRows.ts"
import { CUT_ROW } from "../../tables/textLines.ts"
import { conversion } from "../../tables/units.ts"
import { knownLaps, signsOf, textColumns } from "./csvLook.ts"
import { cellsOf, clockOf, type CsvColumn, type CsvHead, rowsAfter } from "./csvRows.ts"

/** Rows with too few cells are damage if they are more than this share of all. */
const MAX_SHORT = 0.01

const same = (value: number) => value

/** How a column's values become those of a channel; undefined if its unit cannot. */
const convertTo = (known: ImportedChannel & { readonly unit: string }, { convert, unit }: CsvColumn) => {
  const given = convert ?? conversion(unit, known.unit)
  if (given === undefined) return undefined
  // Gears are whole: a value between two is none.
  const isGear = known.group === POINTS && known.name === "gear"
  return isGear ? (value: number) => (Number.isInteger(value) ? value : Number.NaN) : given
}

const tableColumns = ({ columns, hasUsualSigns, prefix, time }: CsvHead, signs: SignCheck) => {
  const names = new OwnNames(prefix)
  const found = [...signs.found]
  const table = columns.flatMap((column, n): ReadonlyArray<TableColumn> => {
    const { isOfRow, name, unit } = column
    if (n === time || isOfRow === true || name === "") return []
    const isUnchecked =
      column.checked !== undefined && hasUsualSigns === true && signs.signOf(n) === undefined
    const channel = isUnchecked ? column.checked : column.channel
    const checked = found.find(([, one]) => one.column === n)
    if (checked !== undefined && names.take(checked[0])) {
      const known = ours(checked[0])!
      const convert = conversion(unit, known.unit) ?? same
      return [{ channel: known, column: n, convert: (value) => checked[1].sign * convert(value) }]
    }
    const known = channel === undefined ? undefined : ours(channel)
    const convert = known === undefined ? undefined : convertTo(known, column)
    if (known !== undefined && convert !== undefined && names.take(known.name)) {
      const shown = isUnchecked ? { ...known, description: uncheckedSign(name) } : known
      return [{ channel: shown, column: n, convert }]
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

const noLaps: RowLaps = { take: () => [], finish: () => [], warnings: [] }

export function* csvPieces(
  file: SourceFile,
  given: CsvHead,
  { startLines }: ReadOptions
): Generator<Piece, void, void> {
  const texts = textColumns(file, given)
  const known = knownLaps(file, given, startLines)
  const head: CsvHead = {
    ...given,
    laps: known === undefined ? given.laps : (start) => new Crossings(known.crossings, start),
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
      ...(known === undefined ? [] : [KNOWN_LINE]),
      ...(left.length === 0
        ? []
        : [`Left out, because they are text: ${left.map(({ name }) => name).join(", ")}`]),
      ...warnings,
      ...laps.warnings
    ],
    duplicates: rows.duplicates,
    refused: rows.refused,
    facts: [
      {
        ...head.facts,
        ...(known === undefined ? {} : factsOfKnown(known)),
        ...(origin === undefined ? {} : { origin })
      }
    ],
    ...(damage === undefined ? {} : { partial: damage })
  }
}
