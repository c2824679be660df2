/**
 * Fan-out as `ws` is commonly used: for each client, stringify and send.
 *
 *   node fanoutWs.js ws://HOST:PORT        (the feed; prints `listening on http://...`)
 */
import type { AddressInfo } from "node:net"
import { WebSocketServer } from "ws"
import { readFeed } from "./feedPoints.ts"

const server = new WebSocketServer({ port: 0, host: "127.0.0.1" })
server.on("listening", () => {
  console.log(`listening on http://127.0.0.1:${(server.address() as AddressInfo).port}`)
})
readFeed(process.argv[2]!, (message) => {
  for (const client of server.clients) client.send(JSON.stringify(message))
})
