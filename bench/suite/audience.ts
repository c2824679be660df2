/**
 * Live clients, by the `ws` package, that measure the delay of their messages: from the time when a point was due at
 * its feed (its timestamp, clock.ts) until it arrives here. The first second of a session is left out: several sessions
 * begin at once then, each with a commit.
 *
 * Prints `open` when all are connected, and at SIGUSR2 a line of JSON (`AudienceFigures`). Then it waits to be ended.
 *
 *   node audience.js ws://HOST:PORT/PATH CLIENTS
 */
import { once } from "node:events"
import { WebSocket } from "ws"
import { FEED_ZERO, monotonic } from "./clock.ts"
import { smoke } from "./comparison.ts"
import { quantiles } from "./figures.ts"

export interface AudienceFigures {
  readonly messages: number
  /** Messages that came after a later one of their session. */
  readonly disordered: number
  /** ms */
  readonly p50: number
  readonly p99: number
}

/** All messages are counted; this many clients measure the delay of each. */
const TIMED = 10

const [url, clients] = process.argv.slice(2)
let messages = 0
let disordered = 0
const latencies: Array<number> = []

interface Telemetry {
  readonly type: string
  readonly session_id: number
  readonly data: { readonly timestamp: number }
}

const BEGINNING_S = smoke ? 0 : 1

const timing = () => {
  const first = new Map<number, number>()
  const last = new Map<number, number>()
  return (text: Buffer) => {
    const now = monotonic()
    const { data, session_id, type } = JSON.parse(text.toString("latin1")) as Telemetry
    if (type !== "telemetry") return
    if (!(data.timestamp > (last.get(session_id) ?? 0))) disordered++
    last.set(session_id, data.timestamp)
    if (!first.has(session_id)) first.set(session_id, data.timestamp)
    if (data.timestamp < first.get(session_id)! + BEGINNING_S) return
    latencies.push((now + FEED_ZERO - data.timestamp) * 1000)
  }
}

const join = async (_: unknown, index: number) => {
  const socket = new WebSocket(url!, { perMessageDeflate: false })
  socket.on("message", () => messages++)
  if (index < TIMED) socket.on("message", timing())
  await once(socket, "open")
}

await Promise.all(Array.from({ length: Number(clients) }, join))
// Counting starts when all are connected.
messages = 0
console.log("open")
await once(process, "SIGUSR2")
console.log(JSON.stringify({ messages, disordered, ...quantiles(latencies) } satisfies AudienceFigures))
await once(process, "SIGTERM")
process.exit()
