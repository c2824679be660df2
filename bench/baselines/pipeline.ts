/**
 * The whole ingest by hand: what a good program without Effect, layers or a port for its store does with the same
 * feeds. It validates packed messages of several feeds, cuts them into laps at the start line, stores them durably
 * (`synchronous=FULL`, on a thread), and sends every subscriber each session at 60 Hz. Points that are not yet durable
 * are bounded; at the bound it reads no feed. The points in a commit, the time between two commits, the bounds and the
 * format of blocks are the service's own.
 *
 * It does less in this: it neither retries nor logs, and it serves only `/api/v1/status`, `connect` and `disconnect`.
 *
 * Over 250 lines: it is the whole program, to be read from the socket to the store beside the service's folders.
 *
 *   node pipeline.js FILE [QUESTDB]      (an address as JSON, for points) prints "listening on http://127.0.0.1:PORT"
 */
import { once } from "node:events"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { Worker } from "node:worker_threads"
import { WebSocket, WebSocketServer } from "ws"
import { BEHIND_BYTES } from "../../src/live/transports/protocol.ts"
import {
  CAPACITY_POINTS,
  DUE_VALUES,
  FLUSH_THRESHOLD_POINTS,
  GROUP_COMMIT_MS,
  MAX_COMMIT_MS
} from "../../src/recording/intake/intakeLimits.ts"
import {
  channels,
  PACKED_GROUP_HEADER_BYTES,
  PACKED_HEADER_BYTES,
  PACKED_MAGIC,
  SUBPROTOCOL
} from "../../src/simulators/drivers/native/protocol.ts"
import type { StoredCounts, StoreOptions, ToStore } from "./pipelineStore.ts"

const CHANNELS = channels.length
const X = channels.indexOf("position_x")
const Y = channels.indexOf("position_y")
const LIVE_EVERY_MS = 1000 / 60
/**
 * Groups by number: first the points, then those that a feed declares, from 1 on, and the group of the lap that points
 * report.
 */
const POINTS = 0
const LAP = 33

interface Line {
  readonly x1: number
  readonly y1: number
  readonly x2: number
  readonly y2: number
}

interface Feed {
  readonly session: number
  readonly port: number
  readonly socket: WebSocket
  zero: number
  line: Line
  received: number
  stored: number
  samplesReceived: number
  samplesStored: number
  /** The last time of the points, and of each group. */
  last: Array<number>
  lap: number
  lapStart: number
  x: number
  y: number
  side: number
  newest: Float64Array
  length: number
  lastLive: number
}

const [, , file = "", questdb] = process.argv
const store =
  questdb === undefined
    ? new Worker(new URL("./pipelineStore.ts", import.meta.url), {
        workerData: { file } satisfies StoreOptions
      })
    : new Worker(new URL("./pipelineQuestdb.ts", import.meta.url), {
        workerData: { file, questdb: JSON.parse(questdb) as unknown }
      })
const subscribers = new Set<WebSocket>()
const feeds: Array<Feed> = []
let pending: Array<ToStore> = []
let pendingPoints = 0
let pendingLaps = 0
let held = 0
let writing = false
let lastCommit = 0

const commit = () => {
  if (writing || pending.length === 0) return
  writing = true
  lastCommit = performance.now()
  const batches = pending
  pending = []
  pendingPoints = 0
  pendingLaps = 0
  store.postMessage(
    batches,
    batches.map(({ data }) => data.buffer)
  )
}

/** A lap, and more than a few rows, do not wait for more entries to commit together. */
const isDue = () => {
  const waited = performance.now() - lastCommit
  return (
    waited >= MAX_COMMIT_MS ||
    (waited >= GROUP_COMMIT_MS && (pendingLaps > 0 || pendingPoints * CHANNELS >= DUE_VALUES))
  )
}

store.on("message", (stored: StoredCounts) => {
  writing = false
  for (const { group, rows, session, values } of stored) {
    const feed = feeds[session - 1]!
    if (group === 0) feed.stored += rows
    else feed.samplesStored += rows
    held -= values / CHANNELS
  }
  if (held < CAPACITY_POINTS) for (const { socket } of feeds) if (socket.isPaused) socket.resume()
  if (pendingPoints >= FLUSH_THRESHOLD_POINTS || isDue()) commit()
})
setInterval(() => {
  if (isDue()) commit()
}, GROUP_COMMIT_MS)

const validate = (data: Float64Array, length: number, feed: Feed, group: number) => {
  let sum = 0
  for (let i = 0; i < data.length; i++) sum += data[i]! * 0
  if (sum !== 0) throw new Error("not finite")
  let last = feed.last[group] ?? -Infinity
  for (let i = 0; i < length; i++) {
    const time = data[i]! + feed.zero
    if (!(time > last)) throw new Error("out of order")
    data[i] = time
    last = time
  }
  feed.last[group] = last
}

/** Laps begin where the way from one point to the next crosses the start line. */
const laps = (
  data: Float64Array,
  length: number,
  feed: Feed,
  found: Array<readonly [number, number, number]>
) => {
  const { line } = feed
  const lx = line.x2 - line.x1
  const ly = line.y2 - line.y1
  for (let i = 0; i < length; i++) {
    const x = data[X * length + i]!
    const y = data[Y * length + i]!
    const side = lx * (y - line.y1) - ly * (x - line.x1)
    if (side > 0 !== feed.side > 0 && feed.side === feed.side) {
      const share = feed.side / (feed.side - side)
      const along =
        ((feed.x + share * (x - feed.x) - line.x1) * lx + (feed.y + share * (y - feed.y) - line.y1) * ly) /
        (lx * lx + ly * ly)
      if (along >= 0 && along <= 1) {
        const before = i === 0 ? data[0]! : data[i - 1]!
        const at = before + share * (data[i]! - before)
        found.push([feed.lap++, feed.lapStart, at])
        feed.lapStart = at
      }
    }
    feed.side = side
    feed.x = x
    feed.y = y
  }
}

const frame = (text: string) => {
  const length = Buffer.byteLength(text)
  const bytes = Buffer.allocUnsafe(4 + length)
  bytes[0] = 0x81
  bytes[1] = 126
  bytes.writeUInt16BE(length, 2)
  bytes.write(text, 4)
  return bytes
}

/** One frame, built once, to every socket that is not behind. */
const live = ({ length, newest, session }: Feed) => {
  const value = (c: number) => newest[(c + 1) * length - 1]!
  const bytes = frame(
    `{"type":"telemetry","data":{"timestamp":${value(0)},"speed":${value(1)},"rpm":${value(2)},"gear":${value(3)},` +
      `"throttle":${value(4)},"brake":${value(5)},"position_x":${value(7)},"position_y":${value(8)},` +
      `"position_z":${value(9)}},"session_id":${session}}`
  )
  for (const subscriber of subscribers) {
    const socket = (subscriber as unknown as { readonly _socket: import("node:net").Socket })._socket
    if (socket.writableLength < BEHIND_BYTES) socket.write(bytes)
  }
}

const copied = (message: Buffer, from: number, values: number) => {
  const data = new Float64Array(values)
  new Uint8Array(data.buffer).set(message.subarray(from, from + data.byteLength))
  return data
}

const wait = (rows: ToStore) => {
  pending.push(rows)
  pendingLaps += rows.laps.length
  // A bound for values, counted in points of ten values.
  const points = rows.data.length / CHANNELS
  pendingPoints += points
  held += points
}

const takePoints = (message: Buffer, feed: Feed) => {
  const length = message.readUInt32LE(4)
  const data = copied(message, PACKED_HEADER_BYTES, length * CHANNELS)
  feed.received += length
  validate(data, length, feed, POINTS)
  const found: Array<readonly [number, number, number]> = []
  laps(data, length, feed, found)
  const now = performance.now()
  if (now - feed.lastLive >= LIVE_EVERY_MS) {
    feed.lastLive = Math.max(feed.lastLive + LIVE_EVERY_MS, now - LIVE_EVERY_MS)
    feed.newest = data
    feed.length = length
    live(feed)
  }
  wait({ session: feed.session, group: POINTS, length, data, laps: found })
  const reported = PACKED_HEADER_BYTES + data.byteLength
  if (message.length === reported) return
  // The lap and the distance in it: a group of its own, at the points' times.
  const lapData = new Float64Array(length * 3)
  lapData.set(data.subarray(0, length))
  lapData.set(copied(message, reported, length * 2), length)
  feed.samplesReceived += length
  wait({ session: feed.session, group: LAP, length, data: lapData, laps: [] })
}

const takeSamples = (message: Buffer, feed: Feed) => {
  const length = message.readUInt32LE(4)
  const group = message.readUInt32LE(16)
  const values = (message.length - PACKED_GROUP_HEADER_BYTES) / Float64Array.BYTES_PER_ELEMENT
  const data = copied(message, PACKED_GROUP_HEADER_BYTES, values)
  feed.samplesReceived += length
  validate(data, length, feed, group)
  wait({ session: feed.session, group, length, data, laps: [] })
}

const take = (message: Buffer, feed: Feed) => {
  if (message.toString("latin1", 0, 4) === PACKED_MAGIC) takePoints(message, feed)
  else takeSamples(message, feed)
  if (held >= CAPACITY_POINTS) for (const { socket } of feeds) socket.pause()
  if (pendingPoints >= FLUSH_THRESHOLD_POINTS) commit()
}

const follow = (port: number) => {
  const socket = new WebSocket(`ws://127.0.0.1:${port}`, SUBPROTOCOL, { perMessageDeflate: false })
  const feed: Feed = {
    session: feeds.length + 1,
    port,
    socket,
    zero: 0,
    line: { x1: 0, y1: 0, x2: 0, y2: 0 },
    received: 0,
    stored: 0,
    samplesReceived: 0,
    samplesStored: 0,
    last: [],
    lap: 1,
    lapStart: Number.NaN,
    x: Number.NaN,
    y: Number.NaN,
    side: Number.NaN,
    newest: new Float64Array(0),
    length: 0,
    lastLive: 0
  }
  feeds.push(feed)
  socket.on("open", () => socket.send(JSON.stringify({ type: "hello", app_name: "baseline", rate: 60 })))
  socket.on("message", (message: Buffer, isBinary) => {
    if (isBinary) return take(message, feed)
    const event = JSON.parse(message.toString()) as { type: string; start_time: number; start_line: Line }
    if (event.type === "session") {
      feed.zero = event.start_time
      feed.line = event.start_line
    } else if (event.type === "session_end") commit()
  })
}

const status = () => ({
  connections: feeds
    .filter(({ socket }) => socket.readyState === WebSocket.OPEN)
    .map(({ received, samplesReceived, samplesStored, stored }) => ({
      points_received: received,
      points_stored: stored,
      points_dropped: 0,
      points_rejected: 0,
      samples_received: samplesReceived,
      samples_stored: samplesStored,
      samples_dropped: 0,
      samples_rejected: 0
    }))
})

const server = createServer((request, response) => {
  const answer = () => response.setHeader("content-type", "application/json").end(JSON.stringify(status()))
  if (request.method !== "POST") return answer()
  let body = ""
  request.on("data", (part) => (body += part))
  request.on("end", () => {
    const { port } = JSON.parse(body) as { readonly port: number }
    if (request.url === "/api/v1/connect") follow(port)
    else for (const feed of feeds) if (feed.port === port) feed.socket.close()
    answer()
  })
})
new WebSocketServer({ server }).on("connection", (socket) => {
  subscribers.add(socket)
  socket.on("close", () => subscribers.delete(socket))
})
server.listen(0, "127.0.0.1")
await Promise.all([once(server, "listening"), once(store, "online")])
console.log(`listening on http://127.0.0.1:${(server.address() as AddressInfo).port}`)
process.once("SIGTERM", () => process.exit(0))
