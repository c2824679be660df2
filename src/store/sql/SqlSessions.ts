/**
 * Sessions in the catalog: create, change, end, delete and look up.
 *
 * Over 250 lines: one function for each operation.
 */
import type * as SqlClient from "@effect/sql/SqlClient"
import type { Fragment } from "@effect/sql/Statement"
import { Array, Clock, Effect, Option } from "effect"
import { SessionBeingRecorded, SessionNotFound } from "../../domain/errors.ts"
import type { NewSession, SessionBounds, SessionFilter, SessionNames } from "../../domain/Session.ts"
import { traced } from "../../observability/traced.ts"
import type { Removable } from "../Deletions.ts"
import type { MeasuredDistance } from "../Sessions.ts"
import { orUnavailable } from "./catalogFailures.ts"
import {
  endOf,
  fromNames,
  fromNewSession,
  givenId,
  notOfAnother,
  type SessionRow,
  toSession,
  UNMARKED
} from "./catalogRows.ts"
import { prepared } from "./prepared.ts"
import type { SqlChanges } from "./SqlChanges.ts"
import type { SqlDeletions } from "./SqlDeletions.ts"
import type { SqlDictionaries } from "./SqlDictionaries.ts"
import type { SqlStatistics } from "./SqlStatistics.ts"
import { admitLate } from "./SqlTakeovers.ts"

/**
 * The sessions whose bounds one statement widens. A session has three parameters, and SQLite takes 32,766 in a
 * statement.
 */
const SESSIONS_AT_ONCE = 1000

/** A session of a file is not removed to make room for so long after its import, s: its driving may be years old. */
const IMPORTED_STAYS_S = 7 * 86_400

interface Id {
  readonly id: number
}

const ids = (rows: ReadonlyArray<Id>) => rows.map((row) => Number(row.id))

/** `node`: the node that this process records as. */
export const make = (
  sql: SqlClient.SqlClient,
  node: string | null,
  { turn }: SqlChanges,
  { addDeletion }: SqlDeletions,
  { forget }: SqlDictionaries,
  { countFound, whereFound }: SqlStatistics
) => {
  const isOwn = notOfAnother(sql, node)

  const selectSessions = sql`SELECT id, circuit, vehicle, driver, circuit_reported, vehicle_reported, driver_reported,
    circuit_layout, tags, datetime, first_point, last_point, distance, pinned, change, recording,
    CASE WHEN EXISTS (SELECT 1 FROM session_sources WHERE session_id = sessions.id) THEN 1 ELSE 0 END AS imported,
    lap_count AS total_laps,
    (SELECT min(lap_time) FROM laps WHERE session_id = sessions.id AND valid = 1) AS best_lap_time
    FROM sessions`

  const rowOf = prepared(sql, (id) => sql<SessionRow>`${selectSessions} WHERE id = ${givenId(sql, id)}`)

  const session = traced("Sessions.session", (id: number) =>
    orUnavailable(
      Effect.flatMap(rowOf(id), ([row]) =>
        row === undefined ? new SessionNotFound({ sessionId: id }) : Effect.succeed(toSession(row))
      )
    )
  )

  /** Why no row matched a statement that asks for a session which is not being recorded. */
  const missedBecause = Effect.fnUntraced(function* (id: number) {
    const rows = yield* sql`SELECT id FROM sessions WHERE id = ${givenId(sql, id)}`
    return yield* rows.length === 0
      ? new SessionNotFound({ sessionId: id })
      : new SessionBeingRecorded({ sessionId: id })
  })

  const createSession = Effect.fn("Sessions.createSession")(function* (
    created: NewSession,
    options: { readonly recording: boolean }
  ) {
    const stored = {
      ...fromNewSession(created, options.recording),
      node: options.recording ? node : null,
      connection: created.connection ?? null,
      stored_at: options.recording ? (yield* Clock.currentTimeMillis) / 1000 : 0
    }
    const insert = (change: number) =>
      sql<Id>`INSERT INTO sessions ${sql.insert({ ...stored, change }).returning("id")}`
    const { importId } = created
    const begin = Effect.gen(function* () {
      const rows = yield* insert(yield* turn(1))
      if (importId !== undefined) {
        yield* sql`INSERT INTO session_sources ${sql.insert({ session_id: rows[0]!.id, import_id: importId })}`
      }
      return rows
    })
    const [row] = yield* options.recording ? sql.withTransaction(begin) : insert(0)
    return toSession({
      ...fromNames(created),
      ...UNMARKED,
      datetime: created.datetime,
      id: row!.id,
      first_point: null,
      last_point: null,
      total_laps: 0,
      best_lap_time: null,
      distance: null,
      pinned: 0,
      imported: importId === undefined ? 0 : 1
    })
  }, orUnavailable)

  const newest = sql`datetime DESC, id DESC`

  const orders = {
    newest,
    oldest: sql`datetime, id`,
    circuit: sql`circuit_key, ${newest}`,
    vehicle: sql`vehicle_key, ${newest}`,
    driver: sql`driver_key, ${newest}`
  }

  /** Selects the page's ids first: the other columns are looked up for these rows only. */
  const inOrder = (filter: SessionFilter) => {
    const order = orders[filter.sort === "fastest" ? "newest" : (filter.sort ?? "newest")]
    return sql<SessionRow>`${selectSessions} WHERE id IN (
        SELECT id FROM sessions ${whereFound(filter, "sessions")}
        ORDER BY ${order} LIMIT ${filter.limit} OFFSET ${filter.offset})
      ORDER BY ${order}`
  }

  /** First the sessions with a fastest lap, by its index; after the last of them, the sessions without one. */
  const fastestFirst = Effect.fnUntraced(function* (filter: SessionFilter) {
    const { limit, offset } = filter
    const timed = whereFound(filter, "sessions", sql`fastest_lap IS NOT NULL`)
    const rows = yield* sql<SessionRow>`${selectSessions} ${timed}
      ORDER BY fastest_time, fastest_start, fastest_lap LIMIT ${limit} OFFSET ${offset}`
    if (rows.length === limit) return rows
    const [counted] = yield* sql<{ count: number | string }>`SELECT count(*) AS count FROM sessions ${timed}`
    const others = yield* sql<SessionRow>`${selectSessions}
      ${whereFound(filter, "sessions", sql`fastest_lap IS NULL`)}
      ORDER BY ${newest} LIMIT ${limit - rows.length} OFFSET ${Math.max(0, offset - Number(counted!.count))}`
    return [...rows, ...others]
  })

  const sessions = traced(
    "Sessions.sessions",
    Effect.fnUntraced(function* (filter: SessionFilter) {
      const total = yield* countFound(filter)
      const rows = filter.sort === "fastest" ? yield* fastestFirst(filter) : yield* inOrder(filter)
      return { total, items: rows.map(toSession) }
    }, orUnavailable)
  )

  /**
   * Deletes the session and its dependent rows if it is not being recorded and the condition is true. Returns whether
   * it did.
   */
  const deleteWhere = (id: number, why: "wanted" | "for room", condition: Fragment) =>
    sql<{ dictionary: number | null }>`DELETE FROM sessions
      WHERE id = ${givenId(sql, id)} AND recording = 0 AND ${condition} RETURNING dictionary`.pipe(
      Effect.tap(([gone]) => (gone === undefined ? Effect.void : addDeletion(id, why))),
      Effect.tap(([gone]) => (typeof gone?.dictionary === "number" ? forget(gone.dictionary) : Effect.void)),
      Effect.map(({ length }) => length > 0),
      // Many sessions share a row of sums. Without a turn, this deletion and an addition of laps could deadlock.
      (deletion) => Effect.zipRight(turn(0), deletion),
      sql.withTransaction
    )

  const deleteSession = Effect.fn("Deletions.deleteSession")(function* (id: number) {
    if (!(yield* deleteWhere(id, "wanted", sql`1 = 1`))) return yield* missedBecause(id)
  }, orUnavailable)

  const ended = endOf(sql)

  const isReferred = sql`EXISTS (SELECT 1 FROM marks
    WHERE session_id = sessions.id AND kind = 'reference' AND is_set = 1)`

  const oldestRemovable = Effect.fn("Deletions.oldestRemovable")(function* (until: number) {
    const known = until === Infinity ? sql`1 = 1` : sql`id <= ${until}`
    const imported = (yield* Clock.currentTimeMillis) / 1000 - IMPORTED_STAYS_S
    const [row] = yield* sql<Removable>`SELECT id, ${ended} AS ended FROM sessions
      WHERE recording = 0 AND pinned = 0 AND ${known} AND NOT ${isReferred}
        AND NOT (stored_at > ${imported} AND EXISTS (SELECT 1 FROM session_sources WHERE session_id = sessions.id))
      ORDER BY ${ended}, id LIMIT 1`
    return row === undefined ? Option.none() : Option.some({ id: Number(row.id), ended: row.ended })
  }, orUnavailable)

  const newestSession = sql<Removable | { readonly id: null }>`SELECT max(id) AS id, max(${ended}) AS ended
    FROM sessions`.pipe(
    Effect.map(([row]) =>
      row!.id === null ? Option.none() : Option.some({ id: Number(row!.id), ended: row!.ended })
    ),
    orUnavailable
  )

  const deleteRemovable = Effect.fn("Deletions.deleteRemovable")(
    ({ ended: before, id }: Removable) =>
      deleteWhere(id, "for room", sql`pinned = 0 AND NOT ${isReferred} AND ${ended} = ${before}`),
    orUnavailable
  )

  const pinSession = Effect.fn("Sessions.pinSession")(function* (id: number, pinned: boolean) {
    yield* sql`UPDATE sessions SET pinned = ${pinned ? 1 : 0} WHERE id = ${givenId(sql, id)}`
    return yield* session(id)
  }, orUnavailable)

  const renameSession = Effect.fn("Sessions.renameSession")(function* (id: number, names: SessionNames) {
    // A user's name stays; the simulator's is kept beside it.
    const named = fromNames(names)
    const renamed = (["circuit", "vehicle", "driver"] as const).flatMap((name) => {
      const [key, reported] = [sql(`${name}_key`), sql(`${name}_reported`)]
      const unlessGiven = (column: Fragment, value: string) =>
        sql`${column} = CASE WHEN ${reported} IS NULL THEN CAST(${value} AS TEXT) ELSE ${column} END`
      return [
        unlessGiven(sql`${sql(name)}`, named[name]),
        unlessGiven(sql`${key}`, named[`${name}_key`]),
        sql`${reported} = CASE WHEN ${reported} IS NOT NULL THEN CAST(${named[name]} AS TEXT) END`
      ]
    })
    const rename = (change: number) =>
      sql`UPDATE sessions SET ${sql.csv([...renamed, sql`change = ${change}`])} WHERE id = ${givenId(sql, id)}`
    yield* sql.withTransaction(Effect.flatMap(turn(1), rename))
    return yield* session(id)
  }, orUnavailable)

  const claimSession = Effect.fn("Sessions.claimSession")(function* (id: number, connection?: string) {
    const claimed = yield* sql`UPDATE sessions
      SET recording = 1, distance = NULL, node = ${node}, connection = ${connection ?? null}
      WHERE id = ${givenId(sql, id)} AND recording = 0 RETURNING id`
    return claimed.length === 0 ? yield* missedBecause(id) : yield* session(id)
  }, orUnavailable)

  const extendSessions = Effect.fn("Sessions.extendSessions")(function* (
    bounds: ReadonlyMap<number, SessionBounds>
  ) {
    for (const some of Array.chunksOf(bounds, SESSIONS_AT_ONCE)) {
      const wider = some.map(
        ([id, { first, last }]) =>
          // Without the casts, PostgreSQL would take the parameters of VALUES for text.
          sql`(CAST(${id} AS INTEGER), CAST(${first} AS DOUBLE PRECISION), CAST(${last} AS DOUBLE PRECISION))`
      )
      // The last condition avoids a commit when nothing changes.
      yield* sql`WITH wider (session_id, first_time, last_time) AS (VALUES ${sql.csv(wider)})
        UPDATE sessions SET
          first_point = CASE WHEN first_point <= first_time THEN first_point ELSE first_time END,
          last_point = CASE WHEN last_point >= last_time THEN last_point ELSE last_time END
        FROM wider
        WHERE id = session_id AND (first_point IS NULL OR first_point > first_time OR last_point < last_time)`
    }
  }, orUnavailable)

  const endSession = Effect.fn("Sessions.endSession")(function* (id: number) {
    const now = (yield* Clock.currentTimeMillis) / 1000
    const end = (change: number) =>
      sql`UPDATE sessions SET recording = 0, node = NULL, connection = NULL, change = ${change},
        stored_at = ${now} WHERE id = ${id} AND recording = 1 AND ${isOwn} RETURNING id`
    yield* sql.withTransaction(
      Effect.flatMap(Effect.flatMap(turn(1), end), ({ length }) =>
        length === 0 ? Effect.void : admitLate(sql, id)
      )
    )
  }, orUnavailable)

  const keepDistance = Effect.fn("Sessions.keepDistance")(function* (
    id: number,
    { metres, until }: MeasuredDistance
  ) {
    yield* sql`UPDATE sessions SET distance = ${metres}
      WHERE id = ${id} AND recording = 0 AND last_point = ${until}`
  }, orUnavailable)

  const sessionsAfter = Effect.fn("Changes.sessionsAfter")(function* (change: number, most: number) {
    const rows = yield* sql<
      SessionRow & { readonly change: number; readonly recording: number }
    >`${selectSessions}
      WHERE change > ${givenId(sql, change)}
        AND NOT EXISTS (SELECT 1 FROM session_sources WHERE session_id = sessions.id)
      ORDER BY change LIMIT ${most}`
    return rows.map((row) => ({
      change: row.change,
      session: toSession(row),
      isRecorded: row.recording === 1
    }))
  }, orUnavailable)

  return {
    sessions: {
      createSession,
      session,
      sessions,
      pinSession,
      claimSession,
      renameSession,
      extendSessions,
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
      sessionIds: sql<Id>`SELECT id FROM sessions ORDER BY id`.pipe(Effect.map(ids), orUnavailable),
      // Reads a table, because a database may answer a statement without a table from memory.
      check: orUnavailable(Effect.asVoid(sql`SELECT id FROM sessions LIMIT 1`))
    },
    deletions: { deleteSession, oldestRemovable, newestSession, deleteRemovable },
    sessionsAfter
  }
}
