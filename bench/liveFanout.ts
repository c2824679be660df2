/**
 * What one live message to one subscriber costs the server: the hub against `ws.send` of an object that is
 * stringified for each client. Prints CPU microseconds a delivery, medians, and their ratio.
 *
 * The clients run in a process of their own and are drained before a run's clock stops: a run ends when every
 * client has said that it has all messages. Runs alternate, so that both see the same machine.
 *
 *   npx tsx bench/liveFanout.ts        (SUBSCRIBERS, SESSIONS, RATE, SECONDS, RUNS by environment)
 */
import { Context } from "effect"
import { fork } from "node:child_process"
import { once } from "node:events"
import { createServer, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { setTimeout as sleep } from "node:timers/promises"
import { fileURLToPath } from "node:url"
import { WebSocket, WebSocketServer } from "ws"
import { channels, PointBatch } from "../src/domain/PointBatch.ts"
import { Hub } from "../src/live/Hub.ts"
import { Timing } from "../src/live/Timing.ts"

const setting = (name: string, fallback: number) => Number(process.env[name] ?? fallback)
const SUBSCRIBERS = setting("SUBSCRIBERS", 500)
const RATE = setting("RATE", 60)
const SECONDS = setting("SECONDS", 3)
const SESSIONS = setting("SESSIONS", 1)
const RUNS = setting("RUNS", 5)
const TICKS = RATE * SECONDS
const MESSAGES = TICKS * SESSIONS

/** One point of a car at 60 m/s on a circle, as a simulator gives it: full doubles. */
const pointAt = (time: number): PointBatch => {
  const [x, y] = [Math.cos(time / 5), Math.sin(time / 5)]
  const values = [1.77e9 + time, 216 + 40 * y, 9e3 + 2e3 * x, 5, 0.5 + y / 2, 0, 0.1, 300 * x, 300 * y, 1.25]
  return new PointBatch(1, Float64Array.from(values))
}

const clients = async (url: string) => {
  let pending = SUBSCRIBERS
  for (let i = 0; i < SUBSCRIBERS; i++) {
    const ws = new WebSocket(url, { perMessageDeflate: false })
    let left = MESSAGES
    ws.on("message", () => {
      if (--left === 0 && --pending === 0) process.send?.("drained")
    })
    await once(ws, "open")
  }
  process.send?.("open")
}

/** Publishes at RATE for SECONDS, waits until all is received; CPU microseconds a delivery. */
const measure = async (server: Server, publish: (point: PointBatch) => void): Promise<number> => {
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  const { port } = server.address() as AddressInfo
  const child = fork(fileURLToPath(import.meta.url), [`ws://127.0.0.1:${port}`])
  await once(child, "message") // all are connected
  const drained = once(child, "message")
  const before = process.cpuUsage()
  const start = performance.now()
  for (let n = 0; n < TICKS; n++) {
    await sleep(Math.max(0, start + (n * 1000) / RATE - performance.now()))
    publish(pointAt(n / RATE))
  }
  await drained
  const { user, system } = process.cpuUsage(before)
  child.kill()
  server.closeAllConnections()
  server.close()
  return (user + system) / (MESSAGES * SUBSCRIBERS)
}

const withHub = () => {
  const hub = new Hub(Context.get(Context.empty(), Timing))
  hub.setRate(10_000) // the feed's own rate decides
  const wss = new WebSocketServer({ noServer: true, perMessageDeflate: false })
  const server = createServer().on("upgrade", (request, _socket, head) =>
    wss.handleUpgrade(request, request.socket, head, (ws) =>
      hub.subscribe(ws, request.socket, { sessionId: undefined, rate: undefined, events: new Set() })
    )
  )
  return measure(server, (point) => {
    for (let id = 1; id <= SESSIONS; id++) hub.publish(id, point)
  })
}

const withSend = () => {
  const server = createServer()
  const wss = new WebSocketServer({ server, perMessageDeflate: false })
  const sent = channels.filter((channel) => channel !== "steering")
  return measure(server, (point) => {
    const data = Object.fromEntries(sent.map((channel) => [channel, point.column(channel)[0]]))
    for (let id = 1; id <= SESSIONS; id++) {
      for (const ws of wss.clients) ws.send(JSON.stringify({ type: "telemetry", data, session_id: id }))
    }
  })
}

const median = (values: ReadonlyArray<number>) => [...values].sort((a, b) => a - b)[values.length >> 1]!

const row = (name: string, values: ReadonlyArray<number>) =>
  console.log(name, median(values).toFixed(2), ` (${values.map((us) => us.toFixed(2)).join(" ")})`)

const [url] = process.argv.slice(2)
if (url !== undefined) await clients(url)
else {
  const hub: Array<number> = []
  const send: Array<number> = []
  for (let run = 0; run < RUNS; run++) {
    hub.push(await withHub())
    send.push(await withSend())
  }
  console.log(`${SUBSCRIBERS} subscribers, ${SESSIONS} x ${RATE} messages/s, CPU us a delivery, ${RUNS} runs`)
  row("hub", hub)
  row("ws.send of each its own", send)
  console.log(`ratio ${(median(hub) / median(send)).toFixed(2)}`)
}
