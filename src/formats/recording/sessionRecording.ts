/**
 * A session as a recording of a native feed (native-feed.md), packed by gzip: everything that the service has of it, to
 * the last bit. Importing the file gives the same session again.
 *
 * Beyond the native feed's own keys, `laps_complete` says that all laps come as messages, also the last; a lap has
 * `sector_source`, and `driver` and `withdrawn` where they apply.
 */
import { promisify } from "node:util"
import { gzip } from "node:zlib"
import { Chunk, Effect, Option, Stream } from "effect"
import { isDeclared } from "../../domain/ChannelSet.ts"
import { type Dictionary, emptyDictionary, POINTS } from "../../domain/Dictionary.ts"
import type { RecordedLap } from "../../domain/Lap.ts"
import { channels as pointChannels } from "../../domain/pointChannels.ts"
import { lowerBound, RowBatch } from "../../domain/RowBatch.ts"
import type { Session } from "../../domain/Session.ts"
import { formatDateTime } from "../../domain/Time.ts"
import { Dictionaries } from "../../store/Dictionaries.ts"
import { Laps } from "../../store/Laps.ts"
import { RowStore } from "../../store/RowStore.ts"
import { Sessions } from "../../store/Sessions.ts"

export const RECORDING_TYPE = "application/gzip"

/** Rows in one message, and the time that it spans at most, s. */
const MAX_ROWS = 1000
const MAX_SPAN_S = 1
/** Text that is packed together, characters. Each piece is a member of the gzip file. */
const PIECE = 256 * 1024

const pack = promisify(gzip)

const line = (message: unknown): string => `${JSON.stringify(message)}\n`

const sessionLine = ({ circuit, datetime, driver, vehicle }: Session, { groups }: Dictionary): string =>
  line({
    type: "session",
    circuit,
    vehicle,
    driver,
    datetime: formatDateTime(datetime),
    start_time: 0,
    laps_complete: true,
    groups: groups.map(({ channels, name }) => ({
      name,
      channels: channels.map(({ description, kind, labels, name, unit }) => ({
        name,
        unit,
        kind,
        description,
        labels
      }))
    }))
  })

const lapLine = (lap: RecordedLap): string =>
  line({
    type: "lap",
    lap_number: lap.lapNumber,
    lap_time: lap.lapTime,
    sector1_time: lap.sector1Time,
    sector2_time: lap.sector2Time,
    sector3_time: lap.sector3Time,
    sector_source: lap.sectorSource ?? null,
    valid: lap.valid,
    start_time: lap.startTime,
    end_time: lap.endTime,
    ...(lap.driver === undefined ? {} : { driver: lap.driver }),
    ...(lap.withdrawn === true ? { withdrawn: true } : {})
  })

/** The rows `from` to `until` as one message. A value that is absent is left out. */
const rowsLine = (group: string, batch: RowBatch, from: number, until: number): string => {
  const { channels, data, length } = batch
  let text =
    group === POINTS ? '{"type":"points","points":[' : `{"type":"points","group":"${group}","points":[`
  for (let i = from; i < until; i++) {
    text += i === from ? "{" : ",{"
    let isFirst = true
    for (let c = 0; c < channels.length; c++) {
      const value = data[c * length + i]!
      if (Number.isNaN(value)) continue
      // JSON has no -0, which is a value of its own here.
      text += `${isFirst ? "" : ","}"${channels[c]}":${Object.is(value, -0) ? "-0" : value}`
      isFirst = false
    }
    text += "}"
  }
  return `${text}]}\n`
}

/** A message with its time, by which messages of groups are put in order. */
interface Message {
  readonly time: number
  readonly text: string
}

const messagesOf = (group: string, batch: RowBatch): ReadonlyArray<Message> => {
  const times = batch.timestamps
  const messages: Array<Message> = []
  for (let from = 0; from < batch.length;) {
    const end = lowerBound(times, times[from]! + MAX_SPAN_S, from)
    const until = Math.max(from + 1, Math.min(end, from + MAX_ROWS))
    messages.push({ time: times[from]!, text: rowsLine(group, batch, from, until) })
    from = until
  }
  return messages
}

/** The columns of the points that the session's source declared, and the time. */
const declaredColumns = ({ declared }: Dictionary) =>
  pointChannels.filter((channel, c) => channel === "timestamp" || isDeclared(declared, c))

export const recordingFile = Effect.fn("export.recordingFile")(function* (sessionId: number) {
  const store = yield* RowStore
  const session = yield* (yield* Sessions).session(sessionId)
  const dictionary = (yield* (yield* Dictionaries).dictionary(sessionId)) ?? emptyDictionary
  const laps = (yield* (yield* Laps).laps(sessionId)).toSorted((a, b) => a.startTime - b.startTime)
  yield* store.check
  const sessions = yield* Sessions

  const rowsOf = (group: string, columns: ReadonlyArray<string>, from: number, until: number) =>
    store.read({ sessionId, group, from, until }, columns).pipe(
      Stream.runCollect,
      Effect.map((batches) => RowBatch.concat(Chunk.toReadonlyArray(batches)))
    )

  /** Everything from `from` to `until`: the rows of all groups by time, and the laps that have ended by then. */
  const textBetween = (points: RowBatch, from: number, until: number, ended: ReadonlyArray<RecordedLap>) =>
    Effect.gen(function* () {
      const samples = yield* Effect.forEach(dictionary.groups, ({ columns, name }) =>
        Effect.map(rowsOf(name, columns, from, until), (batch) =>
          batch.length === 0 ? [] : messagesOf(name, batch)
        )
      )
      const rows = [points.length === 0 ? [] : messagesOf(POINTS, points), ...samples].flat()
      return (
        rows
          .toSorted((a, b) => a.time - b.time)
          .map(({ text }) => text)
          .join("") + ended.map(lapLine).join("")
      )
    })

  const columns = declaredColumns(dictionary)
  const all = { sessionId, group: POINTS, from: -Infinity, until: Infinity }
  /** One batch of points at a time. The groups' rows between two batches go with the second; laps follow their points. */
  const texts = store.read(all, columns).pipe(
    Stream.map(Option.some<RowBatch>),
    Stream.concat(Stream.make(Option.none<RowBatch>())),
    Stream.mapAccumEffect({ from: -Infinity, laps: 0 }, (state, next) => {
      const points = Option.getOrElse(next, () => RowBatch.allocate(0, columns))
      const last = Option.isNone(next) ? Infinity : points.timestamps.at(-1)!
      let given = state.laps
      while (given < laps.length && laps[given]!.endTime <= last) given++
      return Effect.map(textBetween(points, state.from, last, laps.slice(state.laps, given)), (text) => [
        { from: last, laps: given },
        text
      ])
    })
  )
  // A deletion removes the session first, so a session that is still there at the end had all its rows.
  const whole = Stream.make(sessionLine(session, dictionary)).pipe(
    Stream.concat(texts),
    Stream.concat(Stream.fromEffect(Effect.as(sessions.session(sessionId), line({ type: "session_end" }))))
  )
  const packed = whole.pipe(
    Stream.mapConcat((text) => piecesOf(text)),
    Stream.mapEffect((text) => Effect.promise(() => pack(text)))
  )
  return { name: `session-${sessionId}.ndjson.gz`, contentType: RECORDING_TYPE, text: packed }
})

/** Whole lines, some `PIECE` characters together. */
const piecesOf = (text: string): ReadonlyArray<string> => {
  const pieces: Array<string> = []
  for (let from = 0; from < text.length;) {
    const end = from + PIECE >= text.length ? text.length : text.indexOf("\n", from + PIECE) + 1
    pieces.push(text.slice(from, end))
    from = end
  }
  return pieces
}
