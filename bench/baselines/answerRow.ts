/**
 * The bare router of answerRouter.ts with a query: the row of the id in the path, read by a
 * statement of node:sqlite, prepared once, and written as JSON unchanged. Prints where it listens.
 *
 *   node answerRow.js FILE session|lap [untraced]
 */
import { DatabaseSync } from "node:sqlite"
import { HttpRouter, HttpServer, HttpServerResponse } from "@effect/platform"
import { NodeRuntime } from "@effect/platform-node"
import { Effect, Layer } from "effect"
import { type Kind, rowAnswers } from "../suite/rowAnswers.ts"
import { serveBare, type Traced } from "../suite/serveBare.ts"

const [filename, kind, traced] = process.argv.slice(2) as [string, Kind, Traced]
const { answer, path, select } = rowAnswers[kind]

const statement = new DatabaseSync(filename).prepare(`${select}?`)

const handler = Effect.flatMap(HttpRouter.params, ({ id }) =>
  HttpServerResponse.json(answer(statement.get(Number(id))))
)

const app = HttpRouter.empty.pipe(HttpRouter.get(path, handler), HttpServer.serve())

serveBare(app, traced).pipe(Layer.launch, NodeRuntime.runMain)
