/** Access rules, and requests without a token by every spelling of a route's path. */
import { expect, it } from "@effect/vitest"
import { Effect, Either, FastCheck, Redacted } from "effect"
import {
  type AccessRules,
  type Asking,
  EVERYBODY,
  exposureOf,
  refusalOf,
  rulesOf
} from "../../src/api/Access.ts"
import { readHosts, readOrigins, readToken } from "../../src/platform/addresses/access.ts"
import { readCommandLine } from "../../src/platform/commandLine.ts"
import { settingsTable } from "../../src/app/Settings.ts"
import { clientOf, failure, outcome, subscribed, type SessionEvent } from "./trpc/support.ts"
import { openSocket } from "./openSocket.ts"
import { sending } from "../support/asking.ts"
import { inside, serviceInside } from "../support/inside.ts"
import { answered } from "./overTheWire.ts"
import { rawRequest } from "./rawRequest.ts"

const TOKEN = "correct-horse-battery-staple"
const usual = {
  host: "127.0.0.1",
  allowOrigin: "*" as const,
  allowHost: new Set<string>(),
  token: "none" as const,
  readOnly: false
}
const withToken = rulesOf({ ...usual, token: Redacted.make(TOKEN) })
const readOnly = rulesOf({ ...usual, readOnly: true })
const oneOrigin = rulesOf({ ...usual, allowOrigin: new Set(["https://overlay.example"]) })

const refusal = (rules: AccessRules, asking: Partial<Asking>) =>
  refusalOf(rules, { method: "GET", url: "/api/v1/status", headers: {}, ...asking })?._tag

it("without a setting every request is allowed", () => {
  expect(rulesOf(usual)).toBe(EVERYBODY)
  expect(
    refusal(EVERYBODY, {
      method: "DELETE",
      url: "/api/v1/sessions/1",
      headers: { host: "evil.example", origin: "https://evil.example" }
    })
  ).toBeUndefined()
})

it("with restricted access a service answers to addresses, localhost and its own names only", () => {
  const rules = rulesOf({ ...usual, host: "Rig.Local", allowHost: new Set(["telemetry.example"]) })
  for (const host of [
    "127.0.0.1:8080",
    "[::1]:8080",
    "192.168.1.20",
    "localhost",
    "LOCALHOST:8080",
    "a.localhost",
    "rig.local:1",
    "telemetry.example"
  ]) {
    expect([host, refusal(rules, { headers: { host } })]).toEqual([host, undefined])
  }
  for (const host of [
    "evil.example",
    "evil.example:8080",
    "localhost.evil.example",
    "127.0.0.1.evil.example",
    "localhost.",
    "127.1",
    "",
    "localhost:8080@evil.example",
    "xlocalhost"
  ]) {
    expect([host, refusal(rules, { headers: { host } })]).toEqual([host, "ForeignHost"])
  }
  // HTTP/1.0 has no Host header, and no browser speaks it.
  expect(refusal(rules, {})).toBeUndefined()
})

it("only pages of the service's own origin and of named ones may send requests, of any method", () => {
  const host = "localhost:8080"
  for (const origin of [
    undefined,
    "http://localhost:8080",
    "https://localhost:8080",
    "https://overlay.example"
  ]) {
    expect([origin, refusal(oneOrigin, { headers: { host, origin } })]).toEqual([origin, undefined])
  }
  for (const origin of [
    "http://localhost:8081",
    "http://overlay.example",
    "https://overlay.example.evil.example",
    "https://overlay.example, https://evil.example",
    "null",
    "",
    "file://"
  ]) {
    for (const method of ["GET", "POST", "DELETE", "OPTIONS"]) {
      expect([origin, refusal(oneOrigin, { method, headers: { host, origin } })]).toEqual([
        origin,
        "ForeignOrigin"
      ])
    }
  }
})

it("the token is taken from the header, or from the address where a browser cannot send a header", () => {
  const bearing = (authorization: string) => refusal(withToken, { headers: { authorization } })
  expect(bearing(`Bearer ${TOKEN}`)).toBeUndefined()
  expect(bearing(`bearer ${TOKEN}`)).toBeUndefined()
  expect(refusal(withToken, { token: TOKEN })).toBeUndefined()
  for (const authorization of [
    TOKEN,
    `Basic ${TOKEN}`,
    "Bearer",
    "Bearer ",
    `Bearer ${TOKEN}x`,
    `Bearer ${TOKEN.slice(1)}`,
    `Bearer ${TOKEN.toUpperCase()}`,
    `Bearer x ${TOKEN}`
  ]) {
    expect([authorization, bearing(authorization)]).toEqual([authorization, "TokenNeeded"])
  }
  for (const token of [undefined, "", `${TOKEN}x`, "%00"])
    expect(refusal(withToken, { token })).toBe("TokenNeeded")
  expect(refusal(withToken, { method: "POST", token: TOKEN })).toBe("TokenNeeded")
})

it("only /health, preflights and the files of pages need no token", () => {
  for (const url of [
    "/api/v1/health",
    "/api/v1/health?x=1",
    "/",
    "/docs",
    "/openapi.json",
    "/favicon.svg",
    "/sessions/12",
    "/overlay/gauges?rate=10",
    "/assets/main-a1B2_c3.js"
  ]) {
    for (const method of ["GET", "HEAD"])
      expect([url, refusal(withToken, { method, url })]).toEqual([url, undefined])
    for (const method of ["POST", "PUT", "DELETE", "TRACE", "get"]) {
      expect([url, refusal(withToken, { method, url })]).toEqual([url, "TokenNeeded"])
    }
  }
  for (const url of ["/overlay/", "/overlay/other", "/overlay/%67auges", "/sessions/x", "/assets/x"])
    expect([url, refusal(withToken, { url })]).toEqual([url, "TokenNeeded"])
  expect(refusal(withToken, { method: "OPTIONS" })).toBeUndefined()
  // A load balancer may use any host name.
  expect(refusal(withToken, { url: "/api/v1/health", headers: { host: "pool.example" } })).toBeUndefined()
})

it("a read-only service refuses every request that changes something", () => {
  for (const method of ["POST", "PUT", "DELETE", "PATCH", "post", "X"]) {
    expect(refusal(readOnly, { method })).toBe("ReadOnly")
  }
  for (const method of ["GET", "HEAD", "OPTIONS"]) expect(refusal(readOnly, { method })).toBeUndefined()
  expect(refusal(readOnly, { method: "POST", url: "/api/v1/analysis/compare?x" })).toBeUndefined()
  for (const url of ["/api/v1/analysis/compare/", "//api/v1/analysis/compare", "/trpc/analysis.compare"]) {
    expect(refusal(readOnly, { method: "POST", url })).toBe("ReadOnly")
  }
})

const read = (argv: ReadonlyArray<string>, environment = {}) =>
  readCommandLine("usage", settingsTable, argv, environment)

it("settings are read, and an error never shows the token", () => {
  expect(Either.getOrThrow(readOrigins("https://a.example, http://b:3000,null"))).toEqual(
    new Set(["https://a.example", "http://b:3000", "null"])
  )
  for (const given of ["", "a.example", "https://a.example/", "https://a.example/x", "*,https://a.example"]) {
    expect([given, Either.isLeft(readOrigins(given))]).toEqual([given, true])
  }
  expect(Either.getOrThrow(readHosts("A.example,rig"))).toEqual(new Set(["a.example", "rig"]))
  for (const given of ["", "a:80", "*", "a..b"]) expect(Either.isLeft(readHosts(given))).toBe(true)
  for (const given of ["", "short", "with a space in it", "x".repeat(257)]) {
    expect(Either.isLeft(readToken(given))).toBe(true)
  }
  const settings = Either.getOrThrow(read([], { TELEMETRY_TOKEN: TOKEN, TELEMETRY_READ_ONLY: "true" }))
  expect(settings.readOnly).toBe(true)
  expect(`${String(settings.token)} ${JSON.stringify(settings)}`).not.toContain(TOKEN)
  expect(refusalOf(rulesOf(settings), { method: "GET", url: "/", headers: {}, token: TOKEN })).toBeUndefined()
  const sentences = [
    read(["--token", "hunter2"]),
    read([], { npm_lifecycle_event: "start", npm_config_token: "hunter2" })
  ].map((unread) => JSON.stringify(Either.getLeft(unread)))
  for (const sentence of sentences) {
    expect(sentence).toContain("--token")
    expect(sentence).not.toContain("hunter2")
  }
})

it("a service that listens beyond this machine logs what is open, and to whom", () => {
  for (const host of ["127.0.0.1", "127.0.0.9", "::1", "localhost"]) {
    expect(exposureOf({ ...usual, host })).toBeUndefined()
  }
  expect(exposureOf({ ...usual, host: "0.0.0.0" })).toBe(
    "Listening on 0.0.0.0: anyone who can reach this machine may read everything, record and delete, and so may any web page in their browsers, over plain HTTP; to narrow this: --token, --read-only, --allow-origin, --host 127.0.0.1 (SECURITY.md)"
  )
  const narrowed = exposureOf({
    ...usual,
    host: "::",
    token: Redacted.make(TOKEN),
    readOnly: true,
    allowOrigin: new Set(["https://a.example"])
  })
  expect(narrowed).toBe(
    "Listening on ::: anyone who has the token and can reach this machine may read everything and change nothing, over plain HTTP; to narrow this: --host 127.0.0.1 (SECURITY.md)"
  )
})

/** Routes of which none is open. */
const guarded = [
  "/metrics",
  "/trpc/system.status",
  "/trpc/live.telemetry",
  "/trpc/system.health,system.status?batch=1&input=%7B%7D",
  "/api/v1/status",
  "/api/v1/sessions",
  "/api/v1/config",
  "/api/v1/telemetry/live",
  "/api/v1/export/csv/1",
  "/api/v1/stats/best-laps",
  "/api/v1/1"
]

/** Other spellings of the same path, some of which a router may understand. */
const rewritten = (path: string) =>
  FastCheck.constantFrom(
    path,
    `/${path}`,
    `${path}/`,
    path.replace(/[a-z]/, (letter) => `%${letter.charCodeAt(0).toString(16)}`),
    path.replaceAll(/[a-z]/g, (letter) => `%${letter.charCodeAt(0).toString(16)}`),
    path.toUpperCase(),
    path.replaceAll("/", "%2f"),
    `/.${path}`,
    `/x/..${path}`,
    `/docs/..${path}`,
    `/docs;${path}`,
    `/assets/..%2f..${path}`,
    `/assets/x.js%2f..%2f..${path}`,
    `http://localhost${path}`,
    `http://localhost/docs?${path}`.replace(/\?.*/, path),
    `${path};/docs`,
    `${path}?/docs`,
    `${path}#/docs`,
    `${path}%00`,
    `/api/v1/health/..${path}`,
    `/api/v1/health%2f..${path}`
  )

const guardedPath = FastCheck.constantFrom(...guarded).chain(rewritten)

inside("no request without the token is answered, in any spelling of a path and form of a request", () =>
  Effect.gen(function* () {
    const { port } = yield* serviceInside({ access: withToken })
    // Some of these spellings do lead to a route.
    const everybodys = yield* serviceInside()
    for (const path of ["/%61pi/v1/status", "/api/v1/%73essions"]) {
      expect([path, (yield* everybodys.fetch(path)).status]).toEqual([path, 200])
    }
    const one = (line: string, more = "") =>
      rawRequest(port, `${line} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n${more}\r\n`)
    const upgrade =
      "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n"
    const samples = FastCheck.sample(
      FastCheck.tuple(
        FastCheck.constantFrom("GET", "HEAD", "POST", "PUT", "DELETE", "PATCH", "TRACE"),
        guardedPath,
        FastCheck.constantFrom(
          "",
          "Authorization: Bearer wrong\r\n",
          "Upgrade: h2c\r\n",
          "Content-Length: 0\r\n"
        )
      ),
      150
    )
    for (const [method, path, more] of samples) {
      const { body, status } = yield* one(`${method} ${path}`, more)
      // Node itself answers 400 to a request that is not HTTP.
      expect([method, path, [400, 401].includes(status)]).toEqual([method, path, true])
      if (method !== "HEAD") expect(body).toMatch(/"detail"|"error"/)
    }
    for (const path of guarded) {
      const { headers, status } = yield* rawRequest(
        port,
        `GET ${path} HTTP/1.1\r\nHost: localhost\r\n${upgrade}\r\n`
      )
      expect([path, status]).toEqual([path, 401])
      expect(headers["www-authenticate"]).toBe("Bearer")
    }
  })
)

inside(
  "the token opens REST, tRPC, live data and downloads, in the header or the address, and is never logged",
  () =>
    Effect.gen(function* () {
      const running = yield* serviceInside({ access: withToken })
      const bearer = { authorization: `Bearer ${TOKEN}` }
      const created = yield* running.json("/api/v1/sessions", {
        ...sending("POST", { circuit: "A", vehicle: "B", driver: "C" }),
        headers: bearer
      })
      expect(created.status).toBe(201)
      for (const path of ["/metrics", "/api/v1/status", "/api/v1/export/session/1", "/trpc/system.status"]) {
        expect([path, (yield* running.fetch(path, { headers: bearer })).status]).toEqual([path, 200])
        expect([path, (yield* running.fetch(`${path}?token=${TOKEN}&x=1`)).status]).toEqual([path, 200])
        expect([path, (yield* running.fetch(`${path}?token=${TOKEN}x`)).status]).toEqual([path, 401])
        expect([path, (yield* running.fetch(path)).status]).toEqual([path, 401])
      }
      const refused = yield* running.json("/api/v1/status")
      expect(refused.body).toEqual({ detail: expect.stringContaining("Authorization: Bearer TOKEN") })
      expect(refused.headers.get("x-request-id")).not.toBeNull()
      // A request that changes something may not have its token in the address.
      expect((yield* running.json(`/api/v1/sessions?token=${TOKEN}`, sending("POST", {}))).status).toBe(401)

      const live = `${running.url.replace("http", "ws")}/api/v1/telemetry/live`
      expect(yield* openSocket(live)).toBe(401)
      expect(yield* openSocket(`${live}?token=wrong`)).toBe(401)
      expect(yield* openSocket(`${live}?token=${TOKEN}&rate=1`)).toBe(101)
      expect(yield* openSocket(live, bearer)).toBe(101)

      const stranger = clientOf(running)
      const known = clientOf(running, { token: () => TOKEN })
      expect(yield* failure(() => stranger.system.status.query())).toMatchObject({
        status: 401,
        code: "UNAUTHORIZED",
        message: expect.stringContaining("token")
      })
      expect(yield* outcome(() => known.sessions.list.query({}))).toMatchObject({ data: { total: 1 } })
      expect(yield* outcome(() => known.telemetry.range.query({ sessionId: 1 }))).toHaveProperty("data")
      const { errors } = yield* subscribed<SessionEvent>((handlers) =>
        known.live.sessions.subscribe({}, handlers)
      )
      expect(errors).toEqual([])
      expect((yield* running.fetch("/trpc/live.sessions")).status).toBe(401)

      expect((yield* running.json("/api/v1/health")).status).toBe(200)
      const metrics = yield* running.fetch("/metrics", { headers: bearer })
      const written = (yield* Effect.promise(() => metrics.text())) + JSON.stringify(running.logged)
      expect(written).toContain("/api/v1/telemetry/live?rate=1")
      expect(written).not.toContain(TOKEN)
    })
)

inside("the description has the token's security scheme, and none without a token", () =>
  Effect.gen(function* () {
    type Operation = { readonly security?: unknown; readonly responses: Record<string, unknown> }
    const described = (access: AccessRules) =>
      Effect.map(
        Effect.flatMap(serviceInside({ access }), ({ json }) => json("/openapi.json")),
        ({ body }) =>
          body as {
            readonly security?: unknown
            readonly components: Record<string, unknown>
            readonly paths: Record<string, Record<string, Operation>>
          }
      )
    const guardedBy = yield* described(withToken)
    expect(guardedBy.security).toEqual([{ token: [] }])
    expect(guardedBy.components["securitySchemes"]).toMatchObject({
      token: { type: "http", scheme: "bearer" }
    })
    const operations = Object.values(guardedBy.paths).flatMap((item) => Object.values(item))
    expect(operations.filter(({ responses }) => !("401" in responses))).toEqual([
      guardedBy.paths["/api/v1/health"]!["get"]
    ])
    const open = operations.filter(({ security = guardedBy.security }) => (security as []).length === 0)
    expect(open).toEqual([guardedBy.paths["/api/v1/health"]!["get"]])
    const reading = yield* described(readOnly)
    expect("403" in reading.paths["/api/v1/connect"]!["post"]!.responses).toBe(true)
    expect("403" in reading.paths["/api/v1/analysis/compare"]!["post"]!.responses).toBe(false)
    const everybodys = yield* described(EVERYBODY)
    expect([everybodys.security, everybodys.components["securitySchemes"]]).toEqual([[], undefined])
    expect(JSON.stringify(everybodys)).not.toMatch(/"40[13]"/)
  })
)

inside("a read-only service changes nothing, over REST and tRPC", () =>
  Effect.gen(function* () {
    const running = yield* serviceInside({ access: readOnly })
    for (const [method, path] of [
      ["POST", "/api/v1/connect"],
      ["DELETE", "/api/v1/sessions/1"],
      ["PUT", "/api/v1/config"]
    ] as const) {
      const { body, status } = yield* running.json(path, { method, body: "{}" })
      expect([path, status, body]).toEqual([
        path,
        403,
        { detail: `The service is read-only and refuses ${method} (--read-only)` }
      ])
    }
    const client = clientOf(running)
    expect(yield* failure(() => client.connections.disconnect.mutate(undefined))).toMatchObject({
      status: 403
    })
    expect(yield* outcome(() => client.sessions.list.query({}))).toMatchObject({ data: { total: 0 } })
    const compared = yield* running.json("/api/v1/analysis/compare", sending("POST", { lap_ids: [1, 2] }))
    expect(compared.status).toBe(404)
    expect((yield* running.json("/api/v1/config")).status).toBe(200)
  })
)

inside("pages of named origins may read, and requests of others are refused before they have an effect", () =>
  Effect.gen(function* () {
    const running = yield* serviceInside({ access: oneOrigin })
    const from = (origin: string, more = {}) =>
      answered(running.url, "/api/v1/status", { origin, ...more }, "GET")
    const named = yield* from("https://overlay.example", { "accept-encoding": "gzip" })
    expect(named.status).toBe(200)
    expect(named.headers).toMatchObject({
      "access-control-allow-origin": "https://overlay.example",
      "cross-origin-resource-policy": "same-origin",
      vary: expect.stringMatching(/\bOrigin$/)
    })
    const own = yield* from(running.url)
    expect([own.status, own.headers["access-control-allow-origin"]]).toEqual([200, undefined])
    const foreign = yield* from("https://evil.example")
    expect([foreign.status, foreign.headers["access-control-allow-origin"]]).toEqual([403, undefined])
    expect(foreign.headers.vary).toBe("Origin")
    expect(JSON.parse(foreign.body.toString())).toEqual({
      detail: 'Pages of "https://evil.example" may not use the service (--allow-origin)'
    })
    // A page may send a form without a preflight.
    const form = { ...sending("POST", { circuit: "A", vehicle: "B", driver: "C" }) }
    const posted = yield* running.fetch("/api/v1/sessions", {
      ...form,
      headers: { origin: "https://evil.example", "content-type": "text/plain" }
    })
    expect(posted.status).toBe(403)
    expect((yield* running.json("/api/v1/sessions")).body).toMatchObject({ total: 0 })

    const preflight = (origin: string) =>
      answered(
        running.url,
        "/api/v1/sessions",
        {
          origin,
          "access-control-request-method": "POST",
          "access-control-request-headers": "authorization"
        },
        "OPTIONS"
      )
    expect((yield* preflight("https://overlay.example")).headers).toMatchObject({
      "access-control-allow-origin": "https://overlay.example",
      "access-control-allow-headers": "authorization",
      vary: "Access-Control-Request-Headers, Origin"
    })
    const refused = yield* preflight("https://evil.example")
    expect([refused.status, refused.headers["access-control-allow-methods"]]).toEqual([403, undefined])

    const live = `${running.url.replace("http", "ws")}/api/v1/telemetry/live`
    expect(yield* openSocket(live, { origin: "https://evil.example" })).toBe(403)
    expect(yield* openSocket(live, { origin: "https://overlay.example" })).toBe(101)
    expect(yield* openSocket(live, { origin: running.url })).toBe(101)
    expect(yield* openSocket(live)).toBe(101)
    const rebound = yield* answered(running.url, "/", { host: "evil.example" })
    expect([rebound.status, rebound.body.toString()]).toEqual([
      403,
      '{"detail":"The host name evil.example is not allowed (--allow-host)"}'
    ])
    const call = yield* answered(running.url, "/trpc/system.status", { origin: "https://evil.example" })
    expect([call.status, JSON.parse(call.body.toString())]).toMatchObject([
      403,
      { error: { data: { code: "FORBIDDEN", httpStatus: 403 } } }
    ])
  })
)
