/**
 * The minimal server: node:http, with the bytes made once, and one path. Prints where it listens.
 *
 *   node answerHttp.js PATH BODY
 */
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"

const [path, text] = process.argv.slice(2) as [string, string]
const body = Buffer.from(text)
const headers = { "content-type": "application/json", "content-length": body.length }

const server = createServer((request, response) => {
  if (request.method !== "GET" || request.url !== path) return void response.writeHead(404).end()
  response.writeHead(200, headers).end(body)
})
server.listen(0, "127.0.0.1", () => {
  console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
})
