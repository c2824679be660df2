import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { POINTS } from "../../src/domain/Dictionary.ts"
import { channels } from "../../src/domain/pointChannels.ts"
import { everyNth, pointsOf, type Point } from "./points.ts"
import { type Service, service } from "../support/service.ts"
import { drivenPoints, START, storeDrive, storeSession } from "./stored.ts"

interface Telemetry {
  readonly points: ReadonlyArray<Point>
  readonly total_points: number
}

const telemetry = ({ json }: Service, path: string) =>
  Effect.map(json(`/api/v1/${path}`), ({ body, headers, status }) => {
    expect(status).toBe(200)
    expect(headers.get("content-type")).toBe("application/json")
    return body as Telemetry
  })

it.scopedLive("a lap's telemetry is its points, by time", () =>
  Effect.gen(function* () {
    const running = yield* service()
    const { laps, points } = yield* storeDrive(running, { count: 700, laps: 2, lapPoints: 300, before: 50 })
    const all = pointsOf(points)
    const found = yield* telemetry(running, `${laps[1]!.id}/telemetry`)
    expect(Object.keys(found)).toEqual(["lap_id", "points", "total_points"])
    expect(found).toEqual({ lap_id: laps[1]!.id, points: all.slice(350, 650), total_points: 300 })
    expect(Object.keys(found.points[0]!)).toEqual([...channels])
  })
)

it.scopedLive("sample_rate keeps every Nth point, the first and the last", () =>
  Effect.gen(function* () {
    const running = yield* service()
    // More than a block of the store, so that thinning continues from one batch to the next.
    const { laps, points, session } = yield* storeDrive(running, { count: 10_001 })
    const all = pointsOf(points)
    for (const n of [1, 7, 10_000, Number.MAX_SAFE_INTEGER]) {
      for (const path of [`${laps[0]!.id}/telemetry?`, `telemetry/range?session_id=${session.id}&`]) {
        const found = yield* telemetry(running, `${path}sample_rate=${n}`)
        expect(found.total_points).toBe(10_001)
        expect(found.points).toEqual(everyNth(all, n))
      }
    }
  })
)

it.scopedLive("a range includes both its ends, and is the whole session by default", () =>
  Effect.gen(function* () {
    const running = yield* service()
    const { points, session } = yield* storeDrive(running, { count: 600 })
    const all = pointsOf(points)
    const time = (i: number) => points.timestamps[i]!
    const range = (query: string) => telemetry(running, `telemetry/range?session_id=${session.id}${query}`)

    const whole = yield* range("")
    expect(Object.keys(whole)).toEqual(["session_id", "start_time", "end_time", "points", "total_points"])
    expect(whole).toEqual({
      session_id: session.id,
      start_time: time(0),
      end_time: time(599),
      points: all,
      total_points: 600
    })
    const part = yield* range(`&start_time=${time(100)}&end_time=${time(200)}`)
    expect(part).toEqual({
      session_id: session.id,
      start_time: time(100),
      end_time: time(200),
      points: all.slice(100, 201),
      total_points: 101
    })
    expect((yield* range(`&start_time=${time(300)}`)).points).toEqual(all.slice(300))
    expect((yield* range(`&end_time=${time(300)}`)).points).toEqual(all.slice(0, 301))
    expect((yield* range(`&start_time=${time(5)}&end_time=${time(5)}`)).points).toEqual([all[5]])
    for (const nothing of ["&start_time=-1e9&end_time=-5e-324", "&start_time=2e10&end_time=2e11"]) {
      expect(yield* range(nothing)).toMatchObject({ points: [], total_points: 0 })
    }
    expect((yield* range(`&start_time=${time(599)}`)).points).toEqual([all[599]])
    expect((yield* range(`&end_time=${time(0)}`)).points).toEqual([all[0]])
    const [early, late] = [START - 0.5, time(599) + 0.5]
    for (const [query, detail] of [
      [
        `&start_time=${late}`,
        `start_time must be at most the time of the session's last point, which is ${time(599)}, got ${late}`
      ],
      [
        `&end_time=${early}`,
        `end_time must be at least the time of the session's first point, which is ${START}, got ${early}`
      ]
    ]) {
      const refused = yield* running.json(`/api/v1/telemetry/range?session_id=${session.id}${query}`)
      expect([refused.status, refused.body]).toEqual([422, { detail }])
    }
  })
)

it.scopedLive("a range may be given as date-times, to the same microseconds", () =>
  Effect.gen(function* () {
    const running = yield* service()
    const { id } = yield* storeSession(running)
    // START is 2026-02-13T16:26:40Z.
    const batch = drivenPoints(START, 100, 1000)
    for (let i = 0; i < 100; i++) batch.timestamps[i] = Number(`${START}.${String(100_000 + i).slice(1)}`)
    yield* running.points.write([{ sessionId: id, group: POINTS, batch }])
    const range = (query: string) => telemetry(running, `telemetry/range?session_id=${id}&${query}`)
    const [from, to] = [Number(`${START}.00020`), Number(`${START}.00040`)]
    const seconds = yield* range(`start_time=${from}&end_time=${to}`)
    expect(seconds).toMatchObject({ start_time: from, end_time: to, total_points: 21 })
    for (const [start, end] of [
      ["2026-02-13T16:26:40.00020Z", "2026-02-13T16:26:40.000400"],
      ["2026-02-13T16:26:40.00020", String(to)],
      ["2026-02-13T17:26:40.00020%2B01:00", "2026-02-13T11:26:40.00040-05:00"],
      // A plus that was not encoded is a space.
      ["2026-02-13T17:26:40.00020+01:00", "2026-02-13%2016:26:40.00040Z"],
      ["2026-02-13T17:26:40.00020+01", "2026-02-13T16:26:40.0004"]
    ]) {
      expect([start, yield* range(`start_time=${start}&end_time=${end}`)]).toEqual([start, seconds])
    }
  })
)

it.scopedLive("a session without points has no bounds", () =>
  Effect.gen(function* () {
    const running = yield* service()
    const { id } = yield* storeSession(running)
    const nothing = { session_id: id, start_time: null, end_time: null, points: [], total_points: 0 }
    expect(yield* telemetry(running, `telemetry/range?session_id=${id}`)).toEqual(nothing)
    const fromFive = yield* telemetry(running, `telemetry/range?session_id=${id}&start_time=5`)
    expect(fromFive).toEqual({ ...nothing, start_time: 5 })
  })
)
