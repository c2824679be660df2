import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { POINTS } from "../../src/domain/Dictionary.ts"
import { sending, service } from "../support/service.ts"
import { START, storeDrive, storeSession } from "./stored.ts"

const sessionKeys = [
  "id",
  "circuit",
  "vehicle",
  "driver",
  "datetime",
  "duration",
  "total_laps",
  "best_lap_time",
  "pinned",
  "source"
]

const names = { circuit: "Monza", vehicle: "GT3", driver: "Anna" }

it.scopedLive("a session is created, with its location in the answer, and read back", () =>
  Effect.gen(function* () {
    const { json } = yield* service()
    const created = yield* json(
      "/api/v1/sessions",
      sending("POST", {
        ...names,
        driver: "  Ana Ñandú 🏁 ",
        datetime: "2026-02-13T09:30:00.25+01:00",
        id: 77
      })
    )
    expect(created.status).toBe(201)
    expect(created.headers.get("content-type")).toBe("application/json")
    expect(created.headers.get("location")).toBe("/api/v1/sessions/1")
    expect(Object.keys(created.body as object)).toEqual(sessionKeys)
    expect(created.body).toEqual({
      id: 1,
      circuit: "Monza",
      vehicle: "GT3",
      driver: "Ana Ñandú 🏁",
      datetime: "2026-02-13T08:30:00.250",
      duration: 0,
      total_laps: 0,
      best_lap_time: null,
      pinned: false,
      source: "live"
    })
    const read = yield* json(created.headers.get("location")!)
    expect(read.status).toBe(200)
    expect(read.body).toEqual(created.body)
  })
)

it.scopedLive("a session without a datetime begins now", () =>
  Effect.gen(function* () {
    const { json } = yield* service()
    const before = Date.now()
    const { body } = yield* json("/api/v1/sessions", sending("POST", names))
    const { datetime } = body as { datetime: string }
    expect(datetime).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3})?$/)
    expect(Date.parse(`${datetime}Z`)).toBeGreaterThanOrEqual(before)
    expect(Date.parse(`${datetime}Z`)).toBeLessThanOrEqual(Date.now())
  })
)

it.scopedLive("sessions are listed newest first, in pages", () =>
  Effect.gen(function* () {
    const running = yield* service()
    // Two start at the same instant: then the later id is the newer one.
    for (const datetime of [START, START + 20, START + 10, START + 20])
      yield* storeSession(running, { datetime })
    const all = yield* running.json("/api/v1/sessions")
    expect(all.status).toBe(200)
    expect(Object.keys(all.body as object)).toEqual(["total", "items", "page", "page_size"])
    const { items } = all.body as { items: ReadonlyArray<{ id: number }> }
    expect(all.body).toMatchObject({ total: 4, page: 0, page_size: 50 })
    expect(items.map(({ id }) => id)).toEqual([4, 2, 3, 1])
    for (const item of items) expect(Object.keys(item)).toEqual(sessionKeys)

    const beyond = yield* running.json(`/api/v1/sessions?limit=1000&offset=${Number.MAX_SAFE_INTEGER}`)
    expect(beyond.body).toEqual({ total: 4, items: [], page: 9007199254740, page_size: 1000 })
  })
)

it.scopedLive("filters are decoded from the query, and unknown parameters are ignored", () =>
  Effect.gen(function* () {
    const running = yield* service()
    yield* storeSession(running, { circuit: "Nürburgring Nord", driver: "Zoë & Co. 100%" })
    yield* storeSession(running, { vehicle: "GT4" })
    const ids = (query: string) =>
      Effect.map(running.json(`/api/v1/sessions?${query}`), ({ body }) =>
        (body as { items: ReadonlyArray<{ id: number }> }).items.map(({ id }) => id)
      )
    expect(yield* ids("circuit=N%C3%BCrburgring+nord")).toEqual([1])
    expect(yield* ids(`driver=${encodeURIComponent("zoë & co. 100%")}`)).toEqual([1])
    expect(yield* ids("vehicle=%20gt4&circuit=monza+&driver=%09ANNA")).toEqual([2])
    expect(yield* ids("circuit=")).toEqual([])
    expect(yield* ids("colour=red&__proto__=x&constructor=y")).toEqual([2, 1])
  })
)

it.scopedLive("a session is deleted once and from every read, but never while it is recorded", () =>
  Effect.gen(function* () {
    const running = yield* service()
    const { laps, session } = yield* storeDrive(running, { count: 500, laps: 2, lapPoints: 200 })
    const kept = yield* storeDrive(running, { count: 10 })
    const deleting = running.json(`/api/v1/sessions/${session.id}`, { method: "DELETE" })
    const answers = yield* Effect.all([deleting, deleting, deleting], { concurrency: "unbounded" })
    const done = answers.filter(({ status }) => status === 200)
    expect(done.map(({ body }) => body)).toEqual([
      { id: session.id, deleted: true, message: expect.any(String) }
    ])
    expect(answers.filter(({ status }) => status === 404)).toHaveLength(2)
    for (const path of [
      `sessions/${session.id}`,
      `${session.id}/laps`,
      `${laps[0]!.id}`,
      `${laps[0]!.id}/telemetry`,
      `telemetry/range?session_id=${session.id}`,
      `export/csv/${laps[1]!.id}`,
      `export/json/${laps[1]!.id}`,
      `export/session/${session.id}`
    ]) {
      expect([path, (yield* running.json(`/api/v1/${path}`)).status]).toEqual([path, 404])
    }
    expect((yield* running.json("/api/v1/sessions")).body).toMatchObject({
      total: 1,
      items: [{ id: kept.session.id }]
    })
    expect(
      yield* running.points.count({ sessionId: session.id, group: POINTS, from: -Infinity, until: Infinity })
    ).toBe(0)

    yield* running.catalog.claimSession(kept.session.id)
    const refused = yield* running.json(`/api/v1/sessions/${kept.session.id}`, { method: "DELETE" })
    expect(refused.status).toBe(409)
  })
)

it.scopedLive("a session is pinned and unpinned, in lists and reads, and can be deleted while pinned", () =>
  Effect.gen(function* () {
    const running = yield* service()
    const { id } = yield* storeSession(running)
    const path = `/api/v1/sessions/${id}`
    const before = (yield* running.json(path)).body as object
    for (const pinned of [true, true, false, true]) {
      const put = yield* running.json(path, sending("PUT", { pinned, circuit: "ignored" }))
      expect([put.status, put.body]).toEqual([200, { ...before, pinned }])
      expect((yield* running.json(path)).body).toEqual(put.body)
      expect((yield* running.json("/api/v1/sessions")).body).toMatchObject({ items: [{ id, pinned }] })
    }
    expect((yield* running.json(path, { method: "DELETE" })).status).toBe(200)
  })
)
