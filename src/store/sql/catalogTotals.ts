/**
 * The totals of the catalog, kept as rows so that statistics need not read the laps.
 *
 * A session's row has the number of its laps and its fastest lap. `drives` has a row for each driver of a session (the
 * session's own driver, and every other driver of one of its laps) with the totals of the laps that this driver drove.
 * `totals` has a row for each combination of circuit, vehicle and driver, as spelled, that some drive has. Triggers
 * keep all three up to date, whether this service writes or a user by hand. The triggers add inserted rows and subtract
 * deleted rows. If a deleted row had the minimum of a value, or if a lap or a session's names are changed, they look
 * for the next minimum. A withdrawn lap does not count.
 *
 * Times are summed as whole nanoseconds and distances as whole micrometres: integer sums come back to exactly 0 when
 * everything that was added is subtracted.
 *
 * Over 250 lines: the triggers and the full count compute the same, and are made of the same parts.
 *
 * This is the SQL of a migration: a change of it is another migration.
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

const ADDED = ["lap_count", "timed_laps", "time_ns"]
const SUMS = [...ADDED, ...MIN_COLUMNS]
const FASTEST = ["fastest_time", "fastest_start", "fastest_lap"]

const SUM_COLUMNS = `lap_count INTEGER NOT NULL DEFAULT 0, timed_laps INTEGER NOT NULL DEFAULT 0,
  time_ns NUMERIC NOT NULL DEFAULT 0,
  ${listed(MIN_COLUMNS.map((least) => `${least} DOUBLE PRECISION`))}`

/** Sets the number of laps and the fastest lap of `sessions`. */
const COUNTED = `lap_count = (SELECT count(CASE WHEN withdrawn = 0 THEN 1 END) FROM laps WHERE session_id = sessions.id),
  (${listed(FASTEST)}) = (SELECT lap_time, start_time, id FROM laps
    WHERE session_id = sessions.id AND ${timedLapSql("")} ORDER BY lap_time, start_time, id LIMIT 1)`

/**
 * The laps of a row of `drives`. Its driver is the session's own (`session_count` 1) or another driver of the session.
 */
const IN_DRIVE = `laps.session_id = drives.session_id
  AND coalesce(laps.driven_by, CASE WHEN drives.session_count = 1 THEN drives.driver END) = drives.driver`

/**
 * Sets the sums of `drives` from their laps. They sum doubles, because SQLite's sums of integers fail when they
 * overflow.
 */
const COUNTED_DRIVE = `(${listed(SUMS)}) = (SELECT count(CASE WHEN withdrawn = 0 THEN 1 END), count(CASE WHEN ${timedLapSql("")} THEN 1 END),
    coalesce(sum(CASE WHEN ${timedLapSql("")} THEN round(lap_time * 1000000000) END), 0),
    ${listed(LEAST.map(({ of }) => `min(${of("")})`))}
    FROM laps WHERE ${IN_DRIVE}),
  (${listed(FASTEST)}) = (SELECT lap_time, start_time, id FROM laps
    WHERE ${IN_DRIVE} AND ${timedLapSql("")} ORDER BY lap_time, start_time, id LIMIT 1)`

const BESTS = ["best_lap_time", ...MIN_COLUMNS]
/** The columns of `drives` whose minima are `BESTS`. */
const BEST_OF = ["fastest_time", ...MIN_COLUMNS]

const NAMES = ["circuit", "vehicle", "driver"]
const KEYED = NAMES.flatMap((name) => [name, `${name}_key`])
const named = (row: string, of = "") => NAMES.map((name) => `${of}${name} = ${row}.${name}`).join(" AND ")

const lesser = (own: string, other: string) =>
  `CASE WHEN ${own} IS NULL OR ${other} < ${own} THEN ${other} ELSE ${own} END`

/** Finds the minimum values again for the names of `row`. */
const bestsAgain = (row: string, where: string) =>
  `UPDATE totals SET (${listed(BESTS)}) = (SELECT ${listed(BEST_OF.map((column) => `min(${column})`))}
    FROM drives WHERE ${named(row, "drives.")}) WHERE ${named(row)} AND (${where});`

/** Whether a drive's minimum has risen or is gone. */
const rises = (column: string) =>
  `(OLD.${column} IS NOT NULL AND (NEW.${column} IS NULL OR NEW.${column} > OLD.${column}))`

const isFaster = `${timedLapSql("NEW.")} AND (fastest_lap IS NULL
  OR (NEW.lap_time, NEW.start_time, NEW.id) < (fastest_time, fastest_start, fastest_lap))`

const FASTER = listed(
  [
    ["fastest_time", "lap_time"],
    ["fastest_start", "start_time"],
    ["fastest_lap", "id"]
  ].map(([fastest, of]) => `${fastest} = CASE WHEN ${isFaster} THEN NEW.${of} ELSE ${fastest} END`)
)

const DRIVE = listed(["session_id", ...KEYED, "session_count", "distance_um"])

/** A drive of a driver other than the session's own, with the session's circuit and vehicle. */
const DRIVEN_BESIDES = listed([
  "sessions.id",
  ...KEYED.slice(0, 4).map((column) => `sessions.${column}`),
  "driven_by",
  "min(driven_by_key)",
  "0",
  "0"
])

/** Makes the drives of sessions anew; `which` gives a condition on the column of the session's id. */
const countDrives = (which: (sessionId: string) => string): ReadonlyArray<string> => [
  `DELETE FROM drives WHERE ${which("session_id")}`,
  `INSERT INTO drives (${DRIVE})
    SELECT id, ${listed(KEYED)}, 1, ${micrometres("distance")} FROM sessions WHERE ${which("id")}`,
  `INSERT INTO drives (${DRIVE}) SELECT ${DRIVEN_BESIDES} FROM laps JOIN sessions ON sessions.id = session_id
    WHERE ${which("sessions.id")} AND driven_by <> driver GROUP BY sessions.id, driven_by`,
  `UPDATE drives SET ${COUNTED_DRIVE} WHERE ${which("session_id")}`
]

const countDrivesOf = (id: string) =>
  countDrives((sessionId) => `${sessionId} = ${id}`)
    .map((statement) => `${statement};`)
    .join("\n")

const triggers = [
  {
    name: "session_added",
    on: "INSERT ON sessions",
    body: `INSERT INTO drives (${DRIVE})
      VALUES (${listed(["id", ...KEYED].map((column) => `NEW.${column}`))}, 1, ${micrometres("NEW.distance")});`
  },
  {
    name: "session_changed",
    on: "UPDATE OF distance ON sessions",
    body: `UPDATE drives SET distance_um = ${micrometres("NEW.distance")} WHERE session_id = NEW.id AND session_count = 1;`
  },
  { name: "session_renamed", on: `UPDATE OF ${listed(NAMES)} ON sessions`, body: countDrivesOf("NEW.id") },
  {
    name: "drive_added",
    on: "INSERT ON drives",
    body: `INSERT INTO totals (${listed([...KEYED, "session_count", "drive_count", ...ADDED, ...BESTS, "distance_um"])})
      VALUES (${listed([...KEYED.map((column) => `NEW.${column}`), "NEW.session_count", "1"])},
        ${listed([...ADDED, ...BEST_OF, "distance_um"].map((column) => `NEW.${column}`))})
      ON CONFLICT (${listed(NAMES)}) DO UPDATE SET
        ${listed(["session_count", "drive_count", ...ADDED, "distance_um"].map((sum) => `${sum} = totals.${sum} + excluded.${sum}`))},
        ${listed(BESTS.map((best) => `${best} = ${lesser(`totals.${best}`, `excluded.${best}`)}`))};`
  },
  {
    name: "drive_changed",
    on: `UPDATE OF ${listed([...SUMS, ...FASTEST, "distance_um"])} ON drives`,
    body: `UPDATE totals SET
        ${listed([...ADDED, "distance_um"].map((sum) => `${sum} = ${sum} + NEW.${sum} - OLD.${sum}`))},
        ${listed(BESTS.map((best, b) => `${best} = ${lesser(best, `NEW.${BEST_OF[b]}`)}`))}
        WHERE ${named("NEW")};
      ${bestsAgain("NEW", `NEW.lap_count < OLD.lap_count OR ${BEST_OF.map(rises).join(" OR ")}`)}`
  },
  {
    name: "drive_removed",
    on: "DELETE ON drives",
    body: `UPDATE totals SET drive_count = drive_count - 1,
        ${listed(["session_count", ...ADDED, "distance_um"].map((sum) => `${sum} = ${sum} - OLD.${sum}`))} WHERE ${named("OLD")};
      ${bestsAgain("OLD", BESTS.map((best, b) => `${best} = OLD.${BEST_OF[b]}`).join(" OR "))}
      DELETE FROM totals WHERE ${named("OLD")} AND drive_count = 0;`
  },
  {
    name: "lap_added",
    on: "INSERT ON laps",
    body: `UPDATE sessions SET lap_count = lap_count + 1 - NEW.withdrawn, ${FASTER} WHERE id = NEW.session_id;
      INSERT INTO drives (${DRIVE}) SELECT ${DRIVEN_BESIDES} FROM laps JOIN sessions ON sessions.id = session_id
        WHERE laps.id = NEW.id AND driven_by <> driver GROUP BY sessions.id, driven_by ON CONFLICT DO NOTHING;
      UPDATE drives SET lap_count = lap_count + 1 - NEW.withdrawn,
        timed_laps = timed_laps + CASE WHEN ${timedLapSql("NEW.")} THEN 1 ELSE 0 END,
        time_ns = time_ns + CASE WHEN ${timedLapSql("NEW.")} THEN ${nanoseconds("NEW.lap_time")} ELSE 0 END,
        ${listed(LEAST.map(({ column, of }) => `${column} = ${lesser(column, of("NEW."))}`))},
        ${FASTER}
        WHERE session_id = NEW.session_id AND coalesce(NEW.driven_by, CASE WHEN session_count = 1 THEN driver END) = driver;`
  },
  {
    name: "lap_changed",
    on: `UPDATE OF ${listed(["lap_time", ...SECTORS.map((sector) => `${sector}_time`), "sector_source", "valid", "withdrawn"])} ON laps`,
    body: `UPDATE sessions SET ${COUNTED} WHERE id = NEW.session_id;
      UPDATE drives SET ${COUNTED_DRIVE} WHERE session_id = NEW.session_id;`
  },
  { name: "lap_driven", on: "UPDATE OF driven_by ON laps", body: countDrivesOf("NEW.session_id") },
  {
    // If a session is deleted with its laps, its row is already gone and nothing is counted.
    name: "lap_removed",
    on: "DELETE ON laps",
    body: `UPDATE sessions SET ${COUNTED} WHERE id = OLD.session_id;
      ${countDrivesOf("OLD.session_id")}`
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
  ...NAMES.map((name) => `totals_by_${name} ON totals (${name}_key)`),
  `drives_by_names ON drives (${listed(NAMES)})`,
  `drives_by_fastest_driver ON drives (driver_key, ${listed(FASTEST)}, circuit_key, vehicle_key)
    WHERE fastest_lap IS NOT NULL`
]

/**
 * Counts all existing sessions as the triggers would have done, one session at a time, so that memory does not grow.
 */
const countAll = Effect.fn("catalogTotals.countAll")(function* (sql: SqlClient.SqlClient) {
  yield* sql.unsafe(`UPDATE sessions SET ${COUNTED}`)
  for (const statement of countDrives(() => "1 = 1")) yield* sql.unsafe(statement)
  yield* sql`DELETE FROM totals`
  yield* sql.unsafe(`INSERT INTO totals (${listed([...KEYED, "session_count", "drive_count", ...ADDED, ...BESTS])}, distance_um)
    SELECT circuit, min(circuit_key), vehicle, min(vehicle_key), driver, min(driver_key), sum(session_count), count(*),
      sum(lap_count), sum(timed_laps), sum(1.0 * time_ns), ${listed(BEST_OF.map((column) => `min(${column})`))},
      sum(1.0 * distance_um)
    FROM drives GROUP BY ${listed(NAMES)}`)
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
      Effect.forEach(["sessions", "drives", "laps"], (table) =>
        sql.unsafe(`ALTER TABLE ${table} ${does} TRIGGER USER`)
      )
    return counting("DISABLE").pipe(
      Effect.zipRight(adding),
      Effect.zipLeft(countAll(sql)),
      Effect.zipLeft(counting("ENABLE"))
    )
  }

/** The tables of totals and the triggers that count in them. */
export const createTotals = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql.unsafe(`CREATE TABLE totals (
    ${listed(KEYED.map((column) => `${column} TEXT NOT NULL`))},
    session_count INTEGER NOT NULL, drive_count INTEGER NOT NULL, ${SUM_COLUMNS}, best_lap_time DOUBLE PRECISION,
    distance_um NUMERIC NOT NULL DEFAULT 0,
    PRIMARY KEY (${listed(NAMES)})
  )`)
  yield* sql.unsafe(`CREATE TABLE drives (
    session_id INTEGER NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
    ${listed(KEYED.map((column) => `${column} TEXT NOT NULL`))},
    session_count SMALLINT NOT NULL, ${SUM_COLUMNS},
    fastest_time DOUBLE PRECISION, fastest_start DOUBLE PRECISION, fastest_lap INTEGER,
    distance_um NUMERIC NOT NULL DEFAULT 0,
    PRIMARY KEY (session_id, driver)
  )`)
  for (const index of indexes) yield* sql.unsafe(`CREATE INDEX ${index}`)
  for (const { body, name, on } of triggers) {
    if (isPostgres(sql)) {
      yield* sql.unsafe(`CREATE OR REPLACE FUNCTION ${name}() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN ${body} RETURN NULL; END $$`)
    }
    const does = isPostgres(sql) ? `EXECUTE FUNCTION ${name}()` : `BEGIN ${body} END`
    yield* sql.unsafe(`CREATE TRIGGER ${name} AFTER ${on} FOR EACH ROW ${does}`)
  }
})
