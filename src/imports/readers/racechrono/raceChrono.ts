/**
 * RaceChrono's CSV, formats 2 and 3 (formats.md, 3.5). A name may occur several times: a column is known by its name and
 * its source. A row is made at each crossing of the line, so laps need no interpolation.
 */
import type { FileReader, ReadOptions, SourceFile } from "../../FileReader.ts"
import { localTime } from "../../tables/localTime.ts"
import { NumberedLaps } from "../../tables/NumberedLaps.ts"
import type { Checked } from "../../tables/SignCheck.ts"
import type { CsvHead } from "../tables/csvRows.ts"
import { csvPieces } from "../tables/csvTable.ts"
import { MIN_EPOCH_S } from "../tables/Layout.ts"
import { type Column, type Head, isRaceChrono, openRaceChrono } from "./raceChronoFile.ts"

const CREATED = /^(\d{1,2})\/(\d{1,2})\/(\d{4})\s+(\d{1,2}):(\d{2})/

/** Epoch seconds from which the times count: those of format 2 since 1970, too, or since the session's start. */
const zeroOf = (
  { begin, created, format }: Head,
  { modified }: SourceFile,
  { timeZone }: ReadOptions
): number => {
  if (format === 3 || begin > MIN_EPOCH_S) return 0
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
  coolant_temp: ["water_temperature", "obd", "canbus", ""],
  engine_oil_temp: ["oil_temperature", "canbus", "obd", ""]
}

/** Cells in each row that say of the row, and are no channel. */
const OF_ROWS = new Set(["fragment_id", "session_fragment_number", "lap_number"])

const checks: Readonly<Record<string, Checked>> = {
  lateral_acc: "g_lateral",
  lateral_acceleration: "g_lateral",
  longitudinal_acc: "g_longitudinal",
  longitudinal_acceleration: "g_longitudinal",
  steering_angle: "steering_angle"
}

/** The column of the best source of a name; -1 if there is none. */
const columnOf = (columns: ReadonlyArray<Column>, name: string): number => {
  const sources = known[name]?.slice(1) ?? ["", "calc", "gps"]
  for (const source of sources) {
    const at = columns.findIndex((one) => one.name === name && one.source === source)
    if (at >= 0) return at
  }
  return columns.findIndex((one) => one.name === name)
}

const headOf = (file: SourceFile, options: ReadOptions): CsvHead => {
  const head = openRaceChrono(file)
  const { columns } = head
  const lap = columnOf(columns, "lap_number")
  const best = new Map(Object.keys(known).map((name) => [columnOf(columns, name), known[name]![0]]))
  return {
    separator: ",",
    columns: columns.map(({ name, source, unit }, n) => ({
      name: source === "" ? name : `${name} ${source}`,
      unit: unit === "sats" ? "" : unit,
      channel: best.get(n),
      checked: checks[name],
      isOfRow: OF_ROWS.has(name)
    })),
    lines: head.lines,
    time: 0,
    zero: zeroOf(head, file, options),
    circuit: head.circuit,
    vehicle: "",
    driver: head.driver,
    prefix: "racechrono",
    ...(lap < 0 ? {} : { laps: () => new NumberedLaps(lap) }),
    warnings: []
  }
}

export const reader: FileReader = {
  format: "racechrono-csv",
  title: "RaceChrono CSV (.csv)",
  endings: [".csv"],
  recognises: isRaceChrono,
  read: (file, options) => csvPieces(file, headOf(file, options), options)
}
