/**
 * What analysts join the points with: a row for each session that has ended, and one for each of its laps. Written by the
 * official client, which is at its best where a row is rare; it may lose one (notes on QuestDB), which the catalog does not.
 */
import { Sender } from "@questdb/nodejs-client"
import { Effect } from "effect"
import type { RecordedLap } from "../../domain/Lap.ts"
import type { Session } from "../../domain/Session.ts"
import { Catalog } from "../Catalog.ts"
import type { QuestdbAddress } from "./address.ts"
import { unavailable } from "./Connections.ts"
import { isStorable } from "./RowEncoder.ts"
import { type Tables, tablesOf } from "./schema.ts"

/** A server that is away keeps nobody waiting, least of all a service that stops. */
const WRITTEN_WITHIN = "10 seconds"

const micros = (seconds: number): bigint => BigInt(Math.round(seconds * 1e6))

/** Columns without a value are left out, which is QuestDB's NULL. */
const float = (row: Sender, name: string, value: number | null): Sender =>
  value === null ? row : row.floatColumn(name, value)

const addLap = async (sender: Sender, table: string, lap: RecordedLap): Promise<void> => {
  const row = sender.table(table).symbol("session", String(lap.session_id))
  row.intColumn("lap_id", lap.id).intColumn("lap_number", lap.lap_number)
  for (const name of ["lap_time", "sector1_time", "sector2_time", "sector3_time"] as const) {
    float(row, name, lap[name])
  }
  row.booleanColumn("valid", lap.valid)
  row.floatColumn("start_time", lap.start_time).floatColumn("end_time", lap.end_time)
  await row.at(micros(lap.start_time), "us")
}

const addSession = async (sender: Sender, table: string, session: Session): Promise<void> => {
  const row = sender.table(table).symbol("session", String(session.id))
  row.symbol("circuit", session.circuit).symbol("vehicle", session.vehicle).symbol("driver", session.driver)
  row.intColumn("laps", session.total_laps).floatColumn("duration", session.duration)
  float(row, "best_lap_time", session.best_lap_time)
  await row.at(micros(Date.parse(`${session.datetime}Z`) / 1000), "us")
}

const write = async (
  address: QuestdbAddress,
  tables: Tables,
  session: Session,
  laps: ReadonlyArray<RecordedLap>
): Promise<void> => {
  const { host, port } = address
  const sender = await Sender.fromConfig(`http::addr=${host}:${port};auto_flush=off;protocol_version=2`)
  try {
    await addSession(sender, tables.sessions, session)
    for (const lap of laps) if (isStorable(lap.start_time)) await addLap(sender, tables.laps, lap)
    await sender.flush()
  } finally {
    await sender.close()
  }
}

/** For a session that has ended. */
export const tabulateEnded = (address: QuestdbAddress) => {
  const tables = tablesOf(address.prefix)
  return (sessionId: number) =>
    Effect.gen(function* () {
      const catalog = yield* Catalog
      const session = yield* catalog.session(sessionId)
      const laps = yield* catalog.laps(sessionId)
      yield* Effect.tryPromise({ try: () => write(address, tables, session, laps), catch: unavailable })
    }).pipe(
      Effect.timeout(WRITTEN_WITHIN),
      Effect.catchAllCause((cause) =>
        Effect.logWarning(`QuestDB's tables of sessions and laps lack session ${sessionId}`, cause)
      )
    )
}
