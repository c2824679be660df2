/** How `Accept` chooses the type of an answer, and when there is none. */
import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { preferred } from "../../src/api/accept.ts"
import { sending, service } from "../support/service.ts"
import { storeDrive } from "./stored.ts"

/** RFC 9110, 12.5.1 and 12.4.2. */
const wishes: ReadonlyArray<readonly [accept: string | undefined, best: string | undefined]> = [
  [undefined, "application/json"],
  ["", "application/json"],
  ["*/*", "application/json"],
  ["*/*;q=0.1", "application/json"],
  ["application/*", "application/json"],
  ["application/json", "application/json"],
  ["APPLICATION/JSON; Charset=UTF-8", "application/json"],
  ["application/json, text/plain, */*", "application/json"],
  ["application/json, text/csv", "application/json"],
  ["application/json;q=0.5, text/csv;q=0.4", "application/json"],
  ["text/csv;q=0.1, application/json", "application/json"],
  ["text/csv;q=0, */*", "application/json"],
  ["text/csv", "text/csv"],
  // The service ignores these parameters; it reads charset.
  ["application/json;version=1", "application/json"],
  ["text/csv; header=present; charset=utf-8", "text/csv"],
  ["text/csv; header=present; charset=latin1", undefined],
  ['text/csv; title="a, b;q=0"', "text/csv"],
  ["application/json;indent=2;q=0.1, text/csv;header=absent;q=0.5", "text/csv"],
  ["TEXT/CSV; charset=utf-8", "text/csv"],
  ["text/*", "text/csv"],
  ["text/csv, */*;q=0.1", "text/csv"],
  ["text/csv, application/json", "text/csv"],
  ["application/json;q=0.5, text/csv", "text/csv"],
  ["application/json;q=0, */*", "text/csv"],
  ["text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8", "application/json"],
  ["text/html, image/png", undefined],
  ["text/csvx", undefined],
  ["text/csv;q=0", undefined],
  ["*/*;q=0", undefined],
  ["application/json;q=0, text/csv;q=0.0", undefined],
  ["text/csv; charset=latin1", undefined],
  ["nonsense", undefined],
  [";;,,q=", undefined]
]

describe("the type that a client prefers", () => {
  it.each(wishes)("of JSON and CSV, by %j", (accept, best) => {
    expect(preferred(accept, ["application/json", "text/csv"])).toBe(best)
  })
})

it.scopedLive("a range comes in the type that its client prefers, or not at all", () =>
  Effect.gen(function* () {
    const running = yield* service()
    const { session } = yield* storeDrive(running, { count: 3 })
    const path = `/api/v1/telemetry/range?session_id=${session.id}`
    const some = new Set<string | undefined>([
      undefined,
      "text/csv, */*;q=0.1",
      "text/html, image/png",
      ";;,,q="
    ])
    for (const [accept, best] of wishes.filter(([accept]) => some.has(accept))) {
      const answer = yield* running.fetch(path, accept === undefined ? {} : { headers: { accept } })
      const text = yield* Effect.promise(() => answer.text())
      const type = best === "text/csv" ? "text/csv; charset=utf-8" : "application/json"
      expect([accept, answer.status, answer.headers.get("content-type")]).toEqual([
        accept,
        best === undefined ? 406 : 200,
        type
      ])
      expect(answer.headers.get("vary")).toContain("Accept")
      if (best === "text/csv") expect(text.split("\r\n")).toHaveLength(5)
      else if (best !== undefined) expect(JSON.parse(text)).toHaveProperty("total_points", 3)
      else {
        expect(JSON.parse(text)).toEqual({
          detail: `Accept must allow application/json, text/csv, application/x-ndjson or application/vnd.apache.arrow.stream, got ${/^[\w.:+-]+$/.test(accept!) ? accept : JSON.stringify(accept)}`
        })
      }
    }
  })
)

it.scopedLive("a type that a route cannot give is 406, to HEAD too, and errors are JSON", () =>
  Effect.gen(function* () {
    const running = yield* service()
    yield* storeDrive(running, { count: 3 })
    for (const [path, accept, status] of [
      ["/api/v1/health", "text/html", 406],
      ["/api/v1/health", "text/html, */*;q=0.1", 200],
      ["/api/v1/sessions/1", "application/xml", 406],
      ["/api/v1/sessions/77", "application/xml", 406],
      ["/api/v1/sessions/77", "application/*", 404],
      ["/api/v1/1/telemetry", "text/csv", 406],
      ["/api/v1/export/csv/1", "application/json", 406],
      ["/api/v1/export/csv/1", "text/csv", 200],
      ["/api/v1/export/json/1", "text/csv", 406],
      ["/api/v1/export/session/1", "text/csv", 200],
      ["/api/v1/export/session/1", "application/json", 200],
      ["/api/v1/export/session/1", "text/html", 406],
      ["/api/v1/export/session/1?format=csv", "application/json", 406],
      ["/api/v1/export/session/1?format=json", "text/csv", 406],
      ["/api/v1/export/session/1?format=json", "application/json", 200],
      ["/openapi.json", "application/json", 200],
      ["/openapi.json", "text/html", 406],
      ["/metrics", "text/plain;version=0.0.4", 200],
      [
        "/metrics",
        "application/openmetrics-text;version=1.0.0,text/plain;version=0.0.4;q=0.5,*/*;q=0.1",
        200
      ],
      ["/metrics", "application/json", 406],
      ["/api/v1/nothing", "text/csv", 404],
      ["/api/v1/telemetry/live", "application/json", 426]
    ] as const) {
      for (const method of ["GET", "HEAD"]) {
        const answer = yield* running.fetch(path, { method, headers: { accept } })
        const text = yield* Effect.promise(() => answer.text())
        expect([method, path, accept, answer.status]).toEqual([method, path, accept, status])
        if (status === 200) continue
        expect(answer.headers.get("content-type")).toBe("application/json")
        if (method === "GET") expect(Object.keys(JSON.parse(text))).toEqual(["detail"])
      }
    }
    // A session's file has the requested kind, or else one that the client accepts.
    const kinds: ReadonlyArray<readonly [accept: string, type: string]> = [
      ["*/*", "text/csv; charset=utf-8"],
      ["application/json", "application/json"],
      ["application/json, text/csv;q=0.5", "application/json"],
      ["application/x-ndjson", "application/x-ndjson"]
    ]
    for (const [accept, type] of kinds) {
      const answer = yield* running.fetch("/api/v1/export/session/1", { headers: { accept } })
      yield* Effect.promise(() => answer.text())
      expect([accept, answer.headers.get("content-type")]).toEqual([accept, type])
    }
  })
)

it.scopedLive("a request whose answer the client would not accept changes nothing", () =>
  Effect.gen(function* () {
    const running = yield* service()
    const { session } = yield* storeDrive(running, { count: 3 })
    const expectRefused = (path: string, init: RequestInit) =>
      Effect.map(
        running.json(`/api/v1/${path}`, { ...init, headers: { ...init.headers, accept: "text/html" } }),
        ({ status }) => expect([path, status]).toEqual([path, 406])
      )
    yield* expectRefused(`sessions/${session.id}`, { method: "DELETE" })
    yield* expectRefused("sessions", sending("POST", { circuit: "Spa", vehicle: "GT3", driver: "Ann" }))
    const before = yield* running.json("/api/v1/config")
    yield* expectRefused("config", sending("PUT", { ...(before.body as object), telemetry_rate: 7 }))
    expect((yield* running.json("/api/v1/config")).body).toEqual(before.body)
    expect((yield* running.json("/api/v1/sessions")).body).toMatchObject({
      total: 1,
      items: [{ id: session.id }]
    })
  })
)
