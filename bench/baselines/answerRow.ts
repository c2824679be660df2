/**
 * The bare router of answerRouter.ts with a query: the row of the id in the path, read by @effect/sql's client for
 * SQLite and written as JSON unchanged. Prints where it listens.
 *
 *   node answerRow.js FILE session|lap [untraced]
 */
import { createServer } from "node:http"
import { HttpMiddleware, HttpRouter, HttpServer, HttpServerResponse } from "@effect/platform"
import { NodeHttpServer, NodeRuntime } from "@effect/platform-node"
import { SqlClient } from "@effect/sql"
import { SqliteClient } from "@effect/sql-sqlite-node"
import { Console, Effect, Layer } from "effect"
import { type Kind, rowAnswers } from "../suite/rowAnswers.ts"

const [filename, kind, traced] = process.argv.slice(2) as [string, Kind, "untraced" | undefined]
const { answer, path, select } = rowAnswers[kind]

const handler = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const { id } = yield* HttpRouter.params
  const [row] = yield* sql`${sql.literal(select)}${Number(id)}`
  return yield* HttpServerResponse.json(answer(row))
})

const app = HttpRouter.empty.pipe(HttpRouter.get(path, handler), HttpServer.serve())
const served =
  traced === "untraced"
    ? app.pipe(
        HttpMiddleware.withTracerDisabledWhen(() => true),
        Layer.provide(Layer.setTracerEnabled(false))
      )
    : app
const announce = HttpServer.addressWith((address) =>
  address._tag === "TcpAddress" ? Console.log(`http://127.0.0.1:${address.port}`) : Effect.void
)

Layer.effectDiscard(announce).pipe(
  Layer.provideMerge(served),
  Layer.provide(NodeHttpServer.layer(() => createServer(), { host: "127.0.0.1", port: 0 })),
  Layer.provide(SqliteClient.layer({ filename })),
  Layer.launch,
  NodeRuntime.runMain
)
