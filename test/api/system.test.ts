import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { version } from "../../src/platform/version.ts"
import { closedPort } from "../simulators/native/feedServer.ts"
import { feedAt, feeding, silentPort, twoLaps } from "./feeds.ts"
import { inside, serviceInside } from "../support/inside.ts"
import { sending, type Service, service } from "../support/service.ts"

const connect = ({ json }: Service, port: number, more: Record<string, unknown> = {}) =>
  json("/api/v1/connect", sending("POST", { ...feedAt(port), ...more }))

const statusOf = ({ json }: Service) =>
  Effect.map(json("/api/v1/status"), ({ body, status }) => {
    expect(status).toBe(200)
    return body as { connections: ReadonlyArray<Record<string, unknown>> } & Record<string, unknown>
  })

it.scopedLive("/health is healthy and has the version", () =>
  Effect.gen(function* () {
    const { json } = yield* service()
    const { body, status } = yield* json("/api/v1/health")
    expect(status).toBe(200)
    expect(body).toEqual({ status: "healthy", version })
    expect(version).toMatch(/^\d+\.\d+\.\d+$/)
  })
)

inside("/status has an answer before the first connection", () =>
  Effect.gen(function* () {
    const status = yield* Effect.flatMap(serviceInside(), statusOf)
    expect(status).toEqual({
      connected: false,
      uptime: expect.any(Number),
      sessions_count: 0,
      laps_count: 0,
      last_telemetry: null,
      connections: [],
      listening: [],
      addresses: expect.any(Array),
      store: { bytes: expect.any(Number), in_use_bytes: expect.any(Number), disk_free_bytes: null }
    })
    expect(status["uptime"]).toBeGreaterThanOrEqual(0)
  })
)

it.scopedLive("a simulator is connected, recorded with every point accounted for, and disconnected", () =>
  Effect.gen(function* () {
    const running = yield* service()
    const port = yield* feeding(twoLaps)
    const connected = yield* connect(running, port)
    expect(connected.status).toBe(200)
    const result = {
      connected: true,
      host: "127.0.0.1",
      port,
      app_name: "test",
      simulator: "native",
      session_id: expect.toSatisfy((id) => id === null || id === 1),
      message: expect.any(String)
    }
    expect(connected.body).toEqual(result)
    // Repeating it changes nothing.
    expect((yield* connect(running, port)).body).toEqual(result)

    const stored = yield* Effect.repeat(statusOf(running), {
      until: ({ connections, laps_count }) =>
        laps_count === 2 && connections[0]?.["points_stored"] === twoLaps.points
    })
    expect(Object.keys(stored)).toEqual([
      "connected",
      "uptime",
      "sessions_count",
      "laps_count",
      "last_telemetry",
      "connections",
      "listening",
      "addresses",
      "store"
    ])
    expect(stored).toMatchObject({ connected: true, sessions_count: 1 })
    expect(stored["last_telemetry"]).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3})?$/)
    expect(stored.connections).toHaveLength(1)
    expect(stored.connections[0]).toMatchObject({
      host: "127.0.0.1",
      port,
      app_name: "test",
      simulator: "native",
      state: "connected",
      session_id: 1,
      points_received: twoLaps.points,
      points_stored: twoLaps.points,
      points_dropped: 0,
      points_rejected: 0,
      last_telemetry: stored["last_telemetry"]
    })

    const others = yield* connect(running, port, { app_name: "another" })
    expect(others.status).toBe(409)
    const recorded = yield* running.json("/api/v1/sessions/1", { method: "DELETE" })
    expect(recorded.status).toBe(409)

    const ended = yield* running.json("/api/v1/disconnect", { method: "POST" })
    expect(ended.status).toBe(200)
    expect(ended.body).toEqual({ connected: false, message: "Ended 1 connection" })
    const after = yield* statusOf(running)
    expect(after).toMatchObject({ connected: false, connections: [], laps_count: 2 })
    expect(after["last_telemetry"]).toBe(stored["last_telemetry"])
    const laps = yield* running.json("/api/v1/1/laps")
    expect(laps.body).toMatchObject([
      { lap_number: 1, lap_time: 10, valid: true },
      { lap_number: 2, lap_time: 10, valid: true }
    ])
    expect((yield* running.json("/api/v1/sessions/1", { method: "DELETE" })).status).toBe(200)
  })
)

it.scopedLive("a disconnect ends the connection that its body names, and all without a body", () =>
  Effect.gen(function* () {
    const running = yield* service()
    const ports = [yield* feeding(twoLaps), yield* feeding(twoLaps), yield* feeding(twoLaps)]
    for (const port of ports) yield* connect(running, port)
    const one = yield* running.json(
      "/api/v1/disconnect",
      sending("POST", { host: "127.0.0.1", port: ports[1] })
    )
    expect(one.body).toEqual({ connected: false, message: "Ended 1 connection" })
    const left = yield* statusOf(running)
    expect(new Set(left.connections.map(({ port }) => port))).toEqual(new Set([ports[0], ports[2]]))
    const stranger = yield* running.json("/api/v1/disconnect", sending("POST", { host: "example", port: 1 }))
    expect(stranger.body).toEqual({ connected: false, message: "Nothing was connected" })
    expect((yield* statusOf(running)).connections).toHaveLength(2)
    const rest = yield* running.json("/api/v1/disconnect", sending("POST", " \n"))
    expect(rest.body).toEqual({ connected: false, message: "Ended 2 connections" })
    const nothing = yield* running.json("/api/v1/disconnect", { method: "POST" })
    expect(nothing.status).toBe(200)
    expect(nothing.body).toEqual({ connected: false, message: "Nothing was connected" })
  })
)

inside("a failed connect has a status that shows the cause, and leaves no connection", () =>
  Effect.gen(function* () {
    // On a busy machine even an immediate answer may take seconds.
    const running = yield* serviceInside({ connectTimeout: "10 minutes" })
    const hasty = yield* serviceInside({ connectTimeout: "200 millis" })
    for (const [service, status, request] of [
      [running, 502, feedAt(yield* closedPort)],
      [running, 502, feedAt(running.port)],
      [hasty, 504, feedAt(yield* silentPort)],
      [running, 422, { ...feedAt(1), simulator: "doom" }],
      [running, 422, { ...feedAt(1), forward: ["127.0.0.1:5"] }]
    ] as const) {
      const answer = yield* service.json("/api/v1/connect", sending("POST", request))
      expect([request, answer.status]).toEqual([request, status])
    }
    for (const one of [running, hasty]) expect((yield* statusOf(one)).connections).toEqual([])
  })
)
