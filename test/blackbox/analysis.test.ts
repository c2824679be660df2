/** Analysis and statistics of a real recording, through a real service. */
import { join } from "node:path"
import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import * as Box from "../support/processes.ts"
import { needing } from "../support/needing.ts"
import { recordingsHere } from "../support/sharedData.ts"
import { openSqlite, valueOf } from "../support/sqliteFile.ts"

interface Comparison {
  readonly fastest_lap_id: number
  readonly laps: ReadonlyArray<{ readonly id: number }>
  readonly time_deltas: Readonly<Record<string, Readonly<Record<string, number | null>>>>
  readonly suggestions: ReadonlyArray<string>
  readonly closure: ReadonlyArray<{
    readonly explained: Readonly<Record<"delta" | "lost" | "unnamed" | "gained" | "unsound", number>> | null
  }>
  readonly traces?: ReadonlyArray<{
    readonly lap_id: number
    readonly distance: ReadonlyArray<number>
    readonly time_delta: ReadonlyArray<number>
    readonly speed: ReadonlyArray<number>
  }>
}

interface MicroSectors {
  readonly theoretical_best: number
  readonly feasible_best: null
  readonly feasible_best_reason: string
}

interface Consistency {
  readonly times: { readonly laps: number; readonly best: number; readonly robust_deviation: number }
  readonly line: { readonly laps: number; readonly median: number }
}

/** The stored distance of a session, m; null until it was measured. */
const keptDistance = (data: string) =>
  Effect.acquireUseRelease(
    Effect.sync(() => openSqlite(join(data, "telemetry.sqlite"), { readOnly: true })),
    (file) => Effect.sync(() => valueOf(file, "SELECT distance FROM sessions") as number | null),
    (file) => Effect.sync(() => file.close())
  )

interface Lap {
  readonly id: number
  readonly lap_number: number
}

describe("the analysis of f1-bahrain-2026-ant", needing(recordingsHere), () => {
  it.scopedLive("agrees with the official numbers", () =>
    Effect.gen(function* () {
      const { points } = Box.readRecording("f1-bahrain-2026-ant")
      const official = Box.readOfficial("f1-bahrain-2026-ant").laps
      const data = yield* Box.folder
      const service = yield* Box.startService(data)
      const simulator = yield* Box.startSimulator(
        "--replay",
        Box.recordingFile("f1-bahrain-2026-ant"),
        "--speed",
        "max"
      )
      yield* Box.replayed(service, simulator, points.length)
      const laps = yield* Box.get<ReadonlyArray<Lap>>(service, "/1/laps")
      const idOf = (number: number) => laps.find((lap) => lap.lap_number === number)!.id

      const compared = [15, 12, 7].map(idOf)
      const query = compared.map((id) => `lap_ids=${id}`).join("&")
      const comparison = yield* Box.get<Comparison>(service, `/compare?${query}`)
      expect(comparison.fastest_lap_id).toBe(idOf(15))
      expect(comparison.laps.map((lap) => lap.id)).toEqual(compared)
      expect(comparison.suggestions.length).toBeGreaterThan(0)
      expect(comparison).not.toHaveProperty("traces")
      for (const { explained } of comparison.closure) {
        if (explained === null) continue
        const { delta, gained, lost, unnamed, unsound } = explained
        expect(lost + unnamed + gained + unsound).toBeCloseTo(delta, 9)
      }
      const timesOf = (number: number) => official.find((lap) => lap["lap_number"] === number)!
      for (const number of [15, 12, 7]) {
        const delta = comparison.time_deltas[idOf(number)]!
        for (const [key, time] of [
          ["total", "lap_time"],
          ["sector1", "sector1_time"],
          ["sector2", "sector2_time"],
          ["sector3", "sector3_time"]
        ] as const) {
          expect(delta[key]).toBeCloseTo(Number(timesOf(number)[time]) - Number(timesOf(15)[time]), 6)
        }
      }
      const traced = yield* Box.ask<Comparison>(service, "POST", "/analysis/compare", { lap_ids: compared })
      const { traces, ...rest } = traced.body
      expect(rest).toEqual(comparison)
      for (const trace of traces!) {
        expect(trace.time_delta).toHaveLength(trace.distance.length)
        expect(trace.speed).toHaveLength(trace.distance.length)
        // Steps of a metre, adjusted so that the last node falls on the line.
        expect(trace.distance[1]).toBeCloseTo(1, 3)
      }

      const sectors = yield* Box.get<object>(service, `/analysis/sectors/${idOf(15)}`)
      expect(sectors).toMatchObject({ lap_id: idOf(15), total_time: 93.669, theoretical_best: 93.657 })
      // It was measured at its end, without a request.
      const metres = yield* Box.until(keptDistance(data), (distance) => distance !== null)
      const driver = yield* Box.get<{ readonly avg_lap_time: number; readonly total_distance: number }>(
        service,
        "/stats/driver/KIMI%20antonelli"
      )
      expect(driver.total_distance).toBeCloseTo(metres! / 1000, 6)
      expect(driver).toMatchObject({ driver_name: "Kimi Antonelli", total_sessions: 1, total_laps: 47 })
      expect(Math.abs(driver.avg_lap_time - 103.1468)).toBeLessThan(0.001)
      const { avg_lap_time, total_distance } = driver
      const circuit = "Bahrain International Circuit"
      expect(driver).toMatchObject({
        circuits: [{ circuit, laps: 47, best_lap_time: 93.669, avg_lap_time, total_distance }]
      })
      expect(yield* Box.get(service, "/stats/circuit/Bahrain%20International%20Circuit")).toMatchObject({
        best_lap_time: 93.669,
        theoretical_best: 93.657,
        best_lap: { lap_id: idOf(15), driver: "Kimi Antonelli" }
      })
      const best = yield* Box.get<ReadonlyArray<object>>(service, "/stats/best-laps?limit=2")
      expect(best).toMatchObject([
        { rank: 1, lap_number: 15, lap_time: 93.669 },
        { rank: 2, lap_number: 12, lap_time: 93.9 }
      ])
      const anomalies = yield* Box.get<{
        readonly total: number
        readonly anomalies: ReadonlyArray<{ readonly type: string; readonly lap_number: number }>
      }>(service, "/analysis/anomalies/1")
      expect(anomalies.anomalies).toHaveLength(anomalies.total)
      // Laps to cool down, and the stop between them: none of the driver's.
      expect(anomalies.anomalies.slice(0, 2)).toMatchObject([
        { type: "neutralised", occurrences: [{ lap_number: 8 }, { lap_number: 9 }] },
        { type: "pit_stop", count: 6 }
      ])
      const pieces = yield* Box.get<MicroSectors>(service, "/analysis/micro-sectors/1")
      expect(pieces.theoretical_best).toBeLessThan(93.657)
      expect(pieces.feasible_best).toBe(null)
      expect(pieces.feasible_best_reason).toContain("Noise exceeds the gain")
      const { line, times } = yield* Box.get<Consistency>(service, "/analysis/consistency/1")
      expect(times.best).toBe(93.669)
      expect(times.robust_deviation).toBeLessThan(93.669 * 0.07)
      expect(line.laps).toBeLessThanOrEqual(Math.min(20, times.laps))
      expect(line.median).toBeLessThan(5)
      const prediction = yield* Box.get<object>(service, "/analysis/predictions/1")
      expect(prediction).toMatchObject({
        session_id: 1,
        theoretical_best: 93.657,
        back_test: { mae_model: expect.any(Number), mae_persistence: expect.any(Number) }
      })
    })
  )
})
