/**
 * The service for a long time at 1 kHz, with live clients and readers: its resources must not grow with time. Prints a
 * line for each sample, then each figure's median in the middle third of the time and in the last, and ends with status
 * 1 where one of them has grown, or a point is missing. Caches and the heap reach their size in the first third.
 *
 *   npm run soak        (SECONDS, 3600 by default; CLIENTS, READERS, HZ by environment)
 */
import { readdirSync, statSync } from "node:fs"
import { join } from "node:path"
import { monitorEventLoopDelay, performance } from "node:perf_hooks"
import { setTimeout as sleep } from "node:timers/promises"
import { WebSocket } from "ws"
import { median, setting } from "./suite/figures.ts"
import { simulatedWith } from "./suite/simulated.ts"

const SECONDS = setting("SECONDS", 3600)
const CLIENTS = setting("CLIENTS", 20)
const READERS = setting("READERS", 2)
const HZ = setting("HZ", 1000)
const SAMPLES = 60
/** Between two requests of a reader. */
const READ_EVERY_MS = 500
const MIB = 2 ** 20

interface Sample {
  readonly points: number
  /** MiB */
  readonly resident: number
  readonly descriptors: number
  /** ms: the time that the health took to answer, which includes waiting for the event loop. */
  readonly answer: number
  /** ms: the delay of the event loop's timers, at most in 99 of 100 cases. */
  readonly late: number
  /** ms: the same of this program, which does little: the delay caused by the machine. */
  readonly machine: number
  /** Bytes of the data folder. */
  readonly disk: number
}

interface Connection {
  readonly points_stored: number
  readonly points_dropped: number
  readonly points_rejected: number
  readonly points_missing: number
}

const loopDelay = new URL("./suite/loopDelay.ts", import.meta.url).href
const { service, simulator } = await simulatedWith(["--import", loopDelay], ["--rate", String(HZ)])

const connection = async (): Promise<Connection> => {
  const answer = await fetch(`${service.url}/api/v1/status`)
  const { connections } = (await answer.json()) as { readonly connections: ReadonlyArray<Connection> }
  return connections[0]!
}

const bytesIn = (folder: string): number =>
  readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, { name }) => sum + statSync(join(folder, name)).size, 0)

const timed = async (path: string): Promise<number> => {
  const begin = performance.now()
  const answer = await fetch(service.url + path)
  await answer.arrayBuffer()
  if (!answer.ok) throw new Error(`${path} is answered ${answer.status}`)
  return performance.now() - begin
}

/** Since the last call. */
const lateness = async (): Promise<number> => {
  process.kill(service.pid, "SIGUSR2")
  return Number((await service.nextLine()).split(" ")[0])
}

const EVERY_MS = 10
const ownTimers = monitorEventLoopDelay({ resolution: EVERY_MS })
ownTimers.enable()

/** Since the last call. */
const ownLateness = (): number => {
  const between = ownTimers.percentile(99) / 1e6
  ownTimers.reset()
  return Math.max(0, between - EVERY_MS)
}

const sample = async (): Promise<Sample> => ({
  // First, because the other requests delay the event loop, too.
  late: await lateness(),
  machine: ownLateness(),
  points: (await connection()).points_stored,
  resident: service.memory().now / MIB,
  descriptors: readdirSync(`/proc/${service.pid}/fd`).length,
  answer: median([
    await timed("/api/v1/health"),
    await timed("/api/v1/health"),
    await timed("/api/v1/health")
  ]),
  disk: bytesIn(service.data)
})

const over = new AbortController()
let messages = 0
const clients = Array.from({ length: CLIENTS }, () => {
  const socket = new WebSocket(`${service.url.replace("http", "ws")}/api/v1/telemetry/live`)
  socket.on("message", () => messages++)
  return socket
})

/** Reads lists, laps, and the newest seconds of points repeatedly. */
const reader = async () => {
  while (!over.signal.aborted) {
    await timed("/api/v1/sessions?limit=20")
    await timed("/api/v1/1/laps")
    await timed("/api/v1/telemetry/range?session_id=1&sample_rate=1000")
    await sleep(READ_EVERY_MS)
  }
}
const reading = Array.from({ length: READERS }, reader)

const samples: Array<Sample> = []
for (let n = 0; n < SAMPLES; n++) {
  await sleep((SECONDS * 1000) / SAMPLES)
  const one = await sample()
  samples.push(one)
  const { answer, descriptors, disk, late, machine, points, resident } = one
  console.log(
    `${String(Math.round(((n + 1) * SECONDS) / SAMPLES)).padStart(5)} s  ${points} points, ${resident.toFixed(0)} MiB, ` +
      `${descriptors} descriptors, ${answer.toFixed(1)} ms, event loop late by ${late.toFixed(1)} ms (here by ${machine.toFixed(1)}), ${(disk / points).toFixed(1)} bytes a point on disk`
  )
}
over.abort()
await Promise.all(reading)
for (const client of clients) client.terminate()

const third = SAMPLES / 3
const [middle, last] = [samples.slice(third, 2 * third), samples.slice(2 * third)]
/** Bytes on disk for each point, over a stretch of time. */
const bytesAPoint = (stretch: ReadonlyArray<Sample>) =>
  (stretch.at(-1)!.disk - stretch[0]!.disk) / (stretch.at(-1)!.points - stretch[0]!.points)
const of = (figure: keyof Sample) =>
  [middle, last].map((stretch) => median(stretch.map((one) => one[figure])))

/**
 * Memory rises until V8 collects the whole heap, and falls then, with a period of 40 to 80 s (measured). A median of a third
 * depends on when that happens, so the highest memory of each half is compared, which grows if something is kept.
 */
const highest = (half: ReadonlyArray<Sample>) => Math.max(...half.map(({ resident }) => resident))
const peaks = [highest(samples.slice(0, SAMPLES / 2)), highest(samples.slice(SAMPLES / 2))]
/** Caches fill and the heap grows in the first half hour (measured: from 150 to 247 MiB); after it, what remains is noise. */
const SETTLED_S = 1800
const RESIDENT_NOISE = SECONDS < SETTLED_S ? 1.25 : 1.1
const DESCRIPTORS_NOISE = 4
/**
 * A busy machine delays timers, too; a delay that grows with time exceeds twice that and the length of a collection, and is
 * none of this program's, whose timers the machine delays as well.
 */
const LATE_NOISE = 2
const COLLECTION_MS = 10
const problems: Array<string> = []
const report = (name: string, [before = 0, after = 0]: ReadonlyArray<number>, most: number) => {
  console.log(`${name}: ${before.toFixed(1)}, then ${after.toFixed(1)} (${(after / before).toFixed(3)})`)
  if (after > most) problems.push(`${name} grew`)
}
const [peak = 0] = peaks
const [descriptors = 0] = of("descriptors")
const [late = 0] = of("late")
const [machine = 0, machineLater = 0] = of("machine")
const busier = Math.max(0, machineLater - machine)
console.log(`\n${messages} live messages to ${CLIENTS} clients. In the middle third, then in the last:`)
report("highest resident of each half, MiB", peaks, peak * RESIDENT_NOISE)
report("descriptors", of("descriptors"), descriptors + DESCRIPTORS_NOISE)
report("event loop late, ms", of("late"), (late + busier) * LATE_NOISE + COLLECTION_MS)
report("event loop late here, ms", of("machine"), Infinity)
// The time of an answer depends on the machine, which may be busy: it is printed, but not judged.
report("health, ms", of("answer"), Infinity)
// SQLite's write-ahead log reaches its size after some minutes; before, it is most of what is on the disk.
report("disk, bytes a point", [bytesAPoint(middle), bytesAPoint(last)], Infinity)

const counts = await connection()
await fetch(`${service.url}/api/v1/disconnect`, { method: "POST" })
const answer = await fetch(`${service.url}/api/v1/telemetry/range?session_id=1&sample_rate=100000`)
const stored = (await answer.json()) as {
  readonly total_points: number
  readonly points: ReadonlyArray<{ readonly timestamp: number }>
}
const length = stored.points.at(-1)!.timestamp - stored.points[0]!.timestamp
console.log(`${stored.total_points} points are stored, of ${length.toFixed(3)} s`)
if (stored.total_points !== Math.round(length * HZ) + 1) problems.push("points are missing")
if (counts.points_dropped + counts.points_rejected + counts.points_missing > 0)
  problems.push(`points were lost on the way: ${JSON.stringify(counts)}`)
await simulator.stop()
await service.stop()
for (const problem of problems) console.error(problem)
process.exitCode = problems.length === 0 ? 0 : 1
