/**
 * Racelogic's `.vbo` files, also as RaceChrono and RaceBox write them (formats.md, 3.4). The file is read twice: first for
 * the line and the signs of sideways columns, then for its rows.
 */
import { SimulatorEvent } from "../../../domain/SimulatorEvent.ts"
import { fileStarted } from "../../fileStarted.ts"
import {
  type FileReader,
  type Piece,
  type ReadOptions,
  type SourceFile,
  UnreadableFile
} from "../../FileReader.ts"
import { Crossings } from "../../tables/Crossings.ts"
import { factsOfKnown, KNOWN_LINE } from "../../tables/KnownLines.ts"
import { type ImportedChannel, ours, OwnNames } from "../../tables/importedChannels.ts"
import { LineCells } from "../../tables/LineCells.ts"
import { type TableColumn, TableRows } from "../../tables/TableRows.ts"
import { CUT_ROW } from "../../tables/textLines.ts"
import { conversion } from "../../tables/units.ts"
import { isVbo, openVbo, rowsOf, type VboHead } from "./vboFile.ts"
import { Clock, DAY_S, latitudeOf, longitudeOf, look, type Shown } from "./vboRows.ts"

/** The satellites of a row; the bits above are the brake trigger and the receiver's mode. */
const SATELLITES = 63

/** Standard columns, by their names. */
const standard: Readonly<Record<string, readonly [channel: string, convert?: (value: number) => number]>> = {
  sats: ["satellites", (value) => value & SATELLITES],
  lat: ["latitude", latitudeOf],
  long: ["longitude", longitudeOf],
  lng: ["longitude", longitudeOf],
  heading: ["gps_heading"],
  height: ["altitude"]
}

const tableColumns = (
  head: VboHead,
  { signs, zero }: Shown
): { readonly columns: ReadonlyArray<TableColumn>; readonly warnings: ReadonlyArray<string> } => {
  const names = new OwnNames("vbo")
  const speed = conversion(head.units.get("velocity") ?? "km/h", "km/h")
  const found = head.columns.flatMap((name, column): ReadonlyArray<TableColumn> => {
    if (name === "time") return []
    const known = (channel: string, convert?: (value: number) => number) =>
      names.take(channel) ? [{ channel: ours(channel)! as ImportedChannel, column, convert }] : []
    if (name === "velocity") return known("speed", speed)
    const usual = standard[name]
    if (usual !== undefined) return known(...usual)
    const checked = [...signs].find(([, one]) => one.column === column)
    if (checked !== undefined) {
      const [channel, { sign }] = checked
      const unit = head.units.get(name) ?? (channel === "yaw_rate" ? "deg/s" : "g")
      const convert = conversion(unit, channel === "yaw_rate" ? "deg/s" : "g") ?? ((value: number) => value)
      return known(channel, (value) => sign * convert(value))
    }
    if (zero.has(column)) return []
    const own = names.own({ name, unit: head.units.get(name) ?? "", kind: "continuous" }, "vbo")
    return own === undefined ? [] : [{ channel: own, column }]
  })
  const left = head.columns.filter((_, column) => zero.has(column))
  return {
    columns: found,
    warnings: [
      ...names.warnings,
      ...(left.length === 0 ? [] : [`Left out, because they are 0 throughout: ${left.join(", ")}`])
    ]
  }
}

function* pieces(file: SourceFile, { startLines }: ReadOptions): Generator<Piece, void, void> {
  const head = openVbo(file)
  const warnings: Array<string> = []
  if (head.day === undefined)
    warnings.push("The file has no date that can be read: its day is that of the file")
  const day = head.day ?? Math.floor(file.modified / DAY_S) * DAY_S
  const shown = look(file, head, day, startLines)
  const { columns, warnings: ofColumns } = tableColumns(head, shown)
  const rows = new TableRows(columns)
  const clock = new Clock(day)
  const line = new LineCells(head.columns.map(() => true))
  const cells = line.values
  const time = head.columns.indexOf("time")
  let laps: Crossings | undefined
  let damage: string | undefined
  let isWhole = true
  for (const { bytes, damage: broken, read } of rowsOf(file)) {
    damage ??= broken
    const events: Array<SimulatorEvent> = []
    for (let next = 0; next < bytes.length;) {
      next = line.read(bytes, next)
      if (line.found === 0) continue
      isWhole = line.isWhole
      const now = clock.at(cells[time]!)
      if (!isWhole || Number.isNaN(now)) continue
      if (laps === undefined) {
        laps = new Crossings(shown.crossings, now)
        events.push(...begin(head, rows, now, laps))
      }
      rows.push(now, cells)
      if (rows.isFull) events.push(...rows.take(), ...laps.until(rows.last))
    }
    yield { events, read }
  }
  if (laps === undefined) throw new UnreadableFile("The file has no rows")
  const { origin } = rows.plane
  yield {
    events: [...rows.take(), ...(laps.isAny ? laps.finish(rows.last) : []), SimulatorEvent.SessionEnded()],
    read: file.size,
    warnings: [
      ...warnings,
      ...(shown.known === undefined ? [] : [KNOWN_LINE]),
      ...ofColumns,
      ...laps.warnings
    ],
    duplicates: rows.duplicates,
    refused: rows.refused,
    facts: [
      {
        comments: head.comments.join("\n"),
        ...(shown.known === undefined
          ? laps.isAny
            ? { laps_from: "the file's start line" }
            : {}
          : factsOfKnown(shown.known)),
        ...(origin === undefined ? {} : { origin })
      }
    ],
    ...(damage === undefined && isWhole ? {} : { partial: damage ?? CUT_ROW })
  }
}

const begin = (
  head: VboHead,
  rows: TableRows,
  start: number,
  laps: Crossings
): ReadonlyArray<SimulatorEvent> => [
  SimulatorEvent.ChannelsDeclared({ groups: rows.declarations }),
  fileStarted(head, start, laps.isAny)
]

export const reader: FileReader = {
  format: "vbo",
  title: "Racelogic, RaceChrono or RaceBox file (.vbo)",
  endings: [".vbo"],
  recognises: isVbo,
  read: pieces
}
