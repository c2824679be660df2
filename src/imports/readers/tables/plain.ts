/** Any table with a column of times, also the service's own CSV (formats.md, 3.6). */
import { LATEST_POINT } from "../../../domain/Time.ts"
import { csvCells, valueReader } from "../../tables/csv.ts"
import { ours } from "../../tables/importedChannels.ts"
import { zoneOffset } from "../../tables/localTime.ts"
import { type CsvColumn, type CsvHead, isRow } from "./csvRows.ts"
import {
  columnOf,
  isLapName,
  lapsIn,
  type Layout,
  MIN_EPOCH_S,
  type Names,
  type TableHead,
  undated,
  withUnit
} from "./Layout.ts"

/** `time`, `timestamp`, `elapsed time`, `session_time`, which may end with their unit, as in `time_ms`. */
const TIME = /^(?:(?:elapsed|session)[ _]?)?time(?:stamp)?(?:_(s|ms))?$/i

/** Names that are not the vocabulary's. Coordinates are in degrees where no unit is given. */
const names: Names = {
  latitude: ["latitude", "deg"],
  longitude: ["longitude", "deg"],
  altitude: ["altitude"],
  elevation: ["altitude"],
  "lateral acceleration": ["g_lateral"],
  "longitudinal acceleration": ["g_longitudinal"],
  "throttle position": ["throttle"],
  "steering angle": ["steering_angle"]
}

/** Any table whose column of times rises; also the service's own CSV. */
const plain = (table: TableHead): CsvHead | undefined => {
  const { lines } = table
  const first = lines[0] ?? ""
  const separator = [";", "\t", ","].find((one) => first.includes(one))
  if (separator === undefined) return undefined
  const valueOf = valueReader(separator)
  const titles = csvCells(first, separator).map(withUnit)
  const second = csvCells(lines[1] ?? "", separator)
  const hasUnits = second.length === titles.length && second.every((cell) => Number.isNaN(valueOf(cell)))
  const unitOf = (n: number) => (hasUnits ? second[n]!.trim() : titles[n]![1])
  const skipped = hasUnits ? 2 : 1
  const cells = lines
    .slice(skipped, skipped + 20)
    .filter(isRow)
    .map((line) => csvCells(line, separator))
  const rows = cells.map((row) => row.map(valueOf))
  const rises = (n: number) =>
    rows.every((row, i) => i === 0 || row[n]! >= rows[i - 1]![n]!) && rows.at(-1)![n]! > rows[0]![n]!
  const time = titles.findIndex(([name], n) => TIME.test(name) && rows.length > 1 && rises(n))
  if (time < 0) return undefined
  const unit = unitOf(time) || (TIME.exec(titles[time]![0])?.[1] ?? "")
  // A time without a unit that would be in the far future is in milliseconds.
  const perSecond = unit === "ms" || rows[0]![time]! > LATEST_POINT ? 1000 : 1
  const begin = rows[0]![time]! / perSecond
  const isEpoch = begin > MIN_EPOCH_S
  const columns = titles.map(([name], n): CsvColumn => {
    const given = unitOf(n)
    const channel = ours(name)
    // The service's own names have its own units.
    const isOwn = channel !== undefined && isEpoch && given === ""
    return {
      ...columnOf(name, isOwn ? channel.unit : given, names),
      ...(isOwn ? { channel: name, checked: undefined } : {}),
      isOfRow: isLapName(name)
    }
  })
  return {
    separator,
    columns,
    lines: skipped,
    time,
    perSecond,
    ...(isEpoch
      ? { zero: zoneOffset(cells[0]![time]!, begin, table.timeZone), warnings: [] }
      : undated(table, begin)),
    circuit: "",
    vehicle: "",
    driver: "",
    prefix: "csv",
    laps: lapsIn(columns)
  }
}

export const layout: Layout = { format: "csv", title: "table with a column of times (.csv)", head: plain }
