/**
 * The service's queries for a session and a lap, and the answers from their rows: for baselines, which do the same by
 * hand.
 */
import { formatDateTime } from "../../src/domain/Time.ts"
import { type LapRow, type SessionRow, toSession } from "../../src/store/sql/catalogRows.ts"

export type Kind = "session" | "lap"

const sessionOf = (row: SessionRow) => {
  const { bestLapTime, datetime, duration, pinned, source, totalLaps, ...names } = toSession(row)
  return {
    ...names,
    datetime: formatDateTime(datetime),
    duration,
    total_laps: totalLaps,
    best_lap_time: bestLapTime,
    pinned,
    source
  }
}

const lapOf = ({ id, lap_number, lap_time, sector_source, valid, ...row }: LapRow) => ({
  id,
  session_id: row.session_id,
  lap_number,
  lap_time,
  sector1_time: row.sector1_time,
  sector2_time: row.sector2_time,
  sector3_time: row.sector3_time,
  sector_source,
  valid: valid === 1
})

/** `select` ends where the id must be appended. */
export const rowAnswers = {
  session: {
    path: "/api/v1/sessions/:id",
    select: `SELECT id, circuit, vehicle, driver, circuit_reported, vehicle_reported, driver_reported,
    circuit_layout, tags, datetime, first_point, last_point, distance, pinned, change, recording,
    CASE WHEN EXISTS (SELECT 1 FROM session_sources WHERE session_id = sessions.id) THEN 1 ELSE 0 END AS imported,
    lap_count AS total_laps,
    (SELECT min(lap_time) FROM laps WHERE session_id = sessions.id AND valid = 1) AS best_lap_time
    FROM sessions WHERE id = `,
    answer: (row: unknown) => sessionOf(row as SessionRow)
  },
  lap: {
    path: "/api/v1/:id",
    select: "SELECT * FROM laps WHERE id = ",
    answer: (row: unknown) => lapOf(row as LapRow)
  }
} as const
