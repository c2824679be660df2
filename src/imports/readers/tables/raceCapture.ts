/**
 * RaceCapture's logs (formats.md, 3.6): names as `"Name"|"unit"|...`, and most cells empty, since each channel has its own
 * rate. `Interval` counts milliseconds since the start; `Utc` is 0 until the device knows the time.
 */
import { csvCells, csvNumber } from "../../tables/csv.ts"
import { NumberedLaps } from "../../tables/NumberedLaps.ts"
import type { Checked } from "../../tables/SignCheck.ts"
import type { CsvColumn, CsvHead } from "./csvRows.ts"
import { columnOf, type Layout, type Names, type TableHead, undated } from "./Layout.ts"

const names: Names = {
  latitude: ["latitude"],
  longitude: ["longitude"],
  altitude: ["altitude"],
  speed: ["speed"],
  gpssats: ["satellites"],
  tps: ["throttle"]
}

const checks: Readonly<Record<string, Checked>> = {
  accelx: "g_lateral",
  accely: "g_longitudinal",
  yaw: "yaw_rate"
}

const CELL = /^\s*"([^"]*)"\|"([^"]*)"/

/** The laps that are complete: in most rows its cell is empty. */
const COUNTER = "LapCount"

const columnsOf = (line: string): ReadonlyArray<CsvColumn> =>
  line.split(",").map((cell) => {
    const [, name = "", unit = ""] = CELL.exec(cell) ?? []
    return { ...columnOf(name, unit, names, checks), isOfRow: name === COUNTER || name === "Utc" }
  })

class CountedLaps extends NumberedLaps {
  readonly #counter: number

  constructor(counter: number) {
    super(counter)
    this.#counter = counter
  }

  override take(time: number, cells: Float64Array) {
    return Number.isNaN(cells[this.#counter]) ? [] : super.take(time, cells)
  }
}

/** The epoch seconds of interval 0, by the first row that knows the time; undefined if none does. */
const zeroOf = (lines: Iterable<string>, interval: number, utc: number): number | undefined => {
  for (const line of lines) {
    const cells = csvCells(line)
    const now = csvNumber(cells[utc])
    if (now > 0) return (now - csvNumber(cells[interval])) / 1000
  }
  return undefined
}

const head = (table: TableHead): CsvHead | undefined => {
  const first = table.lines[0] ?? ""
  if (!first.startsWith('"Interval"|"ms"')) return undefined
  const columns = columnsOf(first)
  const at = (name: string) => columns.findIndex((one) => one.name === name)
  const counter = at(COUNTER)
  const zero = zeroOf(table.all(), 0, at("Utc"))
  return {
    separator: ",",
    columns,
    lines: 1,
    time: 0,
    perSecond: 1000,
    ...(zero === undefined
      ? undated(table, csvNumber(csvCells(table.lines[1] ?? "")[0]) / 1000)
      : { zero, warnings: [] }),
    circuit: "",
    vehicle: "",
    driver: "",
    prefix: "racecapture",
    laps: counter < 0 ? undefined : () => new CountedLaps(counter)
  }
}

export const layout: Layout = { format: "racecapture", title: "RaceCapture log (.log, .csv)", head }
