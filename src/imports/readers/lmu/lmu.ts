/**
 * Le Mans Ultimate's databases (`.duckdb`; formats.md, 3.3): a table for each channel, and one for each event. The library that
 * reads them is optional, and runs in a process of its own.
 */
import { lowerBound } from "../../../domain/RowBatch.ts"
import { SimulatorEvent } from "../../../domain/SimulatorEvent.ts"
import { fileStarted } from "../../fileStarted.ts"
import { type FileReader, type Piece, type SourceFile, UnreadableFile } from "../../FileReader.ts"
import { Crossings } from "../../tables/Crossings.ts"
import { SampledLog } from "../../tables/SampledLog.ts"
import { CLOCK, eventRate, lmuChannels, type LmuSource } from "./lmuChannels.ts"
import { isDuckDb, type LmuDatabase, withDatabase } from "./lmuDatabase.ts"
import { crossingsOf, type EventRows } from "./lmuLaps.ts"

const CLOCK_HZ = 100
/** A listed rate that is off by more is not the channel's. */
const RATE_TOLERANCE = 0.001
/** More rows than those of four days are no drive. */
const MAX_ROWS = 40_000_000
/** Longer lists of events are no events. */
const MAX_EVENTS = 1_000_000

const noRows: EventRows = { times: new Float64Array(), values: new Float64Array() }

const STARTED = /^(\d{4}-\d{2}-\d{2})T(\d{2})[_:](\d{2})[_:](\d{2}(?:\.\d+)?)Z$/

/** Epoch seconds; undefined if the file has no time that can be read. */
const startOf = (recorded: string | undefined): number | undefined => {
  const [, date, hour, minute, second] = STARTED.exec(recorded ?? "") ?? []
  const millis = Date.parse(`${date}T${hour}:${minute}:${second}Z`)
  return Number.isNaN(millis) ? undefined : millis / 1000
}

/** Facts that are kept as texts; ids of persons are not. */
const FACTS = {
  session_type: "SessionType",
  car_class: "CarClass",
  weather: "WeatherConditions",
  setup: "CarSetup"
}

const factsOf = (metadata: ReadonlyMap<string, string>) =>
  Object.fromEntries(
    Object.entries(FACTS).flatMap(([fact, key]) => {
      const text = metadata.get(key)
      return text === undefined || text === "" ? [] : [[fact, text]]
    })
  )

/** A layout is a part of the circuit's name, unless it is all of it. */
const circuitOf = (metadata: ReadonlyMap<string, string>): string => {
  const [track = "", layout = ""] = [metadata.get("TrackName"), metadata.get("TrackLayout")]
  return layout === "" || layout === track ? track : `${track} (${layout})`
}

const channelRate = (listed: number | undefined, rows: number, duration: number): number => {
  const counted = rows / duration
  return listed !== undefined && Math.abs(counted / listed - 1) <= RATE_TOLERANCE ? listed : counted
}

/** Lists such as `channelsList`: what stands in the first column, and the rest. */
const listOf = async ({ tables, texts }: LmuDatabase, table: string, columns: ReadonlyArray<string>) =>
  new Map(
    // Files of other versions may lack a list.
    (tables.some(({ name }) => name === table) ? await texts(table, columns) : []).map(
      ([key = "", ...rest]) => [key, rest]
    )
  )

/** The newest value of an event at each of its rows. */
const asOf = (
  { times, values }: EventRows,
  clock: (seconds: number) => number,
  rate: number,
  count: number
) => ({
  rate,
  count,
  samples: (begin: number, end: number) =>
    Float64Array.from({ length: Math.min(end, count) - begin }, (_, n) => {
      const after = lowerBound(times, clock((begin + n) / rate) + 1e-9)
      return after === 0 ? Number.NaN : values[after - 1]!
    })
})

async function* pieces(file: SourceFile, database: LmuDatabase): AsyncGenerator<Piece, void, void> {
  const { tables, values } = database
  const tableOf = (name: string) => tables.find((table) => table.name === name)
  const clockTable = tableOf(CLOCK)
  if (clockTable === undefined || clockTable.columns[0] !== "value" || clockTable.rows === 0) {
    throw new UnreadableFile(`It is a DuckDB file without the table ${CLOCK}: none of Le Mans Ultimate`)
  }
  if (tables.some(({ rows }) => rows > MAX_ROWS))
    throw new UnreadableFile("A table has more rows than a drive")
  const metadata = new Map(
    [...(await listOf(database, "metadata", ["key", "value"]))].map(([key, [value = ""]]) => [key, value])
  )
  const listed = await listOf(database, "channelsList", ["channelName", "unit", "frequency"])
  const eventUnits = await listOf(database, "eventsList", ["eventName", "unit"])
  const times = await values(CLOCK, "value", 0, clockTable.rows)
  const clockRate = Number(listed.get(CLOCK)?.[1] ?? CLOCK_HZ)
  const duration = times.length / clockRate
  /** A sample is at the clock's row that is nearest by its number: the clock has gaps. */
  const clock = (seconds: number) => times[Math.min(times.length - 1, Math.round(seconds * clockRate))]!
  const warnings: Array<string> = []
  const started = startOf(metadata.get("RecordingTime"))
  if (started === undefined)
    warnings.push("It has no date that can be read: it begins at the time of the file")
  const start = started ?? file.modified
  const timeOf = (time: number) => start + (time - times[0]!)

  const events = new Map<string, EventRows>()
  const found: Array<LmuSource> = []
  for (const { columns, name, rows } of tables) {
    if (rows === 0 || columns.length === 0) continue
    if (columns[0] === "ts") {
      if (columns[1] === undefined || rows > MAX_EVENTS) continue
      const one: EventRows = {
        times: await values(name, "ts", 0, rows),
        values: await values(name, columns[1], 0, rows)
      }
      events.set(name, one)
      const rate = eventRate(name, clockRate)
      const samples = asOf(one, clock, rate, Math.ceil(duration * rate))
      found.push({ name, wheel: undefined, unit: eventUnits.get(name)?.[0] ?? "", isEvent: true, ...samples })
      continue
    }
    const [unit = "", frequency] = listed.get(name) ?? []
    const rate = channelRate(frequency === undefined ? undefined : Number(frequency), rows, duration)
    columns.forEach((column, n) => {
      if (column !== "value" && column !== `value${n + 1}`) return
      found.push({
        name,
        wheel: columns.length === 4 ? n : undefined,
        unit,
        isEvent: false,
        rate,
        count: rows,
        samples: (begin, end) => values(name, column, begin, end)
      })
    })
  }
  const { sources, warnings: ofChannels } = await lmuChannels(found)
  warnings.push(...ofChannels)
  if (sources.length === 0) throw new UnreadableFile("It has no channel with samples")
  const log = new SampledLog(sources)
  const laps = new Crossings(
    crossingsOf((name) => events.get(name) ?? noRows, timeOf),
    start
  )
  const session = {
    circuit: circuitOf(metadata),
    vehicle: metadata.get("CarName") ?? "",
    driver: metadata.get("DriverName") ?? ""
  }
  yield {
    events: [
      SimulatorEvent.ChannelsDeclared({ groups: log.declarations }),
      fileStarted(session, start, laps.isAny)
    ],
    read: 0
  }
  yield* log.windows(file.size, (seconds) => timeOf(clock(seconds)), laps)
  const { origin } = log
  yield {
    events: [SimulatorEvent.SessionEnded()],
    read: file.size,
    warnings: [...warnings, ...laps.warnings],
    facts: [{ ...factsOf(metadata), ...(origin === undefined ? {} : { origin }) }]
  }
}

export const reader: FileReader = {
  format: "lmu-duckdb",
  title: "Le Mans Ultimate (.duckdb)",
  endings: [".duckdb"],
  recognises: isDuckDb,
  read: (file) => withDatabase(file, (database) => pieces(file, database))
}
