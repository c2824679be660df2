/** Several worker processes behave as one service. */
import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
import * as Box from "./processes.ts"
import { subscribe } from "./subscriber.ts"
import { workersOf } from "./workerProcesses.ts"

/** Every request on a connection of its own, so that it may reach any worker. */
const statusOfEach = (service: Box.Running) =>
  Effect.forEach([1, 2, 3, 4], () =>
    Effect.promise(async () => {
      const response = await fetch(`${service.address}/api/v1/status`, { headers: { connection: "close" } })
      return (await response.json()) as { readonly connected: boolean; readonly sessions_count: number }
    })
  )

it.scopedLive("workers share connections, sessions, live points and the configured rate", () =>
  Effect.gen(function* () {
    const service = yield* Box.startService(yield* Box.folder, "--workers", "2")
    const simulator = yield* Box.startSimulator("--rate", "100")
    const watchers = yield* Effect.all(Array.from({ length: 6 }, () => subscribe(service, "?events=session")))
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

    const metrics = yield* Effect.promise(async () => (await fetch(`${service.address}/metrics`)).text())
    expect(metrics).toMatch(/^telemetry_points_stored_total [1-9]/m)
    expect(metrics).toMatch(/^telemetry_live_subscribers\{worker="\d"\} \d/m)

    const [victim] = workersOf(service)
    process.kill(victim!, "SIGKILL")
    yield* Box.until(
      Effect.sync(() => workersOf(service)),
      (pids) => pids.length === 2 && !pids.includes(victim!)
    )
    const survivors = watchers.filter(({ socket }) => socket.readyState === socket.OPEN)
    for (const status of yield* statusOfEach(service)) expect(status).toMatchObject({ connected: true })

    expect(yield* service.signal("SIGTERM")).toBe(0)
    for (const { closed } of survivors) expect([1001, 1006]).toContain(yield* closed)
  })
)

it.scopedLive("workers that cannot begin end the service with a sentence", () =>
  Effect.gen(function* () {
    const data = yield* Box.folder
    const service = yield* Box.startService(data)
    const { port } = new URL(service.address)
    const second = yield* Box.run("main.js", ["--port", port, "--workers", "2", "--data", `${data}/other`])
    expect(second.code).toBe(1)
    expect(second.errors).toContain("the port is in use")
  })
)
