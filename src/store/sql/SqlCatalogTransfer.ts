/**
 * Transfers between catalogs over any SQL database that `SqlClient` supports.
 *
 * Each transaction first writes the origin's row or the row of the catalog's changes. That excludes a second transfer
 * from the same origin until the commit, and in SQLite every other writer. Kept ids are written explicitly, below the
 * reserved ones.
 */
import * as SqlClient from "@effect/sql/SqlClient"
import { Effect, Layer } from "effect"
import { SessionBeingRecorded, SessionIdsGiven, SessionNotFound } from "../../domain/errors.ts"
import type { RecordedLap } from "../../domain/Lap.ts"
import { orUnavailable } from "./catalogFailures.ts"
import { migrationNode } from "../Nodes.ts"
import { type CatalogIdentity, CatalogTransfer, type SessionRecord } from "../CatalogTransfer.ts"
import { countedAtEnd } from "./catalogTotals.ts"
import {
  fromNewLap,
  fromNewSession,
  type LapRow,
  reportedNames,
  type SessionRow,
  toReportedLap
} from "./catalogRows.ts"
import * as MarkTransfer from "./markTransfer.ts"
import * as RowIds from "./rowIds.ts"
import * as SqlChanges from "./SqlChanges.ts"

interface Reserved {
  readonly sessions_until: number
  readonly laps_until: number
}

interface Placed {
  readonly session_id: number
  readonly complete: number
  readonly recording: number
}

/** The import of a session that another catalog imported. No import has this id. */
const IMPORTED_ELSEWHERE = 0

const least = (a: number | null, b: number | null) => (a === null || b === null ? (a ?? b) : Math.min(a, b))
const most = (a: number | null, b: number | null) => (a === null || b === null ? (a ?? b) : Math.max(a, b))

const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const changes = SqlChanges.make(sql)
  const marks = MarkTransfer.make(sql)
  const { countFrom, given, insert, isPostgres } = RowIds.make(sql)

  const identity = Effect.gen(function* () {
    const [row] = yield* sql<{ value: string }>`SELECT value FROM catalog_identity WHERE id = 1`
    return { origin: row!.value, sessions: yield* given("sessions"), laps: yield* given("laps") }
  }).pipe(orUnavailable)

  const configured = sql`SELECT id FROM configuration`.pipe(
    Effect.map((rows) => rows.length > 0),
    orUnavailable
  )

  const record = Effect.fn("CatalogTransfer.record")(function* (id: number) {
    const [row] = yield* sql<SessionRow>`SELECT * FROM sessions WHERE id = ${id}`
    if (row === undefined) return yield* new SessionNotFound({ sessionId: id })
    const laps = yield* sql<LapRow>`SELECT * FROM laps WHERE session_id = ${id} ORDER BY id`
    const [source] = yield* sql<{
      facts: string | null
    }>`SELECT facts FROM session_sources WHERE session_id = ${id}`
    const { datetime, distance, first_point: firstPoint, last_point: lastPoint } = row
    const pinned = row.pinned === 1
    const kept = { ...reportedNames(row), datetime, distance, firstPoint, lastPoint, pinned }
    return {
      id,
      ...kept,
      ...(source === undefined ? {} : { facts: source.facts }),
      laps: laps.map(toReportedLap),
      marks: yield* marks.recorded(id)
    } satisfies SessionRecord
  }, orUnavailable)

  const reserve = Effect.fn("CatalogTransfer.reserve")(
    function* (origin: CatalogIdentity) {
      yield* sql`INSERT INTO imports (origin, sessions_until, laps_until) VALUES (${origin.origin}, 0, 0)
        ON CONFLICT (origin) DO NOTHING`
      // Prevents the running service from giving an id between this check and the reservation.
      if (isPostgres) yield* sql`LOCK TABLE sessions, laps IN EXCLUSIVE MODE`
      const reserved = yield* reservedFor(origin.origin)
      const until = { sessions: reserved.sessions_until, laps: reserved.laps_until }
      for (const table of ["sessions", "laps"] as const) {
        const untouched = (yield* given(table)) === until[table]
        if (!untouched || origin[table] <= until[table]) continue
        yield* countFrom(table, origin[table])
        until[table] = origin[table]
      }
      yield* sql`UPDATE imports SET sessions_until = ${until.sessions}, laps_until = ${until.laps}
        WHERE origin = ${origin.origin}`
      return until.sessions
    },
    sql.withTransaction,
    orUnavailable
  )

  const reservedFor = Effect.fnUntraced(function* (origin: string) {
    const [row] = yield* sql<Reserved>`UPDATE imports SET origin = origin WHERE origin = ${origin}
      RETURNING sessions_until, laps_until`
    return row ?? { sessions_until: 0, laps_until: 0 }
  })

  const placed = Effect.fnUntraced(function* (origin: string, id: number) {
    const [row] = yield* sql<Placed>`SELECT session_id, complete, recording FROM imported_sessions
      JOIN sessions ON sessions.id = session_id WHERE origin = ${origin} AND origin_id = ${id}`
    return row
  })

  const place = Effect.fn("CatalogTransfer.place")(
    function* (origin: string, session: SessionRecord) {
      const { sessions_until } = yield* reservedFor(origin)
      const known = yield* placed(origin, session.id)
      if (known !== undefined) {
        const sessionId = Number(known.session_id)
        if (known.complete === 1 && known.recording === 1) {
          return yield* new SessionBeingRecorded({ sessionId })
        }
        return sessionId
      }
      const row = { ...fromNewSession(session, true), node: migrationNode(origin) }
      const id = yield* insert("sessions", row, session.id, session.id <= sessions_until)
      yield* sql`DELETE FROM deleted_sessions WHERE session_id = ${id}`
      yield* sql`INSERT INTO imported_sessions (origin, origin_id, session_id, complete)
        VALUES (${origin}, ${session.id}, ${id}, 0)`
      if (session.facts !== undefined) {
        yield* sql`INSERT INTO session_sources (session_id, import_id, facts)
          VALUES (${id}, ${IMPORTED_ELSEWHERE}, ${session.facts})`
      }
      return id
    },
    sql.withTransaction,
    orUnavailable
  )

  const addLap = Effect.fnUntraced(function* (lap: RecordedLap, sessionId: number, until: number) {
    const there = yield* sql`SELECT id FROM laps
      WHERE session_id = ${sessionId} AND start_time = ${lap.startTime}`
    if (there.length > 0) return
    yield* insert("laps", fromNewLap({ ...lap, sessionId }), lap.id, lap.id <= until)
  })

  const complete = Effect.fn("CatalogTransfer.complete")(
    function* (origin: string, session: SessionRecord) {
      // Clients that follow the catalog get laps and ends of sessions in order (SqlChanges).
      const change = yield* changes.turn(1)
      const { laps_until } = yield* reservedFor(origin)
      const known = yield* placed(origin, session.id)
      if (known === undefined) return yield* new SessionNotFound({ sessionId: session.id })
      const id = Number(known.session_id)
      // A service that started in between ended the session as one that a crash left open, and cut a lap from its
      // points.
      if (known.complete === 0 && session.lastPoint !== null) {
        yield* sql`DELETE FROM laps WHERE session_id = ${id} AND start_time <= ${session.lastPoint}`
      }
      for (const lap of session.laps) yield* addLap(lap, id, laps_until)
      const [row] = yield* sql<SessionRow & { readonly change: number }>`SELECT * FROM sessions
        WHERE id = ${id}`
      const last = most(row!.last_point, session.lastPoint)
      // The distance covers all points. If the target recorded more points, its own distance is right.
      const distance = last === session.lastPoint ? session.distance : row!.distance
      // After the first complete transfer, users of the target decide whether the session is pinned.
      const pinned = known.complete === 1 ? row!.pinned : session.pinned ? 1 : 0
      yield* sql`UPDATE sessions SET first_point = ${least(row!.first_point, session.firstPoint)},
        last_point = ${last}, distance = ${distance}, recording = 0, node = NULL, pinned = ${pinned},
        change = ${known.complete === 1 ? row!.change : change} WHERE id = ${id}`
      // Marks are users' too.
      if (known.complete === 0) yield* marks.restore(id, session.marks)
      yield* sql`UPDATE imported_sessions SET complete = 1 WHERE session_id = ${id}`
    },
    sql.withTransaction,
    orUnavailable
  )

  const takeIn = Effect.fnUntraced(function* (origin: string, record: SessionRecord, lapsGiven: number) {
    const { firstPoint, id, lastPoint } = record
    const ended = { first_point: firstPoint, last_point: lastPoint, pinned: record.pinned ? 1 : 0 }
    const row = { ...fromNewSession(record, false), ...ended }
    yield* insert("sessions", row, id, true)
    yield* sql`INSERT INTO imported_sessions (origin, origin_id, session_id, complete)
      VALUES (${origin}, ${id}, ${id}, 1)`
    for (const lap of record.laps) {
      yield* insert("laps", fromNewLap({ ...lap, sessionId: id }), lap.id, lap.id > lapsGiven)
    }
    yield* marks.restore(id, record.marks)
  })

  const adopt = Effect.fn("CatalogTransfer.adopt")(
    function* (origin: string, records: ReadonlyArray<SessionRecord>) {
      yield* changes.turn(0)
      if (isPostgres) yield* sql`LOCK TABLE sessions, laps IN EXCLUSIVE MODE`
      const before = yield* sql<{ id: number }>`SELECT origin_id AS id FROM imported_sessions
        WHERE origin = ${origin}`
      const came = new Set(before.map(({ id }) => Number(id)))
      const fresh = records.filter(({ id }) => !came.has(id))
      const last = { sessions: yield* given("sessions"), laps: yield* given("laps") }
      const taken = fresh.filter(({ id }) => id <= last.sessions).map(({ id }) => id)
      if (taken.length > 0) return yield* new SessionIdsGiven({ sessionIds: taken })
      const lapIds = fresh.flatMap(({ laps }) => laps.map(({ id }) => id))
      yield* countFrom("sessions", Math.max(1, last.sessions, ...fresh.map(({ id }) => id)))
      yield* countFrom("laps", Math.max(1, last.laps, ...lapIds))
      yield* countedAtEnd(sql)(
        Effect.forEach(fresh, (record) => takeIn(origin, record, last.laps), { discard: true })
      )
    },
    sql.withTransaction,
    orUnavailable
  )

  return CatalogTransfer.of({ identity, configured, record, reserve, place, complete, adopt })
})

/** Needs a catalog whose tables are up to date. */
export const layer: Layer.Layer<CatalogTransfer, never, SqlClient.SqlClient> = Layer.effect(
  CatalogTransfer,
  make
)
