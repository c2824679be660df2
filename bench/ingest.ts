/**
 * Ingest at saturation: a packed native feed on a socket, through a real service process, validated, cut into
 * laps, stored durably in the embedded store. Against the least a program can do with the same bytes
 * (baselines/receive.ts), which stores nothing: the ratio says what keeping the points costs.
 *
 * A run of the service ends when all points are acknowledged as stored, and is checked against /status and
 * the count of the stored range. Runs alternate; the generator's CPU, in this process, is in no figure.
 *
 *   npm run bench -- ingest        (POINTS, PER_MESSAGE, RUNS by environment)
 */
import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, rmSync, statSync } from "node:fs"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { setTimeout as sleep } from "node:timers/promises"
import { fileURLToPath } from "node:url"
import { type WebSocket, WebSocketServer } from "ws"
import { channels } from "../src/domain/PointBatch.ts"
import { packed, SUBPROTOCOL } from "../src/simulate/feed/messages.ts"
import { circuitNamed } from "../src/simulate/model/Circuit.ts"
import { Drive } from "../src/simulate/model/Drive.ts"
import { vehicles } from "../src/simulate/model/vehicles.ts"

const setting = (name: string, fallback: number) => Number(process.env[name] ?? fallback)
const POINTS = setting("POINTS", 1_000_000)
const PER_MESSAGE = setting("PER_MESSAGE", 1000)
const RUNS = setting("RUNS", 5)
/** Hz of the drive that the points are taken from. */
const RATE = 1000
/** The feed waits for the reader above this, as the bundled simulator does. */
const MOST_BUFFERED = 4 * 1024 * 1024

interface Figures {
  readonly seconds: number
  readonly cpuSeconds: number
  readonly bytesPerPoint?: number
}

const session = JSON.stringify({
  type: "session",
  circuit: "Hollin Moor",
  vehicle: "bench",
  driver: "bench",
  start_time: 1_700_000_000,
  columns: channels
})

const drivenMessages = (): ReadonlyArray<Uint8Array> => {
  const drive = new Drive({ circuit: circuitNamed("Hollin Moor")!, vehicle: vehicles[0]!, seed: 1 })
  return Array.from({ length: POINTS / PER_MESSAGE }, (_, index) => {
    const { batch } = drive.points(index * PER_MESSAGE, PER_MESSAGE, RATE)
    return packed(
      index * PER_MESSAGE,
      channels.map((channel) => batch.column(channel)),
      PER_MESSAGE
    )
  })
}

/** Sends the whole feed to whoever connects, as fast as it reads; `started` is when the first byte went. */
const serveFeed = async (messages: ReadonlyArray<Uint8Array>) => {
  const server = new WebSocketServer({ port: 0, host: "127.0.0.1", handleProtocols: () => SUBPROTOCOL })
  const feed = { port: 0, started: 0, close: () => server.close() }
  const send = async (socket: WebSocket) => {
    socket.send(JSON.stringify({ type: "welcome", simulator: "bench" }))
    feed.started = performance.now()
    socket.send(session)
    for (const message of messages) {
      socket.send(message)
      while (socket.bufferedAmount > MOST_BUFFERED) await sleep(1)
    }
    socket.send(JSON.stringify({ type: "session_end" }))
  }
  server.on("connection", (socket) => socket.once("message", () => void send(socket)))
  await once(server, "listening")
  feed.port = (server.address() as AddressInfo).port
  return feed
}

const program = (path: string) => fileURLToPath(new URL(path, import.meta.url))

const ended = async (child: ChildProcess, signal?: NodeJS.Signals) => {
  const exit = once(child, "exit")
  if (signal !== undefined) child.kill(signal)
  await exit
}

const runBaseline = async (feed: Awaited<ReturnType<typeof serveFeed>>): Promise<Figures> => {
  const child = spawn(process.execPath, [program("baselines/receive.js"), `ws://127.0.0.1:${feed.port}`])
  const [line] = (await once(createInterface(child.stdout), "line")) as [string]
  const seconds = (performance.now() - feed.started) / 1000
  const { points, cpuSeconds } = JSON.parse(line) as { readonly points: number; readonly cpuSeconds: number }
  if (points !== POINTS) throw new Error(`the baseline took ${points} points of ${POINTS}`)
  await ended(child)
  return { seconds, cpuSeconds }
}

const cpuOf = async (service: string): Promise<number> => {
  const text = await (await fetch(`${service}/metrics`)).text()
  return Number(/^process_cpu_seconds_total (\S+)$/m.exec(text)?.[1])
}

interface Status {
  readonly connections: ReadonlyArray<{
    readonly points_stored: number
    readonly points_dropped: number
    readonly points_rejected: number
  }>
}

const runService = async (feed: Awaited<ReturnType<typeof serveFeed>>): Promise<Figures> => {
  const data = mkdtempSync(join(tmpdir(), "telemetry-bench-"))
  const child = spawn(process.execPath, [program("../src/main.js"), "--port", "0", "--data", data], {
    stdio: ["ignore", "pipe", "ignore"]
  })
  const [line] = (await once(createInterface(child.stdout), "line")) as [string]
  const service = line.replace("listening on ", "")
  const before = await cpuOf(service)
  const connect = { host: "127.0.0.1", port: feed.port, app_name: "bench" }
  await fetch(`${service}/api/v1/connect`, { method: "POST", body: JSON.stringify(connect) })
  for (;;) {
    const { connections } = (await (await fetch(`${service}/api/v1/status`)).json()) as Status
    const [counts] = connections
    if (counts === undefined || counts.points_dropped + counts.points_rejected > 0) {
      throw new Error(`points were lost: ${JSON.stringify(counts)}`)
    }
    if (counts.points_stored === POINTS) break
    await sleep(10)
  }
  const seconds = (performance.now() - feed.started) / 1000
  const cpuSeconds = (await cpuOf(service)) - before
  const range = await fetch(`${service}/api/v1/telemetry/range?session_id=1&sample_rate=${POINTS}`)
  const { total_points } = (await range.json()) as { readonly total_points: number }
  if (total_points !== POINTS) throw new Error(`${total_points} points are stored of ${POINTS}`)
  await ended(child, "SIGTERM")
  const bytesPerPoint = statSync(join(data, "telemetry.sqlite")).size / POINTS
  rmSync(data, { recursive: true })
  return { seconds, cpuSeconds, bytesPerPoint }
}

const median = (values: ReadonlyArray<number>) => [...values].sort((a, b) => a - b)[values.length >> 1]!

const summary = (name: string, runs: ReadonlyArray<Figures>) => {
  const rates = runs.map(({ seconds }) => POINTS / seconds / 1e6)
  const cpu = median(runs.map(({ cpuSeconds }) => (cpuSeconds / POINTS) * 1e6))
  console.log(
    `${name.padEnd(12)} ${median(rates).toFixed(2)} M points/s (${Math.min(...rates).toFixed(2)} to ${Math.max(...rates).toFixed(2)}), ${cpu.toFixed(2)} us CPU a point`
  )
  return { rate: median(rates), cpu }
}

const feed = await serveFeed(drivenMessages())
const baseline: Array<Figures> = []
const service: Array<Figures> = []
for (let run = 0; run < RUNS; run++) {
  baseline.push(await runBaseline(feed))
  service.push(await runService(feed))
}
feed.close()
console.log(`ingest: ${POINTS} points, packed, ${PER_MESSAGE} a message, ${RUNS} runs each, medians`)
const least = summary("receive only", baseline)
const whole = summary("service", service)
console.log(
  `the service runs at ${(whole.rate / least.rate).toFixed(2)} of receiving only, with ${(whole.cpu / least.cpu).toFixed(1)} times its CPU, at ${median(service.map((run) => run.bytesPerPoint!)).toFixed(1)} bytes a point`
)
