/**
 * The upper limit: the service's answers, fetched once at the start, sent from memory. Prints where it listens.
 *
 *   node answerBytes.js http://HOST:PORT '[{"path":"/api/v1/…","accept":"text/csv"}]'
 */
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { fetched, type Question } from "../suite/download.ts"

const [service, argument] = process.argv.slice(2) as [string, string]
const keyOf = ({ accept, path }: Question) => `${accept} ${path}`
const bodies = new Map<string, Buffer>()
for (const question of JSON.parse(argument) as ReadonlyArray<Question>) {
  bodies.set(keyOf(question), await fetched(service, question))
}

const server = createServer((request, response) => {
  const body = bodies.get(keyOf({ accept: request.headers.accept!, path: request.url! }))
  if (body === undefined) return void response.writeHead(404).end()
  response.writeHead(200, { "content-length": body.length }).end(body)
})
server.listen(0, "127.0.0.1", () => {
  console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
})
