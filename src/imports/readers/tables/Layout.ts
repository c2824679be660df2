/** What layouts of tables share (formats.md, 3.6): lines `Key,Value` before the rows, names of columns, dates. */
import { withAlias } from "../../tables/importedChannels.ts"
import { localTime } from "../../tables/localTime.ts"
import { NumberedLaps, type ReportedLap } from "../../tables/NumberedLaps.ts"
import { type Checked, isChecked } from "../../tables/SignCheck.ts"
import type { CsvColumn, CsvHead } from "./csvRows.ts"

/** The begin of a table. */
export interface TableHead {
  readonly lines: ReadonlyArray<string>
  /** The cells of the lines, separated by commas. */
  readonly rows: ReadonlyArray<Cells>
  /** When the file was changed last, epoch seconds: it dates a table without a date. */
  readonly modified: number
  /** The zone of local times, an IANA name. */
  readonly timeZone: string
  /** All lines of the file; those of the head while it is only being recognised. */
  readonly all: () => Iterable<string>
}

export interface Layout {
  /** As a reader's. */
  readonly format: string
  readonly title: string
  /** Undefined if the table is of another layout. */
  readonly head: (table: TableHead) => CsvHead | undefined
}

export type Cells = ReadonlyArray<string>

/** A later time is no time since the start of a table, but since 1970, s. */
export const MIN_EPOCH_S = 1e8

const LAP_NAMES = /^lap(?:[ _]?number)?$/i

/** Whether the column has the numbers of laps. */
export const isLapName = (name: string): boolean => LAP_NAMES.test(name)

/** The value of a line `Key,Value`. */
export const keyed = (rows: ReadonlyArray<Cells>, ...keys: ReadonlyArray<string>): string => {
  const row = rows.find(([key = ""]) => keys.includes(key.trim().toLowerCase()))
  return row?.[1]?.trim() ?? ""
}

const MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]

const dateIn = (text: string): readonly [number, number, number] | undefined => {
  // `Sunday, March 10, 2024` or `Sunday, 10 March 2024`.
  const [, name = "", day, year] = /([A-Za-z]{3})[a-z]*\.? (\d{1,2}),? (\d{4})/.exec(text) ?? []
  const [, dayFirst = day, second = name, last = year] =
    /(\d{1,2})\.? ([A-Za-z]{3})[a-z]*\.? (\d{4})/.exec(text) ?? []
  const month = MONTHS.indexOf(second.toLowerCase()) + 1
  if (month > 0) return [Number(last), month, Number(dayFirst)]
  const [, y, m, d] = /^(\d{4})[/-](\d{1,2})[/-](\d{1,2})/.exec(text) ?? []
  if (d !== undefined) return [Number(y), Number(m), Number(d)]
  const [, dd, mm, yyyy] = /^(\d{1,2})[/.](\d{1,2})[/.](\d{4})/.exec(text) ?? []
  if (yyyy === undefined) return undefined
  // A month of more than 12 is the day: the machine was American.
  return Number(mm) > 12 ? [Number(yyyy), Number(dd), Number(mm)] : [Number(yyyy), Number(mm), Number(dd)]
}

const timeIn = (text: string): readonly [number, number, number] | undefined => {
  const [, hour, minute, second = "0", half = ""] =
    /^(\d{1,2}):(\d{2})(?::(\d{1,3}(?:\.\d+)?))?\s*([AP]M)?/i.exec(text) ?? []
  if (minute === undefined) return undefined
  const noon = half.toUpperCase() === "PM" ? 12 : 0
  return [half === "" ? Number(hour) : (Number(hour) % 12) + noon, Number(minute), Number(second)]
}

/** Epoch seconds of a local date and time; the file's own time if there are none. */
export const startOf = ({ modified, timeZone }: TableHead, date: string, time: string) => {
  const [day, clock] = [dateIn(date), timeIn(time)]
  const start = day === undefined || clock === undefined ? undefined : localTime(day, clock, timeZone)
  return {
    zero: start ?? modified,
    warnings:
      start === undefined ? ["The table has no date that can be read: it begins at the time of the file"] : []
  }
}

/** The zero of a table's times where no date is known: it begins at the time of the file. `first`: its first time, s. */
export const undated = ({ modified }: TableHead, first: number) => ({
  zero: modified - first,
  warnings: ["The table has no date: it begins at the time of the file"]
})

const checkedNames: Readonly<Record<string, Checked>> = {
  "gps latacc": "g_lateral",
  "gps lonacc": "g_longitudinal",
  "gps gyro": "yaw_rate",
  "gps lateralacc": "g_lateral",
  "gps inlineacc": "g_longitudinal",
  "gps yaw rate": "yaw_rate",
  "g force lat": "g_lateral",
  "g force long": "g_longitudinal"
}

/** What a layout's names mean, by their lower case with blanks for underscores: channels, each with the unit of a name that has none. */
export type Names = Readonly<Record<string, readonly [channel: string, unit?: string]>>

/**
 * A column by its name in the file. `checks`: the names that only rows can show to be a channel; those that the vocabulary has
 * for such a channel are, too.
 */
export const columnOf = (
  text: string,
  given: string,
  names: Names = {},
  checks: Readonly<Record<string, Checked>> = checkedNames
): CsvColumn => {
  const name = text.trim()
  const key = name.toLowerCase().replaceAll("_", " ")
  const [known, usual = ""] = names[key] ?? []
  const channel = known ?? withAlias(name)?.name
  const checked = checks[key] ?? (channel !== undefined && isChecked(channel) ? channel : undefined)
  return {
    name,
    unit: given.trim() === "" ? usual : given.trim(),
    checked,
    channel: checked === undefined ? channel : undefined
  }
}

/** A name with its unit in parentheses or brackets. */
export const withUnit = (text: string): readonly [name: string, unit: string] => {
  const [, name = text, unit = ""] = /^(.*?)\s*[([]([^)\]]*)[)\]]\s*$/.exec(text.trim()) ?? []
  return [name.trim(), unit]
}

/** Laps by the numbers in the column that says of the row; undefined without one. */
export const lapsIn = (
  columns: ReadonlyArray<CsvColumn>,
  reported?: ReadonlyMap<number, ReportedLap>
): CsvHead["laps"] => {
  const lap = columns.findIndex(({ isOfRow, name }) => isOfRow === true && isLapName(name))
  return lap < 0 ? undefined : () => new NumberedLaps(lap, reported)
}
