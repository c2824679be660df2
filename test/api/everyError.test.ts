import { expect, it } from "@effect/vitest"
import { Effect, FastCheck } from "effect"
import { service } from "./service.ts"
import { storeDrive } from "./stored.ts"
import { runs } from "../runner/runs.ts"

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

it.scopedLive("every answer of 400 and more is {detail}: one sentence, and nothing of the inside", () =>
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
      // Nothing that a client sends is the service's fault.
      expect(answer.status).toBeLessThan(500)
      if (answer.status < 400) return
      const mayBePage =
        answer.status === 404 && headers["accept"] === "text/html" && !/^\/api(\/|$)/.test(path)
      if (mayBePage && answer.headers.get("content-type") === "text/html; charset=utf-8") return
      expect(answer.headers.get("content-type")).toBe("application/json")
      if (answer.status === 405) expect(answer.headers.get("allow")).toMatch(/^[A-Z]+(, [A-Z]+)*$/)
      const parsed = JSON.parse(method === "HEAD" ? '{"detail":"said to GET"}' : text)
      expect(Object.keys(parsed)).toEqual(["detail"])
      expect(parsed.detail).toMatch(/^\S[^]{3,500}$/)
      expect(parsed.detail).not.toMatch(/readonly |NewSession|\n\s+at /)
    })
    yield* Effect.promise(() => FastCheck.assert(property, { numRuns: runs(150) }))
    expect(running.logged.filter(({ level }) => level !== "DEBUG")).toEqual([])
  })
)
