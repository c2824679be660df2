/**
 * Whether QuestDB applies what it has acknowledged. A table whose application of the write-ahead log failed is
 * suspended: it goes on acknowledging, but nothing becomes visible until it is resumed.
 */
import { Effect, Metric } from "effect"
import type { StoreUnavailable } from "../../domain/errors.ts"
import { type Connections, unavailable } from "./Connections.ts"

/** Failures of the machine, not of the data: once there is room again, going on is safe (QuestDB: ALTER TABLE RESUME WAL). */
const passing: ReadonlySet<string> = new Set([
  "",
  "DISK FULL",
  "TOO MANY OPEN FILES",
  "OUT OF MMAP AREAS",
  "OUT OF MEMORY"
])

const suspended = Metric.gauge("telemetry_questdb_table_suspended", {
  description: "1 while a table of QuestDB is suspended"
})

type Ask = Pick<(typeof Connections)["Service"], "rows">

const stateOf = Effect.fnUntraced(function* ({ rows }: Ask, table: string) {
  const [row] = yield* rows("SELECT suspended, errorTag, errorMessage FROM wal_tables() WHERE name = $1", [
    table
  ])
  return {
    suspended: String(row?.["suspended"]).startsWith("t"),
    tag: String(row?.["errorTag"] ?? ""),
    message: String(row?.["errorMessage"] ?? "")
  }
})

/** Succeeds when all that was written to the table so far can be read; resumes it first where that is safe. */
export const ensureApplied = Effect.fn("questdb.ensureApplied")(function* (
  ask: Ask,
  table: string
): Effect.fn.Return<void, StoreUnavailable> {
  const waited = ask.rows(`SELECT wait_wal_table('${table}')`)
  yield* Effect.catchAll(waited, (failure) =>
    Effect.gen(function* () {
      const state = yield* stateOf(ask, table)
      const gauge = Metric.tagged(suspended, "table", table)
      if (!state.suspended) return yield* failure
      gauge.unsafeUpdate(1, [])
      const why = `${table} is suspended${state.tag === "" ? "" : ` (${state.tag})`}: ${state.message}`
      if (!passing.has(state.tag)) return yield* unavailable(new Error(why))
      yield* Effect.logWarning(`Resuming QuestDB's table ${why}`)
      yield* ask.rows(`ALTER TABLE ${table} RESUME WAL`)
      yield* Effect.asVoid(waited)
      gauge.unsafeUpdate(0, [])
    })
  )
})
