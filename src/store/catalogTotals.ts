/**
 * The totals of the catalog's sessions, kept as rows so that statistics need not read the laps.
 *
 * A session's row has the totals of its laps, and its fastest lap. `totals` has a row for each combination of circuit,
 * vehicle and driver, as spelled, that some session has. Triggers keep both, whichever program writes: this service, an older
 * version beside it, or a user by hand. The triggers add what is inserted and subtract what is deleted. Where a deleted row
 * had the minimum of a value, or a lap or a session's names are changed, they look for the next one. A lap that was withdrawn
 * does not count.
 *
 * Times are summed as whole nanoseconds and distances as whole micrometres: integer sums come back to exactly 0 when
 * everything that was added is subtracted.
 *
 * Over 250 lines: the triggers and the count of everything say the same, and are made of the same parts.
 *
 * This is the SQL of two migrations, so it must not change with the service.
 */
import * as SqlClient from "@effect/sql/SqlClient"
import { Effect } from "effect"

const isTime = (time: string) => `${time} > 0 AND ${time} <= 86400`

/** Whether a row of laps counts for bests and averages: it is valid, and has a time of at most a day. Withdrawn laps are not valid. */
export const timedLapSql = (lap: string) => `${lap}valid = 1 AND ${isTime(`${lap}lap_time`)}`

const nanoseconds = (time: string) => `CAST(round(${time} * 1000000000) AS BIGINT)`

/** No session is longer than a million kilometres. A larger value is cut, because it might not fit a BIGINT. */
const micrometres = (metres: string) =>
  `CASE WHEN ${metres} IS NULL THEN 0 WHEN ${metres} > 1000000000 THEN 1000000000000000
    ELSE CAST(round(${metres} * 1000000) AS BIGINT) END`

const listed = (columns: ReadonlyArray<string>) => columns.join(", ")

const SECTORS = ["sector1", "sector2", "sector3"]

interface Least {
  readonly column: string
  /** SQL for the time in a row of laps, if that lap counts. */
  readonly of: (lap: string) => string
}

/** The minimum sector times: of sectors that the source sent, and separately of sectors that the service derived. */
const LEAST = ["best", "derived"].flatMap((kind) =>
  SECTORS.map((sector): Least => {
    const isOfKind = (lap: string) =>
      `coalesce(${lap}sector_source, '') ${kind === "derived" ? "=" : "<>"} 'derived'`
    return {
      column: `${kind}_${sector}`,
      of: (lap) =>
        `CASE WHEN ${lap}valid = 1 AND ${isOfKind(lap)} AND ${isTime(`${lap}${sector}_time`)}
          THEN ${lap}${sector}_time END`
    }
  })
)
const MIN_COLUMNS = LEAST.map(({ column }) => column)

/** Whether a valid lap has sectors of unknown origin: it was stored before the origin was kept. */
const isUnsaid = (lap: string) =>
  `${lap}valid = 1 AND ${lap}sector_source IS NULL
    AND (${SECTORS.map((sector) => isTime(`${lap}${sector}_time`)).join(" OR ")})`

const ADDED = ["lap_count", "timed_laps", "time_ns", "unsaid_laps"]
const SUMS = [...ADDED, ...MIN_COLUMNS]
const FASTEST = ["fastest_time", "fastest_start", "fastest_lap"]

/**
 * Sets the sums of `sessions` from all of their laps. Sums of doubles, because SQLite's sums of integers fail when they
 * overflow.
 */
const COUNTED = `(${listed(SUMS)}) = (SELECT count(CASE WHEN withdrawn = 0 THEN 1 END), count(CASE WHEN ${timedLapSql("")} THEN 1 END),
    coalesce(sum(CASE WHEN ${timedLapSql("")} THEN round(lap_time * 1000000000) END), 0),
    count(CASE WHEN ${isUnsaid("")} THEN 1 END),
    ${listed(LEAST.map(({ of }) => `min(${of("")})`))}
    FROM laps WHERE session_id = sessions.id),
  (${listed(FASTEST)}) = (SELECT lap_time, start_time, id FROM laps
    WHERE session_id = sessions.id AND ${timedLapSql("")} ORDER BY lap_time, start_time, id LIMIT 1)`

const BESTS = ["best_lap_time", ...MIN_COLUMNS]
/** The columns of `sessions` whose minimum these are. */
const BEST_OF = ["fastest_time", ...MIN_COLUMNS]

const NAMES = ["circuit", "vehicle", "driver"]
const KEYED = NAMES.flatMap((name) => [name, `${name}_key`])
const named = (row: string, of = "") => NAMES.map((name) => `${of}${name} = ${row}.${name}`).join(" AND ")

const lesser = (own: string, other: string) =>
  `CASE WHEN ${own} IS NULL OR ${other} < ${own} THEN ${other} ELSE ${own} END`

/** Finds the minimum values again for the names of `row`. */
const bestsAgain = (row: string, where: string) =>
  `UPDATE totals SET (${listed(BESTS)}) = (SELECT ${listed(BEST_OF.map((column) => `min(${column})`))}
    FROM sessions WHERE ${named(row, "sessions.")}) WHERE ${named(row)} AND (${where});`

/** Whether a session's minimum is no longer as low as it was. */
const rises = (column: string) =>
  `(OLD.${column} IS NOT NULL AND (NEW.${column} IS NULL OR NEW.${column} > OLD.${column}))`

/** A session no longer counts under the names of \`row\`. */
const removed = (row: string) => `UPDATE totals SET session_count = session_count - 1,
        ${listed(ADDED.map((sum) => `${sum} = ${sum} - ${row}.${sum}`))},
        distance_um = distance_um - ${micrometres(`${row}.distance`)} WHERE ${named(row)};
      ${bestsAgain(row, BESTS.map((best, b) => `${best} = ${row}.${BEST_OF[b]}`).join(" OR "))}
      DELETE FROM totals WHERE ${named(row)} AND session_count = 0;`

const isFaster = `${timedLapSql("NEW.")} AND (fastest_lap IS NULL
  OR (NEW.lap_time, NEW.start_time, NEW.id) < (fastest_time, fastest_start, fastest_lap))`

const triggers = [
  {
    name: "session_added",
    on: "INSERT ON sessions",
    body: `INSERT INTO totals (${listed(KEYED)}, session_count, distance_um)
      VALUES (${listed(KEYED.map((column) => `NEW.${column}`))}, 1, ${micrometres("NEW.distance")})
      ON CONFLICT (${listed(NAMES)}) DO UPDATE SET session_count = totals.session_count + 1,
        distance_um = totals.distance_um + excluded.distance_um;`
  },
  {
    name: "session_changed",
    on: `UPDATE OF ${listed([...SUMS, ...FASTEST, "distance"])} ON sessions`,
    body: `UPDATE totals SET
        ${listed(ADDED.map((sum) => `${sum} = ${sum} + NEW.${sum} - OLD.${sum}`))},
        distance_um = distance_um + ${micrometres("NEW.distance")} - ${micrometres("OLD.distance")},
        ${listed(BESTS.map((best, b) => `${best} = ${lesser(best, `NEW.${BEST_OF[b]}`)}`))}
        WHERE ${named("NEW")};
      ${bestsAgain("NEW", `NEW.lap_count < OLD.lap_count OR ${BEST_OF.map(rises).join(" OR ")}`)}`
  },
  {
    name: "session_renamed",
    on: `UPDATE OF ${listed(NAMES)} ON sessions`,
    body: `${removed("OLD")}
      INSERT INTO totals (${listed([...KEYED, "session_count", ...ADDED, ...BESTS])}, distance_um)
      VALUES (${listed([...KEYED.map((column) => `NEW.${column}`), "1", ...ADDED.map((sum) => `NEW.${sum}`)])},
        ${listed(BEST_OF.map((column) => `NEW.${column}`))}, ${micrometres("NEW.distance")})
      ON CONFLICT (${listed(NAMES)}) DO UPDATE SET session_count = totals.session_count + 1,
        ${listed(ADDED.map((sum) => `${sum} = totals.${sum} + excluded.${sum}`))},
        distance_um = totals.distance_um + excluded.distance_um,
        ${listed(BESTS.map((best) => `${best} = ${lesser(`totals.${best}`, `excluded.${best}`)}`))};`
  },
  {
    name: "session_removed",
    on: "DELETE ON sessions",
    body: removed("OLD")
  },
  {
    name: "lap_added",
    on: "INSERT ON laps",
    body: `UPDATE sessions SET lap_count = lap_count + 1 - NEW.withdrawn,
        timed_laps = timed_laps + CASE WHEN ${timedLapSql("NEW.")} THEN 1 ELSE 0 END,
        time_ns = time_ns + CASE WHEN ${timedLapSql("NEW.")} THEN ${nanoseconds("NEW.lap_time")} ELSE 0 END,
        unsaid_laps = unsaid_laps + CASE WHEN ${isUnsaid("NEW.")} THEN 1 ELSE 0 END,
        ${listed(LEAST.map(({ column, of }) => `${column} = ${lesser(column, of("NEW."))}`))},
        fastest_time = CASE WHEN ${isFaster} THEN NEW.lap_time ELSE fastest_time END,
        fastest_start = CASE WHEN ${isFaster} THEN NEW.start_time ELSE fastest_start END,
        fastest_lap = CASE WHEN ${isFaster} THEN NEW.id ELSE fastest_lap END
        WHERE id = NEW.session_id;`
  },
  {
    name: "lap_changed",
    on: `UPDATE OF ${listed(["lap_time", ...SECTORS.map((sector) => `${sector}_time`), "sector_source", "valid", "withdrawn"])} ON laps`,
    body: `UPDATE sessions SET ${COUNTED} WHERE id = NEW.session_id;`
  },
  {
    // If a session is deleted with its laps, its row is already gone and nothing is counted.
    name: "lap_removed",
    on: "DELETE ON laps",
    body: `UPDATE sessions SET ${COUNTED} WHERE id = OLD.session_id;`
  }
]

/** Indexes in the orders in which sessions are listed, and by their fastest laps: for all sessions, and for those with some names. */
const indexes = [
  ...NAMES.map((name) => `sessions_by_${name} ON sessions (${name}_key, datetime, id)`),
  `sessions_by_names ON sessions (${listed(NAMES)})`,
  // A search of one driver for a circuit or a vehicle reads the index only.
  ...[[], ["circuit_key"], ["vehicle_key"], ["circuit_key", "vehicle_key"]].map(
    (keys) =>
      `sessions_by_fastest${keys.map((key) => `_${key.slice(0, -4)}`).join("")}
        ON sessions (${listed([...keys, ...FASTEST])}) WHERE fastest_lap IS NOT NULL`
  ),
  `sessions_by_fastest_driver ON sessions (driver_key, ${listed(FASTEST)}, circuit_key, vehicle_key)
    WHERE fastest_lap IS NOT NULL`,
  `sessions_not_measured ON sessions (driver_key, id) WHERE distance IS NULL`,
  ...NAMES.map((name) => `totals_by_${name} ON totals (${name}_key)`)
]

/** Counts all existing sessions as the triggers would have done. One session at a time, so that memory does not grow. */
const countAll = Effect.fn("catalogTotals.countAll")(function* (sql: SqlClient.SqlClient) {
  yield* sql.unsafe(`UPDATE sessions SET ${COUNTED}`)
  yield* sql`DELETE FROM totals`
  yield* sql.unsafe(`INSERT INTO totals (${listed([...KEYED, "session_count", ...ADDED, ...BESTS])}, distance_um)
    SELECT circuit, min(circuit_key), vehicle, min(vehicle_key), driver, min(driver_key), count(*),
      sum(lap_count), sum(timed_laps), sum(1.0 * time_ns), sum(unsaid_laps), ${listed(BEST_OF.map((column) => `min(${column})`))},
      sum(1.0 * ${micrometres("distance")})
    FROM sessions GROUP BY ${listed(NAMES)}`)
})

const isPostgres = (sql: SqlClient.SqlClient) => sql.onDialectOrElse({ pg: () => true, orElse: () => false })

/**
 * For very many sessions or laps in one transaction: counts them at its end. PostgreSQL keeps each version of a row until the
 * commit, and reads all of these versions each time a trigger counts in that row.
 */
export const countedAtEnd =
  (sql: SqlClient.SqlClient) =>
  <A, E, R>(adding: Effect.Effect<A, E, R>) => {
    if (!isPostgres(sql)) return adding
    const counting = (does: "ENABLE" | "DISABLE") =>
      Effect.forEach(["sessions", "laps"], (table) => sql.unsafe(`ALTER TABLE ${table} ${does} TRIGGER USER`))
    return counting("DISABLE").pipe(
      Effect.zipRight(adding),
      Effect.zipLeft(countAll(sql)),
      Effect.zipLeft(counting("ENABLE"))
    )
  }

export const addTotals = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const sums = `lap_count INTEGER NOT NULL DEFAULT 0, timed_laps INTEGER NOT NULL DEFAULT 0,
    time_ns NUMERIC NOT NULL DEFAULT 0, unsaid_laps INTEGER NOT NULL DEFAULT 0,
    ${listed(MIN_COLUMNS.map((least) => `${least} DOUBLE PRECISION`))}`
  yield* sql.unsafe(`CREATE TABLE totals (
    ${listed(KEYED.map((column) => `${column} TEXT NOT NULL`))},
    session_count INTEGER NOT NULL, ${sums}, best_lap_time DOUBLE PRECISION,
    distance_um NUMERIC NOT NULL DEFAULT 0,
    PRIMARY KEY (${listed(NAMES)})
  )`)
  const fastest = "fastest_time DOUBLE PRECISION, fastest_start DOUBLE PRECISION, fastest_lap INTEGER"
  for (const column of `${sums}, ${fastest}`.split(",")) {
    yield* sql.unsafe(`ALTER TABLE sessions ADD COLUMN ${column}`)
  }

  yield* sql`CREATE INDEX laps_by_time ON laps (session_id, lap_time, start_time) WHERE valid = 1`
  for (const name of ["circuit", "driver"]) yield* sql.unsafe(`DROP INDEX sessions_by_${name}`)
  for (const index of indexes) yield* sql.unsafe(`CREATE INDEX ${index}`)
})

/**
 * Laps that may change: whether the simulator has withdrawn one, and who drove it, where that is not the session's driver.
 * Counts everything, and makes the triggers that count from then on.
 */
export const addChangedLaps = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`ALTER TABLE laps ADD COLUMN withdrawn SMALLINT NOT NULL DEFAULT 0`
  yield* sql`ALTER TABLE laps ADD COLUMN driven_by TEXT`
  for (const { body, name, on } of triggers) {
    const [, table] = on.split(" ON ")
    yield* sql.unsafe(`DROP TRIGGER IF EXISTS ${name}${isPostgres(sql) ? ` ON ${table}` : ""}`)
    if (isPostgres(sql)) {
      yield* sql.unsafe(`CREATE OR REPLACE FUNCTION ${name}() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN ${body} RETURN NULL; END $$`)
    }
  }
  yield* countAll(sql)
  for (const { body, name, on } of triggers) {
    const does = isPostgres(sql) ? `EXECUTE FUNCTION ${name}()` : `BEGIN ${body} END`
    yield* sql.unsafe(`CREATE TRIGGER ${name} AFTER ${on} FOR EACH ROW ${does}`)
  }
  // Without this, PostgreSQL's planner does not know that a session has few laps until autovacuum analyses the table.
  if (isPostgres(sql))
    for (const table of ["laps", "sessions", "totals"]) yield* sql.unsafe(`ANALYZE ${table}`)
})
