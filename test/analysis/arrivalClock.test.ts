/**
 * Laps whose points have the times of their arrival (`arrivalClock.ts`), held to the same laps by the simulator's own clock: as a
 * network delayed them, and with delays of other kinds.
 */
import { describe, expect, it } from "vitest"
import { compareTraced } from "../../src/analysis/compare/comparison.ts"
import type { LapData } from "../../src/analysis/place/alignment.ts"
import { lowerBound, RowBatch } from "../../src/domain/RowBatch.ts"
import type { LapCut } from "../../src/recording/laps/laps.ts"
import { LapTracker } from "../../src/recording/laps/LapTracker.ts"
import { feedPoints, noFacts, type Row } from "../recording/driving.ts"
import { needing } from "../support/needing.ts"
import { readFeed } from "../support/processes.ts"
import { casesHere, sharedFolder } from "../support/sharedData.ts"

const AROUND_S = 2

/** The laps of a feed by its lap numbers. */
const lapsOf = (rows: ReadonlyArray<Row>): ReadonlyArray<LapCut> => {
  const tracker = new LapTracker(noFacts)
  return [...tracker.points(feedPoints(rows)), ...tracker.finish()]
}

/** The points of laps, with the distances that they report. */
const cut = (rows: ReadonlyArray<Row>, laps: ReadonlyArray<LapCut>): ReadonlyArray<LapData> => {
  const { batch } = feedPoints(rows)
  return laps.map((lap, n) => {
    const from = lowerBound(batch.timestamps, lap.startTime - AROUND_S)
    const to = lowerBound(batch.timestamps, lap.endTime + AROUND_S)
    const distances = RowBatch.allocate(to - from, ["timestamp", "lap_distance"])
    distances.timestamps.set(batch.timestamps.subarray(from, to))
    distances.column("lap_distance").set(rows.slice(from, to).map((row) => row.lap_distance!))
    return {
      lap: { id: n + 1, sessionId: 1, ...lap },
      points: batch.slice(from, to),
      around: [{ batch: distances, kinds: ["continuous", "continuous"] }]
    }
  })
}

const read = (name: string) =>
  readFeed(sharedFolder(`data/cases/analysis/${name}.ndjson.gz`)).points as unknown as ReadonlyArray<Row>

/** The share of places where the deltas of two feeds of one drive agree within what one states, and their greatest difference, s. */
const agreement = (
  exact: ReadonlyArray<LapData>,
  late: ReadonlyArray<LapData>,
  numbers: readonly [number, number]
) => {
  const deltaOf = (laps: ReadonlyArray<LapData>) => {
    const pair = numbers.map((number) => laps.find(({ lap }) => lap.lapNumber === number)!)
    const { fastestLapId, method, traces } = compareTraced(pair)
    // The distance of this simulator is nearly the car's own way, and is not always used.
    return method === "distance" ? traces.find(({ lapId }) => lapId !== fastestLapId) : undefined
  }
  const [truth, found] = [deltaOf(exact), deltaOf(late)]
  if (truth === undefined || found === undefined) return undefined
  let within = 0
  let worst = 0
  for (let n = 0; n < found.distance.length; n++) {
    const same = Math.min(truth.distance.length - 1, lowerBound(truth.distance, found.distance[n]!))
    const error = Math.abs(found.timeDelta[n]! - truth.timeDelta[same]!)
    if (error <= found.timeDeltaUncertainty[n]!) within++
    worst = Math.max(worst, error)
  }
  return { within: within / found.distance.length, worst }
}

/** Of laps at pace. */
const PAIRS = [
  [6, 7],
  [6, 9],
  [6, 10],
  [7, 10]
] as const

/** A generator of numbers from 0 to 1 with a seed (Park & Miller 1988). */
const uniform = (seed: number) => () => (seed = (seed * 48_271) % 2_147_483_647) / 2_147_483_647

/** Delays, s, by the index of a point. */
const delays: Readonly<Record<string, (random: () => number) => (n: number) => number>> = {
  "evenly up to 20 ms": (random) => () => 0.02 * random(),
  "a poll at 50 Hz": () => (n) => ((n * 7) % 10) / 500,
  "bursts of up to 0.2 s": (random) => {
    let held = 0
    return () => (held = held > 0 ? Math.max(0, held - 0.0165) : random() < 0.003 ? 0.2 * random() : 0)
  }
}

describe("a clock of arrivals", needing(casesHere), () => {
  const rows = casesHere.missing === undefined ? read("jitter-oschersleben-exact-clock") : []
  // Both feeds have the times of the laps from the simulator.
  const laps = lapsOf(rows)
  const exact = cut(rows, laps)

  it.each(PAIRS)(
    "is corrected, and its noise stated: laps %d and %d as a network delayed them",
    (...pair) => {
      const { within, worst } = agreement(exact, cut(read("jitter-oschersleben"), laps), pair)!
      expect(within).toBeGreaterThan(0.85)
      expect(worst).toBeLessThan(0.025)
    }
  )

  // Behind it lap 6 gives less throttle, which costs what it was ahead by a later slowest place.
  it("shows the braking that cost all of a loss, not the throttle that follows", () => {
    const pair = [6, 7].map((number) => exact.find(({ lap }) => lap.lapNumber === number)!)
    expect(compareTraced(pair).losses[0]).toMatchObject({ cause: "braking", cornerLabel: "1" })
  })

  it.each(Object.keys(delays))("has the delta within its uncertainty: %s", (kind) => {
    const delay = delays[kind]!(uniform(7))
    let last = 0
    const late = rows.map((row, n) => {
      last = Math.max(last + 1e-6, row.timestamp + delay(n))
      return { ...row, timestamp: last }
    })
    const found = PAIRS.flatMap((pair) => agreement(exact, cut(late, laps), pair) ?? [])
    expect(found.length).toBeGreaterThan(1)
    for (const { within, worst } of found) {
      expect(within).toBeGreaterThan(0.8)
      expect(worst).toBeLessThan(0.04)
    }
  })
})
