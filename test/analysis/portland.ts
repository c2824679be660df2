/** A real race car at Portland by GPS: laps cut as the service cuts them, by the start line alone. */
import { readFileSync } from "node:fs"
import { gunzipSync } from "node:zlib"
import type { LapData } from "../../src/analysis/place/alignment.ts"
import { lowerBound, type PointBatch, RowBatch } from "../../src/domain/RowBatch.ts"
import { LapTracker } from "../../src/recording/laps/LapTracker.ts"
import type { LapCut } from "../../src/recording/laps/laps.ts"
import { NativeDecoder } from "../../src/simulators/drivers/native/NativeDecoder.ts"
import { readOfficial, recordingFile } from "../support/processes.ts"
import { isPoints } from "../simulators/rows.ts"

/** The time before and after a lap of which the service gives the points to the analysis, s. */
const MARGIN_S = 2

/** All laps in order, the first and last of them not whole; times are the recording's own, from 0. */
export const portlandLaps = (): ReadonlyArray<LapData> => {
  const decoder = new NativeDecoder()
  let tracker: LapTracker | undefined
  const cuts: Array<LapCut> = []
  const batches: Array<PointBatch> = []
  for (const line of gunzipSync(readFileSync(recordingFile("portland-gps")))
    .toString()
    .split("\n")) {
    const event = line === "" ? undefined : decoder.decode([line])[0]
    if (event?._tag === "SessionStarted") tracker = new LapTracker(event)
    if (!isPoints(event)) continue
    cuts.push(...tracker!.points(event))
    batches.push(event.batch)
  }
  cuts.push(...tracker!.finish())
  const all = RowBatch.concat(batches)
  const t = all.timestamps
  return cuts.map((cut, index) => ({
    lap: { ...cut, id: index + 1, sessionId: 1 },
    points: all.slice(lowerBound(t, cut.startTime - MARGIN_S), lowerBound(t, cut.endTime + MARGIN_S))
  }))
}

/** The reference's lap times: the crossings of the gates, interpolated by another project in the same GPS. */
export const portlandOfficial = (): ReadonlyMap<number, number> =>
  new Map(
    readOfficial("portland-gps").laps.map((lap) => [
      Number(lap["lap_number"]),
      Number(lap["reference_lap_time"])
    ])
  )
