/** Analysis and statistics of sessions without laps, and how computations are shared, interrupted and fail. */
import { expect, it } from "@effect/vitest"
import { Deferred, Effect, Fiber, Layer } from "effect"
import { sessionAnomalies } from "../../src/analysis/anomalies/anomalies.ts"
import type { LapKind } from "../../src/analysis/lapKinds/placedLaps.ts"
import { AnalysisWorkers } from "../../src/archive/AnalysisWorkers.ts"
import { until } from "../live/support.ts"
import { inside, serviceInside } from "../support/inside.ts"
import { sending, service } from "../support/service.ts"
import { storeDrive } from "./stored.ts"

it.scopedLive("the analysis answers 404 for what is missing, and for sessions without laps normally", () =>
  Effect.gen(function* () {
    const { json } = yield* service()
    for (const [path, detail] of [
      ["stats/driver/nobody", "Driver nobody was not found"],
      ["stats/circuit/Nowhere%20Ring", 'Circuit "Nowhere Ring" was not found'],
      ["compare?lap_ids=5,%203&lap_ids=4", "Lap 5 was not found"]
    ]) {
      expect(yield* json(`/api/v1/${path}`)).toMatchObject({ status: 404, body: { detail } })
    }
    expect(yield* json("/api/v1/stats/best-laps")).toMatchObject({ status: 200, body: [] })

    const names = { circuit: "Spa", vehicle: "GT3", driver: "Ann" }
    yield* json("/api/v1/sessions", sending("POST", names))
    expect((yield* json("/api/v1/analysis/anomalies/1")).body).toMatchObject({ anomalies: [], total: 0 })
    expect((yield* json("/api/v1/analysis/predictions/1")).body).toMatchObject({
      predicted_lap_time: null,
      confidence_interval: null,
      laps_used: 0
    })
    expect((yield* json("/api/v1/analysis/micro-sectors/1")).body).toEqual({
      algorithm_version: expect.any(String),
      session_id: 1,
      bounds: [],
      laps: [],
      best: [],
      theoretical_best: null,
      feasible_best: null,
      feasible_best_reason: "No lap has a sound piece",
      left_out: [],
      missing_channels: []
    })
    expect((yield* json("/api/v1/analysis/consistency/1")).body).toMatchObject({
      session_id: 1,
      times: { laps: 0, best: null, mean: null, standard_deviation: null },
      line: null
    })
    expect((yield* json("/api/v1/stats/driver/ANN")).body).toEqual({
      driver_name: "Ann",
      total_sessions: 1,
      total_laps: 0,
      best_lap_time: null,
      avg_lap_time: null,
      total_distance: 0,
      circuits: [{ circuit: "Spa", laps: 0, best_lap_time: null, avg_lap_time: null, total_distance: 0 }]
    })
    // Deleted sessions are not counted, but the driver is still known.
    expect((yield* json("/api/v1/stats/driver/ann?circuit=monza")).body).toEqual({
      driver_name: "Ann",
      total_sessions: 0,
      total_laps: 0,
      best_lap_time: null,
      avg_lap_time: null,
      total_distance: 0,
      circuits: []
    })
    expect((yield* json("/api/v1/stats/circuit/spa")).body).toMatchObject({
      circuit_name: "Spa",
      best_lap: null,
      drivers: ["Ann"]
    })
  })
)

inside("a client that hangs up ends the computation", () =>
  Effect.gen(function* () {
    const [begun, ended] = yield* Effect.all([Deferred.make<void>(), Deferred.make<void>()])
    const computing = Deferred.succeed(begun, undefined).pipe(
      Effect.zipRight(Effect.never),
      Effect.onInterrupt(() => Deferred.succeed(ended, undefined))
    )
    const running = yield* serviceInside({
      workers: Layer.mock(AnalysisWorkers, { anomalies: () => computing })
    })
    yield* storeDrive(running, { count: 50, laps: 2, lapPoints: 20 })
    const client = new AbortController()
    const url = `${running.url}/api/v1/analysis/anomalies/1`
    const response = fetch(url, { signal: client.signal }).catch((error: Error) => error.name)
    yield* Deferred.await(begun)
    client.abort()
    yield* Deferred.await(ended)
    expect(yield* Effect.promise(() => response)).toBe("AbortError")
  })
)

inside("simultaneous equal requests are computed once, over REST and tRPC", () =>
  Effect.gen(function* () {
    const done = yield* Deferred.make<never>()
    let begun = 0
    const computing = Effect.suspend(() => {
      begun++
      return Deferred.await(done)
    })
    const running = yield* serviceInside({
      workers: Layer.mock(AnalysisWorkers, { anomalies: () => computing })
    })
    yield* storeDrive(running, { count: 50, laps: 2, lapPoints: 20 })
    const rest = Array.from({ length: 10 }, () => running.json("/api/v1/analysis/anomalies/1"))
    const input = encodeURIComponent(JSON.stringify({ sessionId: 1 }))
    const trpc = Array.from({ length: 10 }, () => running.json(`/trpc/analysis.anomalies?input=${input}`))
    const asking = yield* Effect.fork(Effect.all([...rest, ...trpc], { concurrency: "unbounded" }))
    yield* Effect.promise(() => until(() => begun > 0))
    yield* Deferred.succeed(done, { anomalies: sessionAnomalies(1, []), kinds: new Map() } as never)
    const answers = yield* Fiber.join(asking)
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 200))
    expect(begun).toBe(1)
  })
)

const record = (session: ReadonlyArray<{ readonly lapNumber: number }>) =>
  Effect.die(new RangeError(`asked of laps ${session.map(({ lapNumber }) => lapNumber).join()}`))

inside("consistency and micro-sectors are of running laps, and predictions know the others", () =>
  Effect.gen(function* () {
    const asked: Array<unknown> = []
    const running = yield* serviceInside({
      workers: Layer.mock(AnalysisWorkers, {
        anomalies: (_, session) => {
          const kinds = new Map([[session[1]!.id, new Set<LapKind>(["in_lap"])]])
          return Effect.succeed({ anomalies: sessionAnomalies(1, []), kinds })
        },
        consistency: (session) => record(session),
        microSectors: (laps) => Effect.flatMap(laps, (read) => record(read.map(({ lap }) => lap))),
        prediction: (session, kinds) => {
          asked.push([...kinds].map(([id]) => session.find((lap) => lap.id === id)!.lapNumber))
          return record(session)
        }
      })
    })
    yield* storeDrive(running, { count: 400, laps: 4, lapPoints: 100 })
    for (const question of ["consistency", "micro-sectors", "predictions"]) {
      expect((yield* running.json(`/api/v1/analysis/${question}/1`)).status).toBe(500)
    }
    const errors = running.logged.filter(({ level }) => level === "ERROR")
    expect(errors.map(({ text }) => /asked of laps [\d,]*/.exec(text)?.[0])).toEqual([
      "asked of laps 1,3,4",
      expect.stringMatching(/^asked of laps 1,3,4$|^asked of laps (?:[134],){2}[134]$/),
      "asked of laps 1,2,3,4"
    ])
    expect(asked).toEqual([[2]])
  })
)
