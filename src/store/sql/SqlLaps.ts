/** Laps in the catalog. */
import type * as SqlClient from "@effect/sql/SqlClient"
import { Array, Effect } from "effect"
import { LapNotFound, SessionBeingRecorded, SessionNotFound } from "../../domain/errors.ts"
import type { LapChange, NewLap } from "../../domain/Lap.ts"
import { traced } from "../../observability/traced.ts"
import type { LapsWanted } from "../Changes.ts"
import type { Sessions } from "../Sessions.ts"
import { orUnavailable } from "./catalogFailures.ts"
import { fromLapDriver, fromNewLap, givenId, type LapRow, toLap } from "./catalogRows.ts"
import { prepared } from "./prepared.ts"
import type { SqlChanges } from "./SqlChanges.ts"
import type { SqlCircuits } from "./SqlCircuits.ts"

/** A row has thirteen values, and SQLite takes 32,766 parameters in a statement. */
const LAPS_OF_STATEMENT = 500

/** Consecutive laps of one session, together and in their order, in pages. */
const runsOf = (laps: ReadonlyArray<NewLap>) => {
  const runs: Array<Array<NewLap>> = []
  for (const lap of laps) {
    const run = runs.at(-1)
    if (run?.[0]!.sessionId === lap.sessionId && run.length < LAPS_OF_STATEMENT) run.push(lap)
    else runs.push([lap])
  }
  return runs
}

/** Whether two laps of a session have the same number and times. */
const isSameLap = (a: NewLap, b: NewLap): boolean =>
  a.startTime === b.startTime &&
  a.endTime === b.endTime &&
  a.lapNumber === b.lapNumber &&
  a.lapTime === b.lapTime &&
  a.sector1Time === b.sector1Time &&
  a.sector2Time === b.sector2Time &&
  a.sector3Time === b.sector3Time

export const make = (
  sql: SqlClient.SqlClient,
  { turn }: SqlChanges,
  { addSectorLines }: SqlCircuits,
  { session }: typeof Sessions.Service
) => {
  /** Laps of one session, a few hundred at most. */
  const addLapsOfOne = Effect.fnUntraced(function* (sessionId: number, laps: ReadonlyArray<NewLap>) {
    const held = yield* sql`UPDATE sessions SET recording = recording WHERE id = ${sessionId} RETURNING id`
    if (held.length === 0) return yield* new SessionNotFound({ sessionId })
    const added = yield* sql<{
      readonly start_time: number
    }>`INSERT INTO laps ${sql.insert(laps.map(fromNewLap))}
      ON CONFLICT (session_id, start_time) DO NOTHING RETURNING start_time`
    const isNew = new Set(added.map((row) => row.start_time))
    for (const { sectorLines, startTime } of laps) {
      if (sectorLines === undefined || !isNew.has(startTime)) continue
      yield* addSectorLines(sessionId, sectorLines)
    }
    const starts = laps.map((lap) => lap.startTime)
    const rows = yield* sql<LapRow>`SELECT * FROM laps
      WHERE session_id = ${sessionId} AND start_time IN ${sql.in(starts)}`
    const byStart = new Map(rows.map((row) => [row.start_time, toLap(row)]))
    return starts.map((start) => byStart.get(start)!)
  })

  const addLaps = Effect.fn("Laps.addLaps")(function* (laps: ReadonlyArray<NewLap>) {
    if (laps.length === 0) return []
    const added = Effect.forEach(runsOf(laps), (run) => addLapsOfOne(run[0]!.sessionId, run))
    return yield* sql.withTransaction(Effect.zipRight(turn(0), Effect.map(added, Array.flatten)))
  }, orUnavailable)

  const changeLap = Effect.fn("Laps.changeLap")(function* (
    sessionId: number,
    startTime: number,
    change: LapChange
  ) {
    const [one, two, three] = change.sectors ?? []
    const changed = {
      ...(change.lapTime === undefined ? {} : { lap_time: change.lapTime }),
      ...(change.sectors === undefined
        ? {}
        : { sector1_time: one, sector2_time: two, sector3_time: three, sector_source: "simulator" }),
      ...(change.driver === undefined ? {} : fromLapDriver(change.driver)),
      ...(change.withdrawn === undefined ? {} : { withdrawn: 1 })
    }
    const at = sql`WHERE session_id = ${sessionId} AND start_time = ${startTime}`
    const settings = Object.entries(changed).map(([column, value]) => sql`${sql(column)} = ${value}`)
    if (change.valid !== undefined || change.withdrawn !== undefined) {
      const reported =
        change.valid === undefined
          ? sql`coalesce(valid_reported, valid)`
          : sql.literal(change.valid ? "1" : "0")
      settings.push(sql`valid_reported = CASE WHEN valid_reported IS NOT NULL THEN ${reported} END`)
      // A withdrawn lap stays invalid, whatever a later change or a user says.
      settings.push(
        change.withdrawn === undefined
          ? sql`valid = CASE WHEN withdrawn = 1 OR excluded = 1 THEN 0 ELSE coalesce(valid_given, ${reported}) END`
          : sql`valid = 0`
      )
    }
    const update = sql<LapRow>`UPDATE laps SET ${sql.csv(settings)} ${at} RETURNING *`
    const [row] = yield* settings.length === 0
      ? sql<LapRow>`SELECT * FROM laps ${at}`
      : sql.withTransaction(Effect.zipRight(turn(0), update))
    return row === undefined ? undefined : toLap(row)
  }, orUnavailable)

  const rowOf = prepared(sql, (id) => sql<LapRow>`SELECT * FROM laps WHERE id = ${givenId(sql, id)}`)

  const lap = traced("Laps.lap", (id: number) =>
    orUnavailable(
      Effect.flatMap(rowOf(id), ([row]) =>
        row === undefined ? new LapNotFound({ lapId: id }) : Effect.succeed(toLap(row))
      )
    )
  )

  const rowsOf = prepared(
    sql,
    (sessionId) => sql<LapRow>`SELECT * FROM laps
      WHERE session_id = ${givenId(sql, sessionId)} ORDER BY lap_number, start_time`
  )

  const laps = traced(
    "Laps.laps",
    Effect.fnUntraced(function* (sessionId: number) {
      const rows = yield* rowsOf(sessionId)
      if (rows.length === 0) yield* session(sessionId)
      return rows.map(toLap)
    }, orUnavailable)
  )

  const lapsAfter = Effect.fn("Changes.lapsAfter")(function* (id: number, { most, sessionId }: LapsWanted) {
    const ofSession = sessionId === undefined ? sql`` : sql`AND session_id = ${givenId(sql, sessionId)}`
    const rows = yield* sql<LapRow>`SELECT * FROM laps WHERE id > ${givenId(sql, id)} ${ofSession}
        AND NOT EXISTS (SELECT 1 FROM session_sources WHERE session_sources.session_id = laps.session_id)
        ORDER BY id LIMIT ${most}`
    return rows.map(toLap)
  }, orUnavailable)

  const replaceLaps = Effect.fn("Laps.replaceLaps")(function* (
    sessionId: number,
    given: ReadonlyArray<NewLap>
  ) {
    const replaced = Effect.gen(function* () {
      const [held] = yield* sql<{ readonly recording: number }>`UPDATE sessions SET recording = recording
        WHERE id = ${givenId(sql, sessionId)} RETURNING recording`
      if (held === undefined) return yield* new SessionNotFound({ sessionId })
      if (held.recording === 1) return yield* new SessionBeingRecorded({ sessionId })
      const before = (yield* sql<LapRow>`SELECT * FROM laps WHERE session_id = ${sessionId}`).map(toLap)
      const gone = before.filter((lap) => !given.some((other) => isSameLap(lap, other)))
      for (const some of Array.chunksOf(gone, LAPS_OF_STATEMENT)) {
        yield* sql`DELETE FROM laps WHERE ${sql.in(
          "id",
          Array.map(some, ({ id }) => id)
        )}`
      }
      const added = given.filter((lap) => !before.some((other) => isSameLap(lap, other)))
      yield* Effect.forEach(runsOf(added), (run) => addLapsOfOne(sessionId, run), { discard: true })
    })
    yield* sql.withTransaction(Effect.zipRight(turn(0), replaced))
    return yield* laps(sessionId)
  }, orUnavailable)

  return { laps: { addLaps, changeLap, lap, laps, replaceLaps }, lapsAfter }
}
