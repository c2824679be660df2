/**
 * Reads laps with their points, and the points around them. Consecutive laps are read together: a block of a store
 * holds the points of several laps, and is decoded once for all of them.
 */
import { type Context, Effect, Stream } from "effect"
import type { LapData } from "../analysis/place/alignment.ts"
import { POINTS } from "../domain/Dictionary.ts"
import type { SessionUnreadable } from "../domain/errors.ts"
import type { RecordedLap } from "../domain/Lap.ts"
import { channels } from "../domain/pointChannels.ts"
import { lowerBound, RowBatch } from "../domain/RowBatch.ts"
import type { RowStore } from "../store/RowStore.ts"

/** Seconds around a lap whose points show where it crossed the line. */
export const MARGIN_S = 2
/** The maximum number of laps that are read together; their points are in memory twice for a moment. */
const MAX_TOGETHER = 16

/** Runs of laps of one session, each of which begins when the last has ended, or soon after. */
const runsOf = (laps: ReadonlyArray<RecordedLap>): ReadonlyArray<ReadonlyArray<RecordedLap>> => {
  const runs: Array<Array<RecordedLap>> = []
  for (const lap of laps) {
    const run = runs.at(-1)
    const last = run?.at(-1)
    const follows =
      run !== undefined &&
      last !== undefined &&
      run.length < MAX_TOGETHER &&
      last.sessionId === lap.sessionId &&
      lap.startTime >= last.startTime &&
      lap.startTime - last.endTime <= 2 * MARGIN_S
    if (follows) run.push(lap)
    else runs.push([lap])
  }
  return runs
}

const readRun = Effect.fn("readRun")(function* (
  points: Context.Tag.Service<RowStore>,
  laps: ReadonlyArray<RecordedLap>
) {
  const sessionId = laps[0]!.sessionId
  const from = laps[0]!.startTime - MARGIN_S
  const until = Math.max(...laps.map(({ endTime: end_time }) => end_time)) + MARGIN_S
  const batches = yield* Stream.runCollect(points.read({ sessionId, group: POINTS, from, until }, channels))
  const whole = batches.length === 0 ? RowBatch.allocate(0, channels) : RowBatch.concat([...batches])
  if (laps.length === 1) return [{ lap: laps[0]!, points: whole }]
  const t = whole.timestamps
  return laps.map((lap) => {
    const around = whole.slice(lowerBound(t, lap.startTime - MARGIN_S), lowerBound(t, lap.endTime + MARGIN_S))
    return { lap, points: around === whole ? whole.copy() : around }
  })
})

/** In the order of `laps`. Each has memory of its own, which the caller may give away. */
export const readLaps = (
  points: Context.Tag.Service<RowStore>,
  laps: ReadonlyArray<RecordedLap>
): Effect.Effect<ReadonlyArray<LapData>, SessionUnreadable> =>
  Effect.map(
    Effect.forEach(runsOf(laps), (run) => readRun(points, run)),
    (read) => read.flat()
  )

export const copiedLaps = (laps: ReadonlyArray<LapData>): ReadonlyArray<LapData> =>
  laps.map(({ around, lap, points }) => ({
    lap,
    points: points.copy(),
    ...(around !== undefined && {
      around: around.map(({ batch, kinds }) => ({ batch: batch.copy(), kinds }))
    })
  }))
