/** A lap or a session as a Parquet file. */
import { Effect, Stream } from "effect"
import { Archive } from "../../archive/Archive.ts"
import type { ChosenRows, RowsWanted } from "../../archive/chosenRows.ts"
import { LapNotFound } from "../../domain/errors.ts"
import { POINTS } from "../../domain/Dictionary.ts"
import { Lap, type RecordedLap } from "../../domain/Lap.ts"
import { RowBatch } from "../../domain/RowBatch.ts"
import { Session } from "../../domain/Session.ts"
import { pointDefinitions } from "../../domain/vocabulary.ts"
import { version } from "../../platform/version.ts"
import { toJson } from "../../platform/wire.ts"
import { Dictionaries } from "../../store/Dictionaries.ts"
import { Sessions } from "../../store/Sessions.ts"
import * as PointsParquet from "./pointsParquet.ts"

const LAP_NUMBER = "lap_number"

const lapJson = toJson(Lap)
const sessionJson = toJson(Session)

/** The definitions of the columns, as the list of channels has them. */
const channelsOf = Effect.fnUntraced(function* (sessionId: number, { columns }: ChosenRows) {
  const dictionary = yield* (yield* Dictionaries).dictionary(sessionId)
  return columns.flatMap((name) => {
    const point = pointDefinitions.find((one) => one.name === name)
    if (point !== undefined) {
      const { description, kind, labels, unit } = point
      return [{ name, unit, kind, group: POINTS, description, labels }]
    }
    const found = dictionary?.channel(name)
    return found === undefined ? [] : [{ ...found.channel, group: found.group.name }]
  })
})

const metadataOf = (session: Session, laps: ReadonlyArray<Lap>, channels: ReadonlyArray<unknown>) => ({
  session: JSON.stringify(sessionJson(session)),
  laps: JSON.stringify(laps.map((lap) => lapJson(lap))),
  channels: JSON.stringify(channels),
  telemetry_version: version
})

export const lapParquet = Effect.fn("export.lapParquet")(function* (lapId: number, wanted: RowsWanted) {
  const { chosen, lap, points } = yield* (yield* Archive).lapPoints(lapId, wanted)
  // The session was deleted between two reads, and the lap with it.
  const gone = () => new LapNotFound({ lapId })
  const session = yield* Effect.catchTag((yield* Sessions).session(lap.sessionId), "SessionNotFound", gone)
  const channels = yield* Effect.catchTag(channelsOf(lap.sessionId, chosen), "SessionNotFound", gone)
  const task = { columns: chosen.columns, integers: [], metadata: metadataOf(session, [lap], channels) }
  return {
    name: `lap-${lap.id}.parquet`,
    contentType: PointsParquet.PARQUET_TYPE,
    text: PointsParquet.table(points, task)
  }
})

/** The rows with the number of their lap as their last column; it is absent outside of laps. */
const numbered = (batch: RowBatch, lap: RecordedLap | null): RowBatch => {
  const { channels, data, length } = batch
  const whole = RowBatch.allocate<string>(length, [...channels, LAP_NUMBER])
  whole.data.set(data)
  whole.data.fill(lap?.lapNumber ?? Number.NaN, data.length)
  return whole
}

export const sessionParquet = Effect.fn("export.sessionParquet")(function* (
  sessionId: number,
  wanted: RowsWanted
) {
  const { chosen, inRoom, session, stretches } = yield* (yield* Archive).session(sessionId, wanted)
  const laps = stretches.flatMap(({ lap }) => (lap === null ? [] : [lap]))
  const rows = Stream.flatMap(Stream.fromIterable(stretches), ({ lap, points }) =>
    Stream.map(points, (batch) => numbered(batch, lap))
  )
  const task = {
    columns: [...chosen.columns, LAP_NUMBER],
    integers: [LAP_NUMBER],
    metadata: metadataOf(session, laps, yield* channelsOf(sessionId, chosen))
  }
  return {
    name: `session-${session.id}.parquet`,
    contentType: PointsParquet.PARQUET_TYPE,
    text: inRoom(PointsParquet.table(rows, task))
  }
})
