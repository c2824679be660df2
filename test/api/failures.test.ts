import { expect, it } from "@effect/vitest"
import { Effect, Stream } from "effect"
import { ChannelsDamaged, PointsDamaged, StoreUnavailable } from "../../src/domain/errors.ts"
import { version } from "../../src/platform/version.ts"
import { inside, serviceInside, type ServiceOptions } from "./inside.ts"
import { sending, service } from "./service.ts"
import { storeDrive } from "./stored.ts"

const broken = new StoreUnavailable({ store: "catalog", cause: new Error("the disk is gone") })
const brokenPoints = new StoreUnavailable({ store: "points", cause: new Error("the disk is gone") })

/** A catalog whose every operation fails with `error`. */
const catalogFailing = (error: Effect.Effect<never, StoreUnavailable>): ServiceOptions => ({
  catalog: () => ({
    createSession: () => error,
    session: () => error,
    sessions: () => error,
    deleteSession: () => error,
    pinSession: () => error,
    oldestRemovable: () => error,
    newestSession: error,
    deleteRemovable: () => error,
    claimSession: () => error,
    renameSession: () => error,
    changeLap: () => error,
    extendSessions: () => error,
    endSession: () => error,
    keepDistance: () => error,
    unendedSessions: error,
    ownUnendedSessions: error,
    sessionIds: error,
    dictionary: () => error,
    putDictionary: () => error,
    missing: () => error,
    deleted: () => error,
    pendingRemovals: error,
    removalDone: () => error,
    removeAgain: () => error,
    addLaps: () => error,
    lap: () => error,
    laps: () => error,
    bestLaps: () => error,
    circuitTotals: () => error,
    totalsByCircuit: () => error,
    driverName: () => error,
    notMeasured: () => error,
    newest: error,
    lapsAfter: () => error,
    sessionsAfter: () => error,
    counts: error,
    circuits: error,
    vehicles: error,
    sectorLines: () => error,
    circuitDetails: () => error,
    putCircuitDetails: () => error,
    allCircuitDetails: error,
    configuration: error,
    putConfiguration: () => error,
    check: error
  })
})

const configuration = {
  connection: { host: "a", port: 1, app_name: "b" },
  telemetry_rate: 60,
  auto_export: false,
  export_format: "csv"
}

const everyRoute: ReadonlyArray<readonly [path: string, init?: RequestInit]> = [
  ["status"],
  ["connect", sending("POST", { host: "127.0.0.1", port: 1, app_name: "a" })],
  ["sessions"],
  ["compare?lap_ids=1&lap_ids=2"],
  ["analysis/compare", sending("POST", { lap_ids: [1, 2] })],
  ["analysis/sectors/1"],
  ["analysis/anomalies/1"],
  ["analysis/predictions/1"],
  ["analysis/micro-sectors/1"],
  ["analysis/consistency/1"],
  ["stats/best-laps"],
  ["stats/driver/a"],
  ["stats/circuit/a"],
  ["sessions/1"],
  ["sessions", sending("POST", { circuit: "a", vehicle: "b", driver: "c" })],
  ["sessions/1", sending("PUT", { pinned: true })],
  ["sessions/1", { method: "DELETE" }],
  ["1/laps"],
  ["1"],
  ["1/telemetry"],
  ["telemetry/range?session_id=1"],
  ["export/csv/1"],
  ["export/json/1"],
  ["export/session/1?format=json"],
  ["config"],
  ["config", sending("PUT", configuration)],
  ["config/circuits"],
  ["config/circuits/a"],
  ["config/circuits/a", sending("PUT", { display_name: "A" })],
  ["config/vehicles"]
]

inside("answers 503 with Retry-After on every route while the catalog fails", () =>
  Effect.gen(function* () {
    const { json } = yield* serviceInside(catalogFailing(broken))
    for (const [path, init] of everyRoute) {
      const answer = yield* json(`/api/v1/${path}`, init)
      expect([path, answer.status]).toEqual([path, 503])
      expect(answer.body).toEqual({ detail: "The catalog store cannot be reached; try again soon" })
      expect(answer.headers.get("retry-after")).toMatch(/^[1-9]\d*$/)
      expect(answer.headers.get("content-type")).toBe("application/json")
    }
    const health = yield* json("/api/v1/health")
    expect(health.status).toBe(503)
    expect(health.body).toEqual({
      status: "unhealthy",
      version,
      detail: "The catalog store cannot be used: the disk is gone"
    })
    expect(health.headers.get("retry-after")).toMatch(/^[1-9]\d*$/)
    expect((yield* json("/api/v1/disconnect", { method: "POST" })).status).toBe(200)
  })
)

inside("answers 500 with session and time where points are damaged", () =>
  Effect.gen(function* () {
    const damaged = new PointsDamaged({ store: "sqlite", sessionId: 1, first: 60, last: 90.5, reason: "sum" })
    const running = yield* serviceInside({
      points: (real) => ({ ...real, read: () => Stream.fail(damaged), readEvery: () => Stream.fail(damaged) })
    })
    const { session } = yield* storeDrive(running, { count: 10 })
    const detail =
      "Points of session 1 from 1970-01-01T00:01:00 to 1970-01-01T00:01:30.500 are damaged in the store; its other data can be read"
    for (const path of [`telemetry/range?session_id=${session.id}`, `export/session/${session.id}`]) {
      const answer = yield* running.json(`/api/v1/${path}`)
      expect([path, answer.status, answer.body]).toEqual([path, 500, { detail }])
    }
    expect((yield* running.json("/api/v1/sessions")).status).toBe(200)
  })
)

inside("answers 500 with the session where its channels are damaged, and its points without them", () =>
  Effect.gen(function* () {
    const running = yield* serviceInside({
      catalog: (real) => ({ ...real, dictionary: (sessionId) => new ChannelsDamaged({ sessionId }) })
    })
    const { session } = yield* storeDrive(running, { count: 10 })
    const range = `telemetry/range?session_id=${session.id}`
    const detail = `The channels of session ${session.id} are damaged in the catalog`
    for (const path of [`${session.id}/channels`, `${range}&channels=fuel`]) {
      const answer = yield* running.json(`/api/v1/${path}`)
      expect([path, answer.status, answer.body]).toEqual([path, 500, { detail }])
    }
    expect((yield* running.json(`/api/v1/sessions/${session.id}`)).status).toBe(200)
  })
)

inside("answers 503 before an export begins while the points cannot be read", () =>
  Effect.gen(function* () {
    const running = yield* serviceInside({
      points: (real) => ({
        ...real,
        count: () => brokenPoints,
        bounds: () => brokenPoints,
        check: brokenPoints,
        read: () => Stream.fail(brokenPoints)
      })
    })
    const { laps, session } = yield* storeDrive(running, { count: 10 })
    for (const path of [
      `${laps[0]!.id}/telemetry`,
      `telemetry/range?session_id=${session.id}`,
      `export/csv/${laps[0]!.id}`,
      `export/json/${laps[0]!.id}`,
      `export/session/${session.id}`,
      `export/session/${session.id}?format=json`
    ]) {
      const answer = yield* running.json(`/api/v1/${path}`)
      expect([path, answer.status]).toEqual([path, 503])
      expect(answer.body).toEqual({ detail: "The points store cannot be reached; try again soon" })
      expect(answer.headers.get("retry-after")).toMatch(/^[1-9]\d*$/)
      expect(answer.headers.get("content-disposition")).toBeNull()
    }
    const health = yield* running.json("/api/v1/health")
    expect(health.body).toMatchObject({ detail: "The points store cannot be used: the disk is gone" })
  })
)

inside("a defect is Internal error to the client, and the whole story in the log", () =>
  Effect.gen(function* () {
    const { json, logged } = yield* serviceInside(catalogFailing(Effect.dieMessage("a secret of the inside")))
    for (const [path, init] of everyRoute.filter(([path]) => path !== "status")) {
      const answer = yield* json(`/api/v1/${path}`, init)
      expect([path, answer.status, answer.body]).toEqual([path, 500, { detail: "Internal error" }])
      const id = answer.headers.get("x-request-id")
      expect(id).toMatch(/^[\da-f-]{36}$/)
      const lines = logged.filter(({ level, request }) => level === "ERROR" && request === id)
      expect(lines).toHaveLength(1)
      expect(lines[0]!.text).toContain("a secret of the inside")
    }
  })
)

inside("what the store may not do later is no failure of a deletion that took place", () =>
  Effect.gen(function* () {
    const running = yield* serviceInside({ points: (real) => ({ ...real, remove: () => brokenPoints }) })
    const { session } = yield* storeDrive(running, { count: 10 })
    const path = `/api/v1/sessions/${session.id}`
    expect((yield* running.json(path, { method: "DELETE" })).status).toBe(200)
    expect((yield* running.json(path)).status).toBe(404)
    expect(running.logged.filter(({ level }) => level === "WARN")).toHaveLength(1)
  })
)

it.scopedLive("logs nothing above debug for requests that are the client's fault", () =>
  Effect.gen(function* () {
    const { json, logged } = yield* service()
    for (const path of ["nothing/here", "sessions/77", "sessions?limit=0", "telemetry/live"]) {
      yield* json(`/api/v1/${path}`)
    }
    yield* json("/api/v1/sessions", sending("POST", "{"))
    expect(logged.filter(({ level }) => level !== "DEBUG")).toEqual([])
    expect(logged.every(({ text }) => /^(GET|POST) \/api\/v1\/\S+ 4\d\d \d+ ms$/.test(text))).toBe(true)
  })
)
