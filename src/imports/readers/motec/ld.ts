/**
 * MoTeC's `.ld` logs, with the beacons of the `.ldx` file beside them (formats.md, 3.2). Memory does not grow with the
 * file: it is read in windows of time, and of each channel the samples of one window are in memory.
 */
import { POINTS } from "../../../domain/Dictionary.ts"
import { SimulatorEvent } from "../../../domain/SimulatorEvent.ts"
import { fileStarted } from "../../fileStarted.ts"
import {
  type Facts,
  type FileReader,
  type Piece,
  type ReadOptions,
  type SourceFile,
  UnreadableFile
} from "../../FileReader.ts"
import { Crossings } from "../../tables/Crossings.ts"
import { type ImportedChannel, ours } from "../../tables/importedChannels.ts"
import { localTime } from "../../tables/localTime.ts"
import { Plane } from "../../tables/place.ts"
import { SessionRows } from "../../tables/SessionRows.ts"
import { type LdFile, isLd, openLd, readSamples } from "./ldFile.ts"
import { ldChannels, type LdSource } from "./ldChannels.ts"
import { crossingsOf } from "./ldLaps.ts"

/** Rows of the fastest channel in a window. */
const WINDOW_ROWS = 4096

const DATE = /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/
const TIME = /^(\d{1,2}):(\d{2})(?::(\d{2}(?:\.\d+)?))?$/

/** Epoch seconds of the first samples; undefined if the log has no readable date. */
const startOf = ({ date, time }: LdFile, { timeZone }: ReadOptions): number | undefined => {
  const [, day, month, year] = DATE.exec(date) ?? []
  const [, hour, minute, second = "0"] = TIME.exec(time) ?? []
  if (year === undefined || hour === undefined) return undefined
  return localTime(
    [Number(year), Number(month), Number(day)],
    [Number(hour), Number(minute), Number(second)],
    timeZone
  )
}

/** A group of the session: its channels, and the rate of its rows. */
interface Group {
  readonly name: string
  readonly sources: ReadonlyArray<LdSource>
  /** Hz: that of the fastest channel. */
  readonly rate: number
  /** The number of rows, until the last sample of any channel. */
  readonly length: number
  readonly rows: SessionRows
  readonly plane: Plane | undefined
}

const placing = ["latitude", "longitude", "altitude"] as const

/** The groups of a log. Positions come from latitude and longitude, at their own times. */
const groupsOf = (sources: ReadonlyArray<LdSource>): ReadonlyArray<Group> => {
  // Every session has points, even if they have no more than a time.
  const byGroup = new Map<string, Array<LdSource>>([[POINTS, []]])
  for (const source of sources) {
    const own = byGroup.get(source.channel.group)
    if (own === undefined) byGroup.set(source.channel.group, [source])
    else own.push(source)
  }
  const points = byGroup.get(POINTS) ?? []
  const gps = placing.flatMap((name) => sources.find(({ channel }) => channel.name === name) ?? [])
  const isPlaced = gps.length >= 2 && !points.some(({ channel }) => channel.name === "position_x")
  // The points have latitude and longitude as further columns, from which their positions are computed.
  if (isPlaced) byGroup.set(POINTS, [...points, ...gps])
  const fastest = Math.max(...sources.map(({ from }) => from.rate))
  const longest = Math.max(...sources.map(({ from }) => from.count / from.rate))
  return [...byGroup].map(([name, own]) => {
    const placed = name === POINTS && isPlaced
    const positions: ReadonlyArray<ImportedChannel> = placed
      ? ["position_x", "position_y", ...(gps.length > 2 ? ["position_z"] : [])].map((position) =>
          ours(position)!
        )
      : []
    const channels = own.map(({ channel }) =>
      placed && channel.group !== POINTS ? { ...channel, group: HIDDEN } : channel
    )
    const rate = own.length === 0 ? fastest : Math.max(...own.map(({ from }) => from.rate))
    const seconds = own.length === 0 ? longest : Math.max(...own.map(({ from }) => from.count / from.rate))
    return {
      name,
      sources: own,
      rate,
      length: Math.ceil(seconds * rate - 1e-6),
      rows: new SessionRows([...channels, ...positions]),
      plane: placed ? new Plane() : undefined
    }
  })
}

/** Columns from which others are computed, and which no group has. */
const HIDDEN = ""

/** Fills the column with the channel's newest value at each row, from the row `first` of the group on. */
const fill = (
  file: SourceFile,
  { convert, from, isSingle }: LdSource,
  column: Float64Array,
  first: number,
  rate: number
): void => {
  const { count, rate: own } = from
  // Rounded to a millionth of a sample, because a quotient such as 3 / 100 * 100 may fall short of a whole number.
  const sampleAt = (row: number) => Math.floor((row * own) / rate + 1e-6)
  const begin = Math.min(count, sampleAt(first))
  const end = Math.min(count, sampleAt(first + column.length - 1) + 1)
  if (begin >= end) return
  const samples = readSamples(file, from, begin, end)
  if (convert !== undefined) {
    for (let i = 0; i < samples.length; i++) {
      const value = convert(samples[i]!)
      samples[i] = isSingle ? Math.fround(value) : value
    }
  }
  if (own === rate) return column.set(samples)
  for (let row = 0; row < column.length; row++) {
    const n = sampleAt(first + row)
    if (n < count && n - begin < samples.length) column[row] = samples[n - begin]!
  }
}

function* pieces(file: SourceFile, options: ReadOptions): Generator<Piece, void, void> {
  const ld = openLd(file)
  const warnings: Array<string> = []
  const started = startOf(ld, options)
  if (started === undefined)
    warnings.push("The log has no date that can be read: it begins at the time of the file")
  const start = started ?? file.modified
  const { sources, warnings: ofChannels } = ldChannels(file, ld.channels)
  warnings.push(...ofChannels)
  if (ld.leftOut.length > 0) {
    warnings.push(`Left out, because they have no samples that can be read: ${ld.leftOut.join(", ")}`)
  }
  if (sources.length === 0) throw new UnreadableFile(ld.damage ?? "The log has no channel with samples")
  const groups = groupsOf(sources)
  const found = crossingsOf(file, ld)
  const laps = new Crossings(
    (found?.crossings ?? []).map(({ time, ...lap }) => ({ ...lap, time: start + time })),
    start
  )
  yield {
    events: [
      SimulatorEvent.ChannelsDeclared({
        groups: groups.flatMap(({ rows }) => rows.declarations).filter(({ name }) => name !== HIDDEN)
      }),
      fileStarted({ ...ld, circuit: ld.venue }, start, laps.isAny)
    ],
    read: 0
  }
  yield* windows(file, groups, start, laps)
  yield {
    events: [SimulatorEvent.SessionEnded()],
    read: file.size,
    warnings: [...warnings, ...laps.warnings],
    facts: [factsOf(ld, groups, found?.from)],
    ...(ld.damage === undefined ? {} : { partial: ld.damage })
  }
}

const factsOf = ({ texts }: LdFile, groups: ReadonlyArray<Group>, lapsFrom: string | undefined): Facts => {
  const origin = groups.flatMap(({ plane }) => plane?.origin ?? [])
  return {
    ...texts,
    ...(lapsFrom === undefined ? {} : { laps_from: lapsFrom }),
    ...(origin.length === 0 ? {} : { origin })
  }
}

/** The rows of the log in windows of time, and the laps that end in each. */
function* windows(
  file: SourceFile,
  groups: ReadonlyArray<Group>,
  start: number,
  laps: Crossings
): Generator<Piece, void, void> {
  const fastest = Math.max(...groups.map(({ rate }) => rate))
  const seconds = Math.max(1, Math.floor(WINDOW_ROWS / fastest))
  const duration = Math.max(...groups.map(({ length, rate }) => length / rate))
  let last = start
  for (let from = 0; from < duration; from += seconds) {
    const events: Array<SimulatorEvent> = []
    for (const { length, name, plane, rate, rows, sources } of groups) {
      const first = Math.ceil(from * rate - 1e-6)
      const until = Math.min(length, Math.ceil((from + seconds) * rate - 1e-6))
      if (first >= until) continue
      const open = rows.open(until - first)
      for (let i = 0; i < open.times.length; i++) open.times[i] = start + (first + i) / rate
      sources.forEach((source, n) => fill(file, source, open.columns[n]!, first, rate))
      if (plane !== undefined) place(sources, open.columns, plane, open.times.length)
      // Each group has rows of its own; those of the points are made of their own channels alone.
      events.push(...open.finish().filter(({ group }) => group === name))
      last = Math.max(last, open.times.at(-1)!)
    }
    events.push(...laps.until(start + Math.min(from + seconds, duration)))
    yield { events, read: Math.round(file.size * Math.min(1, (from + seconds) / duration)) }
  }
  if (laps.isAny) yield { events: laps.finish(last), read: file.size }
}

/** Sets the positions, whose columns follow those of the sources. */
const place = (
  sources: ReadonlyArray<LdSource>,
  columns: ReadonlyArray<Float64Array>,
  plane: Plane,
  length: number
): void => {
  const [latitude, longitude, altitude] = placing.map((name) =>
    sources.findIndex(({ channel }) => channel.name === name)
  ) as [number, number, number]
  const x = sources.length
  plane.place(columns[latitude]!, columns[longitude]!, columns[x]!, columns[x + 1]!, length)
  if (altitude >= 0) columns[x + 2]!.set(columns[altitude]!)
}

export const reader: FileReader = {
  format: "motec-ld",
  title: "MoTeC log (.ld)",
  endings: [".ld"],
  recognises: isLd,
  read: pieces
}
