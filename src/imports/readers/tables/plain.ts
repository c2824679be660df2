/** Any table with a column of times, also the service's own CSV (formats.md, 3.6). */
import { LATEST_POINT } from "../../../domain/Time.ts"
import { csvCells, valueReader } from "../../tables/csv.ts"
import { ours } from "../../tables/importedChannels.ts"
import type { CsvColumn, CsvHead } from "./csvRows.ts"
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

const isTime = (name: string) => /^(time|timestamp|elapsed time)$/i.test(name)

/** Names that are not the vocabulary's. Coordinates are in degrees where no unit is given. */
const coordinates: Names = {
  latitude: ["latitude", "deg"],
  longitude: ["longitude", "deg"],
  altitude: ["altitude"],
  elevation: ["altitude"]
}

/** Any table whose column of times rises strictly; also the service's own CSV. */
const plain = (table: TableHead): CsvHead | undefined => {
  const { lines } = table
  const first = lines[0] ?? ""
  const separator = [";", "\t", ","].find((one) => first.includes(one))
  if (separator === undefined) return undefined
  const valueOf = valueReader(separator)
  const names = csvCells(first, separator).map(withUnit)
  const second = csvCells(lines[1] ?? "", separator)
  const hasUnits = second.length === names.length && second.every((cell) => Number.isNaN(valueOf(cell)))
  const unitOf = (n: number) => (hasUnits ? second[n]!.trim() : names[n]![1])
  const skipped = hasUnits ? 2 : 1
  const rows = lines.slice(skipped, skipped + 20).map((line) => csvCells(line, separator).map(valueOf))
  const time = names.findIndex(
    ([name], n) =>
      isTime(name) && rows.length > 1 && rows.every((row, i) => i === 0 || row[n]! > rows[i - 1]![n]!)
  )
  if (time < 0) return undefined
  // A time without a unit that would be in the far future is in milliseconds.
  const perSecond = unitOf(time) === "ms" || rows[0]![time]! > LATEST_POINT ? 1000 : 1
  const begin = rows[0]![time]! / perSecond
  const isEpoch = begin > MIN_EPOCH_S
  const columns = names.map(([name], n): CsvColumn => {
    const given = unitOf(n)
    const channel = ours(name)
    // The service's own names have its own units.
    const isOwn = channel !== undefined && isEpoch && given === ""
    return {
      ...columnOf(name, isOwn ? channel.unit : given, coordinates),
      ...(isOwn ? { channel: name } : {}),
      isOfRow: isLapName(name)
    }
  })
  return {
    separator,
    columns,
    lines: skipped,
    time,
    perSecond,
    ...(isEpoch ? { zero: 0, warnings: [] } : undated(table, begin)),
    circuit: "",
    vehicle: "",
    driver: "",
    prefix: "csv",
    laps: lapsIn(columns)
  }
}

export const layout: Layout = { format: "csv", title: "table with a column of times (.csv)", head: plain }
