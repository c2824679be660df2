/** The heads of tables (formats.md, 3.6): AiM, MoTeC, Traqmate, and any table with a column of times. */
import type { ReadOptions, SourceFile } from "../../FileReader.ts"
import { csvCells, csvNumber } from "../../tables/csv.ts"
import { ours, withAlias } from "../../tables/importedChannels.ts"
import { localTime } from "../../tables/localTime.ts"
import type { Checked } from "../../tables/SignCheck.ts"
import type { CsvColumn, CsvHead } from "./csvTable.ts"

/** The lines before the rows of a table, at most. */
export const MAX_HEAD_LINES = 100

/** A file with the time of its last change, which dates a table without a date. */
type Aged = Pick<SourceFile, "modified">
type Cells = ReadonlyArray<string>

/** The value of a line `Key,Value`. */
const keyed = (rows: ReadonlyArray<Cells>, ...keys: ReadonlyArray<string>): string => {
  const row = rows.find(([key = ""]) => keys.includes(key.trim().toLowerCase()))
  return row?.[1]?.trim() ?? ""
}

/** Seconds in one cell, or in the cells of a line. */
const beaconsIn = (rows: ReadonlyArray<Cells>): ReadonlyArray<number> => {
  const row = rows.find(([key = ""]) => key.trim().toLowerCase() === "beacon markers") ?? []
  return row
    .slice(1)
    .flatMap((cell) => cell.trim().split(/[\s,]+/))
    .map(csvNumber)
    .filter((time) => !Number.isNaN(time))
}

const MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]

const dateIn = (text: string): readonly [number, number, number] | undefined => {
  const [, name = "", day, year] = /([A-Za-z]{3})[a-z]*\.? (\d{1,2}),? (\d{4})/.exec(text) ?? []
  const month = MONTHS.indexOf(name.toLowerCase()) + 1
  if (year !== undefined && month > 0) return [Number(year), month, Number(day)]
  const [, y, m, d] = /^(\d{4})[/-](\d{1,2})[/-](\d{1,2})/.exec(text) ?? []
  if (d !== undefined) return [Number(y), Number(m), Number(d)]
  const [, dd, mm, yyyy] = /^(\d{1,2})[/.](\d{1,2})[/.](\d{4})/.exec(text) ?? []
  return yyyy === undefined ? undefined : [Number(yyyy), Number(mm), Number(dd)]
}

const timeIn = (text: string): readonly [number, number, number] | undefined => {
  const [, hour, minute, second = "0", half = ""] =
    /^(\d{1,2}):(\d{2})(?::(\d{1,3}(?:\.\d+)?))?\s*([AP]M)?/i.exec(text) ?? []
  if (minute === undefined) return undefined
  const noon = half.toUpperCase() === "PM" ? 12 : 0
  return [half === "" ? Number(hour) : (Number(hour) % 12) + noon, Number(minute), Number(second)]
}

/** Epoch seconds of a local date and time; the file's own time if there are none. */
const startOf = (file: Aged, { timeZone }: ReadOptions, date: string, time: string) => {
  const [day, clock] = [dateIn(date), timeIn(time)]
  const start = day === undefined || clock === undefined ? undefined : localTime(day, clock, timeZone)
  return {
    zero: start ?? file.modified,
    warnings:
      start === undefined ? ["The table has no date that can be read: it begins at the time of the file"] : []
  }
}

const checkedNames: Readonly<Record<string, Checked>> = {
  "gps latacc": "g_lateral",
  "gps lonacc": "g_longitudinal",
  "gps gyro": "yaw_rate",
  "g force lat": "g_lateral",
  "g force long": "g_longitudinal"
}

const aimNames: Readonly<Record<string, string>> = {
  "gps speed": "speed",
  "gps nsat": "satellites",
  "gps posaccuracy": "gps_accuracy",
  pps: "throttle",
  tps: "throttle"
}

const columnOf = (name: string, unit: string, names: Readonly<Record<string, string>> = {}): CsvColumn => {
  const key = name.trim().toLowerCase()
  return {
    name: name.trim(),
    unit: unit.trim(),
    checked: checkedNames[key],
    channel: checkedNames[key] === undefined ? (names[key] ?? withAlias(name)?.name) : undefined
  }
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

/** The first line after `from` whose first cell is a number. */
const firstRow = (rows: ReadonlyArray<Cells>, from: number): number => {
  const at = rows.findIndex((row, n) => n > from && !Number.isNaN(csvNumber(row[0])))
  return at < 0 ? rows.length : at
}

const loggerHead =
  (kind: string, prefix: string, names: Readonly<Record<string, string>>, isAtLine: boolean) =>
  (rows: ReadonlyArray<Cells>, file: Aged, options: ReadOptions): CsvHead | undefined => {
    const isKind =
      rows[0]?.[0]?.trim().toLowerCase() === "format" && rows[0][1]?.trim().toLowerCase() === kind
    const at = isKind ? namesIn(rows) : -1
    if (at < 0) return undefined
    const { warnings, zero } = startOf(
      file,
      options,
      keyed(rows, "date", "log date"),
      keyed(rows, "time", "log time")
    )
    const units = rows[at + 1] ?? []
    return {
      separator: ",",
      columns: rows[at]!.map((name, n) => columnOf(name, units[n] ?? "", names)),
      lines: firstRow(rows, at + 1),
      time: 0,
      zero,
      circuit: keyed(rows, "session", "venue"),
      vehicle: keyed(rows, "vehicle"),
      driver: keyed(rows, "racer", "user", "driver"),
      prefix,
      lap: -1,
      beacons: beaconsIn(rows),
      isAtLine,
      warnings
    }
  }

const traqmateNames: Readonly<Record<string, string>> = {
  lat: "latitude",
  lon: "longitude",
  altitude: "altitude",
  velocity: "speed"
}

/** A name with its unit in parentheses or brackets. */
const withUnit = (text: string): readonly [name: string, unit: string] => {
  const [, name = text, unit = ""] = /^(.*?)\s*[([]([^)\]]*)[)\]]\s*$/.exec(text.trim()) ?? []
  return [name.trim(), unit]
}

const traqmate = (rows: ReadonlyArray<Cells>, file: Aged, options: ReadOptions): CsvHead | undefined => {
  if (!/^Format$/i.test(rows[0]?.[0]?.trim() ?? "") || !/^Traqmate/i.test(rows[0]?.[1]?.trim() ?? ""))
    return undefined
  const at = rows.findIndex(([first = ""]) => /^Elapsed Time$/i.test(first.trim()))
  if (at < 0) return undefined
  const { warnings, zero } = startOf(
    file,
    options,
    keyed(rows, "starting date"),
    keyed(rows, "starting time")
  )
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
    lap: columns.findIndex(({ isOfRow }) => isOfRow),
    warnings
  }
}

/** A later time is no time since the start of a table, but since 1970, s; a much later one is in milliseconds. */
const MIN_EPOCH_S = 1e8
const MIN_EPOCH_MS = 1e11

const isTime = (name: string) => /^(time|timestamp|elapsed time)$/i.test(name)
const LAP_NAMES = /^(lap|lap_number|lap number)$/i

/** Any table whose column of times rises strictly; also the service's own CSV. */
const plain = (lines: ReadonlyArray<string>, file: Aged): CsvHead | undefined => {
  const first = lines[0]?.replace(/^\uFEFF/, "") ?? ""
  const separator = [";", "\t", ","].find((one) => first.includes(one))
  if (separator === undefined) return undefined
  const names = csvCells(first, separator).map(withUnit)
  const second = csvCells(lines[1] ?? "", separator)
  const hasUnits = second.length === names.length && second.every((cell) => Number.isNaN(csvNumber(cell)))
  const skipped = hasUnits ? 2 : 1
  const rows = lines.slice(skipped, skipped + 20).map((line) => csvCells(line, separator).map(csvNumber))
  const time = names.findIndex(
    ([name], n) =>
      isTime(name) && rows.length > 1 && rows.every((row, i) => i === 0 || row[n]! > rows[i - 1]![n]!)
  )
  const begin = rows[0]?.[time] ?? Number.NaN
  // Times in milliseconds since 1970 are not read: every row would have to be converted.
  if (time < 0 || begin > MIN_EPOCH_MS) return undefined
  const isEpoch = begin > MIN_EPOCH_S
  const columns = names.map(([name, unit], n): CsvColumn => {
    const given = hasUnits ? second[n]! : unit
    const channel = ours(name)
    // The service's own names have its own units.
    const isOwn = channel !== undefined && isEpoch && given === ""
    return {
      ...columnOf(name, isOwn ? channel.unit : given),
      ...(isOwn ? { channel: name } : {}),
      isOfRow: LAP_NAMES.test(name)
    }
  })
  return {
    separator,
    columns,
    lines: skipped,
    time,
    zero: isEpoch ? 0 : file.modified - begin,
    circuit: "",
    vehicle: "",
    driver: "",
    prefix: "csv",
    lap: columns.findIndex(({ isOfRow }) => isOfRow),
    warnings: isEpoch ? [] : ["The table has no date: it begins at the time of the file"]
  }
}

/** The head of a table by the first of the layouts that knows it; undefined if none does. */
export const headOf = (
  lines: ReadonlyArray<string>,
  file: Aged,
  options: ReadOptions
): (CsvHead & { readonly format: string }) | undefined => {
  const rows = lines.map((line) => csvCells(line))
  const layouts = {
    "aim-csv": () => loggerHead("aim csv file", "aim", aimNames, true)(rows, file, options),
    "motec-csv": () => loggerHead("motec csv file", "motec", {}, false)(rows, file, options),
    traqmate: () => traqmate(rows, file, options),
    csv: () => plain(lines, file)
  }
  for (const [format, layout] of Object.entries(layouts)) {
    const head = layout()
    if (head !== undefined) return { ...head, format }
  }
  return undefined
}
