/**
 * The usual way: fastify, with a handler that runs a statement of node:sqlite, prepared once. Prints where it listens.
 *
 *   node answerFastifyRow.js FILE session|lap
 */
import { DatabaseSync } from "node:sqlite"
import { fastify } from "fastify"
import { type Kind, rowAnswers } from "../suite/rowAnswers.ts"

const [filename, kind] = process.argv.slice(2) as [string, Kind]
const { answer, path, select } = rowAnswers[kind]

const statement = new DatabaseSync(filename).prepare(`${select}?`)
const app = fastify()
app.get(path, async (request) => answer(statement.get(Number((request.params as { id: string }).id))))
console.log(await app.listen({ host: "127.0.0.1", port: 0 }))
