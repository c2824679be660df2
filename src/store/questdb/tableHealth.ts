/**
 * Checks whether QuestDB applies the rows that it has acknowledged. It suspends a table if applying the write-ahead log
 * failed. A suspended table still acknowledges rows and keeps them, but they become visible only after the table is
 * resumed.
 *
 * The service resumes a table if the cause was the machine's and may have passed. If the cause is unknown, or somebody
 * suspended the table on purpose, the administrator resumes it: docs/operations.md says how.
 */
import { Effect, Metric } from "effect"
import { StoreUnavailable } from "../../domain/errors.ts"
import type { Connections } from "./Connections.ts"
import { quoted } from "./schema.ts"

/** Failures of the machine, not of the data: resuming retries the same transaction, and at worst suspends the table again. */
const passing: ReadonlySet<string> = new Set([
  "DISK FULL",
  "TOO MANY OPEN FILES",
  "OUT OF MMAP AREAS",
  "OUT OF MEMORY"
])

const suspendedTables = Metric.gauge("telemetry_questdb_table_suspended", {
  description: "1 while a table of QuestDB is suspended"
})

type Ask = Pick<(typeof Connections)["Service"], "rows">

interface State {
  readonly table: string
  readonly suspended: boolean
  readonly tag: string
  readonly message: string
}

/** The rows of `wal_tables()` for these tables. */
const statesOf = Effect.fnUntraced(function* ({ rows }: Ask, tables: ReadonlyArray<string>) {
  const places = tables.map((_, n) => `$${n + 1}`).join(", ")
  const found = yield* rows(
    `SELECT name, suspended, errorTag, errorMessage FROM wal_tables() WHERE name IN (${places})`,
    tables
  )
  return tables.map((table): State => {
    const row = found.find(({ name }) => name === table)
    const suspended = String(row?.["suspended"]).startsWith("t")
    Metric.tagged(suspendedTables, "table", table).unsafeUpdate(suspended ? 1 : 0, [])
    return {
      table,
      suspended,
      tag: String(row?.["errorTag"] ?? ""),
      message: String(row?.["errorMessage"] ?? "")
    }
  })
})

const suspension = ({ message, table, tag }: State) => {
  const cause = [tag, message].filter((part) => part !== "").join(", ")
  return `QuestDB's table ${table} is suspended: ${cause === "" ? "somebody did that, or it gives no cause" : cause}`
}

/** Resumes suspended tables where that is safe; fails if others are suspended. Returns whether a table was suspended. */
export const ensureRunning = Effect.fn("questdb.ensureRunning")(function* (
  ask: Ask,
  ...tables: ReadonlyArray<string>
): Effect.fn.Return<boolean, StoreUnavailable> {
  const suspended = (yield* statesOf(ask, tables)).filter((state) => state.suspended)
  if (suspended.length === 0) return false
  for (const state of suspended.filter(({ tag }) => passing.has(tag))) {
    yield* Effect.logWarning(`${suspension(state)}. Resuming it`)
    yield* ask.rows(`ALTER TABLE ${quoted(state.table)} RESUME WAL`)
  }
  const lasting = suspended.filter(({ tag }) => !passing.has(tag))
  if (lasting.length > 0) {
    const reason = lasting.map(suspension).join("; ")
    return yield* new StoreUnavailable({ store: "questdb", cause: new Error(reason), reason })
  }
  yield* statesOf(ask, tables)
  return true
})

/** Succeeds when everything written to the table so far can be read. */
export const ensureApplied = Effect.fn("questdb.ensureApplied")(function* (
  ask: Ask,
  table: string
): Effect.fn.Return<void, StoreUnavailable> {
  const waited = Effect.asVoid(ask.rows(`SELECT wait_wal_table('${table}')`))
  yield* Effect.catchAll(waited, (failure) =>
    Effect.flatMap(ensureRunning(ask, table), (resumed) => (resumed ? waited : failure))
  )
})
