/** Reads sessions from the analysts' tables, when the catalog that these tables follow is lost. */
import { Context, Effect, Layer, Option } from "effect"
import type { StoreUnavailable } from "../../domain/errors.ts"
import type { RecordedLap } from "../../domain/Lap.ts"
import type { NewSession } from "../../domain/Session.ts"
import { orNull } from "../../domain/RowBatch.ts"
import type { QuestdbAddress } from "../../platform/addresses/questdb.ts"
import { Connections } from "./Connections.ts"
import { tablesOf } from "./schema.ts"
import { ensureApplied } from "./tableHealth.ts"

/** More laps than any session has. */
const MAX_LAPS = 100_000

/** Times are read to the last bit, because a lap's points are found by them. The binary protocol has doubles only. */
const LAP_COLUMNS = [
  "cast(lap_id AS DOUBLE)",
  "cast(lap_number AS DOUBLE)",
  "lap_time",
  "sector1_time",
  "sector2_time",
  "sector3_time",
  "CASE WHEN valid THEN 1.0 ELSE 0.0 END",
  "start_time",
  "end_time",
  "CASE WHEN withdrawn THEN 1.0 ELSE 0.0 END",
  "CASE sector_source WHEN 'simulator' THEN 1.0 WHEN 'derived' THEN 2.0 ELSE 0.0 END"
]

const SECTOR_SOURCES = [null, "simulator", "derived"] as const

export interface TabulatedSession {
  readonly session: NewSession
  readonly laps: ReadonlyArray<RecordedLap>
}

export class Tabulated extends Context.Tag("store/questdb/Tabulated")<
  Tabulated,
  { readonly session: (id: number) => Effect.Effect<Option.Option<TabulatedSession>, StoreUnavailable> }
>() {
  /** For points in other stores, which have no such tables. */
  static readonly none = Layer.succeed(this, { session: () => Effect.succeed(Option.none()) })

  static readonly layer = (address: QuestdbAddress) =>
    Layer.effect(
      this,
      Effect.gen(function* () {
        const { bulk, rows } = yield* Connections
        const tables = tablesOf(address.prefix)

        const lapsOf = Effect.fnUntraced(function* (id: number) {
          const named = LAP_COLUMNS.map((column, n) => `${column} AS c${n}`).join(", ")
          const found = yield* bulk(
            `SELECT ${named} FROM ${tables.laps} WHERE session = '${id}' ORDER BY ts LIMIT ${MAX_LAPS}`,
            { columns: LAP_COLUMNS.length, capacity: MAX_LAPS }
          )
          const others = yield* rows(
            `SELECT lap_id, driver FROM ${tables.laps} WHERE session = '${id}' AND driver IS NOT NULL`
          )
          const drivers = new Map(others.map((row) => [Number(row["lap_id"]), String(row["driver"])]))
          const value = (lap: number, column: number) => found.data[column * found.capacity + lap]!
          return Array.from({ length: found.rows }, (_, lap): RecordedLap => ({
            id: value(lap, 0),
            sessionId: id,
            lapNumber: value(lap, 1),
            // QuestDB's NULL is NaN in the binary protocol.
            lapTime: orNull(value(lap, 2)),
            sector1Time: orNull(value(lap, 3)),
            sector2Time: orNull(value(lap, 4)),
            sector3Time: orNull(value(lap, 5)),
            sectorSource: SECTOR_SOURCES[value(lap, 10)]!,
            valid: value(lap, 6) === 1,
            ...(drivers.has(value(lap, 0)) ? { driver: drivers.get(value(lap, 0))! } : {}),
            ...(value(lap, 9) === 1 ? { withdrawn: true } : {}),
            startTime: value(lap, 7),
            endTime: value(lap, 8)
          }))
        })

        return {
          session: Effect.fn("Tabulated.session")(function* (id) {
            for (const table of [tables.sessions, tables.laps]) yield* ensureApplied({ rows }, table)
            const [row] = yield* rows(
              `SELECT circuit, vehicle, driver, ts::long AS micros FROM ${tables.sessions}
                WHERE session = '${id}' ORDER BY ts DESC LIMIT 1`
            )
            if (row === undefined) return Option.none()
            const { circuit, driver, micros, vehicle } = row
            return Option.some({
              session: {
                circuit: String(circuit),
                vehicle: String(vehicle),
                driver: String(driver),
                datetime: Number(micros) / 1e6
              },
              laps: yield* lapsOf(id)
            })
          })
        }
      })
    ).pipe(Layer.provide(Connections.layer(address)))
}
