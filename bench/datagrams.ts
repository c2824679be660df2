/**
 * Datagrams of real simulators, without loss on the service's side: one simulator at 1 kHz, and 16 at 60 Hz at once, each
 * to a port of its own, as Forza's Data Out (331 bytes a point). A run in which a point that was sent is not stored is a
 * failure; what the kernel dropped at the service's sockets (/proc/net/udp) is printed. Against sockets that only count what
 * they get (baselines/receiveDatagrams.ts), in the same run: CPU for each datagram.
 *
 *   npm run bench -- datagrams        (SECONDS, RUNS by environment)
 */
import { type ChildProcess, spawn } from "node:child_process"
import { createSocket } from "node:dgram"
import { once } from "node:events"
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { setTimeout as sleep } from "node:timers/promises"
import { fileURLToPath } from "node:url"
import { DataOut } from "../src/simulate/emulators/forza/dataOut.ts"
import { Frames } from "../src/simulate/emulators/frames.ts"
import { circuitNamed } from "../src/simulate/model/Circuit.ts"
import { vehicles } from "../src/simulate/model/vehicles.ts"

const setting = (name: string, fallback: number) => Number(process.env[name] ?? fallback)
const SECONDS = setting("SECONDS", 20)
const RUNS = setting("RUNS", 5)
const cases = [
  { simulators: 1, rate: 1000 },
  { simulators: 16, rate: 60 }
] as const
type Case = (typeof cases)[number]

const program = (path: string) => fileURLToPath(new URL(path, import.meta.url))
const scene = { circuit: circuitNamed("Hollin Moor")!, vehicle: vehicles[0]!, driver: "bench" }

/** A race's datagrams, and one of the pause before it, of which no point is made. */
const encoded = (rate: number) => {
  const frames = new Frames({ ...scene, laps: 0, seed: 1, rate, pauses: [], restarts: [] })
  const dataOut = new DataOut("motorsport", scene)
  const pause = Buffer.from(dataOut.encode({ ...frames.next(), paused: true }))
  return {
    pause,
    race: Array.from({ length: SECONDS * rate }, () => Buffer.from(dataOut.encode(frames.next())))
  }
}

/** Sends the datagrams to every port, as they are due; timers are late, so several may go at once. */
const race = async (datagrams: ReadonlyArray<Buffer>, rate: number, ports: ReadonlyArray<number>) => {
  const socket = createSocket("udp4")
  const begin = performance.now()
  for (let n = 0; n < datagrams.length;) {
    const due = Math.min(datagrams.length, Math.floor(((performance.now() - begin) * rate) / 1000))
    for (; n < due; n++) for (const port of ports) socket.send(datagrams[n]!, port, "127.0.0.1")
    await sleep(1)
  }
  await sleep(200)
  socket.close()
}

const ended = async (child: ChildProcess) => {
  const exit = once(child, "exit")
  child.kill("SIGTERM")
  await exit
}

const runBaseline = async ({ rate, simulators }: Case, datagrams: ReadonlyArray<Buffer>) => {
  const child = spawn(process.execPath, [program("baselines/receiveDatagrams.js"), String(simulators)])
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]()
  const ports = JSON.parse((await lines.next()).value as string) as ReadonlyArray<number>
  await race(datagrams, rate, ports)
  child.kill("SIGTERM")
  const { cpuSeconds, datagrams: heard } = JSON.parse((await lines.next()).value as string) as {
    readonly datagrams: number
    readonly cpuSeconds: number
  }
  const sent = datagrams.length * simulators
  if (heard !== sent) throw new Error(`the baseline heard ${heard} datagrams of ${sent}`)
  return (cpuSeconds * 1e6) / sent
}

interface Status {
  readonly connections: ReadonlyArray<{
    readonly points_received: number
    readonly points_stored: number
    readonly points_dropped: number
    readonly points_rejected: number
  }>
}

/** Datagrams that the kernel dropped because a socket's buffer was full; the last column of its table. */
const droppedByKernel = (ports: ReadonlyArray<number>): number | undefined => {
  if (!existsSync("/proc/net/udp")) return undefined
  const rows = readFileSync("/proc/net/udp", "utf8").trim().split("\n").slice(1)
  return rows.reduce((sum, row) => {
    const columns = row.trim().split(/\s+/)
    const port = Number.parseInt(columns[1]!.split(":")[1]!, 16)
    return ports.includes(port) ? sum + Number(columns.at(-1)) : sum
  }, 0)
}

const freePorts = async (count: number): Promise<ReadonlyArray<number>> => {
  const sockets = Array.from({ length: count }, () => createSocket("udp4"))
  for (const socket of sockets) {
    socket.bind(0, "127.0.0.1")
    await once(socket, "listening")
  }
  const ports = sockets.map((socket) => socket.address().port)
  for (const socket of sockets) socket.close()
  return ports
}

const cpuOf = async (service: string): Promise<number> => {
  const text = await (await fetch(`${service}/metrics`)).text()
  return Number(/^process_cpu_seconds_total (\S+)$/m.exec(text)?.[1])
}

const connect = async (service: string, port: number, pause: Buffer) => {
  const socket = createSocket("udp4")
  const calling = setInterval(() => socket.send(pause, port, "127.0.0.1"), 5)
  const body = JSON.stringify({ host: "127.0.0.1", port, app_name: "bench", simulator: "forza" })
  const { status } = await fetch(`${service}/api/v1/connect`, { method: "POST", body })
  clearInterval(calling)
  socket.close()
  if (status !== 200) throw new Error(`the service did not connect: ${status}`)
}

const runService = async (
  { rate, simulators }: Case,
  { pause, race: datagrams }: ReturnType<typeof encoded>
) => {
  const data = mkdtempSync(join(tmpdir(), "telemetry-bench-"))
  const child = spawn(process.execPath, [program("../src/main.js"), "--port", "0", "--data", data], {
    stdio: ["ignore", "pipe", "ignore"]
  })
  const [line] = (await once(createInterface(child.stdout), "line")) as [string]
  const service = line.replace("listening on ", "")
  const ports = await freePorts(simulators)
  for (const port of ports) await connect(service, port, pause)
  const before = await cpuOf(service)
  await race(datagrams, rate, ports)
  for (;;) {
    const { connections } = (await (await fetch(`${service}/api/v1/status`)).json()) as Status
    if (connections.every((one) => one.points_stored === datagrams.length)) break
    const lost = connections.some((one) => one.points_dropped + one.points_rejected > 0)
    const missing = connections.some((one) => one.points_received !== datagrams.length)
    if (lost || missing) throw new Error(`points were lost: ${JSON.stringify(connections)}`)
    await sleep(20)
  }
  const cpuSeconds = (await cpuOf(service)) - before
  const dropped = droppedByKernel(ports)
  await ended(child)
  rmSync(data, { recursive: true })
  return { cpu: (cpuSeconds * 1e6) / (datagrams.length * simulators), dropped }
}

const median = (values: ReadonlyArray<number>) => [...values].sort((a, b) => a - b)[values.length >> 1]!
const spread = (values: ReadonlyArray<number>) =>
  `${median(values).toFixed(1)} (${Math.min(...values).toFixed(1)} to ${Math.max(...values).toFixed(1)})`

for (const one of cases) {
  const datagrams = encoded(one.rate)
  const baseline: Array<number> = []
  const service: Array<number> = []
  let dropped = 0
  for (let run = 0; run < RUNS; run++) {
    baseline.push(await runBaseline(one, datagrams.race))
    const found = await runService(one, datagrams)
    service.push(found.cpu)
    dropped += found.dropped ?? 0
  }
  const sent = datagrams.race.length * one.simulators
  console.log(`
datagrams: ${one.simulators} x ${one.rate} Hz, ${sent} points a run, ${RUNS} runs: all stored, ${dropped} dropped by the kernel
  service    ${spread(service)} us CPU a point, stored and shown
  baseline   ${spread(baseline)} us CPU a datagram, only counted
  ratio      ${(median(service) / median(baseline)).toFixed(2)}`)
}
