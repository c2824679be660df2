/** The analysis of driven laps over HTTP: the answers have the described shapes, nothing more and nothing less. */
import { expect, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { type Channel, channels } from "../../src/domain/pointChannels.ts"
import { MAX_ANALYSED } from "../../src/archive/AnalysisService.ts"
import * as Analysis from "../../src/operations/analysis.ts"
import { circuit } from "../../src/operations/configuration.ts"
import { storeLaps } from "./drivenLaps.ts"
import { sending, service, type Service } from "../support/service.ts"

const asking =
  ({ json }: Service) =>
  <A, I>(shape: Schema.Schema<A, I>, path: string, init?: RequestInit) =>
    Effect.map(json(`/api/v1${path}`, init), ({ body, status }) => {
      expect([path, status]).toEqual([path, 200])
      return Schema.decodeUnknownSync(shape)(body, { onExcessProperty: "error" })
    })

it.scopedLive("answers have the described shapes", () =>
  Effect.gen(function* () {
    const running = yield* service()
    const ask = asking(running)
    const { laps } = yield* storeLaps(running, 6)
    const ids = laps.slice(1).map((lap) => lap.id)
    const compared = yield* ask(
      Analysis.compare.answer,
      `/compare?${ids.map((id) => `lap_ids=${id}`).join("&")}`
    )
    expect(compared.losses.length).toBeGreaterThan(0)
    const [first, ...others] = ids
    const mixed = `/compare?lap_ids=${others.join(",")}&lap_ids=${first}`
    expect((yield* ask(Analysis.compare.answer, mixed)).time_deltas).toEqual(compared.time_deltas)
    expect(compared.corners.length).toBeGreaterThan(3)
    const { traces, ...traced } = yield* ask(
      Analysis.compareTraced.answer,
      "/analysis/compare",
      sending("POST", { lap_ids: ids })
    )
    expect(traced).toEqual(compared)
    expect(traces.map(({ lap_id }) => lap_id)).toEqual(ids)
    for (const { distance, speed, time_delta } of traces) {
      expect(speed).toHaveLength(distance.length)
      expect(time_delta).toHaveLength(distance.length)
    }

    const pieces = yield* ask(Analysis.microSectors.answer, "/analysis/micro-sectors/1")
    expect(pieces.bounds).toHaveLength(pieces.best.length + 1)
    const times = new Map(laps.map((lap) => [lap.id, lap.lapTime!]))
    for (const lap of pieces.laps) {
      expect(lap.times.reduce<number>((a, b) => a + b!, 0)).toBeCloseTo(times.get(lap.lap_id)!, 3)
    }
    const { interval, pieces_time } = pieces.feasible_best!
    expect(pieces_time).toBeGreaterThanOrEqual(pieces.theoretical_best!)
    expect(interval[1]).toBeLessThan(Math.min(...times.values()))

    const alike = yield* ask(Analysis.consistency.answer, "/analysis/consistency/1")
    expect(alike.line!.laps).toBe(alike.times.laps)
    expect(alike.line!.widest.spread).toBe(Math.max(...alike.line!.spread))

    yield* ask(Analysis.sectors.answer, `/analysis/sectors/${ids[0]}`)
    yield* ask(Analysis.anomalies.answer, "/analysis/anomalies/1")
    yield* ask(Analysis.predictions.answer, "/analysis/predictions/1")
  })
)

it.scopedLive("answers for laps that lack channels have the described shapes, and name these channels", () =>
  Effect.gen(function* () {
    for (const undeclared of [
      ["rpm", "throttle", "brake", "steering", "position_z"],
      ["speed"],
      ["position_x", "position_y", "position_z"],
      channels.slice(1)
    ] as const) {
      const running = yield* service()
      const ask = asking(running)
      const { id, laps } = yield* storeLaps(running, 4, { rate: 20, undeclared })
      const ids = laps.slice(1).map((lap) => lap.id)
      const missing = (used: ReadonlyArray<Channel>) =>
        channels.filter((channel) => undeclared.some((one) => one === channel) && used.includes(channel))
      const compared = yield* ask(
        Analysis.compareTraced.answer,
        "/analysis/compare",
        sending("POST", { lap_ids: ids })
      )
      const placing = ["speed", "position_x", "position_y"] as const
      const traced = ["gear", "throttle", "brake", "steering", ...placing] as const
      expect(compared.missing_channels).toEqual(missing(traced))
      const { corners } = yield* ask(circuit.answer, "/config/circuits/monza")
      for (const found of [compared.corners, corners]) {
        const by = compared.method === null ? [] : [compared.method]
        expect([...new Set(found.map(({ found_by }) => found_by))]).toEqual(by)
        expect(found.every(({ direction }) => (direction === null) === (compared.method === "speed"))).toBe(
          true
        )
      }
      for (const trace of compared.traces) {
        const silent = traced.filter((channel) => trace[channel].every((value) => value === null))
        expect(missing(silent)).toEqual(missing(traced))
        expect(silent).toHaveLength(missing(traced).length)
      }
      const answer = yield* ask(Analysis.anomalies.answer, `/analysis/anomalies/${id}`)
      expect(answer.missing_channels).toEqual(missing(["rpm", ...traced]))
      for (const [shape, path] of [
        [Analysis.sectors.answer, `sectors/${ids[0]}`],
        [Analysis.microSectors.answer, `micro-sectors/${id}`],
        [Analysis.consistency.answer, `consistency/${id}`]
      ] as const) {
        const { missing_channels } = yield* ask<
          { readonly missing_channels: ReadonlyArray<string> },
          unknown
        >(shape as never, `/analysis/${path}`)
        expect([path, missing_channels]).toEqual([path, missing(placing)])
      }
    }
  })
)

it.scopedLive("only the fastest comparable laps are analysed, up to a limit", () =>
  Effect.gen(function* () {
    const running = yield* service()
    const { id, laps } = yield* storeLaps(running, MAX_ANALYSED + 5, { rate: 10 })
    const ask = asking(running)
    const pieces = yield* ask(Analysis.microSectors.answer, `/analysis/micro-sectors/${id}`)
    const best = Math.min(...laps.flatMap((lap) => (lap.valid ? [lap.lapTime!] : [])))
    const fastest = laps
      .filter((lap) => lap.valid && lap.lapTime! <= 1.07 * best)
      .toSorted((a, b) => a.lapTime! - b.lapTime!)
      .slice(0, MAX_ANALYSED)
    expect(pieces.laps.map(({ lap_id }) => lap_id)).toEqual(fastest.map((lap) => lap.id))
    const { line, times } = yield* ask(Analysis.consistency.answer, `/analysis/consistency/${id}`)
    expect(line!.laps).toBe(MAX_ANALYSED)
    expect(times.laps).toBeGreaterThan(MAX_ANALYSED)
  })
)

it.scopedLive("one lap, and laps without points, have an answer", () =>
  Effect.gen(function* () {
    const running = yield* service()
    const ask = asking(running)
    const { id, laps } = yield* storeLaps(running, 1)
    const [lap] = laps
    expect(yield* ask(Analysis.microSectors.answer, `/analysis/micro-sectors/${id}`)).toMatchObject({
      laps: [{ lap_id: lap!.id }],
      feasible_best: null,
      feasible_best_reason: "The best lap gains nothing: there is no other lap"
    })
    expect(yield* ask(Analysis.consistency.answer, `/analysis/consistency/${id}`)).toMatchObject({
      times: { laps: 1, mean: expect.closeTo(lap!.lapTime!, 5), standard_deviation: null },
      line: null
    })
    const other = (yield* storeLaps(running, 1)).id
    yield* running.points.remove(other)
    const bare = yield* ask(Analysis.microSectors.answer, `/analysis/micro-sectors/${other}`)
    expect(bare).toMatchObject({ laps: [], bounds: [], theoretical_best: null, feasible_best: null })
    expect((yield* ask(Analysis.consistency.answer, `/analysis/consistency/${other}`)).line).toBe(null)
  })
)
