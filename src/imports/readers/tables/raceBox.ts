/**
 * RaceBox's CSV, also as RaceTools writes it (formats.md, 3.6). Times are ISO 8601, local without a zone, or seconds; the head, if it has one,
 * reports lap times.
 */
import { csvCells, csvNumber, valueReader } from "../../tables/csv.ts"
import { zoneOffset } from "../../tables/localTime.ts"
import type { ReportedLap } from "../../tables/NumberedLaps.ts"
import type { Checked } from "../../tables/SignCheck.ts"
import { SpeedUnit } from "../../tables/SpeedUnit.ts"
import type { CsvColumn, CsvHead } from "./csvRows.ts"
import {
  type Cells,
  columnOf,
  isLapName,
  keyed,
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
  altitude: ["altitude", "m"],
  speed: ["speed"],
  kph: ["speed", "km/h"],
  mph: ["speed", "mph"],
  heading: ["gps_heading", "deg"]
}

/** The device lies as its user put it: only rows can show what its axes are. */
const checks: Readonly<Record<string, Checked>> = {
  gforcex: "g_longitudinal",
  gforcey: "g_lateral",
  gyroz: "yaw_rate"
}

/** The unit of a column `Speed` that names none: it is the one that the user chose for the export. Empty if it fits none. */
const unitOfSpeed = (lines: Iterable<string>, names: Cells): string => {
  const valueOf = valueReader(",")
  const places = ["time", "latitude", "longitude", "speed"].map((name) => names.indexOf(name))
  const speeds = new SpeedUnit()
  for (const line of lines) {
    const cells = csvCells(line)
    const [time, latitude, longitude, speed] = places.map((place) => valueOf(cells[place]))
    speeds.add(time!, latitude!, longitude!, speed!)
    if (speeds.isSure) break
  }
  return speeds.unit("km/h") ?? ""
}

const raceBoxColumn = (text: string, speed: string): CsvColumn => {
  const [name, unit] = withUnit(text)
  return {
    ...columnOf(name, unit === "" && name.toLowerCase() === "speed" ? speed : unit, names, checks),
    isOfRow: name.toLowerCase() === "record" || isLapName(name)
  }
}

/** Lines such as `Lap 2, 90.000, sectors, 30.000,25.000,20.000,0,15.000`: sectors of 0 are not used. */
const lapsOfHead = (rows: ReadonlyArray<Cells>): ReadonlyMap<number, ReportedLap> => {
  const laps = new Map<number, ReportedLap>()
  for (const [title = "", time, , ...rest] of rows) {
    const [, number] = /^Lap (\d+)$/i.exec(title.trim()) ?? []
    const lapTime = csvNumber(time)
    if (number === undefined || !(lapTime > 0)) continue
    const used = rest.map(csvNumber).filter((sector) => sector > 0)
    const [first, second] = used
    // Where there are more than three, the third is all that follows.
    const third = used.slice(2).reduce((sum, sector) => sum + sector, 0)
    laps.set(Number(number), {
      lapTime,
      sectors: first !== undefined && second !== undefined && third > 0 ? [first, second, third] : undefined
    })
  }
  return laps
}

const head = (table: TableHead): CsvHead | undefined => {
  const { all, lines, rows } = table
  const isNamed = /^Format,Race(Box|Tools)\b/i.test(lines[0] ?? "")
  const first = isNamed ? /^(Record,)?Time,Latitude,Longitude/i : /^Record,Time,Latitude,Longitude/i
  const at = lines.findIndex((line) => first.test(line))
  const titles = csvCells(lines[at] ?? "").map((title) => title.trim().toLowerCase())
  const clock = titles.indexOf("time")
  const time = at < 0 ? undefined : csvCells(lines[at + 1] ?? "")[clock]
  if (time === undefined) return undefined
  const speed = titles.includes("speed") ? unitOfSpeed(all(), titles) : ""
  const columns = csvCells(lines[at]!).map((title) => raceBoxColumn(title, speed))
  const isDated = time.includes("T")
  const begin = valueReader(",")(time)
  return {
    separator: ",",
    columns,
    lines: at + 1,
    time: clock,
    ...(isDated ? { zero: zoneOffset(time, begin, table.timeZone), warnings: [] } : undated(table, begin)),
    circuit: keyed(rows, "track", "configuration"),
    vehicle: "",
    driver: keyed(rows, "driver name", "driver"),
    prefix: "racebox",
    laps: lapsIn(columns, lapsOfHead(rows.slice(0, at)))
  }
}

export const layout: Layout = { format: "racebox-csv", title: "RaceBox CSV (.csv)", head }
