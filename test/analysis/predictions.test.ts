import { FastCheck as fc } from "effect"
import { describe, expect, it } from "vitest"
import { predictNextLap } from "../../src/analysis/predictions.ts"
import type { RecordedLap } from "../../src/domain/Lap.ts"
import { readOfficial } from "../blackbox/processes.ts"
import { drivenLaps, lapsOf, recordedLaps } from "./sessions.ts"
import { needing } from "../runner/needing.ts"
import { recordingsHere } from "../runner/sharedData.ts"

const lapOf = (number: number, lap_time: number | null, valid = true): RecordedLap => ({
  id: number,
  session_id: 1,
  lap_number: number,
  lap_time,
  sector1_time: null,
  sector2_time: null,
  sector3_time: null,
  valid,
  start_time: number * 100,
  end_time: number * 100 + 99
})
const lapsWith = (times: ReadonlyArray<number>) => times.map((time, i) => lapOf(i + 1, time))

describe("a prediction", () => {
  it("needs 3 valid laps at pace, and says so", () => {
    for (const laps of [
      [],
      lapsWith([90]),
      [...lapsWith([90, 91, 120]), lapOf(4, 90, false), lapOf(5, null)]
    ]) {
      const found = predictNextLap(laps)
      expect(found).toMatchObject({
        predicted_lap_time: null,
        confidence_interval: null,
        confidence_level: null,
        consistency: null,
        trend_per_lap: null
      })
      expect(found.message).toMatch(/^At least 3 valid laps .* there (is|are) \d/)
    }
  })

  it("follows a steady trend, and is then the model's", () => {
    const found = predictNextLap(lapsWith(Array.from({ length: 12 }, (_, i) => 95 - 0.1 * i)))
    expect(found.trend_per_lap).toBeCloseTo(-0.1, 6)
    expect(found.back_test.answered_by).toBe("model")
    expect(found.predicted_lap_time).toBeLessThan(93.9)
    expect(found.consistency).toBeCloseTo(0, 6)
  })

  it("answers with the last lap where that was better", () => {
    const { back_test, predicted_lap_time } = predictNextLap(
      lapsWith([95, 95, 95, 93, 93, 93, 91, 91, 91, 90])
    )
    expect(back_test.mae_persistence).toBeLessThan(back_test.mae_model!)
    expect(back_test.answered_by).toBe("persistence")
    expect(predicted_lap_time).toBe(90)
  })

  it("lies in its interval, which does not depend on the order of the laps", () => {
    const time = fc.double({ min: 90, max: 95, noNaN: true })
    fc.assert(
      fc.property(fc.array(time, { minLength: 3, maxLength: 20 }), (times) => {
        const found = predictNextLap(lapsWith(times))
        const [low, high] = found.confidence_interval!
        expect(low).toBeLessThanOrEqual(found.predicted_lap_time!)
        expect(high).toBeGreaterThanOrEqual(found.predicted_lap_time!)
        expect(predictNextLap(lapsWith(times).reverse())).toEqual(found)
      })
    )
  })

  it("scales with time", () => {
    const times = [93.1, 92.8, 93.4, 92.7, 92.9, 93.0]
    const one = predictNextLap(lapsWith(times))
    const two = predictNextLap(lapsWith(times.map((time) => 2 * time)))
    expect(two.predicted_lap_time).toBeCloseTo(2 * one.predicted_lap_time!, 5)
    expect(two.consistency).toBeCloseTo(2 * one.consistency!, 5)
    expect(two.trend_per_lap).toBeCloseTo(2 * one.trend_per_lap!, 5)
  })

  // Protects the trend where a race is begun again: lap numbers that go back are another stint, and no line leads there.
  it("begins a stint where the numbers begin again", () => {
    const first = lapsWith([100, 99, 98, 97, 96, 95, 94])
    const again = lapsWith([96, 96.1, 96.2, 96.3]).map((lap) => ({
      ...lap,
      id: lap.id + 10,
      start_time: lap.start_time + 1000
    }))
    expect(predictNextLap([...first, ...again]).trend_per_lap).toBeCloseTo(0.1, 6)
  })

  it("of drives: the model beats persistence", () => {
    let model = 0
    let persistence = 0
    for (const seed of [1, 2, 3, 4]) {
      const { back_test } = predictNextLap(lapsOf(drivenLaps({ laps: 30, seed, hz: 1 })))
      model += back_test.mae_model!
      persistence += back_test.mae_persistence!
    }
    expect(model).toBeLessThan(persistence)
  })
})

const portland = () =>
  readOfficial("portland-gps").laps.map((lap) => ({
    ...lapOf(Number(lap["lap_number"]), Number(lap["gate_lap_time"])),
    start_time: Number(lap["start_t"])
  }))

describe("on real sessions", needing(recordingsHere), () => {
  it.each([
    ["f1-bahrain-2026-ant", () => lapsOf(recordedLaps("f1-bahrain-2026-ant")), 30],
    ["ams2-road-america", () => lapsOf(recordedLaps("ams2-road-america")), 14],
    ["portland-gps", portland, 14]
  ] as const)("%s: the interval holds as often as it says, within 10 points", (_, laps, used) => {
    const { back_test, confidence_level, laps_used } = predictNextLap(laps())
    expect(laps_used).toBe(used)
    expect(back_test.predictions).toBe(used - 1)
    expect(Math.abs(back_test.coverage! - confidence_level!)).toBeLessThanOrEqual(0.1)
    const { answered_by, mae_model, mae_persistence } = back_test
    expect(answered_by).toBe(mae_model! < mae_persistence! ? "model" : "persistence")
  })

  it("f1-bahrain-2026-ant: the theoretical best is the published one", () => {
    expect(predictNextLap(lapsOf(recordedLaps("f1-bahrain-2026-ant"))).theoretical_best).toBe(93.657)
  })
})
