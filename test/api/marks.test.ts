/** What users say about recorded things, over REST and tRPC. */
import { expect } from "@effect/vitest"
import { Effect } from "effect"
import { inside, serviceInside } from "../support/inside.ts"
import { sending } from "../support/service.ts"
import { feedAt, speaking } from "./feeds.ts"
import { storeDrive } from "./stored.ts"
import { eventsOf, recording, seen, watching } from "./watching.ts"

type Answer = Readonly<Record<string, unknown>>

inside("a user corrects a session's names, notes and tags it, and takes that back", () =>
  Effect.gen(function* () {
    const running = yield* serviceInside({})
    const feed = yield* speaking
    const id = yield* recording(running, feed)
    const client = yield* watching(running, "?events=session")
    const path = `/api/v1/marks/sessions/${id}`
    const json = (to: string, init?: RequestInit) =>
      Effect.map(running.json(to, init), ({ body, status }) => ({ status, body: body as Answer }))
    const session = Effect.map(json(`/api/v1/sessions/${id}`), ({ body }) => body)
    const put = (mark: object, headers: Record<string, string> = {}) => {
      const sent = sending("PUT", mark)
      return json(path, { ...sent, headers: { ...(sent.headers as object), ...headers } })
    }
    const before = yield* session
    const nothing = { note: null, tags: [], circuit: null, circuit_layout: null, vehicle: null, driver: null }
    expect(yield* running.json(path)).toMatchObject({
      status: 200,
      body: { session_id: id, ...nothing, revision: 0, changed_at: null }
    })

    const given = { note: "Rain", tags: ["Wet"], driver: " Zoë " }
    expect(yield* put(given)).toMatchObject({
      status: 200,
      body: { ...nothing, ...given, driver: "Zoë", revision: 1 }
    })
    expect(yield* session).toMatchObject({ driver: "Zoë", driver_reported: before["driver"], tags: ["Wet"] })
    yield* seen(() =>
      eventsOf(client).some(({ json }) => JSON.stringify(json).includes('"changed":["driver"]'))
    )
    for (const [query, total] of [
      ["tag=wet", 1],
      ["tag=dry", 0],
      ["driver=zo%C3%AB", 1]
    ] as const) {
      expect((yield* json(`/api/v1/sessions?${query}`)).body["total"]).toBe(total)
    }
    expect((yield* json("/api/v1/stats/driver/Zoë")).body["total_sessions"]).toBe(1)

    // A change of another state is refused, whatever it says.
    for (const match of ["0", '"7"', "x"]) {
      expect((yield* put({}, { "if-match": match })).status).toBe(match === "x" ? 422 : 409)
    }
    expect((yield* put({ ...given, tags: [] }, { "if-match": '"1"' })).body["revision"]).toBe(2)
    const deleted = yield* running.json(path, { method: "DELETE", headers: { "if-match": "1" } })
    expect(deleted.status).toBe(409)
    expect(yield* running.json(path, { method: "DELETE", headers: { "if-match": 'W/"2"' } })).toMatchObject({
      status: 200,
      body: { ...nothing, revision: 3 }
    })
    expect(yield* session).toEqual(before)
    for (const missing of ["9999", "x"]) {
      expect((yield* running.json(`/api/v1/marks/sessions/${missing}`)).status).toBe(404)
    }
    yield* running.json(
      "/api/v1/disconnect",
      sending("POST", { host: feedAt(feed.port).host, port: feed.port })
    )
  })
)

inside("an excluded lap leaves every answer, and is back in all of them when that is taken back", () =>
  Effect.gen(function* () {
    const running = yield* serviceInside({})
    const { laps, session } = yield* storeDrive(running, { count: 5400, laps: 6, lapPoints: 900 })
    yield* running.catalog.changeLap(session.id, laps[2]!.startTime, { lapTime: 14.2 })
    const client = yield* watching(running, "?events=lap")
    const fastest = laps[2]!.id
    const texts = Effect.forEach(
      [
        `${session.id}/laps`,
        `analysis/consistency/${session.id}`,
        `analysis/predictions/${session.id}`,
        `analysis/micro-sectors/${session.id}`,
        `analysis/anomalies/${session.id}`,
        "stats/best-laps",
        "stats/circuit/monza",
        `sessions/${session.id}`
      ],
      (path) => Effect.map(running.json(`/api/v1/${path}`), ({ body }) => JSON.stringify(body))
    )
    const put = (mark: object) => running.json(`/api/v1/marks/laps/${fastest}`, sending("PUT", mark))
    const before = yield* texts
    expect(before[5]).toContain(`"id":${fastest},`)
    expect(yield* put({ excluded: true, reason: "A shortcut" })).toMatchObject({
      status: 200,
      body: { lap_id: fastest, session_id: session.id, excluded: true, valid: null, revision: 1 }
    })
    const without = yield* texts
    expect((yield* running.json(`/api/v1/${fastest}`)).body).toMatchObject({
      valid: false,
      excluded: true,
      valid_reported: true
    })
    expect(without[5]).not.toContain(`"id":${fastest},`)
    for (const [k, text] of without.entries()) if (k !== 4) expect(text).not.toBe(before[k])
    yield* seen(() =>
      JSON.stringify(eventsOf(client)).includes('"changed":["valid","excluded","valid_reported"]')
    )

    expect((yield* put({ valid: true })).status).toBe(200)
    expect((yield* running.json(`/api/v1/${fastest}`)).body).toMatchObject({ valid: true, corrected: true })
    yield* running.json(`/api/v1/marks/laps/${fastest}`, { method: "DELETE" })
    expect(yield* texts).toEqual(before)
    expect((yield* put({ valid: "no" })).status).toBe(422)
    expect((yield* running.json("/api/v1/marks/laps/999")).status).toBe(404)
  })
)

inside(
  "a dismissed anomaly is hidden unless it is asked for, and is listed as unmatched once it is gone",
  () =>
    Effect.gen(function* () {
      const running = yield* serviceInside({})
      const { laps, session } = yield* storeDrive(running, { count: 5400, laps: 6, lapPoints: 900 })
      const slow = laps[2]!.startTime
      yield* running.catalog.changeLap(session.id, slow, { lapTime: 19 })
      const anomalies = (query = "") =>
        Effect.map(
          running.json(`/api/v1/analysis/anomalies/${session.id}${query}`),
          ({ body }) => body as { readonly anomalies: ReadonlyArray<Answer>; readonly total: number }
        )
      const before = yield* anomalies()
      const found = before.anomalies.find(({ type }) => type === "slow_lap")!
      const { channel, distance, lap_number, type } = found
      const path = `/api/v1/marks/anomalies/${session.id}`
      const dismiss = (how: object) =>
        running.json(path, sending("PUT", { type, channel, lap_number, distance, ...how }))
      expect(yield* dismiss({ reason: "Yellow flag" })).toMatchObject({
        status: 200,
        body: { session_id: session.id, type, lap_number, dismissed: true, revision: 1 }
      })
      expect((yield* anomalies()).anomalies).toEqual(before.anomalies.filter((one) => one !== found))
      for (const query of ["?dismissed=true", "?dismissed=1"]) {
        const all = yield* anomalies(query)
        expect(all.total).toBe(before.total)
        expect(all.anomalies.filter(({ dismissed }) => dismissed)).toEqual([{ ...found, dismissed: true }])
      }
      const listed = Effect.map(
        running.json(`/api/v1/marks?kind=anomaly&session_id=${session.id}`),
        ({ body }) => body
      )
      expect(yield* listed).toMatchObject({
        items: [{ reason: "Yellow flag", unmatched: false }],
        next: null
      })
      yield* running.catalog.changeLap(session.id, slow, { lapTime: 15 })
      expect(yield* listed).toMatchObject({ items: [{ unmatched: true }] })
      yield* running.catalog.changeLap(session.id, slow, { lapTime: 19 })
      expect((yield* dismiss({ dismissed: false })).status).toBe(200)
      expect(yield* anomalies()).toEqual(before)
      expect(yield* listed).toEqual({ items: [], next: null })
      expect((yield* dismiss({ type: "x" })).status).toBe(422)
      expect(
        (yield* running.json("/api/v1/marks/anomalies/999", sending("PUT", { type, channel, lap_number })))
          .status
      ).toBe(404)
    })
)

/** The path of a raw name's readable one, and its entry in a list. */
const name = (raw: string) => `/api/v1/marks/names/${encodeURIComponent(raw)}`
const named = (body: unknown, raw: string) =>
  (body as ReadonlyArray<Answer>).find((one) => one["raw"] === raw)

inside("reference laps and readable names are put, listed and taken back", () =>
  Effect.gen(function* () {
    const running = yield* serviceInside({})
    const { laps, session } = yield* storeDrive(running, { count: 1800, laps: 2, lapPoints: 900 })
    const lap_id = laps[0]!.id
    const put = (reference: object) => running.json("/api/v1/references", sending("PUT", reference))
    const reference = { circuit: session.circuit, vehicle: null, driver: null, lap_id, name: "Pole" }
    expect(yield* put({ lap_id, name: "Pole" })).toMatchObject({
      status: 200,
      body: { ...reference, session_id: session.id, revision: 1, unmatched: false }
    })
    expect(yield* running.json(`/api/v1/references?circuit=${session.circuit}&driver=x`)).toMatchObject({
      body: [reference]
    })
    expect((yield* put({ lap_id: 999 })).status).toBe(404)
    const remove = (query: string) => running.json(`/api/v1/references${query}`, { method: "DELETE" })
    expect((yield* remove("")).status).toBe(422)
    expect((yield* remove("?circuit=%01")).status).toBe(422)
    expect(yield* remove(`?circuit=${session.circuit}`)).toMatchObject({ status: 200, body: [] })

    const cup = "ks_mazda_mx5_cup"
    expect(named((yield* running.json("/api/v1/marks/names")).body, cup)).toEqual({
      raw: cup,
      name: "Mazda MX-5 Cup",
      source: "known",
      revision: 0
    })
    const given = yield* running.json(name(cup), sending("PUT", { name: "Cup car" }))
    expect(named(given.body, cup)).toEqual({ raw: cup, name: "Cup car", source: "user", revision: 1 })
    expect((yield* running.json(name("a\u0001b"), sending("PUT", { name: "x" }))).status).toBe(422)
    const taken = yield* running.json(name(cup), { method: "DELETE" })
    expect(named(taken.body, cup)).toMatchObject({ source: "known" })
  })
)
