/** `/trpc` as a part of the service's HTTP: methods, paths, headers, bodies, batches, and what breaks off. */
import { createTRPCClient, httpBatchStreamLink } from "@trpc/client"
import { expect, it } from "@effect/vitest"
import { Effect, FastCheck, Stream } from "effect"
import { StoreUnavailable } from "../../../src/domain/errors.ts"
import type { AppRouter } from "../../../src/api/trpc/client.ts"
import { givenPoints } from "../../contracts/givenPoints.ts"
import { rawRequest } from "../rawRequest.ts"
import { inside, serviceInside } from "../../support/inside.ts"
import { sending, service } from "../../support/service.ts"
import { drivenPoints, START, storeDrive } from "../stored.ts"
import { clientOf, outcome } from "./support.ts"
import { runs } from "../../support/runs.ts"

const inputOf = (input: unknown) => `input=${encodeURIComponent(JSON.stringify(input))}`

interface Failed {
  readonly error: {
    readonly message: string
    readonly data: { readonly code: string; readonly httpStatus: number; readonly path?: string }
  }
}

it.scopedLive("an invalid input is 422, in a query, in a body and if it is missing", () =>
  Effect.gen(function* () {
    const { json } = yield* service()
    const nested = `${"[".repeat(5000)}${"]".repeat(5000)}`
    for (const [path, sentence, init] of [
      [`sessions.list?${inputOf({ limit: 0 })}`, "limit must be between 1 and 1000, got 0"],
      [`sessions.list?${inputOf(null)}`, "input must be a JSON object, got null"],
      ["sessions.list?input=%7B", "The request body is not valid JSON"],
      [`sessions.list?input=${nested}`, "The request body is nested deeper than 32 levels"],
      ["sessions.get", "input must be a JSON object, got undefined"],
      ["connections.connect", "The request body is not valid JSON", sending("POST", "{")],
      ["connections.disconnect", "port is missing", sending("POST", { host: "a" })]
    ] as const) {
      const { body, status } = yield* json(`/trpc/${path}`, init)
      const { data, message } = (body as Failed).error
      expect([path, status, data.code, message]).toEqual([path, 422, "UNPROCESSABLE_CONTENT", sentence])
    }
  })
)

it.scopedLive("only GET, HEAD and POST are answered", () =>
  Effect.gen(function* () {
    const running = yield* service()
    const { fetch, json } = running
    const got = yield* json("/trpc/system.health")
    expect([got.status, got.headers.get("content-type")]).toEqual([200, "application/json"])
    expect(got.headers.get("x-request-id")).toMatch(/^[\da-f-]{36}$/)
    expect(got.headers.get("access-control-allow-origin")).toBe("*")
    const head = yield* fetch("/trpc/system.health", { method: "HEAD" })
    expect([head.status, head.headers.get("content-type")]).toEqual([200, "application/json"])
    const missing = yield* fetch("/trpc/sessions.get?input=%7B%22sessionId%22%3A7%7D", { method: "HEAD" })
    expect(missing.status).toBe(404)
    const live = yield* fetch("/trpc/live.telemetry", { method: "HEAD" })
    expect([live.status, live.headers.get("content-type")]).toEqual([200, "text/event-stream"])
    expect(yield* running.subscribers).toBe(0)

    const unknown = yield* json("/trpc/nothing.here")
    expect([unknown.status, (unknown.body as Failed).error.data]).toEqual([
      404,
      { code: "NOT_FOUND", httpStatus: 404, path: "nothing.here" }
    ])
    const wrong = yield* json("/trpc/sessions.create")
    expect([wrong.status, wrong.headers.get("allow")]).toEqual([405, "POST"])
    const removing = yield* json("/trpc/system.health", { method: "DELETE" })
    expect([removing.status, removing.headers.get("allow")]).toEqual([405, "GET, HEAD, POST"])
    for (const path of ["/trpc", "/trpc/", "/trpc/system.health/", "/TRPC/system.health"]) {
      expect([path, (yield* json(path)).status]).toEqual([path, 404])
    }
    const preflight = yield* fetch("/trpc/live.laps", {
      method: "OPTIONS",
      headers: {
        origin: "http://elsewhere",
        "access-control-request-method": "GET",
        "access-control-request-headers": "trpc-accept"
      }
    })
    expect(preflight.status).toBe(204)
    expect(preflight.headers.get("access-control-allow-headers")).toBe("trpc-accept")
    expect(running.logged.filter(({ level }) => level !== "DEBUG")).toEqual([])
  })
)

/** A session's body of so many bytes. */
const body = (bytes: number) => {
  const bare = JSON.stringify({ circuit: "a", vehicle: "b", driver: "c", filler: "" })
  return bare.replace('"filler":""', `"filler":"${"x".repeat(bytes - bare.length)}"`)
}

it.scopedLive("bodies are taken as over REST: with any content type, up to 1 MiB", () =>
  Effect.gen(function* () {
    const { json, port } = yield* service()
    const form = {
      method: "POST",
      body: body(1_048_576),
      headers: { "content-type": "application/x-www-form-urlencoded" }
    }
    expect((yield* json("/trpc/sessions.create", form)).status).toBe(200)
    const announced = yield* json("/trpc/sessions.create", sending("POST", body(1_048_577)))
    expect(announced.status).toBe(413)
    const chunk = body(1_048_577)
    const unannounced = yield* rawRequest(port, [
      "POST /trpc/sessions.create HTTP/1.1\r\nHost: test\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n",
      `${chunk.length.toString(16)}\r\n${chunk}\r\n0\r\n\r\n`
    ])
    expect(unannounced.status).toBe(413)
    expect(JSON.parse(unannounced.body)).toMatchObject({
      error: { data: { code: "PAYLOAD_TOO_LARGE", httpStatus: 413, path: "sessions.create" } }
    })
  })
)

it.scopedLive("each call of a batch has its own answer, including points, in every form of an answer", () =>
  Effect.gen(function* () {
    const running = yield* service()
    const { laps } = yield* storeDrive(running, { count: 100, laps: 2, lapPoints: 50 })
    const [one, two] = laps.map(({ id }) => id)
    const client = createTRPCClient<AppRouter>({
      links: [httpBatchStreamLink({ url: `${running.url}/trpc` })]
    })
    const points = (id: number | undefined) => running.json(`/api/v1/${id}/telemetry`)
    const expected = [(yield* points(one)).body, (yield* points(two)).body]
    const [first, missing, second, health] = yield* Effect.all(
      [
        outcome(() => client.telemetry.lap.query({ lapId: one! })),
        outcome(() => client.telemetry.lap.query({ lapId: 77 })),
        outcome(() => client.telemetry.lap.query({ lapId: two! })),
        outcome(() => client.system.health.query())
      ],
      { concurrency: "unbounded" }
    )
    expect([first, second]).toEqual(expected.map((data) => ({ data })))
    expect(missing).toMatchObject({ error: { message: "Lap 77 was not found" } })
    expect(health).toMatchObject({ data: { status: "healthy" } })
    const requests = running.logged.filter(({ text }) => text.startsWith("GET /trpc/telemetry.lap,"))
    expect(requests).toHaveLength(1)

    // Points are requested alone, so that nothing waits for them.
    yield* Effect.promise(() =>
      Promise.all([
        clientOf(running).telemetry.lap.query({ lapId: one! }),
        clientOf(running).system.health.query()
      ])
    )
    const alone = running.logged.slice(-2).map(({ text }) => text.split(/[ ?]/)[1])
    expect(alone.sort()).toEqual(["/trpc/system.health", "/trpc/telemetry.lap"])

    const inputs = inputOf({ 0: { lapId: one }, 1: { lapId: 77 }, 2: { lapId: two } })
    const batch = yield* running.json(`/trpc/telemetry.lap,telemetry.lap,telemetry.lap?batch=1&${inputs}`)
    expect(batch.status).toBe(207)
    expect(batch.body).toMatchObject([
      { result: { data: expected[0] } },
      { error: { data: { httpStatus: 404 } } },
      { result: { data: expected[1] } }
    ])
    const single = yield* running.json(`/trpc/telemetry.lap?${inputOf({ lapId: one })}`)
    expect([single.status, single.body]).toEqual([200, { result: { data: expected[0] } }])
    const many = Array.from({ length: 51 }, () => "system.health").join(",")
    expect((yield* running.json(`/trpc/${many}?batch=1`)).status).toBe(400)
  })
)

inside("a range larger than the limit of waiting bytes is streamed, and breaks off visibly", () =>
  Effect.gen(function* () {
    const batch = drivenPoints(START, 10_000)
    let read = 0
    const running = yield* serviceInside({
      points: (real) => ({
        ...real,
        count: () => Effect.succeed(1),
        read: givenPoints(() =>
          Stream.fromIterable(Array.from({ length: 40 }, (_, i) => i)).pipe(
            Stream.tap(() => Effect.sync(() => read++)),
            Stream.as(batch),
            Stream.concat(Stream.fail(new StoreUnavailable({ store: "points", cause: "gone" })))
          )
        )
      })
    })
    const { session } = yield* storeDrive(running, { count: 10 })
    const response = yield* running.fetch(`/trpc/telemetry.range?${inputOf({ sessionId: session.id })}`, {
      // On a connection that is to be closed, undici takes the part before the close for the whole.
      headers: { "accept-encoding": "identity", connection: "keep-alive" }
    })
    expect(response.status).toBe(200)
    const reader = response.body!.getReader()
    yield* Effect.promise(() => reader.read())
    // 80 MB are not made before a client reads them.
    expect(read).toBeLessThan(20)
    const rest = yield* Effect.promise(async () => {
      try {
        while (!(await reader.read()).done);
        return "whole"
      } catch {
        return "broken"
      }
    })
    expect(rest).toBe("broken")
    expect(read).toBe(40)
    const line = running.logged.find(({ level }) => level === "ERROR")
    expect(line).toMatchObject({ text: expect.stringContaining("An answer broke off") })
    expect(line!.request).toMatch(/^[\da-f-]{36}$/)
  })
)

const word = FastCheck.oneof(
  FastCheck.constantFrom(
    "system.health",
    "sessions.list",
    "sessions.get",
    "telemetry.range",
    "analysis.compare",
    "live.telemetry",
    "live.laps",
    "__proto__",
    "constructor",
    "system",
    "system.",
    ".",
    "a/b",
    "%zz",
    "%00",
    ";",
    "ü",
    ""
  ),
  FastCheck.string({ maxLength: 8 }).map(encodeURIComponent)
)

const anyInput = FastCheck.oneof(
  FastCheck.json({ maxDepth: 3 }),
  FastCheck.string({ maxLength: 20 }),
  FastCheck.record(
    {
      sessionId: FastCheck.anything({ maxDepth: 1 }),
      lapIds: FastCheck.anything({ maxDepth: 1 }),
      lastEventId: FastCheck.string(),
      limit: FastCheck.integer()
    },
    { requiredKeys: [] }
  ).map((value) => JSON.stringify(value, (_, inner) => (typeof inner === "bigint" ? String(inner) : inner)))
)

it.scopedLive("no request of a client is answered with 500", () =>
  Effect.gen(function* () {
    const running = yield* service()
    yield* storeDrive(running, { count: 50, laps: 2, lapPoints: 20 })
    const request = FastCheck.record({
      method: FastCheck.constantFrom("GET", "GET", "POST", "HEAD", "PUT"),
      words: FastCheck.array(word, { minLength: 1, maxLength: 3 }),
      batch: FastCheck.constantFrom("", "&batch=1", "&batch=x"),
      input: anyInput,
      accept: FastCheck.constantFrom("*/*", "application/jsonl", "text/event-stream")
    })
    const property = FastCheck.asyncProperty(request, async ({ accept, batch, input, method, words }) => {
      const ending = new AbortController()
      const path = `${running.url}/trpc/${words.join(",")}?input=${encodeURIComponent(input)}${batch}`
      const carries = method === "POST" || method === "PUT"
      const answer = await fetch(path, {
        method,
        headers: { "trpc-accept": accept },
        signal: ending.signal,
        ...(carries ? { body: input } : {})
      })
      expect(answer.status).toBeLessThan(500)
      if (answer.headers.get("content-type") === "text/event-stream") return ending.abort()
      const text = await answer.text()
      if (method === "HEAD" || answer.status === 200) return
      const body = JSON.parse(text)
      for (const one of Array.isArray(body) ? body : [body]) {
        if ("result" in one) continue
        const sentence = one.detail ?? one.error.message
        expect(sentence).toMatch(/^[^]{3,500}$/)
        expect(sentence).not.toMatch(/readonly |\n\s+at /)
        expect(one.error?.data.stack).toBeUndefined()
      }
    })
    yield* Effect.promise(() => FastCheck.assert(property, { numRuns: runs(80) }))
    yield* Effect.repeat(running.subscribers, { until: (count) => count === 0 })
    expect(running.logged.filter(({ level }) => level !== "DEBUG")).toEqual([])
  })
)
