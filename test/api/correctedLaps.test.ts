/** Answers after a lap was corrected, taken back, or given to another driver. */
import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { service } from "../support/service.ts"
import { lapOf, names, START, storeDrive } from "./stored.ts"

it.scopedLive("a cached answer is not given again once a lap of it has changed", () =>
  Effect.gen(function* () {
    const running = yield* service()
    const { laps, session } = yield* storeDrive(running, { count: 3600, laps: 4, lapPoints: 900 })
    const times = Effect.map(
      running.json(`/api/v1/analysis/consistency/${session.id}`),
      ({ body }) => (body as { readonly times: { readonly laps: number; readonly best: number } }).times
    )
    expect(yield* times).toMatchObject({ laps: 4, best: 15 })
    yield* running.catalog.changeLap(session.id, laps[1]!.startTime, { lapTime: 14.5 })
    expect(yield* times).toMatchObject({ laps: 4, best: 14.5 })
    yield* running.catalog.changeLap(session.id, laps[1]!.startTime, { withdrawn: true })
    expect(yield* times).toMatchObject({ laps: 3, best: 15 })
    const predicted = yield* running.json(`/api/v1/analysis/predictions/${session.id}`)
    expect(predicted.body).toMatchObject({ laps_used: 3, laps_left_out: [] })
  })
)

it.scopedLive("a lap that was taken back is in no list of bests, and no lap's reference", () =>
  Effect.gen(function* () {
    const running = yield* service()
    const { laps, session } = yield* storeDrive(running, { count: 3600, laps: 4, lapPoints: 900 })
    const change = (lap: number, how: Parameters<typeof running.catalog.changeLap>[2]) =>
      running.catalog.changeLap(session.id, laps[lap]!.startTime, how)
    yield* change(0, { lapTime: 12 })
    yield* change(0, { withdrawn: true })
    for (const lap of [1, 2, 3]) yield* change(lap, { valid: false })
    const [taken, ...others] = laps.map(({ id }) => id)
    const compared = yield* running.json(`/api/v1/compare?lap_ids=${taken}&lap_ids=${others[0]}`)
    expect(compared.body).toMatchObject({ fastest_lap_id: others[0] })
    expect((yield* running.json("/api/v1/stats/best-laps")).body).toEqual([])
    expect((yield* running.json(`/api/v1/sessions/${session.id}`)).body).toMatchObject({
      total_laps: 3,
      best_lap_time: null
    })
    // It stays invalid, and can still be read.
    yield* change(0, { valid: true })
    expect((yield* running.json(`/api/v1/${taken}`)).body).toMatchObject({ valid: false, withdrawn: true })
  })
)

it.scopedLive("statistics count a lap for its own driver", () =>
  Effect.gen(function* () {
    const running = yield* service()
    const { laps, session } = yield* storeDrive(running, { count: 1800, laps: 2, lapPoints: 900 })
    yield* running.catalog.addLaps([
      { ...lapOf(session.id, 3, START + 30, START + 40), driver: "Ben" },
      lapOf(session.id, 4, START + 40, START + 60)
    ])
    yield* running.catalog.changeLap(session.id, laps[1]!.startTime, { driver: "Ben", lapTime: 9 })
    const of = (path: string) => Effect.map(running.json(`/api/v1/stats/${path}`), ({ body }) => body)
    expect(yield* of("driver/ben")).toMatchObject({
      driver_name: "Ben",
      total_sessions: 1,
      total_laps: 2,
      best_lap_time: 9,
      avg_lap_time: 9.5,
      circuits: [{ circuit: names.circuit, laps: 2, best_lap_time: 9 }]
    })
    expect(yield* of(`circuit/${names.circuit}`)).toMatchObject({
      total_sessions: 1,
      total_laps: 4,
      best_lap: { lap_id: laps[1]!.id, driver: "Ben" },
      drivers: ["Anna", "Ben"]
    })
  })
)
