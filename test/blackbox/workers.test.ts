/** Several worker processes behave as one service, whichever of its processes is killed. */
import { describe, expect, it } from "@effect/vitest"
import { Effect, Fiber, Option } from "effect"
import * as Box from "./processes.ts"
import { alive, killProcess, processesOf } from "./serviceProcesses.ts"
import { subscribe } from "./subscriber.ts"
import { needing } from "../runner/needing.ts"
import { recordingsHere } from "../runner/sharedData.ts"

const WORKERS = ["worker-1", "worker-2", "worker-3", "worker-4"]

const startWorkers = (data: string, ...flags: ReadonlyArray<string>) =>
  Box.startService(data, "--workers", String(WORKERS.length), ...flags)

/** Every request on a connection of its own, so that it may reach any worker. */
const askOnce = <A>(service: Box.Running, path: string) =>
  Effect.promise(async () => {
    const response = await fetch(service.address + path, { headers: { connection: "close" } })
    return { status: response.status, text: await response.text() } as const
  }).pipe(Effect.map(({ status, text }) => ({ status, body: JSON.parse(text) as A })))

const statusOfEach = (service: Box.Running) =>
  Effect.forEach([...WORKERS, ...WORKERS], () =>
    Effect.map(
      askOnce<{ readonly connected: boolean; readonly sessions_count: number; readonly uptime: number }>(
        service,
        "/api/v1/status"
      ),
      ({ body }) => body
    )
  )

const metricsOf = (service: Box.Running) =>
  Effect.promise(async () => (await fetch(`${service.address}/metrics`)).text())

it.scopedLive("workers share connections, sessions, live points and the configured rate", () =>
  Effect.gen(function* () {
    const service = yield* startWorkers(yield* Box.folder)
    expect([...processesOf(service).keys()].toSorted()).toEqual(["recorder", ...WORKERS])
    const simulator = yield* Box.startSimulator("--rate", "100")
    const watchers = yield* Effect.all(Array.from({ length: 8 }, () => subscribe(service, "?events=session")))
    const refused = yield* Box.ask<{ readonly detail: string }>(service, "POST", "/connect", {
      host: "127.0.0.1",
      port: 1,
      app_name: "black box"
    })
    expect(refused).toMatchObject({ status: 502, body: { detail: expect.stringContaining("127.0.0.1:1") } })
    expect((yield* Box.connect(service, simulator)).body).toMatchObject({ connected: true })
    yield* Box.until(Box.connectionOf(service), (connection) => connection?.session_id === 1)
    for (const status of yield* statusOfEach(service)) {
      expect(status).toMatchObject({ connected: true, sessions_count: 1 })
    }
    for (const { messages } of watchers) {
      yield* Box.until(
        Effect.sync(() => messages.map((message) => message.type)),
        (types) => types.includes("session") && types.filter((type) => type === "telemetry").length > 5
      )
    }

    const config = yield* Box.get<{ readonly telemetry_rate: number }>(service, "/config")
    yield* Box.ask(service, "PUT", "/config", { ...config, telemetry_rate: 1 })
    // At one message a second, a gap of feed time of nearly a second follows in every worker.
    for (const { messages } of watchers) {
      yield* Box.until(
        Effect.sync(() => messages.slice(-2).map((message) => Number(message.data["timestamp"]))),
        ([before, after]) => after! - before! > 0.9
      )
    }

    // Whichever worker is asked, all processes are counted.
    const metrics = yield* Box.until(metricsOf(service), (text) =>
      /^telemetry_points_stored_total [1-9]/m.test(text)
    )
    expect(metrics).toMatch(/^telemetry_connections\{state="connected"\} 1$/m)
    for (const name of ["supervisor", "recorder", ...WORKERS]) {
      expect(metrics).toMatch(new RegExp(`^process_resident_memory_bytes{process="${name}"} \\d+$`, "m"))
    }
    const subscribers = [...metrics.matchAll(/^telemetry_live_subscribers\{process="worker-\d"\} (\d)$/gm)]
    expect(subscribers.reduce((sum, [, count]) => sum + Number(count), 0)).toBe(watchers.length)

    const killed = killProcess(service, "worker-2")
    yield* Box.until(
      Effect.sync(() => processesOf(service).get("worker-2")),
      (pid) => pid !== undefined && pid !== killed
    )
    yield* Box.until(metricsOf(service), (text) => text.includes('subscribers{process="worker-2"} 0'))
    expect(yield* metricsOf(service)).toMatch(/^telemetry_process_restarts_total\{process="worker-2"\} 1$/m)
    const survivors = watchers.filter(({ socket }) => socket.readyState === socket.OPEN)
    for (const { connected, uptime } of yield* statusOfEach(service)) {
      expect(connected).toBe(true)
      // That of the service, also where a worker is asked that has just been started.
      expect(uptime).toBeGreaterThan(1)
    }

    expect(yield* service.signal("SIGTERM")).toBe(0)
    for (const { closed } of survivors) expect([1001, 1006]).toContain(yield* closed)
  })
)

const pointsOf = (service: Box.Running, session: number) =>
  Effect.map(
    Box.get<{ readonly points: ReadonlyArray<Box.Point> }>(service, `/telemetry/range?session_id=${session}`),
    ({ points }) => points
  )

describe("with a recording", needing(recordingsHere), () => {
  const NAME = "f1-bahrain-2026-ant"
  const recorded = () => {
    const { points, zero } = Box.readRecording(NAME)
    return points.map((point) => ({ ...point, timestamp: zero + point["timestamp"]! }))
  }
  const replaying = (speed: string) =>
    Box.startSimulator("--replay", Box.recordingFile(NAME), "--speed", speed)
  it.scopedLive("workers that are killed cost no point, and are replaced", () =>
    Effect.gen(function* () {
      const service = yield* startWorkers(yield* Box.folder)
      const simulator = yield* replaying("max")
      yield* Box.connect(service, simulator)
      const [, ...others] = WORKERS
      for (const name of others) killProcess(service, name)
      const expected = recorded()
      const connection = yield* Box.until(
        // A connection to one of them is reset.
        Effect.catchAllDefect(Box.connectionOf(service), () => Effect.succeed(undefined)),
        (counts) => counts?.points_stored === expected.length && counts.session_id === null
      )
      expect(connection).toMatchObject({ points_dropped: 0, points_rejected: 0, gaps: 0 })
      yield* Box.until(
        Effect.sync(() => processesOf(service)),
        ({ size }) => size === 1 + WORKERS.length
      )
      yield* Box.ask(service, "POST", "/disconnect")
      expect(yield* pointsOf(service, 1)).toEqual(expected)
      expect(yield* Box.get(service, "/1/laps")).toHaveLength(47)
    })
  )

  it.scopedLive(
    "a recorder that is killed is replaced, connects again, and has lost nothing acknowledged",
    () =>
      Effect.gen(function* () {
        const expected = recorded()
        const service = yield* startWorkers(yield* Box.folder)
        const simulator = yield* replaying("max")
        const watcher = yield* subscribe(service, "?events=lap,session")
        yield* Box.connect(service, simulator)
        const counts = yield* Box.until(
          Box.connectionOf(service),
          (connection) => (connection?.points_stored ?? 0) > 0
        )
        const reading = yield* Effect.fork(
          askOnce(service, "/api/v1/sessions/1").pipe(
            Effect.tap(({ status }) => Effect.sync(() => expect(status).toBe(200))),
            Effect.zipRight(askOnce(service, "/api/v1/telemetry/range?session_id=1&sample_rate=1000")),
            Effect.tap(({ status }) => Effect.sync(() => expect(status).toBe(200))),
            Effect.zipRight(Effect.sleep("20 millis")),
            Effect.forever
          )
        )
        const killed = killProcess(service, "recorder")
        const refused = yield* Box.until(
          askOnce<{ readonly detail?: string }>(service, "/api/v1/status"),
          ({ status }) => status !== 200
        )
        expect(refused).toEqual({ status: 503, body: { detail: expect.stringContaining("try again") } })
        const connecting = yield* Box.ask(service, "POST", "/connect", {
          host: "rig",
          port: 1,
          app_name: "x"
        })
        expect(connecting.status).toBe(503)

        // Nobody asks for it: the replay begins again with the new connection, and runs to its end.
        yield* Box.until(
          Box.connectionOf(service),
          (connection) => connection?.points_stored === expected.length && connection.session_id === null
        )
        expect(processesOf(service).get("recorder")).not.toBe(killed)
        expect(yield* Fiber.poll(reading)).toEqual(Option.none())
        yield* Fiber.interrupt(reading)
        yield* Box.ask(service, "POST", "/disconnect")

        const before = yield* pointsOf(service, 1)
        expect(before.length).toBeGreaterThanOrEqual(counts!.points_stored)
        expect(before).toEqual(expected.slice(0, before.length))
        expect(yield* pointsOf(service, 2)).toEqual(expected)
        const laps = yield* Box.get<ReadonlyArray<{ readonly lap_time: number | null }>>(service, "/1/laps")
        if (before.length < expected.length)
          expect(laps.at(-1)).toMatchObject({ lap_time: null, valid: false })
        expect(yield* Box.get(service, "/2/laps")).toHaveLength(47)
        expect((yield* Box.ask(service, "DELETE", "/sessions/1")).status).toBe(200)

        // Who watched was at it all the time: both sessions began and ended.
        const sessions = yield* Box.until(
          Effect.sync(() => watcher.messages.filter(({ type }) => type === "session")),
          ({ length }) => length === 4
        )
        expect(sessions.map(({ session_id }) => session_id)).toEqual([1, 1, 2, 2])
        expect(
          watcher.messages.filter(({ session_id, type }) => type === "lap" && session_id === 2)
        ).toHaveLength(47)
        expect(yield* metricsOf(service)).toMatch(
          /^telemetry_process_restarts_total\{process="recorder"\} 1$/m
        )
        expect(yield* service.signal("SIGTERM")).toBe(0)
      })
  )

  it.scopedLive("without their supervisor all end by themselves, and what they had received is stored", () =>
    Effect.gen(function* () {
      const data = yield* Box.folder
      const service = yield* startWorkers(data)
      const simulator = yield* Box.startSimulator("--rate", "1000")
      yield* Box.connect(service, simulator)
      const counts = yield* Box.until(
        Box.connectionOf(service),
        (connection) => (connection?.points_received ?? 0) > 500
      )
      const pids = [...processesOf(service).values()]
      expect(pids).toHaveLength(1 + WORKERS.length)
      // Its end is that of its output, which its processes share: this returns when they have ended.
      yield* service.signal("SIGKILL")
      yield* Box.until(
        Effect.sync(() => pids.some(alive)),
        (some) => !some
      )
      const next = yield* Box.startService(data)
      expect((yield* pointsOf(next, 1)).length).toBeGreaterThanOrEqual(counts!.points_received)
      // Nothing to recover: the session was closed in good order.
      expect(next.errors()).toBe("")
    })
  )
})

it.scopedLive("processes that cannot begin end the service with a sentence", () =>
  Effect.gen(function* () {
    const data = yield* Box.folder
    const service = yield* Box.startService(data)
    const { port } = new URL(service.address)
    const flags = ["--workers", "2", "--data"]
    const workers = yield* Box.run("main.js", ["--port", port, ...flags, `${data}/other`])
    expect(workers.code).toBe(1)
    expect(workers.errors).toContain("the port is in use")
    const recorder = yield* Box.run("main.js", ["--port", "0", ...flags, `${data}/telemetry.sqlite/below`])
    expect(recorder.code).toBe(1)
    expect(recorder.errors).toContain("Cannot open the sqlite store")
  })
)
