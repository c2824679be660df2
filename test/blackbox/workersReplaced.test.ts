/** Processes of a service that hang are replaced as those that end, and the service stays where it was. */
import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import * as Box from "./processes.ts"
import { killProcess, processesOf } from "./serviceProcesses.ts"
import { subscribe } from "./subscriber.ts"
import { needing } from "../runner/needing.ts"
import { recordingsHere } from "../runner/sharedData.ts"

/** Longer than a process waits for a core where all of them are busy. */
const HUNG_AFTER_S = 5

const startWorkers = (data: string, ...flags: ReadonlyArray<string>) =>
  Box.startService(data, "--workers", "2", "--hung-after", String(HUNG_AFTER_S), ...flags)

/** Stops a process as a debugger does: it is there, and does nothing. */
const stopProcess = (service: Box.Running, name: string) => {
  const pid = processesOf(service).get(name)!
  process.kill(pid, "SIGSTOP")
  return { pid, at: performance.now() }
}

const pidOf = (service: Box.Running, name: string) => Effect.sync(() => processesOf(service).get(name))

/** Each on a connection of its own; undefined where it is refused, reset, or the service says that it is not there. */
const answered = (url: string) =>
  Effect.promise(async () => {
    try {
      const signal = AbortSignal.timeout(2 * HUNG_AFTER_S * 1000)
      const response = await fetch(url, { headers: { connection: "close" }, signal })
      const text = await response.text()
      return response.ok ? text : undefined
    } catch {
      return undefined
    }
  })

const asking = <A>(service: Box.Running, path: string) =>
  Effect.map(answered(`${service.address}/api/v1${path}`), (text) =>
    text === undefined ? undefined : (JSON.parse(text) as A)
  )

describe("with a recording", needing(recordingsHere), () => {
  it.scopedLive("a recorder that hangs is replaced, connects again, and has lost nothing acknowledged", () =>
    Effect.gen(function* () {
      const NAME = "f1-bahrain-2026-ant"
      const { points, zero } = Box.readRecording(NAME)
      const service = yield* startWorkers(yield* Box.folder)
      // Long enough to be in the middle of it when the recorder hangs.
      const simulator = yield* Box.startSimulator("--replay", Box.recordingFile(NAME), "--speed", "400")
      const watcher = yield* subscribe(service, "?events=session")
      yield* Box.connect(service, simulator)
      const counts = yield* Box.until(
        Box.connectionOf(service),
        (connection) => (connection?.points_stored ?? 0) > 0
      )
      const { at, pid } = stopProcess(service, "recorder")
      yield* Box.until(pidOf(service, "recorder"), (now) => now !== undefined && now !== pid)
      expect(performance.now() - at).toBeGreaterThan(HUNG_AFTER_S * 1000 * 0.8)
      expect(service.errors()).toContain(`recorder has not answered for ${HUNG_AFTER_S} s`)

      // Nobody asks for it: the replay begins again with the new connection, in a session of its own.
      yield* Box.until(
        asking<{ readonly connections: ReadonlyArray<Box.ConnectionCounts> }>(service, "/status"),
        (status) => {
          const connection = status?.connections[0]
          return connection?.session_id === 2 && connection.points_stored > 0
        }
      )
      const stored = yield* Box.get<{ readonly points: ReadonlyArray<Box.Point> }>(
        service,
        "/telemetry/range?session_id=1"
      )
      expect(stored.points.length).toBeGreaterThanOrEqual(counts!.points_stored)
      expect(stored.points.length).toBeLessThan(points.length)
      expect(stored.points).toEqual(
        points
          .slice(0, stored.points.length)
          .map((point) => ({ ...point, timestamp: zero + point["timestamp"]! }))
      )
      // Who watched is still there: the first session was closed, and the second began.
      const sessions = yield* Box.until(
        Effect.sync(() => watcher.messages.filter(({ type }) => type === "session")),
        ({ length }) => length === 3
      )
      expect(sessions.map(({ session_id }) => session_id)).toEqual([1, 1, 2])
      expect(yield* answered(`${service.address}/metrics`)).toMatch(
        /^telemetry_process_restarts_total\{process="recorder"\} 1$/m
      )
      expect(yield* service.signal("SIGTERM")).toBe(0)
    })
  )
})

it.scopedLive("a worker that hangs is replaced, and no process that is busy", () =>
  Effect.gen(function* () {
    const service = yield* startWorkers(yield* Box.folder)
    const before = processesOf(service)
    // Whoever does nothing for less than the limit is left alone.
    const busy = stopProcess(service, "recorder")
    yield* Effect.sleep(`${HUNG_AFTER_S * 0.4} seconds`)
    process.kill(busy.pid, "SIGCONT")
    const { pid } = stopProcess(service, "worker-1")
    yield* Box.until(pidOf(service, "worker-1"), (now) => now !== undefined && now !== pid)
    const metrics = yield* Box.until(
      answered(`${service.address}/metrics`),
      (text) => text?.includes('subscribers{process="worker-1"} 0') === true
    )
    const restarts = [...metrics!.matchAll(/^telemetry_process_restarts_total\{process="(.+)"\} (\d)$/gm)]
    expect(Object.fromEntries(restarts.map(([, name, count]) => [name, Number(count)]))).toEqual({
      recorder: 0,
      "worker-1": 1,
      "worker-2": 0
    })
    expect(processesOf(service).get("recorder")).toBe(before.get("recorder"))
    expect(yield* service.signal("SIGTERM")).toBe(0)
  })
)

it.scopedLive("keeps a port that the system chose, though all workers die at once", () =>
  Effect.gen(function* () {
    const service = yield* startWorkers(yield* Box.folder)
    const names = ["worker-1", "worker-2"]
    // The second time they had been told the port.
    for (let time = 0; time < 2; time++) {
      const killed = new Set(names.map((name) => killProcess(service, name)))
      yield* Box.until(
        Effect.sync(() => names.map((name) => processesOf(service).get(name))),
        (pids) => pids.every((pid) => pid !== undefined && !killed.has(pid))
      )
      yield* Box.until(answered(`${service.address}/metrics`), (text) =>
        names.every((name) => text?.includes(`subscribers{process="${name}"}`) === true)
      )
    }
    expect(yield* service.signal("SIGTERM")).toBe(0)
  })
)
