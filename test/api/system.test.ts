import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { SimulatorSilent } from "../../src/domain/errors.ts"
import { answerTo } from "../../src/api/problems.ts"
import { version } from "../../src/platform/version.ts"
import { closedPort } from "../simulators/native/feedServer.ts"
import { feedAt, feeding, silentPort, twoLaps } from "./feeds.ts"
import { inside, serviceInside } from "./inside.ts"
import { sending, type Service, service } from "./service.ts"

const connect = ({ json }: Service, port: number, more: Record<string, unknown> = {}) =>
  json("/api/v1/connect", sending("POST", { ...feedAt(port), ...more }))

const statusOf = ({ json }: Service) =>
  Effect.map(json("/api/v1/status"), ({ body, status }) => {
    expect(status).toBe(200)
    return body as { connections: ReadonlyArray<Record<string, unknown>> } & Record<string, unknown>
  })

it.scopedLive("is healthy, and says which version it is", () =>
  Effect.gen(function* () {
    const { json } = yield* service()
    const { body, status } = yield* json("/api/v1/health")
    expect(status).toBe(200)
    expect(body).toEqual({ status: "healthy", version })
    expect(version).toMatch(/^\d+\.\d+\.\d+$/)
  })
)

inside("has a status before anything has happened", () =>
  Effect.gen(function* () {
    const status = yield* Effect.flatMap(serviceInside(), statusOf)
    expect(status).toEqual({
      connected: false,
      uptime: expect.any(Number),
      sessions_count: 0,
      laps_count: 0,
      last_telemetry: null,
      connections: [],
      store: { bytes: expect.any(Number), in_use_bytes: expect.any(Number), disk_free_bytes: null }
    })
    expect(status["uptime"]).toBeGreaterThanOrEqual(0)
  })
)

it.scopedLive("connects, records, shows what became of every point, and disconnects", () =>
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
    // The same again changes nothing.
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
    expect(others.body).toEqual({
      detail: `127.0.0.1:${port} is already connected with other settings; disconnect it first`
    })
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

it.scopedLive("disconnects the one that a body names, and all without a body", () =>
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
    expect(left.connections.map(({ port }) => port)).toEqual([ports[0], ports[2]])
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

it.scopedLive("records into a session that a request names", () =>
  Effect.gen(function* () {
    const running = yield* service()
    const created = yield* running.json(
      "/api/v1/sessions",
      sending("POST", { circuit: "Test", vehicle: "Car", driver: "Anna" })
    )
    const { id } = created.body as { id: number }
    const connected = yield* connect(running, yield* feeding(twoLaps), { session_id: id })
    expect(connected.body).toMatchObject({ connected: true, session_id: id })
    const second = yield* connect(running, yield* feeding(twoLaps), { session_id: id })
    expect(second.status).toBe(409)
    expect(second.body).toEqual({
      detail: `Session ${id} is being recorded; disconnect its simulator first`
    })
    const unknown = yield* connect(running, yield* feeding(twoLaps), { session_id: 77 })
    expect([unknown.status, unknown.body]).toEqual([404, { detail: "Session 77 was not found" }])
    yield* running.json("/api/v1/disconnect", { method: "POST" })
    expect((yield* running.json("/api/v1/sessions")).body).toMatchObject({ total: 1 })
  })
)

inside("says why it could not connect", () =>
  Effect.gen(function* () {
    // On a busy machine also who answers at once may take seconds.
    const running = yield* serviceInside({ connectTimeout: "10 minutes" })
    const hasty = yield* serviceInside({ connectTimeout: "200 millis" })
    const refusing = yield* closedPort
    const refused = yield* connect(running, refusing)
    expect(refused.status).toBe(502)
    expect(refused.body).toEqual({
      detail: `The simulator at 127.0.0.1:${refusing} refused the connection: no program listens there (ECONNREFUSED)`
    })
    const stranger = yield* connect(running, running.port)
    expect(stranger.status).toBe(502)
    expect((stranger.body as { detail: string }).detail).toMatch(
      new RegExp(`^The program at 127.0.0.1:${running.port} does not speak the native protocol: `)
    )
    const silent = yield* silentPort
    const unanswered = yield* connect(hasty, silent)
    expect(unanswered.status).toBe(504)
    expect(unanswered.body).toEqual({
      detail: `The simulator at 127.0.0.1:${silent} did not answer within 0.2 s`
    })
    for (const one of [running, hasty]) expect((yield* statusOf(one)).connections).toEqual([])
  })
)

it("says of a simulator that does not answer that its port chose the driver, and how to choose another", () => {
  const error = new SimulatorSilent({
    address: { host: "rig", port: 33739 },
    seconds: 5,
    chosenByPort: "gt7"
  })
  expect(answerTo(error)).toMatchObject({
    status: 504,
    detail:
      "The simulator at rig:33739 did not answer within 5 s. " +
      'The request names no simulator, so port 33739 means gt7; to connect to another, name it in "simulator"'
  })
})

const target = { host: "127.0.0.1", port: 9100, app_name: "test" }

const badRequests: ReadonlyArray<readonly [body: unknown, sentence: string | RegExp]> = [
  ["", "The request body is not valid JSON"],
  ["[]", "The request body must be a JSON object, got []"],
  [{ port: 1, app_name: "a" }, "host is missing"],
  [{ ...target, port: undefined }, "port is missing"],
  [{ ...target, app_name: undefined }, "app_name is missing"],
  [{ ...target, host: 5 }, /^host must be /],
  [{ ...target, host: "a b" }, /^host must be a host name or an IP address, got "a b"$/],
  [{ ...target, host: "" }, /^host must be /],
  [{ ...target, port: "9100" }, 'port must be a number, got "9100"'],
  [{ ...target, port: 0 }, "port must be a number between 1 and 65535, got 0"],
  [{ ...target, port: 65_536 }, "port must be a number between 1 and 65535, got 65536"],
  [{ ...target, port: 1.5 }, "port must be an integer, got 1.5"],
  [{ ...target, app_name: "" }, /^app_name must be .*, got ""$/],
  [{ ...target, app_name: "a".repeat(201) }, /^app_name must be .*, got a+…$/],
  [{ ...target, session_id: 0 }, "session_id must be a positive number, got 0"],
  [{ ...target, session_id: "1" }, 'session_id must be a number, got "1"'],
  [{ ...target, simulator: 7 }, "simulator must be 1 to 200 characters of text, got 7"],
  [{ ...target, simulator: "doom" }, /^simulator must be one of (.+, )?native(, .+)?, got doom$/],
  [{ ...target, forward: ["127.0.0.1"] }, /^forward.* must be HOST:PORT, such as .*, got 127\.0\.0\.1$/],
  [{ ...target, forward: ["[::1]:65536"] }, /^forward.* must be HOST:PORT/],
  [{ ...target, forward: "127.0.0.1:5" }, /^forward must be /],
  [{ ...target, forward: Array(9).fill("127.0.0.1:5") }, /^forward must be at most 8 addresses, got/],
  [
    { ...target, simulator: "native", forward: ["127.0.0.1:5"] },
    "forward must be left out for native, which does not send over UDP"
  ],
  [{ ...target, circuit: {} }, "circuit must be 1 to 200 characters of text, got {}"]
]

it.scopedLive("refuses to connect to what is no target, and says why", () =>
  Effect.gen(function* () {
    const running = yield* service()
    for (const [body, sentence] of badRequests) {
      const answer = yield* running.json("/api/v1/connect", sending("POST", body))
      const { detail } = answer.body as { detail: string }
      expect([body, answer.status]).toEqual([body, 422])
      if (typeof sentence === "string") expect(detail).toBe(sentence)
      else expect(detail).toMatch(sentence)
    }
    for (const [body, sentence] of [
      ["{", "The request body is not valid JSON"],
      ["null", "The request body must be a JSON object, got null"],
      ["{}", "host is missing"],
      ['{"host":"a"}', "port is missing"],
      ['{"host":"a","port":0}', "port must be a number between 1 and 65535, got 0"]
    ] as const) {
      const answer = yield* running.json("/api/v1/disconnect", sending("POST", body))
      expect([body, answer.status, answer.body]).toEqual([body, 422, { detail: sentence }])
    }
    expect((yield* statusOf(running)).connections).toEqual([])
  })
)
