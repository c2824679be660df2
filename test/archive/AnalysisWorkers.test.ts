/** The workers' threads return the results of the pure functions. */
import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { align } from "../../src/analysis/place/alignment.ts"
import { sessionAnomalies } from "../../src/analysis/anomalies/anomalies.ts"
import { compare, compareTraced } from "../../src/analysis/compare/comparison.ts"
import { consistency } from "../../src/analysis/compare/consistency.ts"
import { microSectors } from "../../src/analysis/compare/microSectors.ts"
import { predictNextLap } from "../../src/analysis/predictions/predictions.ts"
import { AnalysisWorkers } from "../../src/archive/AnalysisWorkers.ts"
import { channels } from "../../src/domain/pointChannels.ts"
import { RowBatch } from "../../src/domain/RowBatch.ts"
import { drive, drivenLap } from "../analysis/lapData.ts"

/** The same laps at each call, in new memory. */
const driven = () => {
  const from = drive()
  return [2, 3, 4, 5].map((lap) => drivenLap(from, lap))
}

const records = driven().map(({ lap }) => lap)

it.scopedLive("AnalysisWorkers returns the results of the functions of analysis/", () =>
  Effect.gen(function* () {
    const workers = yield* AnalysisWorkers
    const reading = Effect.sync(driven)
    expect((yield* workers.compare(reading)).answer).toEqual(compare(driven()))
    const { answer: traced } = yield* workers.compareTraced(reading, [])
    expect(traced).toEqual(compareTraced(driven()))
    expect(traced.traces[0]!.speed).toBeInstanceOf(Float64Array)
    const whole = { judged: records.map(({ id }) => id), laps: reading }
    expect(yield* workers.anomalies(7, records, [whole])).toEqual({
      anomalies: sessionAnomalies(7, driven()),
      kinds: new Map()
    })
    const alignment = align(driven())!
    const pieces = yield* workers.microSectors(reading)
    expect(pieces).toEqual({ ...microSectors(alignment), missingChannels: [] })
    expect(pieces.feasibleBest!.piecesTime).toBeGreaterThanOrEqual(pieces.theoreticalBest!)
    const alike = yield* workers.consistency(records, reading)
    expect(alike).toEqual({ ...consistency(records, alignment), missingChannels: [] })
    expect(alike.line!.laps).toBe(4)
    expect(yield* workers.prediction(records, new Map())).toEqual(predictNextLap(records))
  }).pipe(Effect.provide(AnalysisWorkers.layer))
)

it.scopedLive("AnalysisWorkers transfers the points, and only the lap's points of a longer batch", () =>
  Effect.gen(function* () {
    const workers = yield* AnalysisWorkers
    const whole = driven()
    yield* workers.compare(Effect.succeed(whole))
    expect(whole.map(({ points }) => points.data.length)).toEqual([0, 0, 0, 0])
    const long = new Float64Array(20)
    const parts = records.map((lap) => ({ lap, points: new RowBatch(1, long.subarray(10), channels) }))
    expect((yield* workers.compare(Effect.succeed(parts))).answer.method).toBe(null)
    expect(long.length).toBe(20)
  }).pipe(Effect.provide(AnalysisWorkers.layer))
)

it.scopedLive("AnalysisWorkers returns no pieces and no line without laps", () =>
  Effect.gen(function* () {
    const workers = yield* AnalysisWorkers
    expect(yield* workers.microSectors(Effect.succeed([]))).toMatchObject({
      bounds: [],
      laps: [],
      best: [],
      theoreticalBest: null,
      feasibleBest: null
    })
    const times = { laps: 0, best: null, mean: null, median: null, relative: null }
    expect(yield* workers.consistency([], Effect.succeed([]))).toMatchObject({ times, line: null })
  }).pipe(Effect.provide(AnalysisWorkers.layer))
)
