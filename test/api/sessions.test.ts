import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { POINTS } from "../../src/domain/Dictionary.ts"
import { sending, service } from "./service.ts"
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
  "pinned"
]

const names = { circuit: "Monza", vehicle: "GT3", driver: "Anna" }

it.scopedLive("creates a session, says where it is, and reads it back", () =>
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
      pinned: false
    })
    const read = yield* json(created.headers.get("location")!)
    expect(read.status).toBe(200)
    expect(read.body).toEqual(created.body)
  })
)

it.scopedLive("takes now where no datetime is given", () =>
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

it.scopedLive("takes names of up to 200 characters, and no longer ones", () =>
  Effect.gen(function* () {
    const { json } = yield* service()
    const longest = "n".repeat(200)
    const { status } = yield* json("/api/v1/sessions", sending("POST", { ...names, circuit: longest }))
    expect(status).toBe(201)
    const found = yield* json(`/api/v1/sessions?circuit=${longest}`)
    expect(found.body).toMatchObject({ total: 1, items: [{ circuit: longest }] })
    const refused = yield* json("/api/v1/sessions", sending("POST", { ...names, circuit: `${longest}n` }))
    expect(refused.status).toBe(422)
    expect((refused.body as { detail: string }).detail).toMatch(
      /^circuit must be 1 to 200 characters of text, got n+…$/
    )
    // Characters, not UTF-16 units; and nothing that a store could not give back.
    const cars = "🏎".repeat(200)
    const unicode = yield* json("/api/v1/sessions", sending("POST", { ...names, circuit: cars }))
    expect(unicode).toMatchObject({ status: 201, body: { circuit: cars } })
    for (const circuit of ["a\u0000b", "a\ud800b", "a\nb", "🏎".repeat(201)]) {
      expect((yield* json("/api/v1/sessions", sending("POST", { ...names, circuit }))).status).toBe(422)
    }
  })
)

it.scopedLive("says of text that no store can look for that it is none", () =>
  Effect.gen(function* () {
    const { json } = yield* service()
    for (const path of [
      "sessions?circuit=a%00b",
      "sessions?search=%00",
      "stats/driver/a%00b",
      "stats/circuit/%00"
    ]) {
      const { body, status } = yield* json(`/api/v1/${path}`)
      expect([path, status]).toEqual([path, 422])
      expect((body as { detail: string }).detail).toMatch(/ must be text without the character NUL, got /)
    }
  })
)

const badBodies: ReadonlyArray<readonly [body: unknown, sentence: string]> = [
  ["", "The request body is not valid JSON"],
  ["{", "The request body is not valid JSON"],
  ["circuit=Monza&vehicle=GT3&driver=Anna", "The request body is not valid JSON"],
  ["null", "The request body must be a JSON object, got null"],
  ["[]", "The request body must be a JSON object, got []"],
  ['"text"', 'The request body must be a JSON object, got "text"'],
  ["7", "The request body must be a JSON object, got 7"],
  [{}, "circuit is missing"],
  ['{"__proto__":{"circuit":"a","vehicle":"b","driver":"c"}}', "circuit is missing"],
  [{ circuit: "a", vehicle: "b" }, "driver is missing"],
  [{ ...names, circuit: 5 }, "circuit must be 1 to 200 characters of text, got 5"],
  [{ ...names, vehicle: null }, "vehicle must be 1 to 200 characters of text, got null"],
  [{ ...names, driver: ["c"] }, 'driver must be 1 to 200 characters of text, got ["c"]'],
  [{ ...names, datetime: "tomorrow" }, 'datetime must be an ISO 8601 date-time, got "tomorrow"'],
  [
    { ...names, datetime: "2026-02-30T00:00:00" },
    'datetime must be an ISO 8601 date-time, got "2026-02-30T00:00:00"'
  ],
  [{ ...names, datetime: 5 }, "datetime must be a string, got 5"],
  [{ ...names, datetime: null }, "datetime must be a string, got null"]
]

it.scopedLive("refuses a body that is no session, and says why", () =>
  Effect.gen(function* () {
    const { json } = yield* service()
    for (const [body, sentence] of badBodies) {
      const answer = yield* json("/api/v1/sessions", sending("POST", body))
      expect([body, answer.status, answer.body]).toEqual([body, 422, { detail: sentence }])
    }
    const blank = yield* json("/api/v1/sessions", sending("POST", { ...names, circuit: " \t" }))
    expect(blank.status).toBe(422)
    expect((blank.body as { detail: string }).detail).toMatch(
      /^circuit must be 1 to 200 characters of text, got " \\t"$/
    )
    expect((yield* json("/api/v1/sessions")).body).toMatchObject({ total: 0 })
  })
)

it.scopedLive("lists newest first, in pages", () =>
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

    const page = yield* running.json("/api/v1/sessions?limit=2&offset=3")
    expect(page.body).toMatchObject({ total: 4, page: 1, page_size: 2, items: [{ id: 1 }] })
    const beyond = yield* running.json(`/api/v1/sessions?limit=1000&offset=${Number.MAX_SAFE_INTEGER}`)
    expect(beyond.body).toEqual({ total: 4, items: [], page: 9007199254740, page_size: 1000 })
  })
)

it.scopedLive("filters by whole names, ignoring case, and ignores parameters it does not know", () =>
  Effect.gen(function* () {
    const running = yield* service()
    yield* storeSession(running, { circuit: "Nürburgring Nord", driver: "Zoë & Co. 100%" })
    yield* storeSession(running, { circuit: "Nürburgring" })
    yield* storeSession(running, { vehicle: "GT4" })
    const ids = (query: string) =>
      Effect.map(running.json(`/api/v1/sessions?${query}`), ({ body }) =>
        (body as { items: ReadonlyArray<{ id: number }> }).items.map(({ id }) => id)
      )
    expect(yield* ids(`circuit=${encodeURIComponent("NÜRBURGRING")}`)).toEqual([2])
    expect(yield* ids("circuit=N%C3%BCrburgring+nord")).toEqual([1])
    expect(yield* ids(`driver=${encodeURIComponent("zoë & co. 100%")}`)).toEqual([1])
    expect(yield* ids("vehicle=gt4&circuit=monza&driver=ANNA")).toEqual([3])
    expect(yield* ids("vehicle=%20gt4&circuit=monza+&driver=%09ANNA")).toEqual([3])
    expect(yield* ids("vehicle=GT")).toEqual([])
    expect(yield* ids("circuit=")).toEqual([])
    expect(yield* ids("colour=red&__proto__=x&constructor=y")).toEqual([3, 2, 1])
  })
)

const badQueries = [
  ["limit=0", "limit must be between 1 and 1000, got 0"],
  ["limit=1001", "limit must be between 1 and 1000, got 1001"],
  ["limit=-1", "limit must be between 1 and 1000, got -1"],
  ["limit=", 'limit must be a whole number between 1 and 1000, got ""'],
  ["limit=1e3", "limit must be a whole number between 1 and 1000, got 1e3"],
  ["limit=0x10", "limit must be a whole number between 1 and 1000, got 0x10"],
  ["limit=%2B5", "limit must be a whole number between 1 and 1000, got +5"],
  ["limit=+5", 'limit must be a whole number between 1 and 1000, got " 5"'],
  ["limit=1.0", "limit must be a whole number between 1 and 1000, got 1.0"],
  ["limit=NaN", "limit must be a whole number between 1 and 1000, got NaN"],
  ["limit=1&limit=2", 'limit must be a whole number between 1 and 1000, got ["1","2"]'],
  ["sort=best", "sort must be one of newest, oldest, fastest, circuit, vehicle, driver, got best"],
  [`search=${"a".repeat(201)}`, "search must be at most 200 characters, got 201"],
  ["offset=-1", "offset must be between 0 and 9007199254740991, got -1"],
  ["offset=99999999999999999999", "offset must be between 0 and 9007199254740991, got 99999999999999999999"],
  ["circuit=a&circuit=b", 'circuit must be a string, got ["a","b"]']
] as const

it.scopedLive("refuses a page that is none, naming parameter and value", () =>
  Effect.gen(function* () {
    const { json } = yield* service()
    for (const [query, sentence] of badQueries) {
      const answer = yield* json(`/api/v1/sessions?${query}`)
      expect([query, answer.status, answer.body]).toEqual([query, 422, { detail: sentence }])
    }
  })
)

it.scopedLive("does not find what is no session", () =>
  Effect.gen(function* () {
    const { json } = yield* service()
    for (const id of ["7", "0", "-1", "x", "1.5", "1e0", "01", "9007199254740993", "null", "%20", "a;b"]) {
      for (const [path, init] of [
        [`/api/v1/sessions/${id}`, undefined],
        [`/api/v1/sessions/${id}`, { method: "DELETE" }],
        [`/api/v1/export/session/${id}`, undefined]
      ] as const) {
        const answer = yield* json(path, init)
        const detail = `Session ${decodeURIComponent(id)} was not found`
        expect([path, answer.status, answer.body]).toEqual([path, 404, { detail }])
      }
    }
  })
)

it.scopedLive("deletes a session from every read, once, and never one that is being recorded", () =>
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
    expect((refused.body as { detail: string }).detail).toMatch(
      new RegExp(`^Session ${kept.session.id} is being recorded`)
    )
  })
)

it.scopedLive(
  "pins a session and lets it go, in lists and reads, and deletes a pinned one all the same",
  () =>
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
      for (const [body, sentence] of [
        [{}, "pinned is missing"],
        [{ pinned: "yes" }, 'pinned must be true or false, got "yes"'],
        [{ pinned: null }, "pinned must be true or false, got null"]
      ] as const) {
        const refused = yield* running.json(path, sending("PUT", body))
        expect([refused.status, refused.body]).toEqual([422, { detail: sentence }])
      }
      expect((yield* running.json(path, { method: "DELETE" })).status).toBe(200)
      for (const gone of [path, "/api/v1/sessions/x"]) {
        const missing = yield* running.json(gone, sending("PUT", { pinned: true }))
        const detail = `Session ${gone.split("/").at(-1)} was not found`
        expect([missing.status, missing.body]).toEqual([404, { detail }])
      }
    })
)
