/**
 * Statistics over all sessions of the catalog, from rows that are kept for them (catalogTotals.ts). The number of rows
 * that a statement reads depends only on the names in the request and the laps in the answer.
 */
import type * as SqlClient from "@effect/sql/SqlClient"
import type { Fragment } from "@effect/sql/Statement"
import { Effect } from "effect"
import type { SessionFilter, SessionNamesWanted } from "../../domain/Session.ts"
import type { CircuitTotals, RankedWanted, Totals } from "../Statistics.ts"
import { orUnavailable } from "./catalogFailures.ts"
import { type LapRow, nameKey, toLap } from "./catalogRows.ts"
import { timedLapSql } from "./catalogTotals.ts"
import * as Wanted from "./wantedSessions.ts"

interface TotalsRow {
  readonly sessions: number | string
  readonly laps: number | string
  readonly timed_laps: number | string
  readonly seconds: number
  readonly best_lap_time: number | null
  readonly metres: number
}

interface CircuitRow extends TotalsRow {
  readonly circuit: string
}

/** The minimum sector times: of sectors that the source sent, and of sectors that the service derived. */
interface SectorsRow {
  readonly best_sector1: number | null
  readonly best_sector2: number | null
  readonly best_sector3: number | null
  readonly derived_sector1: number | null
  readonly derived_sector2: number | null
  readonly derived_sector3: number | null
}

interface RankedRow extends LapRow {
  readonly circuit: string
  readonly vehicle: string
  readonly driver: string
  readonly datetime: number
}

interface Total {
  readonly total: number | string
}

const toTotals = (row: TotalsRow): Totals => ({
  sessions: Number(row.sessions),
  laps: Number(row.laps),
  timedLaps: Number(row.timed_laps),
  seconds: row.seconds,
  bestLapTime: row.best_lap_time,
  metres: row.metres
})

/** Derived sectors count only if the source sent none: the two kinds cannot be compared. */
const toBestSectors = (row: SectorsRow): Pick<CircuitTotals, "bestSectors" | "sectorSource"> => {
  const reported = [row.best_sector1, row.best_sector2, row.best_sector3] as const
  if (reported.some((time) => time !== null)) {
    return { bestSectors: reported, sectorSource: "simulator" }
  }
  return {
    bestSectors: [row.derived_sector1, row.derived_sector2, row.derived_sector3],
    sectorSource: "derived"
  }
}

export const make = (sql: SqlClient.SqlClient) => {
  const isPostgres = sql.onDialectOrElse({ pg: () => true, orElse: () => false })
  const { sessionsTagged, whereFound, whereNamed } = Wanted.make(sql)

  // Sums of doubles: SQLite's sums of integers fail when they overflow, and PostgreSQL's driver returns large ones as
  // text.
  const sums = sql`coalesce(sum(lap_count), 0) AS laps,
    coalesce(sum(timed_laps), 0) AS timed_laps, min(best_lap_time) AS best_lap_time,
    coalesce(sum(CAST(time_ns AS DOUBLE PRECISION)), 0) / 1e9 AS seconds,
    coalesce(sum(CAST(distance_um AS DOUBLE PRECISION)), 0) / 1e6 AS metres`

  /** The name as spelled in the newest session with that key. */
  const spelling = (name: "circuit" | "driver", key: Fragment) =>
    sql`(SELECT ${sql(name)} FROM sessions WHERE ${sql(`${name}_key`)} = ${key} ORDER BY datetime DESC, id DESC LIMIT 1)`

  /**
   * Selects the `limit` sessions with the fastest laps first: the `limit` fastest laps are all in these sessions. Then
   * reads only those of their laps that are no slower than the fastest lap of the last of these sessions; with fewer
   * sessions, all laps.
   */
  const bestRows = (names: SessionNamesWanted, limit: number) => {
    const fastest = sql`${whereNamed(names, sql`fastest_lap IS NOT NULL`)}
      ORDER BY fastest_time, fastest_start, fastest_lap LIMIT ${limit}`
    // For a driver: the driver's drives, and in them the laps that the driver drove.
    const top =
      names.driver === undefined
        ? sql`SELECT id, circuit, vehicle, driver, datetime, fastest_time FROM sessions ${fastest}`
        : sql`SELECT drive.*, datetime FROM (SELECT session_id AS id, circuit, vehicle, driver, fastest_time,
            CASE WHEN session_count = 1 THEN driver END AS own FROM drives ${fastest}) AS drive
            JOIN sessions ON sessions.id = drive.id`
    const driven = names.driver === undefined ? sql`` : sql`AND coalesce(driven_by, top.own) = top.driver`
    const slowest = sql`(SELECT CASE WHEN count(*) < ${limit} THEN 86400 ELSE max(fastest_time) END FROM top)`
    const ownBest = sql`FROM laps WHERE session_id = top.id ${driven} AND ${sql.literal(timedLapSql(""))} AND lap_time <= ${slowest}
      ORDER BY lap_time, start_time LIMIT ${limit}`
    const joined = isPostgres
      ? sql`CROSS JOIN LATERAL (SELECT * ${ownBest}) AS lap`
      : sql`CROSS JOIN laps AS lap WHERE lap.id IN (SELECT id ${ownBest})`
    return sql<RankedRow>`WITH top AS MATERIALIZED (${top})
      SELECT lap.*, circuit, vehicle, driver, datetime FROM top ${joined}
      ORDER BY lap.lap_time, lap.start_time, lap.id LIMIT ${limit}`
  }

  /** Few laps have a tag: they are all read. */
  const bestTagged = (tag: string, { driver, ...names }: SessionNamesWanted, limit: number) => {
    const tagged = sql`SELECT lap_id FROM tags WHERE tag_key = ${nameKey(tag)} AND lap_id IS NOT NULL`
    const wanted = [
      sql`(laps.id IN (${tagged}) OR session_id IN (${sessionsTagged(tag)}))`,
      sql`${sql.literal(timedLapSql("laps."))}`,
      ...(driver === undefined ? [] : [sql`coalesce(driven_by_key, driver_key) = ${nameKey(driver)}`])
    ]
    return sql<RankedRow>`SELECT laps.*, circuit, vehicle, driver, datetime
      FROM laps JOIN sessions ON sessions.id = session_id ${whereNamed(names, ...wanted)}
      ORDER BY lap_time, start_time, laps.id LIMIT ${limit}`
  }

  const bestLaps = Effect.fn("Statistics.bestLaps")(function* (
    { tag, ...names }: RankedWanted,
    limit: number
  ) {
    const rows = yield* tag === undefined ? bestRows(names, limit) : bestTagged(tag, names, limit)
    return rows.map((row) => ({
      ...toLap(row),
      circuit: row.circuit,
      vehicle: row.vehicle,
      driver: row.driven_by ?? row.driver,
      datetime: row.datetime
    }))
  }, orUnavailable)

  const circuitTotals = Effect.fn("Statistics.circuitTotals")(function* (circuit: string) {
    const key = nameKey(circuit)
    const [row] = yield* sql<CircuitRow & SectorsRow>`SELECT sum(session_count) AS sessions, ${sums},
      min(best_sector1) AS best_sector1, min(best_sector2) AS best_sector2, min(best_sector3) AS best_sector3,
      min(derived_sector1) AS derived_sector1, min(derived_sector2) AS derived_sector2,
      min(derived_sector3) AS derived_sector3,
      ${spelling("circuit", sql`${key}`)} AS circuit FROM totals WHERE circuit_key = ${key}`
    if (Number(row!.sessions) === 0) return undefined
    const names = yield* sql<{ driver: string; vehicle: string }>`SELECT DISTINCT driver, vehicle FROM totals
      WHERE circuit_key = ${key}`
    const distinct = (of: "driver" | "vehicle") => [...new Set(names.map((row) => row[of]))].sort()
    return {
      ...toTotals(row!),
      circuit: row!.circuit,
      ...toBestSectors(row!),
      drivers: distinct("driver"),
      vehicles: distinct("vehicle")
    } satisfies CircuitTotals
  }, orUnavailable)

  const driverName = Effect.fn("Statistics.driverName")(function* (driver: string) {
    const [row] = yield* sql<{
      name: string | null
    }>`SELECT coalesce(${spelling("driver", sql`${nameKey(driver)}`)},
      (SELECT min(driver) FROM totals WHERE driver_key = ${nameKey(driver)})) AS name`
    return row!.name ?? undefined
  }, orUnavailable)

  const totalsByCircuit = Effect.fn("Statistics.totalsByCircuit")(function* (names: SessionNamesWanted) {
    const sessions = sql.literal(names.driver === undefined ? "session_count" : "drive_count")
    const rows = yield* sql<CircuitRow>`SELECT circuit_key, sum(${sessions}) AS sessions, ${sums},
      ${spelling("circuit", sql`totals.circuit_key`)} AS circuit
      FROM totals ${whereNamed(names)} GROUP BY circuit_key`
    return rows
      .map((row) => ({ circuit: row.circuit, totals: toTotals(row) }))
      .toSorted((a, b) => (a.circuit < b.circuit ? -1 : 1))
  }, orUnavailable)

  const notMeasured = Effect.fn("Statistics.notMeasured")(function* (names: SessionNamesWanted) {
    const rows = yield* sql<{ id: number; circuit: string }>`SELECT id, circuit FROM sessions
      ${whereNamed(names, sql`distance IS NULL`)} ORDER BY id`
    return rows.map(({ circuit, id }) => ({ sessionId: Number(id), circuit }))
  }, orUnavailable)

  // Sorted here, because each database sorts by its own collation.
  const distinct = (column: "circuit" | "vehicle") =>
    sql<{ name: string }>`SELECT DISTINCT ${sql(column)} AS name FROM totals`.pipe(
      Effect.map((rows) => rows.map((row) => row.name).sort()),
      orUnavailable
    )

  const counts = sql<{ sessions: number | string; laps: number | string }>`SELECT
    coalesce(sum(session_count), 0) AS sessions, coalesce(sum(lap_count), 0) AS laps FROM totals`.pipe(
    Effect.map(([row]) => ({ sessions: Number(row!.sessions), laps: Number(row!.laps) })),
    orUnavailable
  )

  return {
    whereFound,
    /** The number of sessions that a filter matches. */
    countFound: (filter: SessionFilter) =>
      Effect.map(
        filter.tag === undefined
          ? sql<Total>`SELECT coalesce(sum(session_count), 0) AS total FROM totals ${whereFound(filter, "totals")}`
          : sql<Total>`SELECT count(*) AS total FROM sessions ${whereFound(filter, "sessions")}`,
        ([row]) => Number(row!.total)
      ),
    statistics: {
      bestLaps,
      circuitTotals,
      driverName,
      totalsByCircuit,
      notMeasured,
      counts,
      circuits: distinct("circuit"),
      vehicles: distinct("vehicle")
    }
  }
}

export type SqlStatistics = ReturnType<typeof make>
