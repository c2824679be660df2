/**
 * Fan-out with Socket.IO, WebSocket only, as its documentation shows it: one `emit` to all.
 *
 *   node fanoutSocketIo.js ws://HOST:PORT        (the feed; prints `listening on http://...`)
 */
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { Server } from "socket.io"
import { readFeed } from "./feedPoints.ts"

const http = createServer()
const io = new Server(http, { transports: ["websocket"] })
http.listen(0, "127.0.0.1", () => {
  console.log(`listening on http://127.0.0.1:${(http.address() as AddressInfo).port}`)
})
readFeed(process.argv[2]!, (message) => io.emit("telemetry", message))
