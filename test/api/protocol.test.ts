import { expect, it } from "@effect/vitest"
import { Effect, Stream } from "effect"
import { rawRequest } from "./rawRequest.ts"
import { inside, serviceInside } from "./inside.ts"
import { sending, type Service, service } from "./service.ts"
import { storeDrive } from "./stored.ts"

const methods: ReadonlyArray<readonly [path: string, allow: string, method: string]> = [
  ["/api/v1/health", "GET, HEAD", "POST"],
  ["/api/v1/status", "GET, HEAD", "DELETE"],
  ["/api/v1/connect", "POST", "GET"],
  ["/api/v1/disconnect", "POST", "PUT"],
  ["/api/v1/sessions", "GET, HEAD, POST", "PUT"],
  ["/api/v1/sessions/1", "GET, HEAD, PUT, DELETE", "PATCH"],
  ["/api/v1/1", "GET, HEAD", "DELETE"],
  ["/api/v1/1/laps", "GET, HEAD", "POST"],
  ["/api/v1/1/telemetry", "GET, HEAD", "POST"],
  ["/api/v1/telemetry/range", "GET, HEAD", "POST"],
  ["/api/v1/telemetry/live", "GET, HEAD", "POST"],
  ["/api/v1/export/csv/1", "GET, HEAD", "POST"],
  ["/api/v1/config", "GET, HEAD, PUT", "PROPFIND"],
  ["/api/v1/config/circuits", "GET, HEAD", "DELETE"],
  ["/metrics", "GET, HEAD", "POST"],
  ["/openapi.json", "GET, HEAD", "DELETE"],
  ["/docs", "GET, HEAD", "POST"]
]

it.scopedLive("answers another method with 405 and those that a path has", () =>
  Effect.gen(function* () {
    const { json } = yield* service()
    for (const [path, allow, method] of methods) {
      const answer = yield* json(`${path}?x=1`, { method })
      expect([path, answer.status, answer.body]).toEqual([
        path,
        405,
        { detail: `${method} is not allowed at ${path}` }
      ])
      const found = answer.headers.get("allow")!.split(", ").toSorted()
      expect([path, found]).toEqual([path, allow.split(", ").toSorted()])
    }
  })
)

it.scopedLive("finds nothing elsewhere: case, slashes and encoding count", () =>
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
      "/api/v1/x",
      "/api/v1/-1",
      "/api/v1/1.5",
      "/api/v1/%00",
      "/api/v1/x/laps",
      "/api/v1/1e0/telemetry",
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

it.scopedLive("asks who comes to the live path without a WebSocket to upgrade", () =>
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

const upgrading = (port: number, query: string, version = 13) =>
  rawRequest(
    port,
    [
      `GET /api/v1/telemetry/live${query} HTTP/1.1`,
      "Host: test",
      "Connection: Upgrade",
      "Upgrade: websocket",
      `Sec-WebSocket-Version: ${version}`,
      "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==",
      "",
      ""
    ].join("\r\n"),
    (text) => text.includes("}")
  )

it.scopedLive("says what is wrong with a WebSocket before it is one", () =>
  Effect.gen(function* () {
    const { port } = yield* service()
    for (const [query, status, sentence] of [
      ["?rate=fast", 422, "rate must be a number of Hz above 0, got fast"],
      ["?session_id=1.5", 422, "session_id must be a positive integer, got 1.5"],
      ["?events=lap,crash", 422, 'events must be a comma-separated list of lap and session, got "lap,crash"'],
      ["?session_id=77", 404, "Session 77 was not found"]
    ] as const) {
      const answer = yield* upgrading(port, query)
      expect([query, answer.status, answer.headers["content-type"]]).toEqual([
        query,
        status,
        "application/json"
      ])
      expect(JSON.parse(answer.body)).toEqual({ detail: sentence })
    }
    const old = yield* upgrading(port, "", 12)
    expect([old.status, old.headers["sec-websocket-version"]]).toEqual([426, "13"])
  })
)

const headersOf = ({ fetch }: Service, path: string, method: string) =>
  Effect.gen(function* () {
    const answer = yield* fetch(path, { method })
    const text = yield* Effect.promise(() => answer.text())
    const headers = Object.fromEntries(answer.headers)
    const id = headers["x-request-id"]
    // What a client asks of the connection, and what differs from one answer to the next.
    for (const name of ["connection", "keep-alive", "date", "x-request-id"]) delete headers[name]
    expect(id).toMatch(/^[\da-f-]{36}$/)
    return { status: answer.status, headers, text }
  })

inside("answers HEAD as GET, without a body, and runs no stream for it", () =>
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
    // A session is read as its lap, and what is before and after it.
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
      // How a body is framed is not said of none.
      expect(get.headers["transfer-encoding"]).toBe("chunked")
      delete get.headers["transfer-encoding"]
      expect({ path, ...head }).toEqual({ path, ...get, text: "" })
    }
  })
)

it.scopedLive("lets every origin in", () =>
  Effect.gen(function* () {
    const { fetch, json } = yield* service()
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
    for (const [path, init] of [
      ["/api/v1/health"],
      ["/api/v1/sessions/77"],
      ["/nothing"],
      ["/api/v1/sessions", sending("POST", "{")],
      ["/api/v1/sessions", sending("POST", " ".repeat(1_048_577))],
      ["/metrics"]
    ] as ReadonlyArray<readonly [string, RequestInit?]>) {
      const { headers } = yield* json(path, init).pipe(Effect.catchAllDefect(() => fetch(path, init)))
      expect([path, headers.get("access-control-allow-origin")]).toEqual([path, "*"])
      expect(headers.get("access-control-expose-headers")).toContain("X-Request-Id")
    }
  })
)

it.scopedLive("tells browsers to make nothing of its data", () =>
  Effect.gen(function* () {
    const { fetch } = yield* service()
    for (const [path, init] of [
      ["/api/v1/health"],
      ["/api/v1/sessions/77"],
      ["/api/v1/telemetry/live"],
      ["/nothing"],
      ["/openapi.json"],
      ["/metrics"],
      ["/trpc/system.health"],
      ["/trpc/nothing"],
      ["/api/v1/health", { method: "OPTIONS" }],
      ["/api/v1/sessions", sending("POST", "{")]
    ] as ReadonlyArray<readonly [string, RequestInit?]>) {
      const { headers } = yield* fetch(path, init)
      expect({ path, ...Object.fromEntries(headers) }).toMatchObject({
        path,
        "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
        "cross-origin-resource-policy": "cross-origin",
        "referrer-policy": "no-referrer",
        "x-content-type-options": "nosniff"
      })
    }
  })
)
