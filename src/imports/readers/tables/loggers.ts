/** Tables whose head has lines `Key,Value`: AiM, MoTeC, Traqmate (formats.md, 3.6). */
import { Crossings } from "../../tables/Crossings.ts"
import { toMicros } from "../../../domain/Time.ts"
import { csvCells, csvNumber, valueReader } from "../../tables/csv.ts"
import { OneLap } from "../../tables/OneLap.ts"
import { conversion } from "../../tables/units.ts"
import type { CsvHead } from "./csvRows.ts"
import {
  type Cells,
  columnOf,
  keyed,
  lapsIn,
  type Layout,
  type Names,
  startOf,
  type TableHead,
  withUnit
} from "./Layout.ts"

const aimNames: Names = {
  "gps speed": ["speed"],
  "gps nsat": ["satellites"],
  "gps posaccuracy": ["gps_accuracy"],
  pps: ["throttle"],
  tps: ["throttle"],
  // A switch, whose sense each car has its own way.
  clutch: [""]
}

/** The row of names and that of units, in a head of `Key,Value` lines. */
const namesIn = (rows: ReadonlyArray<Cells>): number =>
  rows.findIndex(
    (row, n) =>
      row[0]?.trim() === "Time" &&
      row.length > 2 &&
      row.slice(1, 3).every((cell) => Number.isNaN(csvNumber(cell)) && cell.trim() !== "") &&
      n > 0
  )

/** RaceStudio 2 writes the names twice before the units. */
const unitsAfter = (rows: ReadonlyArray<Cells>, names: number): Cells =>
  rows.find((row, n) => n > names && row[0]?.trim() !== "Time") ?? []

/** Units of counts and gears are as good as none. */
const unitOf = (cell = "") => (/^(#|gear)$/.test(cell.trim()) ? "" : cell)

/** The first line after `from` whose first cell is a number. */
const firstRow = (rows: ReadonlyArray<Cells>, from: number, separator: string): number => {
  const valueOf = valueReader(separator)
  const at = rows.findIndex((row, n) => n > from && !Number.isNaN(valueOf(row[0])))
  return at < 0 ? rows.length : at
}

/** Seconds in one cell, or in the cells of a line. */
const beaconsIn = (rows: ReadonlyArray<Cells>, separator: string): ReadonlyArray<number> => {
  const row = rows.find(([key = ""]) => key.trim().toLowerCase() === "beacon markers") ?? []
  return row
    .slice(1)
    .flatMap((cell) => cell.trim().split(separator === "," ? /[\s,]+/ : /\s+/))
    .map(valueReader(separator))
    .filter((time) => !Number.isNaN(time))
}

/** What a segment such as `Lap 4 - 1:29.688` says: the table is this lap. */
const segmentIn = (rows: ReadonlyArray<Cells>) => {
  const [, number, minutes, seconds] = /^Lap (\d+) - (\d+):(\d+[.,]\d+)$/.exec(keyed(rows, "segment")) ?? []
  return seconds === undefined
    ? undefined
    : { number: Number(number), lapTime: toMicros(60 * Number(minutes) + Number(seconds.replace(",", "."))) }
}

/** Exports of European machines have semicolons, and decimal commas. */
const separatorOf = ([first = ""]: ReadonlyArray<string>) => /^"?Format"?([;\t])/i.exec(first)?.[1] ?? ","

const loggerHead =
  (kind: string, prefix: string, names: Names, isAtLine: boolean) =>
  (table: TableHead): CsvHead | undefined => {
    const separator = separatorOf(table.lines)
    const rows = separator === "," ? table.rows : table.lines.map((line) => csvCells(line, separator))
    const isKind =
      rows[0]?.[0]?.trim().toLowerCase() === "format" && rows[0][1]?.trim().toLowerCase() === kind
    const at = isKind ? namesIn(rows) : -1
    if (at < 0) return undefined
    const { warnings, zero } = startOf(
      table,
      keyed(rows, "date", "log date"),
      keyed(rows, "time", "log time")
    )
    const beacons = beaconsIn(rows, separator).map((time) => ({ time: zero + time }))
    const segment = segmentIn(rows)
    const units = unitsAfter(rows, at)
    const toSeconds = conversion(units[0] ?? "", "s")
    return {
      separator,
      columns: rows[at]!.map((name, n) => columnOf(name, unitOf(units[n]), names)),
      lines: firstRow(rows, at + 1, separator),
      time: 0,
      perSecond: 1 / (toSeconds?.(1) ?? 1),
      zero,
      circuit: keyed(rows, "session", "venue"),
      vehicle: keyed(rows, "vehicle"),
      driver: keyed(rows, "racer", "user", "driver"),
      prefix,
      hasUsualSigns: prefix === "motec",
      laps:
        segment !== undefined
          ? (start) => new OneLap(segment, start)
          : beacons.length === 0
            ? undefined
            : (start) => new Crossings(beacons, start, isAtLine),
      warnings
    }
  }

const traqmateNames: Names = {
  lat: ["latitude"],
  lon: ["longitude"],
  altitude: ["altitude"],
  velocity: ["speed"]
}

const traqmate = (table: TableHead): CsvHead | undefined => {
  const { rows } = table
  if (!/^Format$/i.test(rows[0]?.[0]?.trim() ?? "") || !/^Traqmate/i.test(rows[0]?.[1]?.trim() ?? ""))
    return undefined
  const at = rows.findIndex(([first = ""]) => /^Elapsed Time$/i.test(first.trim()))
  if (at < 0) return undefined
  const { warnings, zero } = startOf(table, keyed(rows, "starting date"), keyed(rows, "starting time"))
  const columns = rows[at]!.map((text) => {
    const [name, unit] = withUnit(text)
    return { ...columnOf(name, unit, traqmateNames), isOfRow: name.toLowerCase() === "lap" }
  })
  return {
    separator: ",",
    columns,
    lines: at + 1,
    time: 0,
    zero,
    circuit: keyed(rows, "track"),
    vehicle: keyed(rows, "vehicle"),
    driver: keyed(rows, "driver"),
    prefix: "traqmate",
    laps: lapsIn(columns),
    warnings
  }
}

export const layouts: ReadonlyArray<Layout> = [
  {
    format: "aim-csv",
    title: "AiM CSV (.csv)",
    head: loggerHead("aim csv file", "aim", aimNames, true)
  },
  { format: "motec-csv", title: "MoTeC CSV (.csv)", head: loggerHead("motec csv file", "motec", {}, false) },
  { format: "traqmate", title: "Traqmate CSV (.csv)", head: traqmate }
]
