import { expect, it } from "@effect/vitest"
import { Effect, Stream } from "effect"
import { StoreUnavailable } from "../../src/domain/errors.ts"
import { version } from "../../src/platform/version.ts"
import { failingCatalog, inside, serviceInside } from "../support/inside.ts"
import { sending, service } from "../support/service.ts"
import { storeDrive } from "./stored.ts"

const broken = new StoreUnavailable({ store: "catalog", cause: new Error("the disk is gone") })
const brokenPoints = new StoreUnavailable({ store: "points", cause: new Error("the disk is gone") })

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

inside("every route answers 503 with Retry-After while the catalog fails", () =>
  Effect.gen(function* () {
    const { json } = yield* serviceInside({ catalog: failingCatalog(broken) })
    for (const [path, init] of everyRoute) {
      const answer = yield* json(`/api/v1/${path}`, init)
      expect([path, answer.status]).toEqual([path, 503])
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
    // What is connected is ended; the catalog would open it again after a restart, which the answer must not hide.
    expect((yield* json("/api/v1/disconnect", { method: "POST" })).status).toBe(503)
  })
)

inside("an export is 503 before it begins while the points cannot be read", () =>
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
      expect(answer.headers.get("retry-after")).toMatch(/^[1-9]\d*$/)
      expect(answer.headers.get("content-disposition")).toBeNull()
    }
    const health = yield* running.json("/api/v1/health")
    expect(health.body).toMatchObject({ detail: "The points store cannot be used: the disk is gone" })
  })
)

inside("a defect is Internal error to the client, and the log has its cause", () =>
  Effect.gen(function* () {
    const catalog = failingCatalog(Effect.dieMessage("a secret of the inside"))
    const { json, logged } = yield* serviceInside({ catalog })
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

inside("a deletion in the catalog succeeds though the store cannot remove the points", () =>
  Effect.gen(function* () {
    const running = yield* serviceInside({ points: (real) => ({ ...real, remove: () => brokenPoints }) })
    const { session } = yield* storeDrive(running, { count: 10 })
    const path = `/api/v1/sessions/${session.id}`
    expect((yield* running.json(path, { method: "DELETE" })).status).toBe(200)
    expect((yield* running.json(path)).status).toBe(404)
    expect(running.logged.filter(({ level }) => level === "WARN")).toHaveLength(1)
  })
)

it.scopedLive("requests that are the client's fault log nothing above debug", () =>
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
