/**
 * RaceChrono's CSV, formats 2 and 3 (formats.md, 3.5). A name may occur several times: a column is known by its name and
 * its source. A row is made at each crossing of the line, so laps need no interpolation.
 */
import { SimulatorEvent } from "../../../domain/SimulatorEvent.ts"
import { toMicros } from "../../../domain/Time.ts"
import {
  type FileReader,
  type Piece,
  type ReadOptions,
  type SourceFile,
  UnreadableFile
} from "../../FileReader.ts"
import { csvCells, csvNumber } from "../../tables/csv.ts"
import { ours, OwnNames } from "../../tables/importedChannels.ts"
import { localTime } from "../../tables/localTime.ts"
import { type Candidate, SignCheck } from "../../tables/SignCheck.ts"
import { type TableColumn, TableRows } from "../../tables/TableRows.ts"
import { CUT_ROW } from "../../tables/textLines.ts"
import { conversion } from "../../tables/units.ts"
import { type Column, type Head, isRaceChrono, openRaceChrono, rowsOf } from "./raceChronoFile.ts"

/** Rows by which signs are checked. */
const CHECKED_ROWS = 50_000

const CREATED = /^(\d{1,2})\/(\d{1,2})\/(\d{4})\s+(\d{1,2}):(\d{2})/

/** Epoch seconds from which the times of format 2 count. */
const zeroOf = ({ created, format }: Head, { modified }: SourceFile, { timeZone }: ReadOptions): number => {
  if (format === 3) return 0
  const [, ...parts] = CREATED.exec(created) ?? []
  const [day = 0, month = 0, year = 0, hour = 0, minute = 0] = parts.map(Number)
  return localTime([year, month, day], [hour, minute, 0], timeZone) ?? modified
}

/** Channels of the vocabulary, by name; the sources in the order in which they are preferred. */
const known: Readonly<Record<string, readonly [channel: string, ...sources: ReadonlyArray<string>]>> = {
  speed: ["speed", "gps", "calc", ""],
  latitude: ["latitude", "gps", ""],
  longitude: ["longitude", "gps", ""],
  altitude: ["altitude", "gps", ""],
  bearing: ["gps_heading", "gps", ""],
  satellites: ["satellites", "gps", ""],
  rpm: ["rpm", "obd", "canbus", ""],
  throttle_pos: ["throttle", "obd", "canbus", ""],
  brake_pos: ["brake", "canbus", "obd", ""],
  gear: ["gear", "canbus", "obd", ""],
  steering_angle: ["steering_angle", "canbus", ""],
  coolant_temp: ["water_temperature", "obd", "canbus", ""],
  engine_oil_temp: ["oil_temperature", "canbus", "obd", ""]
}

/** Cells in each row that say of the row, and are no channel. */
const OF_ROWS = new Set(["timestamp", "time", "fragment_id", "session_fragment_number", "lap_number"])

const checks: ReadonlyArray<readonly [name: string, channel: Candidate["channel"]]> = [
  ["lateral_acc", "g_lateral"],
  ["lateral_acceleration", "g_lateral"],
  ["longitudinal_acc", "g_longitudinal"],
  ["longitudinal_acceleration", "g_longitudinal"]
]

/** The column of the best source of a name; -1 if there is none. */
const columnOf = (columns: ReadonlyArray<Column>, name: string): number => {
  const sources = known[name]?.slice(1) ?? ["", "calc", "gps"]
  for (const source of sources) {
    const at = columns.findIndex((one) => one.name === name && one.source === source)
    if (at >= 0) return at
  }
  return columns.findIndex((one) => one.name === name)
}

const signsOf = (file: SourceFile, head: Head): SignCheck["found"] => {
  const { columns } = head
  const candidates = checks.flatMap(([name, channel]) =>
    columns.flatMap((one, column) => (one.name === name ? [{ channel, column }] : []))
  )
  const signs = new SignCheck(candidates)
  const [speed, heading] = [columnOf(columns, "speed"), columnOf(columns, "bearing")]
  const toMetres = conversion(columns[speed]?.unit ?? "m/s", "m/s")
  let rows = 0
  for (const { lines } of rowsOf(file, head)) {
    for (const line of lines) {
      const cells = csvCells(line).map(csvNumber)
      signs.add(cells[0]!, toMetres?.(cells[speed]!) ?? Number.NaN, cells[heading] ?? Number.NaN, cells)
      if (++rows >= CHECKED_ROWS) return signs.found
    }
  }
  return signs.found
}

const tableColumns = (head: Head, signs: SignCheck["found"]) => {
  const { columns } = head
  const names = new OwnNames("racechrono")
  const chosen = new Map(
    Object.keys(known).flatMap((name) => {
      const at = columnOf(columns, name)
      const channel = ours(known[name]![0])!
      const convert =
        at < 0 ? undefined : conversion(columns[at]!.unit === "sats" ? "" : columns[at]!.unit, channel.unit)
      return convert === undefined ? [] : [[at, { channel, convert }] as const]
    })
  )
  const table = columns.flatMap(({ name, source, unit }, column): ReadonlyArray<TableColumn> => {
    if (OF_ROWS.has(name)) return []
    const checked = [...signs].find(([, one]) => one.column === column)
    if (checked !== undefined && names.take(checked[0])) {
      const [channel, { sign }] = checked
      const convert = conversion(unit, "g") ?? ((value: number) => value)
      return [{ channel: ours(channel)!, column, convert: (value) => sign * convert(value) }]
    }
    const usual = chosen.get(column)
    if (usual !== undefined && names.take(usual.channel.name)) return [{ ...usual, column }]
    const shown = source === "" ? name : `${name} ${source}`
    const own = names.own(
      { name: shown, unit: unit === "sats" ? "" : unit, kind: "continuous" },
      "racechrono"
    )
    return own === undefined ? [] : [{ channel: own, column }]
  })
  return { table, warnings: names.warnings }
}

/** Laps by the numbers of the rows: the first row of a number stands on the line. */
class NumberedLaps {
  #number = Number.NaN
  #start = Number.NaN
  /** The lap began on the line. */
  #isWhole = false

  /** Takes the next row; gives the lap that ends there. */
  take(time: number, number: number): ReadonlyArray<SimulatorEvent> {
    if (Object.is(number, this.#number)) return []
    const ended = this.#end(time, this.#isWhole && number === this.#number + 1)
    this.#isWhole = number === this.#number + 1
    this.#number = number
    this.#start = time
    return ended
  }

  finish(last: number): ReadonlyArray<SimulatorEvent> {
    return this.#end(last, false)
  }

  #end(end: number, isTimed: boolean): ReadonlyArray<SimulatorEvent> {
    if (Number.isNaN(this.#number) || !(end > this.#start)) return []
    const lap = SimulatorEvent.LapCompleted({
      lapNumber: this.#number,
      lapTime: isTimed ? toMicros(end - this.#start) : null,
      sectors: [null, null, null],
      valid: isTimed ? undefined : false,
      start: this.#start,
      end
    })
    return [lap]
  }
}

function* pieces(file: SourceFile, options: ReadOptions): Generator<Piece, void, void> {
  const head = openRaceChrono(file)
  const { table, warnings } = tableColumns(head, signsOf(file, head))
  const zero = zeroOf(head, file, options)
  const rows = new TableRows(table)
  const laps = new NumberedLaps()
  const lapColumn = columnOf(head.columns, "lap_number")
  const cells = new Float64Array(head.columns.length)
  let isBegun = false
  let damage: string | undefined
  let isWhole = true
  for (const { damage: broken, lines, read } of rowsOf(file, head)) {
    damage ??= broken
    const events: Array<SimulatorEvent> = []
    for (const line of lines) {
      const texts = csvCells(line)
      for (let n = 0; n < cells.length; n++) cells[n] = csvNumber(texts[n])
      isWhole = texts.length >= cells.length
      const time = zero + cells[0]!
      if (!isWhole || Number.isNaN(time)) continue
      if (!isBegun) events.push(...begin(head, rows, time, lapColumn >= 0))
      isBegun = true
      if (rows.push(time, cells) && lapColumn >= 0) {
        const ended = laps.take(time, cells[lapColumn]!)
        if (ended.length > 0) events.push(...rows.take(), ...ended)
      }
      if (rows.isFull) events.push(...rows.take())
    }
    events.push(...rows.take())
    yield { events, read }
  }
  if (!isBegun) throw new UnreadableFile("The file has no rows")
  const { origin } = rows.plane
  yield {
    events: [...laps.finish(rows.last), SimulatorEvent.SessionEnded()],
    read: file.size,
    warnings,
    duplicates: rows.duplicates,
    refused: rows.refused,
    facts: [origin === undefined ? {} : { origin }],
    ...(damage === undefined && isWhole ? {} : { partial: damage ?? CUT_ROW })
  }
}

const begin = (
  head: Head,
  rows: TableRows,
  start: number,
  isNumbered: boolean
): ReadonlyArray<SimulatorEvent> => [
  SimulatorEvent.ChannelsDeclared({ groups: rows.declarations }),
  SimulatorEvent.SessionStarted({
    circuit: head.circuit,
    vehicle: "",
    driver: head.driver,
    datetime: start,
    clockZero: 0,
    circuitLength: undefined,
    startLine: undefined,
    tellsLaps: isNumbered,
    tellsLastLap: isNumbered
  })
]

export const reader: FileReader = {
  format: "racechrono-csv",
  title: "RaceChrono CSV (.csv)",
  endings: [".csv"],
  version: 1,
  recognises: isRaceChrono,
  read: pieces
}
