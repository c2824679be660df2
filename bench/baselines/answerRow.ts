/**
 * The bare router of answerRouter.ts with a query: the row of the id in the path, read by @effect/sql's client for
 * SQLite and written as JSON unchanged. Prints where it listens.
 *
 *   node answerRow.js FILE session|lap [untraced]
 */
import { HttpRouter, HttpServer, HttpServerResponse } from "@effect/platform"
import { NodeRuntime } from "@effect/platform-node"
import { SqlClient } from "@effect/sql"
import { SqliteClient } from "@effect/sql-sqlite-node"
import { Effect, Layer } from "effect"
import { type Kind, rowAnswers } from "../suite/rowAnswers.ts"
import { serveBare, type Traced } from "../suite/serveBare.ts"

const [filename, kind, traced] = process.argv.slice(2) as [string, Kind, Traced]
const { answer, path, select } = rowAnswers[kind]

const handler = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const { id } = yield* HttpRouter.params
  const [row] = yield* sql`${sql.literal(select)}${Number(id)}`
  return yield* HttpServerResponse.json(answer(row))
})

const app = HttpRouter.empty.pipe(HttpRouter.get(path, handler), HttpServer.serve())

serveBare(app, traced).pipe(
  Layer.provide(SqliteClient.layer({ filename })),
  Layer.launch,
  NodeRuntime.runMain
)
