/** Writes rows of sessions and laps with QuestDB's official client, which is fast enough for rare rows. */
import { Sender } from "@questdb/nodejs-client"
import type { RecordedLap } from "../../domain/Lap.ts"
import type { Session } from "../../domain/Session.ts"
import type { QuestdbAddress } from "../../platform/addresses/questdb.ts"
import { isStorable } from "./RowEncoder.ts"
import { tablesOf } from "./schema.ts"

const micros = (seconds: number): bigint => BigInt(Math.round(seconds * 1e6))

/** Columns without a value are left out, which makes them NULL in QuestDB. */
const float = (row: Sender, name: string, value: number | null): Sender =>
  value === null ? row : row.floatColumn(name, value)

const addLap = async (sender: Sender, table: string, lap: RecordedLap): Promise<void> => {
  const row = sender.table(table).symbol("session", String(lap.sessionId))
  // Symbols come before all other columns.
  if (lap.driver !== undefined) row.symbol("driver", lap.driver)
  if (lap.sectorSource) row.symbol("sector_source", lap.sectorSource)
  row.intColumn("lap_id", lap.id).intColumn("lap_number", lap.lapNumber)
  float(row, "lap_time", lap.lapTime)
  float(row, "sector1_time", lap.sector1Time)
  float(row, "sector2_time", lap.sector2Time)
  float(row, "sector3_time", lap.sector3Time)
  row.booleanColumn("valid", lap.valid).booleanColumn("withdrawn", lap.withdrawn === true)
  row.floatColumn("start_time", lap.startTime).floatColumn("end_time", lap.endTime)
  await row.at(micros(lap.startTime), "us")
}

const addSession = async (sender: Sender, table: string, session: Session): Promise<void> => {
  const row = sender.table(table).symbol("session", String(session.id))
  row.symbol("circuit", session.circuit).symbol("vehicle", session.vehicle).symbol("driver", session.driver)
  row.intColumn("laps", session.totalLaps).floatColumn("duration", session.duration)
  float(row, "best_lap_time", session.bestLapTime)
  // To the millisecond, as the interface gives it.
  await row.at(micros(Math.round(session.datetime * 1000) / 1000), "us")
}

/** A value in the client's configuration, where a semicolon ends it and two are one. */
const configured = (value: string): string => value.replaceAll(";", ";;")

/** Writes a session that has ended, and its laps. Writing them again changes nothing. */
export const writeRows = async (
  { host, password, port, prefix, user }: QuestdbAddress,
  session: Session,
  laps: ReadonlyArray<RecordedLap>
): Promise<void> => {
  const tables = tablesOf(prefix)
  const credentials = `username=${configured(user)};password=${configured(password)}`
  const sender = await Sender.fromConfig(
    `http::addr=${host}:${port};${credentials};auto_flush=off;protocol_version=2`
  )
  try {
    for (const lap of laps) if (isStorable(lap.startTime)) await addLap(sender, tables.laps, lap)
    await addSession(sender, tables.sessions, session)
    await sender.flush()
  } finally {
    await sender.close()
  }
}
