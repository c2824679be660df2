/**
 * The tables in QuestDB. DDL creates them: a table that ILP created would have neither DEDUP nor our partitions.
 *
 * A point is a row of `points`; a sample is a row of the table named after its group. `time` is the timestamp to the last
 * bit. `ts` is the same to the nanosecond (present-day doubles resolve 238 ns); it orders and partitions the rows and keeps
 * `(ts, session)` unique. All values are DOUBLE, because a recording must be read back as it was written, and a FLOAT would
 * not give back the values of a 64-bit feed. `session` is the session's id. After a removal it is "id.n": rows cannot be
 * deleted, so the next points of that id get another key. Where a node took a session from another, its rows have the key
 * "id~RANDOM", and the catalog says which times of each key count (Takeovers.ts).
 */
import { channels } from "../../domain/pointChannels.ts"
import type { Columns } from "./tableColumns.ts"

/** The column of each channel. */
export const columnOf = (channel: string): string => (channel === "timestamp" ? "time" : channel)

/** The session of a key, and after how many removals of it the key was given; a tenure has its key from before any. */
export const ofKey = (key: string): { readonly id: number; readonly removals: number } => {
  const [numbers = ""] = key.split("~")
  const [id, removals = "0"] = numbers.split(".")
  return { id: Number(id), removals: Number(removals) }
}

/** The columns in the order in which a row is written. */
export const columns: ReadonlyArray<string> = channels.map(columnOf)

export interface Tables {
  readonly points: string
  readonly removals: string
  readonly sessions: string
  readonly laps: string
  readonly owner: string
  /** The groups that have a table (groupTables.ts). */
  readonly groups: string
  /** Rows with which the service checks whether it may write (writeCheck.ts). */
  readonly writeChecks: string
}

/** `prefix` separates the tables of several services on one server. */
export const tablesOf = (prefix: string): Tables => ({
  points: `${prefix}points`,
  removals: `${prefix}point_removals`,
  sessions: `${prefix}sessions`,
  laps: `${prefix}laps`,
  owner: `${prefix}point_owner`,
  groups: `${prefix}point_groups`,
  writeChecks: `${prefix}write_checks`
})

/** The table of a group. Its name comes from the feed, and may be a word of SQL, so statements quote it. */
export const groupTable = (prefix: string, group: string): string => `${prefix}${group}`

export const quoted = (name: string): string => `"${name}"`

/** The columns of every table of rows other than those of channels. */
export const rowColumns: Columns = {
  session: "SYMBOL",
  [columnOf("timestamp")]: "DOUBLE",
  ts: "TIMESTAMP_NS"
}

export const pointColumns: Columns = {
  ...rowColumns,
  ...Object.fromEntries(columns.map((column) => [column, "DOUBLE"]))
}

/** The definition of a table whose rows have a session's key and a time. */
const rowTable = (name: string, doubles: ReadonlyArray<string>, ttl: string | undefined): string =>
  `CREATE TABLE IF NOT EXISTS ${quoted(name)} (
    session SYMBOL CAPACITY 4096, ${doubles.map((column) => `${quoted(column)} DOUBLE`).join(", ")}, ts TIMESTAMP_NS
  ) TIMESTAMP(ts) PARTITION BY HOUR ${ttl === undefined ? "" : `TTL ${ttl} `}WAL DEDUP UPSERT KEYS(ts, session)`

/** The table of a group, with columns for these channels. */
export const groupDefinition = (
  table: string,
  channels: ReadonlyArray<string>,
  ttl: string | undefined
): string => rowTable(table, ["timestamp", ...channels].map(columnOf), ttl)

/** Adds a column unless it exists. A table with a write-ahead log takes one at a time. */
export const columnAdded = (table: string, channel: string): string =>
  `ALTER TABLE ${quoted(table)} ADD COLUMN IF NOT EXISTS ${quoted(channel)} DOUBLE`

/** A table with the columns that it is made with. */
export interface Definition {
  readonly table: string
  readonly columns: Columns
  readonly text: string
}

const defined = (table: string, columns: Columns, how: string): Definition => {
  const named = Object.entries(columns).map(([name, type]) => `${quoted(name)} ${type}`)
  const text = `CREATE TABLE IF NOT EXISTS ${table} (${named.join(", ")}) TIMESTAMP(ts) ${how}`
  return { table, columns, text }
}

const YEARLY = "PARTITION BY YEAR WAL"

/**
 * Analysts' tables beside the points: sessions and their laps, written when the session ends. A lap's `driver` is NULL
 * if it is the session's driver; `sector_source` is NULL if no sectors were timed.
 */
const analystTables = ({ laps, sessions }: Tables): ReadonlyArray<Definition> => [
  defined(
    sessions,
    {
      session: "SYMBOL",
      circuit: "SYMBOL",
      vehicle: "SYMBOL",
      driver: "SYMBOL",
      laps: "LONG",
      duration: "DOUBLE",
      best_lap_time: "DOUBLE",
      ts: "TIMESTAMP"
    },
    `${YEARLY} DEDUP UPSERT KEYS(ts, session)`
  ),
  defined(
    laps,
    {
      session: "SYMBOL",
      lap_id: "LONG",
      lap_number: "LONG",
      driver: "SYMBOL",
      lap_time: "DOUBLE",
      sector1_time: "DOUBLE",
      sector2_time: "DOUBLE",
      sector3_time: "DOUBLE",
      sector_source: "SYMBOL",
      valid: "BOOLEAN",
      withdrawn: "BOOLEAN",
      start_time: "DOUBLE",
      end_time: "DOUBLE",
      ts: "TIMESTAMP"
    },
    `${YEARLY} DEDUP UPSERT KEYS(ts, session, lap_id)`
  )
]

/** The table of owners (pointOwner.ts). It has no DEDUP, which would keep the last of several rows of one time. */
export const ownerDefinition = ({ owner }: Tables): string =>
  `CREATE TABLE IF NOT EXISTS ${owner} (catalog SYMBOL, ts TIMESTAMP) TIMESTAMP(ts) PARTITION BY YEAR WAL`

/** `ttl`: how long points are kept, in QuestDB's words ("30 DAYS"); undefined: for good. */
export const definitions = (tables: Tables, ttl: string | undefined): ReadonlyArray<Definition> => [
  { table: tables.points, columns: pointColumns, text: rowTable(tables.points, columns, ttl) },
  defined(tables.removals, { session: "LONG", ts: "TIMESTAMP" }, YEARLY),
  defined(tables.groups, { group: "SYMBOL", ts: "TIMESTAMP" }, `${YEARLY} DEDUP UPSERT KEYS(ts, "group")`),
  // An hour of rows is enough.
  defined(tables.writeChecks, { token: "DOUBLE", ts: "TIMESTAMP_NS" }, "PARTITION BY HOUR TTL 1 HOUR WAL"),
  ...analystTables(tables)
]
