/**
 * Replay of missed points, in the simplest way by hand: texts of all points in memory, written one by one
 * to each client that connects with `since`, and each new one to all.
 *
 *   node replayWs.js ws://HOST:PORT        (the feed; prints `listening on http://...`)
 */
import type { AddressInfo } from "node:net"
import { WebSocketServer } from "ws"
import { readFeed } from "./feedPoints.ts"

const texts: Array<string> = []
const server = new WebSocketServer({ port: 0, host: "127.0.0.1" })
server.on("listening", () => {
  console.log(`listening on http://127.0.0.1:${(server.address() as AddressInfo).port}`)
})
server.on("connection", (socket, request) => {
  const since = Number(new URL(request.url!, "http://localhost").searchParams.get("since"))
  for (const text of texts.slice(since)) socket.send(text)
})
readFeed(process.argv[2]!, (message) => {
  const text = JSON.stringify({ ...message, sequence: texts.length + 1, left_out: 0 })
  texts.push(text)
  for (const client of server.clients) client.send(text)
})
