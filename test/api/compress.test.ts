/** Answers in the coding that a client requests; streaming.test.ts has how they stream and break off. */
import { brotliDecompressSync, gunzipSync } from "node:zlib"
import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { type Coding, codingFor } from "../../src/api/coding.ts"
import { answered } from "./overTheWire.ts"
import { service } from "../support/service.ts"
import { storeDrive, storeSession } from "./stored.ts"

describe("the requested coding", () => {
  it.each([
    [undefined, undefined],
    ["", undefined],
    ["identity", undefined],
    ["deflate, compress", undefined],
    ["gzip", "gzip"],
    ["GZIP", "gzip"],
    ["br", "br"],
    ["gzip, deflate, br, zstd", "br"],
    ["br;q=0.5, gzip", "gzip"],
    ["br;q=0, gzip;q=0.1", "gzip"],
    ["identity, gzip;q=0.5", undefined],
    ["gzip;q=0", undefined],
    ["*", "br"],
    ["br;q=0, *", "gzip"],
    ["*;q=0", undefined]
  ] as ReadonlyArray<readonly [string | undefined, Coding | undefined]>)("by %j is %s", (header, coding) => {
    expect(codingFor(header)).toBe(coding)
  })

  it("is one of those that the service has", () => {
    expect(codingFor("br, gzip", ["gzip"])).toBe("gzip")
    expect(codingFor("br", ["gzip"])).toBeUndefined()
    expect(codingFor("br, gzip", [])).toBeUndefined()
  })
})

const decoders: Readonly<Record<Coding, (bytes: Buffer) => Buffer>> = {
  br: (bytes) => brotliDecompressSync(bytes),
  gzip: (bytes) => gunzipSync(bytes)
}

it.scopedLive("text over 1 KiB comes in the requested coding, and decodes to the same text", () =>
  Effect.gen(function* () {
    const running = yield* service()
    const { session } = yield* storeDrive(running, { count: 3000, laps: 2, lapPoints: 1000 })
    for (let i = 0; i < 20; i++) yield* storeSession(running, { driver: `Driver ${i}` })
    for (const [path, streamed, more] of [
      ["/api/v1/sessions", false, {}],
      ["/openapi.json", false, {}],
      ["/metrics", false, {}],
      [`/trpc/sessions.list`, false, {}],
      ["/api/v1/1/telemetry", true, {}],
      [`/api/v1/telemetry/range?session_id=${session.id}`, true, {}],
      [`/api/v1/telemetry/range?session_id=${session.id}`, true, { accept: "text/csv" }],
      ["/api/v1/export/csv/1", true, {}],
      ["/api/v1/export/json/1", true, {}],
      [`/api/v1/export/session/${session.id}`, true, {}],
      [`/api/v1/export/session/${session.id}?format=json`, true, {}],
      [`/trpc/telemetry.lap?input=${encodeURIComponent('{"lapId":1}')}`, true, {}]
    ] as ReadonlyArray<readonly [string, boolean, Record<string, string>]>) {
      const plain = yield* answered(running.url, path, more)
      expect([path, plain.status, plain.headers["content-encoding"]]).toEqual([path, 200, undefined])
      expect([path, plain.headers["vary"]]).toEqual([path, expect.stringContaining("Accept-Encoding")])
      for (const coding of ["br", "gzip"] as const) {
        const coded = yield* answered(running.url, path, { ...more, "accept-encoding": coding })
        expect([path, coded.headers["content-encoding"]]).toEqual([path, coding])
        expect(coded.headers["content-type"]).toBe(plain.headers["content-type"])
        expect(coded.headers["vary"]).toBe(plain.headers["vary"])
        expect(coded.headers["content-disposition"]).toBe(plain.headers["content-disposition"])
        expect(coded.headers["content-length"]).toBe(streamed ? undefined : String(coded.body.length))
        expect(coded.body.length).toBeLessThan(plain.body.length)
        // Counters change between two requests.
        if (path !== "/metrics") expect(decoders[coding](coded.body).equals(plain.body)).toBe(true)
        // tRPC does not answer HEAD.
        if (path.startsWith("/trpc")) continue
        const head = yield* answered(running.url, path, { ...more, "accept-encoding": coding }, "HEAD")
        expect([path, head.status, head.body.length]).toEqual([path, 200, 0])
        expect([path, head.headers["content-encoding"], head.headers["vary"]]).toEqual([
          path,
          coding,
          coded.headers["vary"]
        ])
        if (!streamed && path !== "/metrics") {
          expect([path, head.headers["content-length"]]).toEqual([path, coded.headers["content-length"]])
        }
      }
    }
  })
)

it.scopedLive("short answers, and those sent event by event, are not coded", () =>
  Effect.gen(function* () {
    const running = yield* service()
    for (const path of ["/api/v1/health", "/api/v1/sessions", "/api/v1/sessions/77", "/nothing"]) {
      const { body, headers } = yield* answered(running.url, path, { "accept-encoding": "gzip, br" })
      expect([path, headers["content-encoding"]]).toEqual([path, undefined])
      expect(JSON.parse(body.toString())).toBeTypeOf("object")
    }
    const controller = new AbortController()
    const events = yield* Effect.promise(() =>
      fetch(`${running.url}/trpc/live.connections`, {
        headers: { accept: "text/event-stream", "accept-encoding": "gzip, br" },
        signal: controller.signal
      })
    )
    expect(events.headers.get("content-type")).toBe("text/event-stream")
    expect(events.headers.get("content-encoding")).toBeNull()
    controller.abort()
  })
)
