/**
 * The catalog's rows and their meaning. Counts and ids go through Number, because PostgreSQL's driver gives 64-bit integers
 * as text.
 */
import type * as SqlClient from "@effect/sql/SqlClient"
import type { Fragment } from "@effect/sql/Statement"
import type { NewLap, RecordedLap, SectorSource } from "../../domain/Lap.ts"
import type { NewSession, Session, SessionNames } from "../../domain/Session.ts"

export interface SessionRow {
  readonly id: number
  readonly circuit: string
  readonly vehicle: string
  readonly driver: string
  readonly circuit_reported: string | null
  readonly vehicle_reported: string | null
  readonly driver_reported: string | null
  readonly circuit_layout: string | null
  readonly tags: string | null
  readonly datetime: number
  readonly first_point: number | null
  readonly last_point: number | null
  readonly total_laps: number | string
  readonly best_lap_time: number | null
  readonly distance: number | null
  readonly pinned: number
  readonly imported: number
}

export interface LapRow {
  readonly id: number
  readonly session_id: number
  readonly lap_number: number
  readonly lap_time: number | null
  readonly sector1_time: number | null
  readonly sector2_time: number | null
  readonly sector3_time: number | null
  readonly sector_source: SectorSource | null
  readonly valid: number
  readonly driven_by: string | null
  readonly withdrawn: number
  readonly valid_reported: number | null
  readonly valid_given: number | null
  readonly excluded: number
  readonly start_time: number
  readonly end_time: number
}

/** A name in Unicode's NFC. A name that a Mac or a game sends in decomposed form becomes the same name. */
export const composed = (name: string): string => name.normalize("NFC")

/**
 * The key by which names are matched; it ignores case and surrounding spaces. `toLowerCase` handles every script, a
 * database's lower() perhaps only ASCII.
 */
export const nameKey = (name: string): string => composed(name).trim().toLowerCase()

/** Whole seconds. A difference of epoch doubles is exact to microseconds only, and 90 s must not become 89. */
const wholeSeconds = (first: number, last: number): number =>
  Math.floor(Math.round((last - first) * 1e6) / 1e6)

export const toSession = (row: SessionRow): Session => ({
  id: Number(row.id),
  circuit: row.circuit,
  vehicle: row.vehicle,
  driver: row.driver,
  datetime: row.datetime,
  duration:
    row.first_point === null || row.last_point === null ? 0 : wholeSeconds(row.first_point, row.last_point),
  totalLaps: Number(row.total_laps),
  bestLapTime: row.best_lap_time,
  ...(row.tags === null ? {} : { tags: JSON.parse(row.tags) as ReadonlyArray<string> }),
  ...(row.circuit_layout === null ? {} : { circuitLayout: row.circuit_layout }),
  ...(row.circuit_reported === null ? {} : { circuitReported: row.circuit_reported }),
  ...(row.vehicle_reported === null ? {} : { vehicleReported: row.vehicle_reported }),
  ...(row.driver_reported === null ? {} : { driverReported: row.driver_reported }),
  pinned: row.pinned === 1,
  source: row.imported === 1 ? "import" : "live"
})

/** Columns of a session that only marks fill, as they are without one. */
export const UNMARKED = {
  circuit_reported: null,
  vehicle_reported: null,
  driver_reported: null,
  circuit_layout: null,
  tags: null
}

/** The names of a session as its simulator reported them. */
export const reportedNames = (row: SessionRow): SessionNames => ({
  circuit: row.circuit_reported ?? row.circuit,
  vehicle: row.vehicle_reported ?? row.vehicle,
  driver: row.driver_reported ?? row.driver
})

export const fromNames = (names: SessionNames) => ({
  circuit: composed(names.circuit),
  circuit_key: nameKey(names.circuit),
  vehicle: composed(names.vehicle),
  vehicle_key: nameKey(names.vehicle),
  driver: composed(names.driver),
  driver_key: nameKey(names.driver)
})

export const fromNewSession = (session: NewSession, recording: boolean) => ({
  ...fromNames(session),
  datetime: session.datetime,
  recording: recording ? 1 : 0
})

/**
 * SQL for sessions that no other node records. A catalog in a data folder has one node, whose identity may have changed; and a process
 * that is no node repairs a catalog that nobody uses.
 */
export const notOfAnother = (sql: SqlClient.SqlClient, node: string | null): Fragment =>
  sql.onDialectOrElse({
    pg: () => (node === null ? sql`1 = 1` : sql`(node IS NULL OR node = ${node})`),
    orElse: () => sql`1 = 1`
  })

/** SQL for the time when a session ended, by which the oldest is removed (Deletions.ts, Removable). */
export const endOf = (sql: SqlClient.SqlClient): Fragment =>
  sql.onDialectOrElse({
    pg: () => sql`greatest(coalesce(last_point, datetime), stored_at)`,
    orElse: () => sql`max(coalesce(last_point, datetime), stored_at)`
  })

export const toLap = (row: LapRow): RecordedLap => ({
  id: Number(row.id),
  sessionId: Number(row.session_id),
  lapNumber: row.lap_number,
  lapTime: row.lap_time,
  sector1Time: row.sector1_time,
  sector2Time: row.sector2_time,
  sector3Time: row.sector3_time,
  sectorSource: row.sector_source,
  valid: row.valid === 1,
  ...(row.driven_by === null ? {} : { driver: row.driven_by }),
  ...(row.withdrawn === 1 ? { withdrawn: true } : {}),
  ...(row.excluded === 1 ? { excluded: true } : {}),
  ...(row.valid_given === null ? {} : { corrected: true }),
  ...(row.valid_reported === null ? {} : { validReported: row.valid_reported === 1 }),
  startTime: row.start_time,
  endTime: row.end_time
})

/** The lap as its simulator reported it. */
export const toReportedLap = (row: LapRow): RecordedLap =>
  toLap({
    ...row,
    valid: row.valid_reported ?? row.valid,
    valid_reported: null,
    valid_given: null,
    excluded: 0
  })

/** The driver of a lap, as columns; null if it is the session's driver. */
export const fromLapDriver = (driver: string | undefined) => ({
  driven_by: driver === undefined ? null : composed(driver),
  driven_by_key: driver === undefined ? null : nameKey(driver)
})

export const fromNewLap = (lap: NewLap) => ({
  session_id: lap.sessionId,
  lap_number: lap.lapNumber,
  lap_time: lap.lapTime,
  sector1_time: lap.sector1Time,
  sector2_time: lap.sector2Time,
  sector3_time: lap.sector3Time,
  sector_source: lap.sectorSource ?? null,
  valid: lap.valid ? 1 : 0,
  ...fromLapDriver(lap.driver),
  withdrawn: lap.withdrawn === true ? 1 : 0,
  start_time: lap.startTime,
  end_time: lap.endTime
})

/**
 * SQL for an id, or a change's number, from a client. The number may be too large for the column's type. Without the
 * cast, PostgreSQL would read it as that type and fail.
 */
export const givenId = (sql: SqlClient.SqlClient, id: number) => sql`CAST(${id} AS BIGINT)`
