import { expect, it } from "@effect/vitest"
import { Effect, Stream } from "effect"
import { rawRequest } from "./rawRequest.ts"
import { inside, serviceInside } from "../support/inside.ts"
import { sending, type Service, service } from "../support/service.ts"
import { storeDrive } from "./stored.ts"

type Paths = Readonly<Record<string, Readonly<Record<string, unknown>>>>

it.scopedLive("another method is 405, with the path's methods as described", () =>
  Effect.gen(function* () {
    const { json } = yield* service()
    const { paths } = (yield* json("/openapi.json")).body as { readonly paths: Paths }
    const described = Object.entries(paths).map(
      ([path, methods]) => [path.replace(/\{\w+\}/, "1"), Object.keys(methods)] as const
    )
    for (const [path, methods] of [
      ...described,
      ...["/metrics", "/openapi.json", "/docs"].map((path) => [path, ["get"]] as const)
    ]) {
      const allowed = methods.flatMap((method) =>
        method === "get" ? ["GET", "HEAD"] : [method.toUpperCase()]
      )
      for (const method of ["PATCH", "PROPFIND", "GET", "POST", "PUT", "DELETE"]) {
        if (allowed.includes(method)) continue
        const { headers, status } = yield* json(`${path}?x=1`, { method })
        const allow = headers.get("allow")?.split(", ").toSorted()
        expect([method, path, status, allow]).toEqual([method, path, 405, allowed.toSorted()])
      }
    }
  })
)

it.scopedLive("other paths are 404: case, slashes and encoding matter", () =>
  Effect.gen(function* () {
    const { json } = yield* service()
    for (const path of [
      "/page",
      "/api/v1",
      "/api/v1/",
      "/api/v2/health",
      "/API/v1/health",
      "/api/v1/Sessions/1",
      "/api/v1/health/",
      "//api/v1/health",
      "/api/v1//health",
      "/api/v1/sessions/",
      "/api/v1/sessions/1/2",
      "/api/v1/export/xml/1",
      "/api/v1/stats",
      "/api/v1/%zz",
      "/api/v1/%00",
      "/favicon.ico"
    ]) {
      for (const method of ["GET", "DELETE"]) {
        const { body, headers, status } = yield* json(path, { method })
        expect([method, path, status]).toEqual([method, path, 404])
        expect(Object.keys(body as object)).toEqual(["detail"])
        expect(headers.get("content-type")).toBe("application/json")
      }
    }
    const long = yield* json(`/${"a".repeat(9000)}`)
    expect(long.body).toEqual({ detail: `There is nothing at /${"a".repeat(99)}…` })
  })
)

it.scopedLive("a request at the live path that is not an upgrade is 426", () =>
  Effect.gen(function* () {
    const { fetch, json, port } = yield* service()
    const answer = yield* rawRequest(
      port,
      "GET /api/v1/telemetry/live HTTP/1.1\r\nHost: test\r\n\r\n",
      (text) => text.includes("}")
    )
    expect(answer.status).toBe(426)
    expect(answer.headers).toMatchObject({
      upgrade: "websocket",
      connection: "Upgrade",
      "sec-websocket-version": "13",
      "content-type": "application/json"
    })
    expect(JSON.parse(answer.body)).toEqual({
      detail: "This path is a WebSocket: connect to it with a WebSocket client"
    })
    expect((yield* fetch("/api/v1/telemetry/live", { method: "HEAD" })).status).toBe(426)
    expect((yield* json("/api/v1/telemetry/live?rate=x")).status).toBe(426)
  })
)

const headersOf = ({ fetch }: Service, path: string, method: string) =>
  Effect.gen(function* () {
    const answer = yield* fetch(path, { method })
    const text = yield* Effect.promise(() => answer.text())
    const headers = Object.fromEntries(answer.headers)
    const id = headers["x-request-id"]
    // These are about the connection, or differ from one answer to the next.
    for (const name of ["connection", "keep-alive", "date", "x-request-id"]) delete headers[name]
    expect(id).toMatch(/^[\da-f-]{36}$/)
    return { status: answer.status, headers, text }
  })

inside("HEAD is answered as GET without a body, and runs no stream", () =>
  Effect.gen(function* () {
    let reads = 0
    const running = yield* serviceInside({
      points: (real) => ({
        ...real,
        read: (range, channels) =>
          Stream.suspend(() => {
            reads++
            return real.read(range, channels)
          })
      })
    })
    yield* storeDrive(running, { count: 100 })
    const fixed = [
      "health",
      "sessions",
      "sessions/1",
      "sessions/7",
      "sessions?limit=0",
      "1/laps",
      "1",
      "config"
    ]
    for (const path of [...fixed.map((path) => `/api/v1/${path}`), "/openapi.json", "/docs"]) {
      const head = yield* headersOf(running, path, "HEAD")
      const get = yield* headersOf(running, path, "GET")
      expect({ path, ...head }).toEqual({ path, ...get, text: "" })
    }
    // A session is read as its lap and the points before and after it.
    for (const [path, expected] of [
      ["1/telemetry", 1],
      ["telemetry/range?session_id=1", 1],
      ["export/csv/1", 1],
      ["export/json/1", 1],
      ["export/ndjson/1", 1],
      ["export/session/1", 3],
      ["export/session/1?format=json", 3]
    ] as const) {
      reads = 0
      const head = yield* headersOf(running, `/api/v1/${path}`, "HEAD")
      expect([path, reads]).toEqual([path, 0])
      const get = yield* headersOf(running, `/api/v1/${path}`, "GET")
      expect([path, reads]).toEqual([path, expected])
      // An answer without a body has no framing.
      expect(get.headers["transfer-encoding"]).toBe("chunked")
      delete get.headers["transfer-encoding"]
      expect({ path, ...head }).toEqual({ path, ...get, text: "" })
    }
  })
)

it.scopedLive("a preflight of every origin is allowed", () =>
  Effect.gen(function* () {
    const { fetch } = yield* service()
    const preflight = yield* fetch("/api/v1/sessions/1", {
      method: "OPTIONS",
      headers: {
        origin: "https://elsewhere.example",
        "access-control-request-method": "DELETE",
        "access-control-request-headers": "content-type,x-custom"
      }
    })
    expect(preflight.status).toBe(204)
    expect(preflight.headers.get("access-control-allow-origin")).toBe("*")
    expect(preflight.headers.get("access-control-allow-methods")?.split(", ")).toEqual(
      expect.arrayContaining(["GET", "HEAD", "POST", "PUT", "DELETE"])
    )
    expect(preflight.headers.get("access-control-allow-headers")).toBe("content-type,x-custom")
  })
)

it.scopedLive("every page may read every answer, and a browser renders none of them", () =>
  Effect.gen(function* () {
    const { fetch } = yield* service()
    for (const [path, init] of [
      ["/api/v1/health"],
      ["/api/v1/health", { method: "OPTIONS" }],
      ["/api/v1/sessions/77"],
      ["/api/v1/sessions", sending("POST", "{")],
      ["/api/v1/sessions", sending("POST", " ".repeat(1_048_577))],
      ["/api/v1/telemetry/live"],
      ["/nothing"],
      ["/openapi.json"],
      ["/metrics"],
      ["/trpc/system.health"],
      ["/trpc/nothing"]
    ] as ReadonlyArray<readonly [string, RequestInit?]>) {
      const { headers } = yield* fetch(path, init)
      expect({ path, ...Object.fromEntries(headers) }).toMatchObject({
        path,
        "access-control-allow-origin": "*",
        "access-control-expose-headers": expect.stringContaining("X-Request-Id"),
        "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
        "cross-origin-resource-policy": "cross-origin",
        "referrer-policy": "no-referrer",
        "x-content-type-options": "nosniff"
      })
    }
  })
)
