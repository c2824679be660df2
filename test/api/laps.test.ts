import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { service } from "../support/service.ts"
import { lapOf, START, storeSession } from "./stored.ts"

it.scopedLive("laps are listed as recorded, in order of number", () =>
  Effect.gen(function* () {
    const running = yield* service()
    const { id } = yield* storeSession(running)
    expect((yield* running.json(`/api/v1/${id}/laps`)).body).toEqual([])
    const timed = {
      ...lapOf(id, 2, START + 100, START + 190),
      valid: false,
      lapTime: null,
      sector1Time: null
    }
    yield* running.catalog.addLaps([timed, lapOf(id, 1, START, START + 100)])
    const { body, status } = yield* running.json(`/api/v1/${id}/laps`)
    expect(status).toBe(200)
    const first = {
      id: 2,
      session_id: id,
      lap_number: 1,
      lap_time: 100,
      sector1_time: 10,
      sector2_time: 20.5,
      sector3_time: null,
      sector_source: null,
      valid: true
    }
    expect(body).toEqual([
      first,
      { ...first, id: 1, lap_number: 2, lap_time: null, sector1_time: null, valid: false }
    ])
    const one = yield* running.json("/api/v1/2")
    expect(one.status).toBe(200)
    expect(one.body).toEqual(first)
    expect(Object.keys(one.body as object)).toEqual(Object.keys(first))
    expect((yield* running.json(`/api/v1/sessions/${id}`)).body).toMatchObject({
      total_laps: 2,
      best_lap_time: 100
    })
  })
)
