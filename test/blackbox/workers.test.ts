/**
 * Several worker processes behave as one service, whichever of its processes is killed. One service endures all of it, from
 * test to test, in any order; the test that ends its service has one of its own.
 */
import { isDeepStrictEqual } from "node:util"
import { describe, expect, it, layer } from "@effect/vitest"
import { Context, Effect, Fiber, identity, Layer, Option } from "effect"
import { fileHeld } from "../faults/faults.ts"
import { needing } from "../support/needing.ts"
import { recordingsHere } from "../support/sharedData.ts"
import { expectSeenLive } from "./liveReplay.ts"
import * as Box from "../support/processes.ts"
import { anchored, expectOfficialLaps, lapsOf, OFFICIAL, pointsOf, timesOf } from "./recordedLaps.ts"
import { alive, killProcess, processesOf } from "./serviceProcesses.ts"
import { subscribe } from "./subscriber.ts"

const WORKERS = ["worker-1", "worker-2", "worker-3"]

const startSeveral = Effect.gen(function* () {
  const data = yield* Box.folder
  return { data, service: yield* Box.startService(data, "--workers", String(WORKERS.length)) }
})

class Several extends Context.Tag("test/Several")<Several, Effect.Effect.Success<typeof startSeveral>>() {
  static readonly layer = Layer.scoped(this, startSeveral)
}

/** Every request on a connection of its own, so that it may reach any worker. */
const askOnce = <A>(service: Box.Running, path: string) =>
  Effect.promise(async () => {
    const response = await fetch(service.address + path, { headers: { connection: "close" } })
    return { status: response.status, text: await response.text() } as const
  }).pipe(Effect.map(({ status, text }) => ({ status, body: JSON.parse(text) as A })))

/**
 * The same for a service whose workers are killed meanwhile: undefined if the connection is reset, or was on its way to a
 * worker that was killed, in which case nobody answers (node:cluster forgets it).
 */
const tried = <A>(asking: Effect.Effect<A>) =>
  Effect.catchAllDefect(Effect.disconnect(asking), () => Effect.succeed(undefined)).pipe(
    Effect.timeoutTo({ duration: "5 seconds", onSuccess: identity, onTimeout: () => undefined })
  )

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
  Effect.promise(async () =>
    (await fetch(`${service.address}/metrics`, { headers: { connection: "close" } })).text()
  )

/** Requests again until the supervisor, which counts them, has answered in time. */
const restartsOf = (service: Box.Running, name: string) => {
  const counted = new RegExp(`^telemetry_process_restarts_total\\{process="${name}"\\} (\\d+)$`, "m")
  const count = Effect.map(metricsOf(service), (metrics) => counted.exec(metrics)?.[1])
  return Effect.map(
    Box.until(count, (text) => text !== undefined),
    Number
  )
}

/** Waits until all processes run again, and each worker answers. */
const complete = Effect.fn(function* (service: Box.Running, killed: ReadonlySet<number>) {
  yield* Box.until(
    Effect.sync(() => processesOf(service)),
    (processes) =>
      processes.size === 1 + WORKERS.length && [...processes.values()].every((pid) => !killed.has(pid))
  )
  // A worker that does not count itself in time is left out.
  return yield* Box.until(tried(metricsOf(service)), (text) =>
    WORKERS.every((name) => text?.includes(`subscribers{process="${name}"}`) === true)
  )
})

layer(Several.layer, { excludeTestServices: true })("a service of several workers", (it) => {
  it.scoped("shares connections, sessions, live points and the configured rate", () =>
    Effect.gen(function* () {
      const { service } = yield* Several
      expect([...processesOf(service).keys()].toSorted()).toEqual(["recorder", ...WORKERS])
      const before = yield* Box.lastSession(service)
      const { sessions_count: had } = yield* Box.get<{ readonly sessions_count: number }>(service, "/status")
      const restarted = yield* restartsOf(service, "worker-2")
      const simulator = yield* Box.startSimulator("--rate", "100")
      const watchers = yield* Effect.all(
        Array.from({ length: 2 * WORKERS.length }, () => subscribe(service, "?events=session"))
      )
      const refused = yield* Box.ask<{ readonly detail: string }>(service, "POST", "/connect", {
        host: "127.0.0.1",
        port: 1,
        app_name: "black box"
      })
      expect(refused).toMatchObject({ status: 502, body: { detail: expect.stringContaining("127.0.0.1:1") } })
      expect((yield* Box.connect(service, simulator)).body).toMatchObject({ connected: true })
      yield* Box.until(Box.connectionOf(service), (connection) => connection?.session_id === before + 1)
      for (const status of yield* statusOfEach(service)) {
        expect(status).toMatchObject({ connected: true, sessions_count: had + 1 })
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

      // Every worker's answer counts all processes.
      const names = ["supervisor", "recorder", ...WORKERS]
      const metrics = yield* Box.until(
        metricsOf(service),
        (text) =>
          /^telemetry_points_stored_total [1-9]/m.test(text) &&
          names.every((name) => text.includes(`process_resident_memory_bytes{process="${name}"}`))
      )
      expect(metrics).toMatch(/^telemetry_connections\{state="connected"\} 1$/m)
      const subscribers = [...metrics.matchAll(/^telemetry_live_subscribers\{process="worker-\d"\} (\d)$/gm)]
      expect(subscribers.reduce((sum, [, count]) => sum + Number(count), 0)).toBe(watchers.length)

      const killed = killProcess(service, "worker-2")
      yield* complete(service, new Set([killed]))
      yield* Box.until(metricsOf(service), (text) => text.includes('subscribers{process="worker-2"} 0'))
      expect(yield* restartsOf(service, "worker-2")).toBe(restarted + 1)
      for (const { connected, uptime } of yield* statusOfEach(service)) {
        expect(connected).toBe(true)
        // The service's start, also in the answer of a worker that has just been started.
        expect(uptime).toBeGreaterThan(1)
      }
      yield* Box.ask(service, "PUT", "/config", config)
      yield* Box.ask(service, "POST", "/disconnect")
    })
  )

  it.scoped("keeps a port that the system chose, though all workers die at once", () =>
    Effect.gen(function* () {
      const { service } = yield* Several
      // The second time the supervisor had given them the port.
      for (let time = 0; time < 2; time++) {
        yield* complete(service, new Set(WORKERS.map((name) => killProcess(service, name))))
      }
    })
  )

  describe("with a recording", needing(recordingsHere), () => {
    const replaying = Box.startSimulator("--replay", Box.recordingFile(OFFICIAL), "--speed", "max")

    it.scoped("sends live clients a feed's points and events, as one process does", () =>
      Effect.flatMap(Several, ({ service }) => expectSeenLive(service))
    )

    it.scoped("loses no point when workers are killed, and replaces them", () =>
      Effect.gen(function* () {
        const { service } = yield* Several
        const session = 1 + (yield* Box.lastSession(service))
        yield* Box.connect(service, yield* replaying)
        const [, ...others] = WORKERS
        const killed = new Set(others.map((name) => killProcess(service, name)))
        const expected = anchored(Box.readRecording(OFFICIAL))
        const connection = yield* Box.until(
          tried(Box.connectionOf(service)),
          (counts) => counts?.points_stored === expected.length && counts.session_id === null
        )
        expect(connection).toMatchObject({ points_dropped: 0, points_rejected: 0, gaps: 0 })
        yield* complete(service, killed)
        yield* Box.ask(service, "POST", "/disconnect")
        expect(yield* pointsOf(service, session)).toEqual(expected)
        yield* expectOfficialLaps(service, session)
      })
    )

    it.scoped("replaces a recorder that is killed, connects again, and has lost nothing acknowledged", () =>
      Effect.gen(function* () {
        const { data, service } = yield* Several
        const expected = anchored(Box.readRecording(OFFICIAL))
        const first = 1 + (yield* Box.lastSession(service))
        const second = first + 1
        const watcher = yield* subscribe(service, "?events=lap,session")
        yield* Box.connect(service, yield* replaying)
        const counts = yield* Box.stored(service, 1)
        const reading = yield* Effect.fork(
          askOnce(service, `/api/v1/sessions/${first}`).pipe(
            Effect.tap(({ status }) => Effect.sync(() => expect(status).toBe(200))),
            Effect.zipRight(askOnce(service, `/api/v1/telemetry/range?session_id=${first}&sample_rate=1000`)),
            Effect.tap(({ status }) => Effect.sync(() => expect(status).toBe(200))),
            Effect.zipRight(Effect.sleep("20 millis")),
            Effect.forever
          )
        )
        // The next recorder is not ready before it can write to the file.
        const { begin, end } = fileHeld(data)
        const killed = yield* Effect.acquireUseRelease(
          begin,
          () =>
            Effect.gen(function* () {
              const pid = killProcess(service, "recorder")
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
              return pid
            }),
          () => end
        )

        // Without a request the replay begins again with the new connection, and runs to its end.
        yield* Box.until(
          Box.connectionOf(service),
          (connection) => connection?.points_stored === expected.length && connection.session_id === null
        )
        expect(processesOf(service).get("recorder")).not.toBe(killed)
        expect(yield* Fiber.poll(reading)).toEqual(Option.none())
        yield* Fiber.interrupt(reading)
        yield* Box.ask(service, "POST", "/disconnect")

        const before = yield* pointsOf(service, first)
        expect(before.length).toBeGreaterThanOrEqual(counts!.points_stored)
        expect(before).toEqual(expected.slice(0, before.length))
        expect(yield* pointsOf(service, second)).toEqual(expected)
        const whole = (yield* lapsOf(service, second)).map(timesOf)
        expect(whole).toHaveLength(47)
        const laps = (yield* lapsOf(service, first)).map(timesOf)
        // The last one was not completed, unless it was killed between two laps.
        const broken = laps.findIndex((lap, n) => !isDeepStrictEqual(lap, whole[n]))
        expect([-1, laps.length - 1]).toContain(broken)
        if (broken >= 0)
          expect((yield* lapsOf(service, first))[broken]).toMatchObject({ lap_time: null, valid: false })
        expect((yield* Box.ask(service, "DELETE", `/sessions/${first}`)).status).toBe(200)

        // The watching client stayed connected: it saw both sessions begin and end.
        const sessions = yield* Box.until(
          Effect.sync(() => watcher.messages.filter(({ type }) => type === "session")),
          ({ length }) => length === 4
        )
        expect(sessions.map(({ session_id }) => session_id)).toEqual([first, first, second, second])
        expect(
          watcher.messages.filter(({ session_id, type }) => type === "lap" && session_id === second)
        ).toHaveLength(47)
        expect(yield* restartsOf(service, "recorder")).toBe(1)
      })
    )
  })
})

it.scopedLive("a service without its supervisor ends by itself, and has stored all that it received", () =>
  Effect.gen(function* () {
    const { data, service } = yield* startSeveral
    const simulator = yield* Box.startSimulator("--rate", "1000")
    yield* Box.connect(service, simulator)
    const counts = yield* Box.until(
      Box.connectionOf(service),
      (connection) => (connection?.points_received ?? 0) > 500
    )
    const pids = [...processesOf(service).values()]
    expect(pids).toHaveLength(1 + WORKERS.length)
    // Its processes share its output, which ends when all of them have ended.
    yield* service.signal("SIGKILL")
    yield* Box.until(
      Effect.sync(() => pids.some(alive)),
      (some) => !some
    )
    const next = yield* Box.startService(data)
    expect((yield* pointsOf(next, 1)).length).toBeGreaterThanOrEqual(counts!.points_received)
    // Nothing to recover: the session was closed properly.
    expect(next.errors()).toBe("")
  })
)
