/** Answers of 400 and more: their common form, and their sentences about a path, a query or a body. */
import { expect, it } from "@effect/vitest"
import { Effect, FastCheck } from "effect"
import { sending, service } from "../support/service.ts"
import { storeDrive } from "./stored.ts"
import { runs } from "../support/runs.ts"

const words = [
  "api",
  "v1",
  "health",
  "status",
  "connect",
  "disconnect",
  "sessions",
  "laps",
  "compare",
  "telemetry",
  "range",
  "live",
  "analysis",
  "stats",
  "driver",
  "export",
  "csv",
  "json",
  "session",
  "config",
  "circuits",
  "1",
  "2",
  "0",
  "-1",
  "007",
  "1e9",
  "99999999999999999999",
  "__proto__",
  "constructor",
  "%00",
  "%zz",
  "%2e%2e",
  "%ff",
  ";",
  "a;b=c",
  "*",
  "",
  "ü"
]

const segment = FastCheck.oneof(
  { arbitrary: FastCheck.constantFrom(...words), weight: 6 },
  { arbitrary: FastCheck.string({ maxLength: 8 }).map(encodeURIComponent), weight: 1 }
)

const path = FastCheck.tuple(
  FastCheck.constantFrom("/api/v1/", "/api/v1/", "/api/v1/", "/"),
  FastCheck.array(segment, { maxLength: 4 })
).map(([start, segments]) => start + segments.join("/"))

const name = FastCheck.constantFrom(
  "limit",
  "offset",
  "sample_rate",
  "session_id",
  "start_time",
  "end_time",
  "format",
  "lap_ids",
  "circuit",
  "__proto__",
  "x[y]"
)

const value = FastCheck.oneof(
  FastCheck.constantFrom(
    "0",
    "1",
    "-1",
    "1.5",
    "1e3",
    "NaN",
    "Infinity",
    "",
    "%zz",
    "%00",
    "0x10",
    "csv",
    "null"
  ),
  FastCheck.integer().map(String),
  FastCheck.double().map(String),
  FastCheck.string({ maxLength: 12 }).map(encodeURIComponent)
)

const query = FastCheck.array(FastCheck.tuple(name, value), { maxLength: 4 }).map((pairs) =>
  pairs.map((pair) => pair.join("=")).join("&")
)

const body = FastCheck.oneof(
  FastCheck.json({ maxDepth: 3 }),
  FastCheck.string({ maxLength: 40 }),
  FastCheck.record(
    {
      circuit: FastCheck.anything({ maxDepth: 1 }),
      vehicle: FastCheck.string(),
      driver: FastCheck.string(),
      datetime: FastCheck.anything({ maxDepth: 0 }),
      // Never a host to connect to: the property is of answers, and should stay on this machine.
      host: FastCheck.constantFrom(null, 5, "", "a b"),
      port: FastCheck.anything({ maxDepth: 0 })
    },
    { requiredKeys: [] }
  ).map((value) => JSON.stringify(value, (_, inner) => (typeof inner === "bigint" ? String(inner) : inner)))
)

const request = FastCheck.record({
  method: FastCheck.constantFrom(
    "GET",
    "GET",
    "GET",
    "HEAD",
    "POST",
    "PUT",
    "DELETE",
    "PATCH",
    "OPTIONS",
    "PURGE"
  ),
  path,
  query,
  body,
  headers: FastCheck.dictionary(
    FastCheck.constantFrom("accept", "accept-encoding", "content-type", "range", "if-none-match"),
    FastCheck.constantFrom(
      "text/csv",
      "text/html",
      "application/json",
      "*/*",
      "gzip",
      "nonsense",
      "bytes=0-1"
    ),
    { maxKeys: 2 }
  )
})

it.scopedLive("every answer of 400 and more is {detail}: one sentence, without internals", () =>
  Effect.gen(function* () {
    const running = yield* service()
    yield* storeDrive(running, { count: 50, laps: 2, lapPoints: 20 })
    const property = FastCheck.asyncProperty(request, async ({ body, headers, method, path, query }) => {
      const carries = method !== "GET" && method !== "HEAD"
      const answer = await fetch(`${running.url}${path}?${query}`, {
        method,
        headers,
        ...(carries ? { body } : {})
      })
      const text = await answer.text()
      expect(answer.headers.get("x-request-id")).toMatch(/^[\da-f-]{36}$/)
      expect(answer.headers.get("access-control-allow-origin")).toBe("*")
      // No request of a client makes the service answer 500.
      expect(answer.status).toBeLessThan(500)
      if (answer.status < 400) return
      const mayBePage =
        answer.status === 404 && headers["accept"] === "text/html" && !/^\/api(\/|$)/.test(path)
      if (mayBePage && answer.headers.get("content-type") === "text/html; charset=utf-8") return
      expect(answer.headers.get("content-type")).toBe("application/json")
      if (answer.status === 405) expect(answer.headers.get("allow")).toMatch(/^[A-Z]+(, [A-Z]+)*$/)
      const parsed = JSON.parse(method === "HEAD" ? '{"detail":"only of GET"}' : text)
      expect(Object.keys(parsed)).toEqual(["detail"])
      expect(parsed.detail).toMatch(/^\S[^]{3,500}$/)
      expect(parsed.detail).not.toMatch(/readonly |NewSession|\n\s+at /)
    })
    yield* Effect.promise(() => FastCheck.assert(property, { numRuns: runs(150) }))
    expect(running.logged.filter(({ level }) => level !== "DEBUG")).toEqual([])
  })
)

type Routes = Readonly<Record<string, Readonly<Record<string, unknown>>>>

/** A body that the route takes: a bad one would be refused before the id is looked for. */
const bodyOf = (path: string) =>
  path.includes("/anomalies/")
    ? { type: "slow_lap", lap_number: 1, channel: "timestamp", distance: null, dismissed: true }
    : { pinned: true }

it.scopedLive("an unknown id in a path is 404, at every route that has an id", () =>
  Effect.gen(function* () {
    const { json } = yield* service()
    const { paths } = (yield* json("/openapi.json")).body as { readonly paths: Routes }
    const routes = Object.entries(paths).flatMap(([path, methods]) => {
      const [, of] = /\{(lap|session|import)_id\}/.exec(path) ?? []
      return of === undefined ? [] : Object.keys(methods).map((method) => ({ method, path, of }))
    })
    expect(routes.length).toBeGreaterThan(15)
    for (const { method, of, path } of routes) {
      for (const id of ["77", "0", "-1", "x", "1.5", "1e0", "01", "9007199254740993", "null", "%20", "a;b"]) {
        const init =
          method === "put"
            ? sending("PUT", bodyOf(path))
            : { method: method.toUpperCase(), headers: { "upload-offset": "0" } }
        const url = path.replace(/\{\w+\}/, id).replace("{channel}", "speed")
        const answer = yield* json(url, init)
        // Right behind /api/v1 only digits make an id: words are names of routes.
        const isRoute = /^\d+$/.test(id) || !path.startsWith("/api/v1/{")
        const named = `${of.charAt(0).toUpperCase()}${of.slice(1)} ${decodeURIComponent(id)} was not found`
        const detail = isRoute ? named : `There is nothing at ${url}`
        expect([method, path, answer.status, answer.body]).toEqual([method, path, 404, { detail }])
        expect(answer.headers.get("content-disposition")).toBeNull()
      }
    }
  })
)

const positive = "between 1 and 9007199254740991"
const whole = `a whole number ${positive}`
const time = "a number of seconds since 1970 or an ISO 8601 date-time"
const inSeconds = "in seconds since 1970, not milliseconds, and within the years 0 to 9999"
const many = Array.from({ length: 21 }, (_, index) => index + 1).join(",")
const names = Array.from({ length: 600 }, (_, n) => `c${n}`).join(",")

/** Invalid queries, one for each kind of parameter. */
const queries: ReadonlyArray<readonly [path: string, sentence: string | RegExp]> = [
  ["sessions?limit=0", "limit must be between 1 and 1000, got 0"],
  ["sessions?limit=1001", "limit must be between 1 and 1000, got 1001"],
  ["sessions?limit=", 'limit must be a whole number between 1 and 1000, got ""'],
  ["sessions?limit=1e3", "limit must be a whole number between 1 and 1000, got 1e3"],
  ["sessions?limit=0x10", "limit must be a whole number between 1 and 1000, got 0x10"],
  ["sessions?limit=%2B5", "limit must be a whole number between 1 and 1000, got +5"],
  ["sessions?limit=+5", 'limit must be a whole number between 1 and 1000, got " 5"'],
  ["sessions?limit=1.0", "limit must be a whole number between 1 and 1000, got 1.0"],
  ["sessions?limit=NaN", "limit must be a whole number between 1 and 1000, got NaN"],
  ["sessions?limit=1&limit=2", 'limit must be a whole number between 1 and 1000, got ["1","2"]'],
  ["sessions?offset=-1", "offset must be between 0 and 9007199254740991, got -1"],
  ["sessions?sort=best", "sort must be one of newest, oldest, fastest, circuit, vehicle, driver, got best"],
  [`sessions?search=${"a".repeat(201)}`, "search must be at most 200 characters, got 201"],
  ["sessions?circuit=a&circuit=b", 'circuit must be a string, got ["a","b"]'],
  ["sessions?circuit=a%00b", /^circuit must be text without the character NUL, got /],
  ["stats/driver/a%00b", / must be text without the character NUL, got /],
  ["stats/best-laps?limit=0", /^limit must be between 1 and /],
  [
    "export/session/1?format=CSV",
    "format must be one of csv, json, ndjson, parquet, motec, recording, vbo, racechrono, motec-csv, gpx, kml, got CSV"
  ],
  ["export/session/1?format=csv&format=json", /^format must be one of .*, got \["csv","json"\]$/],
  ["telemetry/range?session_id=1&decimal=points", /^decimal must be one of point, comma, got points$/],
  ["telemetry/range", "session_id is missing"],
  ["telemetry/range?session_id=x", `session_id must be ${whole}, got x`],
  ["telemetry/range?session_id=0", `session_id must be ${positive}, got 0`],
  ["telemetry/range?session_id=1&sample_rate=0", `sample_rate must be ${positive}, got 0`],
  ["1/telemetry?sample_rate=-3", `sample_rate must be ${positive}, got -3`],
  ["telemetry/range?session_id=1&start_time=NaN", `start_time must be ${time}, got NaN`],
  ["telemetry/range?session_id=1&start_time=-Infinity", `start_time must be ${time}, got -Infinity`],
  ["telemetry/range?session_id=1&end_time=1e400", `end_time must be ${inSeconds}, got 1e400`],
  ["telemetry/range?session_id=1&end_time=1771000000000", `end_time must be ${inSeconds}, got 1771000000000`],
  ["telemetry/range?session_id=1&end_time=-1e12", `end_time must be ${inSeconds}, got -1e12`],
  ["telemetry/range?session_id=1&end_time=", `end_time must be ${time}, got ""`],
  ["telemetry/range?session_id=1&end_time=0x10", `end_time must be ${time}, got 0x10`],
  ["telemetry/range?session_id=1&end_time=2026-02-13", `end_time must be ${time}, got 2026-02-13`],
  ["telemetry/range?session_id=1&end_time=2026-02-30T09:30:00", /^end_time must be a number of seconds/],
  ["telemetry/range?session_id=1&end_time=9:30+01:00", `end_time must be ${time}, got "9:30 01:00"`],
  ["telemetry/range?session_id=1&start_time=1&start_time=2", `start_time must be ${time}, got ["1","2"]`],
  [
    "telemetry/range?session_id=1&start_time=5&end_time=4",
    /^start_time must be at most end_time, .* 4, got 5$/
  ],
  [`1/telemetry?channels=${names}`, /^channels must be at most 512 names, got /],
  ["1/telemetry?channels=feul", /^channels must be among .*, got feul$/],
  ["telemetry/range?session_id=1&group=tyre", /^group must be one of points.*, got tyre$/],
  ["compare", "lap_ids is missing"],
  ["compare?lap_ids=4", "lap_ids must be 2 to 20 laps, got 4"],
  ["compare?lap_ids=4,4", 'lap_ids must be different laps, got "4,4"'],
  ["compare?lap_ids=3,4&lap_ids=3", 'lap_ids must be different laps, got "3,4,3"'],
  [`compare?lap_ids=${many}`, `lap_ids must be 2 to 20 laps, got "${many}"`],
  ["compare?lap_ids=1,", `lap_ids.1 must be ${whole}, got ""`],
  ["compare?lap_ids=1;2", `lap_ids.0 must be ${whole}, got "1;2"`]
]

it.scopedLive("an invalid query is 422, and its sentence names the parameter and the value", () =>
  Effect.gen(function* () {
    const running = yield* service()
    yield* storeDrive(running, { count: 3 })
    for (const [path, sentence] of queries) {
      const { body, status } = yield* running.json(`/api/v1/${path}`)
      expect([path, status, body]).toEqual([
        path,
        422,
        { detail: typeof sentence === "string" ? sentence : expect.stringMatching(sentence) }
      ])
    }
  })
)

/** Every route with a body, with a body of which one field is missing or wrong. */
const bodies: ReadonlyArray<readonly [method: string, path: string, body: object, sentence: string]> = [
  ["POST", "connect", { port: 1, app_name: "a" }, "host is missing"],
  ["POST", "disconnect", { host: "a", port: 0 }, "port must be a number between 1 and 65535, got 0"],
  ["POST", "sessions", { circuit: "a", vehicle: "b" }, "driver is missing"],
  ["PUT", "sessions/1", { pinned: null }, "pinned must be true or false, got null"],
  ["PUT", "config", { telemetry_rate: 60 }, "connection is missing"],
  ["PUT", "config/circuits/Monza", { corners: [] }, "display_name is missing"],
  ["PUT", "marks/sessions/1", { tags: [""] }, 'tags.0 must be 1 to 40 characters of text, got ""'],
  ["PUT", "marks/laps/1", { valid: "no" }, 'valid must be true or false or null, got "no"'],
  ["PUT", "marks/anomalies/1", { type: "slow_lap", lap_number: 1 }, "channel is missing"],
  ["PUT", "marks/names/a", {}, "name is missing"],
  ["PUT", "references", {}, "lap_id is missing"],
  ["POST", "analysis/compare", { lap_ids: [1, "2"] }, 'lap_ids.1 must be a number, got "2"']
]

it.scopedLive("an invalid body is 422 at every route, and changes nothing", () =>
  Effect.gen(function* () {
    const running = yield* service()
    yield* storeDrive(running, { count: 3 })
    const state = Effect.forEach(["sessions", "config", "config/circuits/Monza"], (path) =>
      Effect.map(running.json(`/api/v1/${path}`), ({ body }) => body)
    )
    const before = yield* state
    const notObjects = ["null", "[]", '"text"', "7"].map(
      (body) => [body, `The request body must be a JSON object, got ${body}`] as const
    )
    for (const [method, path, wrong, sentence] of bodies) {
      for (const [body, detail] of [
        [JSON.stringify(wrong), sentence],
        ["{]", "The request body is not valid JSON"],
        ["circuit=Monza&vehicle=GT3", "The request body is not valid JSON"],
        ...notObjects
      ] as const) {
        const answer = yield* running.json(`/api/v1/${path}`, sending(method, body))
        expect([path, body, answer.status]).toEqual([path, body, 422])
        expect((answer.body as { readonly detail: string }).detail).toContain(detail)
      }
    }
    expect(yield* state).toEqual(before)
  })
)
