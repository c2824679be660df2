/**
 * Catalogs of any size, filled by their databases from counters: the same each time, and in SQL that SQLite and
 * PostgreSQL share.
 */
import * as SqlClient from "@effect/sql/SqlClient"
import { Effect } from "effect"
import { countedAtEnd } from "../../src/store/sql/catalogTotals.ts"

export interface Filling {
  readonly sessions: number
  /** Laps of each session; every 25th is not valid, and every 50th has no time. */
  readonly laps: number
  readonly circuits: number
  readonly vehicles: number
  readonly drivers: number
}

/** The sizes of the issue of growing archives: 25 laps for each session, 500,000 for 20,000 sessions. */
export const archiveOf = (sessions: number): Filling => ({
  sessions,
  laps: 25,
  circuits: 40,
  vehicles: 30,
  drivers: 25
})

export const nameOf = (what: "Circuit" | "Vehicle" | "Driver", number: number) => `${what} ${number}`

/** The number in each name advances by a step of its own, so that all names are combined. */
const pick = (what: string, step: number, of: number) => `'${what} ' || ((i * ${step} + i / ${of}) % ${of})`

const counter = (until: number) =>
  `WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < ${until - 1})`

/** Fills an empty catalog with the current schema. */
export const fillCatalog = Effect.fn("fillCatalog")(function* (filling: Filling) {
  const sql = yield* SqlClient.SqlClient
  const names = [
    pick("Circuit", 7, filling.circuits),
    pick("Vehicle", 11, filling.vehicles),
    pick("Driver", 13, filling.drivers)
  ]
  const sessions = `INSERT INTO sessions
      (circuit, circuit_key, vehicle, vehicle_key, driver, driver_key, datetime, first_point, last_point, recording, distance)
    ${counter(filling.sessions)}
    SELECT ${names.map((name) => `${name}, lower(${name})`).join(", ")},
      1000000000 + i * 10000, 1000000000 + i * 10000, 1000000000 + i * 10000 + 2500, 0, 100000 + i % 977 FROM n`
  const time = "(80 + ((s.id * 131 + i * 7919) % 30011) / 1000.0)"
  const laps = `INSERT INTO laps
      (session_id, lap_number, lap_time, sector1_time, sector2_time, sector3_time, sector_source,
       valid, withdrawn, start_time, end_time)
    ${counter(filling.laps)}
    SELECT s.id, i + 1, CASE WHEN i % 50 = 49 THEN NULL ELSE ${time} END, ${time} / 4, ${time} / 4, ${time} / 2,
      'simulator', CASE WHEN i % 25 = 24 THEN 0 ELSE 1 END, 0, s.datetime + i * 100, s.datetime + i * 100 + 99
    FROM sessions AS s CROSS JOIN n`
  yield* sql.unsafe(sessions).pipe(Effect.zipRight(sql.unsafe(laps)), countedAtEnd(sql), sql.withTransaction)
  if (sql.onDialectOrElse({ pg: () => true, orElse: () => false })) yield* sql`ANALYZE`
})
