/**
 * The usual way: the service's JSON answers, fetched once at the start and parsed to objects, and JSON.stringify of the
 * whole for each answer. Prints where it listens.
 *
 *   node answerParsed.js http://HOST:PORT '[{"path":"/api/v1/…","accept":"application/json"}]'
 */
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { fetched, type Question } from "../suite/download.ts"

const [service, argument] = process.argv.slice(2) as [string, string]
const answers = new Map<string, unknown>()
for (const question of JSON.parse(argument) as ReadonlyArray<Question>) {
  answers.set(question.path, JSON.parse((await fetched(service, question)).toString()))
}

const server = createServer((request, response) => {
  const answer = answers.get(request.url!)
  if (answer === undefined) return void response.writeHead(404).end()
  response.end(JSON.stringify(answer))
})
server.listen(0, "127.0.0.1", () => {
  console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
})
