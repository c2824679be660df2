/**
 * A log whose channels each have a rate: its groups, and their rows in windows of time. Of each channel the samples of one
 * window are in memory. Plain.
 */
import { type GroupDeclaration, POINTS } from "../../domain/Dictionary.ts"
import { ABSENT } from "../../domain/RowBatch.ts"
import type { SimulatorEvent } from "../../domain/SimulatorEvent.ts"
import type { Piece } from "../FileReader.ts"
import type { Crossings } from "./Crossings.ts"
import { type ImportedChannel, ours } from "./importedChannels.ts"
import { Plane } from "./place.ts"
import { SessionRows } from "./SessionRows.ts"

/** Rows of the fastest channel in a window. */
const WINDOW_ROWS = 4096

/** Samples at a constant rate, from the start of the log on. */
export interface Samples {
  /** Hz; not always whole. */
  readonly rate: number
  /** The number of samples. */
  readonly count: number
  /** The samples from `begin` to `end` (exclusive), in the channel's unit; NaN is absent. */
  readonly samples: (begin: number, end: number) => Float64Array | Promise<Float64Array>
}

/** A channel of the session, with its samples. */
export interface SampledSource extends Samples {
  readonly channel: ImportedChannel
}

/** A group of the session: its channels, and the rate of its rows. */
interface Group {
  readonly name: string
  readonly sources: ReadonlyArray<SampledSource>
  /** Hz: that of the fastest channel. */
  readonly rate: number
  /** The number of rows, until the last sample of any channel. */
  readonly length: number
  readonly rows: SessionRows
  readonly plane: Plane | undefined
}

const placing = ["latitude", "longitude", "altitude"] as const

/** Columns from which others are computed, and which no group has. */
const HIDDEN = ""

/** The groups of a log. Positions come from latitude and longitude, at their own times. */
const groupsOf = (sources: ReadonlyArray<SampledSource>): ReadonlyArray<Group> => {
  // Every session has points, even if they have no more than a time.
  const byGroup = new Map<string, Array<SampledSource>>([[POINTS, []]])
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
  const fastest = Math.max(...sources.map(({ rate }) => rate))
  const longest = Math.max(...sources.map(({ count, rate }) => count / rate))
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
    const rate = own.length === 0 ? fastest : Math.max(...own.map(({ rate }) => rate))
    const seconds = own.length === 0 ? longest : Math.max(...own.map(({ count, rate }) => count / rate))
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

/** Fills the column with the channel's newest value at each row, from the row `first` of the group on; absent after its last. */
const fill = async (
  { count, rate: own, samples: samplesOf }: SampledSource,
  column: Float64Array,
  first: number,
  rate: number
): Promise<void> => {
  // Rounded to a millionth of a sample, because a quotient such as 3 / 100 * 100 may fall short of a whole number.
  const sampleAt = (row: number) => Math.floor((row * own) / rate + 1e-6)
  const begin = Math.min(count, sampleAt(first))
  const end = Math.min(count, sampleAt(first + column.length - 1) + 1)
  const samples = begin < end ? await samplesOf(begin, end) : new Float64Array(0)
  if (own === rate) {
    column.set(samples)
    column.fill(ABSENT, samples.length)
    return
  }
  for (let row = 0; row < column.length; row++) {
    const n = sampleAt(first + row) - begin
    column[row] = n < samples.length ? samples[n]! : ABSENT
  }
}

/** Sets the positions, whose columns follow those of the sources. */
const place = (
  sources: ReadonlyArray<SampledSource>,
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

export class SampledLog {
  readonly #groups: ReadonlyArray<Group>

  /** `sources`: at least one; no two of one name. */
  constructor(sources: ReadonlyArray<SampledSource>) {
    this.#groups = groupsOf(sources)
  }

  get declarations(): ReadonlyArray<GroupDeclaration> {
    return this.#groups.flatMap(({ rows }) => rows.declarations).filter(({ name }) => name !== HIDDEN)
  }

  /** Latitude and longitude of the session's plane, degrees; undefined before the first fix. */
  get origin(): readonly [latitude: number, longitude: number] | undefined {
    return this.#groups.find(({ plane }) => plane !== undefined)?.plane?.origin
  }

  /**
   * The rows in windows of time, and the laps that end in each. `size`: of the file, bytes. `timeAt`: epoch seconds of so many
   * seconds of samples.
   */
  async *windows(
    size: number,
    timeAt: (seconds: number) => number,
    laps: Crossings
  ): AsyncGenerator<Piece, void, void> {
    const fastest = Math.max(...this.#groups.map(({ rate }) => rate))
    const seconds = Math.max(1, Math.floor(WINDOW_ROWS / fastest))
    const duration = Math.max(...this.#groups.map(({ length, rate }) => length / rate))
    let last = timeAt(0)
    for (let from = 0; from < duration; from += seconds) {
      const events: Array<SimulatorEvent> = []
      for (const { length, name, plane, rate, rows, sources } of this.#groups) {
        const first = Math.ceil(from * rate - 1e-6)
        const until = Math.min(length, Math.ceil((from + seconds) * rate - 1e-6))
        if (first >= until) continue
        const open = rows.open(until - first)
        for (let i = 0; i < open.times.length; i++) open.times[i] = timeAt((first + i) / rate)
        for (const [n, source] of sources.entries()) await fill(source, open.columns[n]!, first, rate)
        if (plane !== undefined) place(sources, open.columns, plane, open.times.length)
        // Each group has rows of its own; those of the points are made of their own channels alone.
        events.push(...open.finish().filter(({ group }) => group === name))
        last = Math.max(last, open.times.at(-1)!)
      }
      events.push(...laps.until(timeAt(Math.min(from + seconds, duration))))
      yield { events, read: Math.round(size * Math.min(1, (from + seconds) / duration)) }
    }
    if (laps.isAny) yield { events: laps.finish(last), read: size }
  }
}
