/**
 * The bare router of answerRouter.ts with a query: the row of an id in the path, by the SQL client that the service has,
 * made into JSON as it is. Prints where it listens.
 *
 *   node answerRow.js FILE session|lap
 */
import { createServer } from "node:http"
import { HttpRouter, HttpServer, HttpServerResponse } from "@effect/platform"
import { NodeHttpServer, NodeRuntime } from "@effect/platform-node"
import { SqlClient } from "@effect/sql"
import { SqliteClient } from "@effect/sql-sqlite-node"
import { Console, Effect, Layer } from "effect"
import { formatDateTime } from "../../src/domain/Time.ts"
import { type LapRow, type SessionRow, toSession } from "../../src/store/catalogRows.ts"

const [filename, kind] = process.argv.slice(2) as [string, "session" | "lap"]

const idOf = Effect.map(HttpRouter.params, ({ id }) => Number(id))

const session = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const [row] =
    yield* sql<SessionRow>`SELECT id, circuit, vehicle, driver, datetime, first_point, last_point, pinned,
    (SELECT count(*) FROM laps WHERE session_id = sessions.id) AS total_laps,
    (SELECT min(lap_time) FROM laps WHERE session_id = sessions.id AND valid = 1) AS best_lap_time
    FROM sessions WHERE id = ${yield* idOf}`
  const {
    bestLapTime: best_lap_time,
    datetime,
    duration,
    pinned,
    totalLaps: total_laps,
    ...names
  } = toSession(row!)
  const when = formatDateTime(datetime)
  return yield* HttpServerResponse.json({
    ...names,
    datetime: when,
    duration,
    total_laps,
    best_lap_time,
    pinned
  })
})

const lap = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<LapRow>`SELECT * FROM laps WHERE id = ${yield* idOf}`
  const { end_time: _end, sector_source, start_time: _start, valid, ...same } = row!
  return yield* HttpServerResponse.json({ ...same, sector_source, valid: valid === 1 })
})

const app = HttpRouter.empty.pipe(
  kind === "session" ? HttpRouter.get("/api/v1/sessions/:id", session) : HttpRouter.get("/api/v1/:id", lap),
  HttpServer.serve()
)
const announce = HttpServer.addressWith((address) =>
  address._tag === "TcpAddress" ? Console.log(`http://127.0.0.1:${address.port}`) : Effect.void
)

Layer.effectDiscard(announce).pipe(
  Layer.provideMerge(app),
  Layer.provide(NodeHttpServer.layer(() => createServer(), { host: "127.0.0.1", port: 0 })),
  Layer.provide(SqliteClient.layer({ filename })),
  Layer.launch,
  NodeRuntime.runMain
)
