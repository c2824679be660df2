/**
 * The catalog over any SQL database that `SqlClient` has; the SQL is what SQLite and PostgreSQL share.
 *
 * What must not be overtaken is one conditional statement (claim, delete) or a transaction that begins by
 * writing a row that others begin with as well: the session's, which keeps them from that session until it ends
 * (addLaps), or that of the changes, by which whoever follows laps and sessions meets them in order.
 */
import * as SqlClient from "@effect/sql/SqlClient"
import type { Fragment } from "@effect/sql/Statement"
import { Array, Effect, Layer, Option, Schema } from "effect"
import { CircuitDetails } from "../domain/Circuit.ts"
import { Configuration, defaultConfiguration } from "../domain/Configuration.ts"
import {
  LapNotFound,
  SessionBeingRecorded,
  SessionNotFound,
  type StoreUnavailable
} from "../domain/errors.ts"
import type { NewLap } from "../domain/Lap.ts"
import { MOST_LAYOUTS, SectorLines } from "../domain/SectorLines.ts"
import type { NewSession, SessionBounds, SessionFilter } from "../domain/Session.ts"
import { traced } from "../observability/traced.ts"
import { unlessJustAnswered } from "./answered.ts"
import { Catalog, type LapsWanted, type MeasuredDistance, type Newest, type Removable } from "./Catalog.ts"
import type { CatalogTransfer } from "./CatalogTransfer.ts"
import { orUnavailable, unavailable } from "./catalogFailures.ts"
import { migrateCatalog } from "./catalogMigrations.ts"
import {
  fromNewLap,
  fromNewSession,
  type LapRow,
  nameKey,
  type SessionRow,
  toLap,
  toSession
} from "./catalogRows.ts"
import type { Nodes } from "./Nodes.ts"
import * as SqlCatalogTransfer from "./SqlCatalogTransfer.ts"
import * as SqlDeletions from "./SqlDeletions.ts"
import * as SqlNodes from "./SqlNodes.ts"
import * as SqlStatistics from "./SqlStatistics.ts"
import { ThisNode } from "./ThisNode.ts"

const StoredConfiguration = Schema.parseJson(Configuration)
const StoredDetails = Schema.parseJson(CircuitDetails)

const StoredLines = Schema.parseJson(SectorLines)

const detailsOf = ({ value }: { readonly value: string }) =>
  Effect.mapError(Schema.decode(StoredDetails)(value), unavailable)

/** A row has ten values, and SQLite takes 32,766 in a statement. */
const LAPS_OF_STATEMENT = 500

interface Id {
  readonly id: number
}

/** In their order: those of one session that follow one another, in pages, together. */
const runsOf = (laps: ReadonlyArray<NewLap>) => {
  const runs: Array<Array<NewLap>> = []
  for (const lap of laps) {
    const run = runs.at(-1)
    if (run?.[0]!.session_id === lap.session_id && run.length < LAPS_OF_STATEMENT) run.push(lap)
    else runs.push([lap])
  }
  return runs
}

const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const node = (yield* ThisNode) ?? null
  yield* migrateCatalog

  const selectSessions = sql`SELECT id, circuit, vehicle, driver, datetime, first_point, last_point, distance, pinned, change,
    lap_count AS total_laps,
    (SELECT min(lap_time) FROM laps WHERE session_id = sessions.id AND valid = 1) AS best_lap_time
    FROM sessions`

  const ids = (rows: ReadonlyArray<Id>) => rows.map((row) => Number(row.id))

  const { addDeletion, deletions } = SqlDeletions.make(sql)
  const { countNamed, statistics, whereNamed } = SqlStatistics.make(sql)

  const session = traced(
    "Catalog.session",
    Effect.fnUntraced(function* (id: number) {
      const [row] = yield* sql<SessionRow>`${selectSessions} WHERE id = ${id}`
      return row === undefined ? yield* new SessionNotFound({ sessionId: id }) : toSession(row)
    }, orUnavailable)
  )

  /** Why a statement that asks for a session that is not being recorded found none. */
  const missedBecause = Effect.fnUntraced(function* (id: number) {
    const rows = yield* sql`SELECT id FROM sessions WHERE id = ${id}`
    return yield* rows.length === 0
      ? new SessionNotFound({ sessionId: id })
      : new SessionBeingRecorded({ sessionId: id })
  })

  /** A transaction that begins with it has its turn: no other that does so commits before. */
  const turn = (changes: 0 | 1) =>
    Effect.map(
      sql<{ latest: number }>`UPDATE changes SET latest = latest + ${changes} WHERE id = 1 RETURNING latest`,
      ([row]) => row!.latest
    )

  const createSession = Effect.fn("Catalog.createSession")(function* (
    created: NewSession,
    options: { readonly recording: boolean }
  ) {
    const insert = (change: number) =>
      sql<Id>`INSERT INTO sessions
        ${sql.insert({ ...fromNewSession(created, options.recording), node: options.recording ? node : null, change }).returning("id")}`
    const [row] = yield* options.recording ? sql.withTransaction(Effect.flatMap(turn(1), insert)) : insert(0)
    return toSession({
      ...created,
      id: row!.id,
      first_point: null,
      last_point: null,
      total_laps: 0,
      best_lap_time: null,
      distance: null,
      pinned: 0
    })
  }, orUnavailable)

  const sessions = traced(
    "Catalog.sessions",
    Effect.fnUntraced(function* (filter: SessionFilter) {
      const total = yield* countNamed(filter)
      const rows = yield* sql<SessionRow>`${selectSessions} ${whereNamed(filter)}
      ORDER BY datetime DESC, id DESC LIMIT ${filter.limit} OFFSET ${filter.offset}`
      return { total, items: rows.map(toSession) }
    }, orUnavailable)
  )

  /** With what goes along; whether it did, of a session that is not being recorded. */
  const deleteWhere = (id: number, condition: Fragment) =>
    sql`DELETE FROM sessions WHERE id = ${id} AND recording = 0 AND ${condition} RETURNING id`.pipe(
      Effect.map(({ length }) => length > 0),
      Effect.tap((isGone) => (isGone ? addDeletion(id) : Effect.void)),
      // Sums are counted in the same row for many sessions: without a turn, this and laps that are added could wait for each other.
      (deletion) => Effect.zipRight(turn(0), deletion),
      sql.withTransaction
    )

  const deleteSession = Effect.fn("Catalog.deleteSession")(function* (id: number) {
    if (!(yield* deleteWhere(id, sql`1 = 1`))) return yield* missedBecause(id)
  }, orUnavailable)

  const ended = sql`coalesce(last_point, datetime)`

  const oldestRemovable = sql<Removable>`SELECT id, ${ended} AS ended FROM sessions
    WHERE recording = 0 AND pinned = 0 ORDER BY ${ended}, id LIMIT 1`.pipe(
    Effect.map(([row]) =>
      row === undefined ? Option.none() : Option.some({ id: Number(row.id), ended: row.ended })
    ),
    orUnavailable
  )

  const deleteRemovable = Effect.fn("Catalog.deleteRemovable")(
    ({ ended: before, id }: Removable) => deleteWhere(id, sql`pinned = 0 AND ${ended} = ${before}`),
    orUnavailable
  )

  const pinSession = Effect.fn("Catalog.pinSession")(function* (id: number, pinned: boolean) {
    yield* sql`UPDATE sessions SET pinned = ${pinned ? 1 : 0} WHERE id = ${id}`
    return yield* session(id)
  }, orUnavailable)

  const claimSession = Effect.fn("Catalog.claimSession")(function* (id: number) {
    const claimed = yield* sql`UPDATE sessions SET recording = 1, distance = NULL, node = ${node}
      WHERE id = ${id} AND recording = 0 RETURNING id`
    return claimed.length === 0 ? yield* missedBecause(id) : yield* session(id)
  }, orUnavailable)

  const extendSession = Effect.fn("Catalog.extendSession")(function* (id: number, bounds: SessionBounds) {
    const { first, last } = bounds
    // The last condition spares a commit where nothing changes.
    yield* sql`UPDATE sessions SET
      first_point = CASE WHEN first_point <= ${first} THEN first_point ELSE ${first} END,
      last_point = CASE WHEN last_point >= ${last} THEN last_point ELSE ${last} END
      WHERE id = ${id} AND (first_point IS NULL OR first_point > ${first} OR last_point < ${last})`
  }, orUnavailable)

  const endSession = Effect.fn("Catalog.endSession")(function* (id: number) {
    const end = (change: number) =>
      sql`UPDATE sessions SET recording = 0, node = NULL, change = ${change} WHERE id = ${id} AND recording = 1`
    yield* sql.withTransaction(Effect.flatMap(turn(1), end))
  }, orUnavailable)

  const keepDistance = Effect.fn("Catalog.keepDistance")(function* (
    id: number,
    { metres, until }: MeasuredDistance
  ) {
    yield* sql`UPDATE sessions SET distance = ${metres}
      WHERE id = ${id} AND recording = 0 AND last_point = ${until}`
  }, orUnavailable)

  /** Of one session, a few hundred at most. */
  const addLapsOfOne = Effect.fnUntraced(function* (sessionId: number, laps: ReadonlyArray<NewLap>) {
    const held = yield* sql`UPDATE sessions SET recording = recording WHERE id = ${sessionId} RETURNING id`
    if (held.length === 0) return yield* new SessionNotFound({ sessionId })
    const added = yield* sql<{
      readonly start_time: number
    }>`INSERT INTO laps ${sql.insert(laps.map(fromNewLap))}
      ON CONFLICT (session_id, start_time) DO NOTHING RETURNING start_time`
    const isNew = new Set(added.map((row) => row.start_time))
    for (const { sector_lines, start_time } of laps) {
      if (sector_lines === undefined || !isNew.has(start_time)) continue
      const value = yield* Effect.mapError(Schema.encode(StoredLines)(sector_lines), unavailable)
      yield* sql`INSERT INTO sector_lines (circuit_key, value)
        SELECT circuit_key, ${value} FROM sessions WHERE id = ${sessionId}`
    }
    const starts = laps.map((lap) => lap.start_time)
    const rows = yield* sql<LapRow>`SELECT * FROM laps
      WHERE session_id = ${sessionId} AND start_time IN ${sql.in(starts)}`
    const byStart = new Map(rows.map((row) => [row.start_time, toLap(row)]))
    return starts.map((start) => byStart.get(start)!)
  })

  const addLaps = Effect.fn("Catalog.addLaps")(function* (laps: ReadonlyArray<NewLap>) {
    if (laps.length === 0) return []
    const added = Effect.forEach(runsOf(laps), (run) => addLapsOfOne(run[0]!.session_id, run))
    return yield* sql.withTransaction(Effect.zipRight(turn(0), Effect.map(added, Array.flatten)))
  }, orUnavailable)

  const lap = traced(
    "Catalog.lap",
    Effect.fnUntraced(function* (id: number) {
      const [row] = yield* sql<LapRow>`SELECT * FROM laps WHERE id = ${id}`
      return row === undefined ? yield* new LapNotFound({ lapId: id }) : toLap(row)
    }, orUnavailable)
  )

  const laps = traced(
    "Catalog.laps",
    Effect.fnUntraced(function* (sessionId: number) {
      const rows = yield* sql<LapRow>`SELECT * FROM laps
      WHERE session_id = ${sessionId} ORDER BY lap_number, start_time`
      if (rows.length === 0) yield* session(sessionId)
      return rows.map(toLap)
    }, orUnavailable)
  )

  const newest = Effect.map(
    sql<Newest>`SELECT (SELECT coalesce(max(id), 0) FROM laps) AS "lapId", latest AS change FROM changes`,
    ([row]) => row!
  )

  const lapsAfter = Effect.fn("Catalog.lapsAfter")(function* (id: number, { most, sessionId }: LapsWanted) {
    const ofSession = sessionId === undefined ? sql`` : sql`AND session_id = ${sessionId}`
    const rows =
      yield* sql<LapRow>`SELECT * FROM laps WHERE id > ${id} ${ofSession} ORDER BY id LIMIT ${most}`
    return rows.map(toLap)
  }, orUnavailable)

  const sessionsAfter = Effect.fn("Catalog.sessionsAfter")(function* (change: number, most: number) {
    const rows = yield* sql<SessionRow & { readonly change: number }>`${selectSessions}
      WHERE change > ${change} ORDER BY change LIMIT ${most}`
    return rows.map((row) => ({ change: row.change, session: toSession(row) }))
  }, orUnavailable)

  const configuration = Effect.gen(function* () {
    const [row] = yield* sql<{ value: string }>`SELECT value FROM configuration WHERE id = 1`
    return row === undefined
      ? defaultConfiguration
      : yield* Effect.mapError(Schema.decode(StoredConfiguration)(row.value), unavailable)
  }).pipe(orUnavailable)

  const putConfiguration = Effect.fn("Catalog.putConfiguration")(function* (put: Configuration) {
    const value = yield* Effect.mapError(Schema.encode(StoredConfiguration)(put), unavailable)
    yield* sql`INSERT INTO configuration (id, value) VALUES (1, ${value})
      ON CONFLICT (id) DO UPDATE SET value = excluded.value`
  }, orUnavailable)

  const sectorLines = Effect.fn("Catalog.sectorLines")(function* (circuit: string) {
    const rows = yield* sql<{ value: string }>`SELECT value FROM sector_lines
      WHERE circuit_key = ${nameKey(circuit)} ORDER BY id LIMIT ${MOST_LAYOUTS}`
    return yield* Effect.forEach(rows, ({ value }) =>
      Effect.mapError(Schema.decode(StoredLines)(value), unavailable)
    )
  }, orUnavailable)

  const circuitDetails = Effect.fn("Catalog.circuitDetails")(function* (name: string) {
    const [row] = yield* sql<{ value: string }>`SELECT value FROM circuits WHERE name_key = ${nameKey(name)}`
    return row === undefined ? undefined : yield* detailsOf(row)
  }, orUnavailable)

  const putCircuitDetails = Effect.fn("Catalog.putCircuitDetails")(function* (
    name: string,
    details: CircuitDetails
  ) {
    const value = yield* Effect.mapError(Schema.encode(StoredDetails)(details), unavailable)
    yield* sql`INSERT INTO circuits (name_key, name, value) VALUES (${nameKey(name)}, ${name}, ${value})
      ON CONFLICT (name_key) DO UPDATE SET name = excluded.name, value = excluded.value`
  }, orUnavailable)

  const allCircuitDetails = Effect.gen(function* () {
    const rows = yield* sql<{ name: string; value: string }>`SELECT name, value FROM circuits`
    const all = yield* Effect.forEach(rows, (row) =>
      Effect.map(detailsOf(row), (details) => [row.name, details] as const)
    )
    return all.toSorted(([a], [b]) => (a < b ? -1 : 1))
  }).pipe(orUnavailable)

  return Catalog.of({
    createSession,
    session,
    sessions,
    deleteSession,
    oldestRemovable,
    deleteRemovable,
    pinSession,
    claimSession,
    extendSession,
    endSession,
    keepDistance,
    unendedSessions: sql<Id>`SELECT id FROM sessions WHERE recording = 1 ORDER BY id`.pipe(
      Effect.map(ids),
      orUnavailable
    ),
    ownUnendedSessions: sql
      .onDialectOrElse({
        pg: () => sql<Id>`SELECT id FROM sessions
        WHERE recording = 1 AND (node IS NULL OR node = ${node}) ORDER BY id`,
        orElse: () => sql<Id>`SELECT id FROM sessions WHERE recording = 1 ORDER BY id`
      })
      .pipe(Effect.map(ids), orUnavailable),
    ...deletions,
    sessionIds: sql<Id>`SELECT id FROM sessions ORDER BY id`.pipe(Effect.map(ids), orUnavailable),
    addLaps,
    lap,
    laps,
    ...statistics,
    newest: orUnavailable(newest),
    lapsAfter,
    sessionsAfter,
    sectorLines,
    circuitDetails,
    putCircuitDetails,
    allCircuitDetails,
    configuration,
    putConfiguration,
    // A row, because a statement without a table need not look at the database.
    check: orUnavailable(unlessJustAnswered(sql`SELECT id FROM sessions LIMIT 1`))
  })
})

/** All that a database of a catalog is asked for. */
export type CatalogPorts = Catalog | CatalogTransfer | Nodes

export const layer: Layer.Layer<CatalogPorts, StoreUnavailable, SqlClient.SqlClient> = Layer.mergeAll(
  Layer.effect(Catalog, make),
  SqlCatalogTransfer.layer,
  SqlNodes.layer
)
