/** A lap or a session as a text file of other programs: its points, with the coordinates of their time. */
import { Effect, Option, Stream } from "effect"
import { Archive } from "../../archive/Archive.ts"
import type { RowsWanted } from "../../archive/chosenRows.ts"
import { type ChannelDefinition, emptyDictionary, POINTS } from "../../domain/Dictionary.ts"
import { isDeclared } from "../../domain/ChannelSet.ts"
import { type Gate, gateAcross } from "../../domain/Gate.ts"
import { InvalidValue, LapNotFound } from "../../domain/errors.ts"
import type { RecordedLap } from "../../domain/Lap.ts"
import { channels as pointChannels } from "../../domain/pointChannels.ts"
import { pointDefinitions } from "../../domain/vocabulary.ts"
import { Dictionaries } from "../../store/Dictionaries.ts"
import { Laps } from "../../store/Laps.ts"
import { Sessions } from "../../store/Sessions.ts"
import { utf8 } from "../pieces.ts"
import { columnIn, type ExchangeFile, type ExchangeFormat } from "./Exchange.ts"
import { motecCsv } from "./motecCsv.ts"
import { raceChrono } from "./raceChrono.ts"
import { gpx, kml } from "./tracks.ts"
import { vbo } from "./vbo.ts"

export const exchangeFormats = { vbo, racechrono: raceChrono, "motec-csv": motecCsv, gpx, kml } as const
export type ExchangeName = keyof typeof exchangeFormats
export const exchangeNames = Object.keys(exchangeFormats) as ReadonlyArray<ExchangeName> as readonly [
  "vbo",
  "racechrono",
  "motec-csv",
  "gpx",
  "kml"
]

export const isExchange = (format: string): format is ExchangeName => Object.hasOwn(exchangeFormats, format)

/** What is written besides the points, where the session has it. */
const ofReceiver = ["latitude", "longitude", "altitude", "gps_heading", "satellites"]

/** The line square to the car's way at the begin of a lap; undefined if its first two rows have no coordinates. */
const gateOf = (lap: RecordedLap, first: Option.Option<Parameters<typeof columnIn>[0]>): Gate | undefined => {
  if (Option.isNone(first)) return undefined
  const batch = first.value
  const [latitudes, longitudes] = [columnIn(batch, "latitude"), columnIn(batch, "longitude")]
  if (latitudes === undefined || longitudes === undefined || batch.length < 2) return undefined
  const [time, next] = [batch.timestamps[0]!, batch.timestamps[1]!]
  const share = (lap.startTime - time) / (next - time)
  return gateAcross(
    { latitudes: [latitudes[0]!, latitudes[1]!], longitudes: [longitudes[0]!, longitudes[1]!] },
    share
  )
}

interface Stretch<E, R> {
  readonly lap: RecordedLap | null
  readonly points: Stream.Stream<Parameters<typeof columnIn>[0], E, R>
}

/** The rows to ask for, and the definitions of all columns. */
const columnsOf = Effect.fnUntraced(function* (
  sessionId: number,
  format: ExchangeName,
  { channels = [], group, ...wanted }: RowsWanted
) {
  if (group !== undefined && group !== POINTS) {
    const expected = "points or left out, because the file has the points"
    return yield* new InvalidValue({ name: "group", value: group, expected })
  }
  const dictionary = (yield* (yield* Dictionaries).dictionary(sessionId)) ?? emptyDictionary
  const has = (name: string) => dictionary.channel(name) !== undefined
  if (exchangeFormats[format].needsCoordinates && !(has("latitude") && has("longitude"))) {
    const expected = "of a session with latitude and longitude, which this one does not have"
    return yield* new InvalidValue({ name: "format", value: format, expected })
  }
  const names = [...new Set([...ofReceiver.filter(has), ...channels])]
  const points = pointDefinitions.filter(
    ({ name }) =>
      name !== "timestamp" &&
      isDeclared(
        dictionary.declared,
        pointChannels.findIndex((one) => one === name)
      )
  )
  const definitionsOf = (columns: ReadonlyArray<string>): ReadonlyArray<ChannelDefinition> => {
    const others = columns.flatMap((name) => dictionary.channel(name)?.channel ?? [])
    return [...others, ...points]
  }
  // Rows of the points, with the channels beside them.
  const asked: RowsWanted = { ...wanted, channels: names }
  return { asked, definitionsOf }
})

const firstBatch = <E, R>({ points }: Stretch<E, R>) => Stream.runHead(points)

const written = Effect.fnUntraced(function* <E, R>(
  format: ExchangeFormat,
  stretches: ReadonlyArray<Stretch<E, R>>,
  file: Omit<ExchangeFile, "start" | "gate" | "laps">
) {
  const [begin] = stretches
  const first = begin === undefined ? Option.none() : yield* firstBatch(begin)
  const start = Option.isNone(first) ? file.session.datetime : first.value.timestamps[0]!
  const timed = stretches.find(({ lap }) => lap !== null && lap.lapTime !== null)
  const gate = timed?.lap == null ? undefined : gateOf(timed.lap, yield* firstBatch(timed))
  const laps = stretches.flatMap(({ lap }) => (lap === null ? [] : [lap]))
  const whole: ExchangeFile = { ...file, start, gate, laps }
  const write = format.writer(whole)
  /** Of the last text that was written; parts without any row have no text, and nothing between them. */
  let part: number | undefined
  const textOf = (n: number, text: string) => {
    if (text === "") return text
    const isNext = part !== undefined && part !== n
    part = n
    return isNext && format.between !== undefined ? format.between + text : text
  }
  const rows = Stream.fromIterable(stretches.entries()).pipe(
    Stream.flatMap(([n, { lap, points }]) =>
      Stream.map(points, (batch) => textOf(n, write(batch, lap?.lapNumber ?? null)))
    )
  )
  return Stream.make(format.head(whole)).pipe(
    Stream.concat(rows),
    Stream.concat(Stream.make(format.foot)),
    Stream.filter((text) => text !== ""),
    Stream.map(utf8)
  )
})

export const lapExchange = Effect.fn("export.lapExchange")(function* (
  lapId: number,
  name: ExchangeName,
  wanted: RowsWanted
) {
  const gone = () => new LapNotFound({ lapId })
  const { sessionId } = yield* (yield* Laps).lap(lapId)
  const format = exchangeFormats[name]
  const { asked, definitionsOf } = yield* Effect.catchTag(
    columnsOf(sessionId, name, wanted),
    "SessionNotFound",
    gone
  )
  const { chosen, lap, points } = yield* (yield* Archive).lapPoints(lapId, asked)
  const session = yield* Effect.catchTag((yield* Sessions).session(sessionId), "SessionNotFound", gone)
  const stretches: ReadonlyArray<Stretch<Stream.Stream.Error<typeof points>, never>> = [{ lap, points }]
  const text = Stream.unwrap(written(format, stretches, { session, columns: definitionsOf(chosen.columns) }))
  return { name: `lap-${lapId}.${format.ending}`, contentType: format.contentType, text }
})

export const sessionExchange = Effect.fn("export.sessionExchange")(function* (
  sessionId: number,
  name: ExchangeName,
  wanted: RowsWanted
) {
  const format = exchangeFormats[name]
  const { asked, definitionsOf } = yield* columnsOf(sessionId, name, wanted)
  const archive = yield* Archive
  const { chosen, inRoom, session, stretches } = yield* archive.session(sessionId, asked)
  const text = Stream.unwrap(written(format, stretches, { session, columns: definitionsOf(chosen.columns) }))
  return {
    name: `session-${sessionId}.${format.ending}`,
    contentType: format.contentType,
    text: inRoom(text)
  }
})
