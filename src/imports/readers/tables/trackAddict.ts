/**
 * TrackAddict's CSV (formats.md, 3.6). Rows are more often than fixes: a row without a new one repeats the last. Lines that
 * begin with `#`, in the head and between rows, have the vehicle and the times of laps.
 */
import { csvCells, csvNumber } from "../../tables/csv.ts"
import type { ReportedLap } from "../../tables/NumberedLaps.ts"
import type { Checked } from "../../tables/SignCheck.ts"
import type { CsvColumn, CsvHead } from "./csvRows.ts"
import {
  columnOf,
  isLapName,
  type Layout,
  lapsIn,
  type Names,
  type TableHead,
  undated,
  withUnit
} from "./Layout.ts"

const names: Names = {
  latitude: ["latitude", "deg"],
  longitude: ["longitude", "deg"],
  altitude: ["altitude"],
  speed: ["speed"],
  heading: ["gps_heading", "deg"],
  accuracy: ["gps_accuracy"],
  "engine speed": ["rpm"],
  "throttle position": ["throttle"],
  "engine coolant temp": ["water_temperature"]
}

/** The phone lies as its user put it: only rows can show what its axes are. */
const checks: Readonly<Record<string, Checked>> = {
  "accel x": "g_lateral",
  "accel y": "g_longitudinal"
}

/** Of the receiver. */
const OF_FIX = new Set(["latitude", "longitude", "altitude"])
const UPDATE = "GPS_Update"

const columnsOf = (cells: ReadonlyArray<string>): ReadonlyArray<CsvColumn> => {
  const update = cells.indexOf(UPDATE)
  const newWhere = update < 0 ? undefined : update
  return cells.map((text) => {
    const [name, unit] = withUnit(text.replace(/\s*\*OBD$/, ""))
    return {
      ...columnOf(name, unit, names, checks),
      isOfRow: name === UPDATE || name === "UTC Time" || isLapName(name),
      newWhere: OF_FIX.has(name.toLowerCase()) ? newWhere : undefined
    }
  })
}

/** Lines such as `# Lap 1: 00:02:03.202`. */
const lapsOf = (lines: Iterable<string>): ReadonlyMap<number, ReportedLap> => {
  const laps = new Map<number, ReportedLap>()
  for (const line of lines) {
    if (!line.startsWith("#")) continue
    const [, number, hours, minutes, seconds] = /^# Lap (\d+): (\d+):(\d+):(\d+\.?\d*)/.exec(line) ?? []
    if (seconds === undefined) continue
    laps.set(Number(number), { lapTime: Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds) })
  }
  return laps
}

const head = (table: TableHead): CsvHead | undefined => {
  const { lines } = table
  if (lines[0]?.startsWith("# RaceRender Data: TrackAddict") !== true) return undefined
  const at = lines.findIndex((line) => /^"?Time"?,/.test(line))
  if (at < 0) return undefined
  const cells = csvCells(lines[at]!)
  const columns = columnsOf(cells)
  const first = csvCells(lines[at + 1] ?? "")
  const begin = csvNumber(first[0])
  const utc = csvNumber(first[cells.indexOf("UTC Time")])
  const vehicle = lines.find((line) => line.startsWith("# Vehicle:"))?.slice("# Vehicle:".length) ?? ""
  return {
    separator: ",",
    columns,
    lines: at + 1,
    time: 0,
    ...(utc > 0 ? { zero: utc - begin, warnings: [] } : undated(table, begin)),
    circuit: "",
    vehicle: vehicle.trim(),
    driver: "",
    prefix: "trackaddict",
    laps: lapsIn(columns, lapsOf(table.all()))
  }
}

export const layout: Layout = { format: "trackaddict", title: "TrackAddict CSV (.csv)", head }
