/**
 * The catalog's rows and what they mean. Counts and ids go through Number: PostgreSQL's driver gives 64-bit
 * integers as text.
 */
import type { NewLap, RecordedLap, SectorSource } from "../domain/Lap.ts"
import type { NewSession, Session } from "../domain/Session.ts"
import { formatDateTime, toDateTime } from "../domain/Time.ts"

export interface SessionRow {
  readonly id: number
  readonly circuit: string
  readonly vehicle: string
  readonly driver: string
  readonly datetime: number
  readonly first_point: number | null
  readonly last_point: number | null
  readonly total_laps: number | string
  readonly best_lap_time: number | null
  readonly distance: number | null
  readonly pinned: number
}

export interface LapRow extends Omit<RecordedLap, "valid" | "sector_source"> {
  readonly sector_source: SectorSource | null
  readonly valid: number
}

/** What names are matched by: `toLowerCase` knows every script, a database's lower() perhaps only ASCII. */
export const nameKey = (name: string): string => name.toLowerCase()

/**
 * Whole seconds; a difference of epoch doubles is good to microseconds, and 90 s must not become 89. Times that no date has
 * count as the nearest that one has: older versions kept them, and a list must not fail because of one row.
 */
const wholeSeconds = (first: number, last: number): number =>
  Math.floor(Math.round((toDateTime(last) - toDateTime(first)) * 1e6) / 1e6)

export const toSession = (row: SessionRow): Session => ({
  id: Number(row.id),
  circuit: row.circuit,
  vehicle: row.vehicle,
  driver: row.driver,
  datetime: formatDateTime(toDateTime(row.datetime)),
  duration:
    row.first_point === null || row.last_point === null ? 0 : wholeSeconds(row.first_point, row.last_point),
  total_laps: Number(row.total_laps),
  best_lap_time: row.best_lap_time,
  pinned: row.pinned === 1
})

export const fromNewSession = (session: NewSession, recording: boolean) => ({
  circuit: session.circuit,
  circuit_key: nameKey(session.circuit),
  vehicle: session.vehicle,
  vehicle_key: nameKey(session.vehicle),
  driver: session.driver,
  driver_key: nameKey(session.driver),
  datetime: session.datetime,
  recording: recording ? 1 : 0
})

export const toLap = (row: LapRow): RecordedLap => ({
  id: Number(row.id),
  session_id: Number(row.session_id),
  lap_number: row.lap_number,
  lap_time: row.lap_time,
  sector1_time: row.sector1_time,
  sector2_time: row.sector2_time,
  sector3_time: row.sector3_time,
  sector_source: row.sector_source,
  valid: row.valid === 1,
  start_time: row.start_time,
  end_time: row.end_time
})

export const fromNewLap = (lap: NewLap) => ({
  session_id: lap.session_id,
  lap_number: lap.lap_number,
  lap_time: lap.lap_time,
  sector1_time: lap.sector1_time,
  sector2_time: lap.sector2_time,
  sector3_time: lap.sector3_time,
  sector_source: lap.sector_source ?? null,
  valid: lap.valid ? 1 : 0,
  start_time: lap.start_time,
  end_time: lap.end_time
})
