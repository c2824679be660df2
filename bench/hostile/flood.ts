/**
 * A native feed that sends as fast as it is read, in amounts that no simulator would send.
 *
 *   node flood.js KIND        (a kind of `floods`; prints its port)
 */
import { once } from "node:events"
import type { AddressInfo } from "node:net"
import { type WebSocket, WebSocketServer } from "ws"
import { welcome } from "../../simulator/feed/messages.ts"
import { SUBPROTOCOL } from "../../src/simulators/drivers/native/protocol.ts"

/** Bytes that wait in the socket, so that there is always something to read. */
const WAITING = 8 * 2 ** 20
const EVERY_MS = 5

const session = (n: number) =>
  JSON.stringify({
    type: "session",
    circuit: `Flood ${n}`,
    vehicle: "Flood",
    driver: "Flood",
    start_time: 1.75e9
  })

const lap = (n: number) =>
  JSON.stringify({
    type: "lap",
    lap_number: n,
    lap_time: 0.001,
    sector1_time: null,
    sector2_time: null,
    sector3_time: null,
    valid: true,
    start_time: n * 0.001,
    end_time: (n + 1) * 0.001
  })

const many = JSON.stringify({ type: "points", points: Array.from({ length: 60_000 }, () => ({})) })
const point =
  '{"timestamp":1.5,"speed":100.25,"rpm":7000,"gear":3,"throttle":0.5,"brake":0,"steering":0.1,"position_x":1}'
/** 2 MiB of points that come after one of the same time. */
const long = `{"type":"points","points":[${Array.from({ length: 18_000 }, () => point).join(",")}]}`
const deep = `{"type":"points","points":${"[".repeat(900_000)}${"]".repeat(900_000)}}`
const keys = `{"type":"points",${Array.from({ length: 150_000 }, (_, n) => `"k${n}":1`).join(",")}}`

/** The nth message of each kind. */
const floods: Readonly<Record<string, (n: number) => string>> = {
  sessions: session,
  laps: lap,
  "points of nothing": () => many,
  "long texts": () => long,
  "deep JSON": () => deep,
  "many keys": () => keys
}

const message = floods[process.argv[2]!]!
const server = new WebSocketServer({ port: 0, host: "127.0.0.1", handleProtocols: () => SUBPROTOCOL })
server.on("connection", (socket: WebSocket) => {
  let n = 0
  socket.send(welcome("flood"))
  socket.send(session(0))
  const flood = setInterval(() => {
    while (socket.bufferedAmount < WAITING && socket.readyState === socket.OPEN) socket.send(message(++n))
  }, EVERY_MS)
  socket.on("close", () => clearInterval(flood))
  socket.on("error", () => undefined)
})
await once(server, "listening")
console.log((server.address() as AddressInfo).port)
