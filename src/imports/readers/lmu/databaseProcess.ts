/**
 * Entry of the process that opens a DuckDB file. The library is native code, and a hostile file may end the process that reads it.
 * The file can reach nothing else: it is attached before access to other files and the configuration are locked, and only its
 * tables are read, never its views.
 */
import type { DuckDBConnection, DuckDBResult } from "@duckdb/node-api"

export interface Table {
  readonly name: string
  /** Those with numbers, in their order. */
  readonly columns: ReadonlyArray<string>
  readonly rows: number
}

export type DatabaseAsk =
  | { readonly open: string }
  /** The rows from `from` to `until` (exclusive) of a column, in the order in which they were written; NaN is absent. */
  | { readonly table: string; readonly column: string; readonly from: number; readonly until: number }
  /** All rows of a short table, as texts. */
  | { readonly texts: string; readonly columns: ReadonlyArray<string> }

export type DatabaseAnswer =
  | { readonly tables: ReadonlyArray<Table> }
  | { readonly values: Float64Array }
  | { readonly rows: ReadonlyArray<ReadonlyArray<string>> }
  /** The library cannot be loaded. */
  | { readonly missing: true }
  | { readonly failed: string }

const MEMORY = "256MB"
/** More rows of texts are no list of channels. */
const MAX_TEXTS = 4096
const FILE = "file"

const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`
const literal = (text: string) => `'${text.replaceAll("'", "''")}'`

const fromTable = (table: string) => `FROM ${FILE}.${quoted(table)}`

const NUMERIC = /^(U?(TINY|SMALL|BIG|HUGE)?INT(EGER)?|FLOAT|DOUBLE|BOOLEAN|DECIMAL.*)$/

/** Reads a column forwards, chunk by chunk. Rows that were asked for last are kept. */
class Cursor {
  readonly #result: DuckDBResult
  /** The rows from `#first` on that were read and not yet passed by. */
  #kept: Array<number> = []
  #first = 0

  constructor(result: DuckDBResult) {
    this.#result = result
  }

  get first(): number {
    return this.#first
  }

  async rows(begin: number, end: number): Promise<Float64Array> {
    while (this.#first + this.#kept.length < end) {
      const passed = Math.min(begin - this.#first, this.#kept.length)
      if (passed > 0) this.#pass(passed)
      const chunk = await this.#result.fetchChunk()
      if (chunk === null || chunk.rowCount === 0) break
      for (const value of chunk.getColumnValues(0))
        this.#kept.push(value === null ? Number.NaN : Number(value))
    }
    this.#pass(Math.max(0, Math.min(begin - this.#first, this.#kept.length)))
    return Float64Array.from(this.#kept.slice(begin - this.#first, end - this.#first))
  }

  #pass(rows: number): void {
    this.#kept = this.#kept.slice(rows)
    this.#first += rows
  }
}

/** An open file. Each column is read on a connection of its own, because a connection has one result at a time. */
const opened = async (path: string) => {
  const { DuckDBInstance } = await import("@duckdb/node-api")
  const instance = await DuckDBInstance.create(":memory:", {
    threads: "1",
    memory_limit: MEMORY,
    autoinstall_known_extensions: "false",
    autoload_known_extensions: "false"
  })
  const main = await instance.connect()
  await main.run(`ATTACH ${literal(path)} AS ${FILE} (READ_ONLY)`)
  await main.run("SET enable_external_access = false")
  await main.run("SET lock_configuration = true")
  const cursors = new Map<string, Cursor>()

  const texts = async (sql: string, connection: DuckDBConnection = main) =>
    (await connection.runAndReadAll(sql)).getRowsJson().map((row) => row.map((cell) => String(cell ?? "")))

  const tables = async (): Promise<ReadonlyArray<Table>> => {
    const columns = await texts(
      `SELECT table_name, column_name, data_type FROM duckdb_columns() JOIN duckdb_tables() USING (database_name, table_name) ` +
        `WHERE database_name = '${FILE}' ORDER BY table_name, column_index LIMIT ${MAX_TEXTS}`
    )
    const byTable = new Map<string, Array<string>>()
    for (const [table = "", column = "", type = ""] of columns) {
      const own = byTable.get(table) ?? []
      byTable.set(table, NUMERIC.test(type) ? [...own, column] : own)
    }
    const found: Array<Table> = []
    for (const [name, own] of byTable) {
      const [[rows = "0"] = []] = await texts(`SELECT count(*) ${fromTable(name)}`)
      found.push({ name, columns: own, rows: Number(rows) })
    }
    return found
  }

  const cursorOf = async (table: string, column: string, begin: number) => {
    const key = JSON.stringify([table, column])
    const known = cursors.get(key)
    if (known !== undefined && known.first <= begin) return known
    const connection = await instance.connect()
    const sql = `SELECT TRY_CAST(${quoted(column)} AS DOUBLE) ${fromTable(table)}`
    const cursor = new Cursor(await connection.stream(sql))
    cursors.set(key, cursor)
    return cursor
  }

  return {
    tables,
    texts: (table: string, columns: ReadonlyArray<string>) =>
      texts(
        `SELECT ${columns.map((one) => `CAST(${quoted(one)} AS VARCHAR)`).join(", ")} ${fromTable(table)} LIMIT ${MAX_TEXTS}`
      ),
    values: async (table: string, column: string, begin: number, end: number) =>
      (await cursorOf(table, column, begin)).rows(begin, end)
  }
}

let file: Awaited<ReturnType<typeof opened>> | undefined

const answerTo = async (ask: DatabaseAsk): Promise<DatabaseAnswer> => {
  if ("open" in ask) {
    file = await opened(ask.open)
    return { tables: await file.tables() }
  }
  if (file === undefined) return { failed: "No file is open" }
  if ("texts" in ask) return { rows: await file.texts(ask.texts, ask.columns) }
  return { values: await file.values(ask.table, ask.column, ask.from, ask.until) }
}

const isMissing = (error: unknown) =>
  error instanceof Error && "code" in error && error.code === "ERR_MODULE_NOT_FOUND"

process.on("message", (ask: DatabaseAsk) => {
  answerTo(ask)
    .catch((error: unknown): DatabaseAnswer =>
      isMissing(error)
        ? { missing: true }
        : { failed: error instanceof Error ? error.message : String(error) }
    )
    .then((answer) => process.send?.(answer))
})
// The importing thread has ended.
process.on("disconnect", () => process.exit())
