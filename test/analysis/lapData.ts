/** Laps for tests of the analysis: driven by the bundled simulator's model, or read from real recordings. */
import { channels } from "../../src/domain/pointChannels.ts"
import { lowerBound, RowBatch } from "../../src/domain/RowBatch.ts"
import type { RecordedLap } from "../../src/domain/Lap.ts"
import type { LapData } from "../../src/analysis/place/alignment.ts"
import { circuitNamed } from "../../simulator/model/Circuit.ts"
import { SimulatedDrive } from "../../simulator/model/SimulatedDrive.ts"
import { vehicles } from "../../simulator/model/vehicles.ts"
import { readFeed, recordingFile } from "../support/processes.ts"

/** The time before and after a lap of which the analysis gets the points, s. */
const MARGIN_S = 2

export const drive = (circuit = "Hollin Moor", vehicle = 0, seed = 1) =>
  new SimulatedDrive({ circuit: circuitNamed(circuit)!, vehicle: vehicles[vehicle]!, seed })

/** A lap of a drive, with `margin` seconds around it; a drive begins at epoch second `epoch`. */
export const drivenLap = (
  from: SimulatedDrive,
  lapNumber: number,
  rate = 60,
  margin = MARGIN_S,
  epoch = 1000
): LapData => {
  const driven = from.lap(lapNumber)
  const columns = from.between(Math.max(0, driven.start - margin), driven.end + margin, rate).batch
  const batch = new RowBatch(columns.length, columns.data, channels)
  const time = batch.timestamps
  for (let i = 0; i < time.length; i++) time[i] = time[i]! + epoch
  const lap: RecordedLap = {
    id: lapNumber,
    sessionId: 1,
    lapNumber,
    lapTime: driven.lapTime,
    sector1Time: driven.sectors[0],
    sector2Time: driven.sectors[1],
    sector3Time: driven.sectors[2],
    valid: driven.valid,
    startTime: epoch + driven.start,
    endTime: epoch + driven.end
  }
  return { lap, points: batch }
}

/** The laps of a recording by their own messages, each with the points around it. */
export const recordedLaps = (name: string, margin = MARGIN_S): ReadonlyArray<LapData> =>
  lapsIn(recordingFile(name), margin)

/** The same of a file with a native feed. */
export const lapsIn = (file: string, margin = MARGIN_S): ReadonlyArray<LapData> => {
  const { laps, points, zero } = readFeed(file)
  const all = RowBatch.allocate(points.length, channels)
  channels.forEach((channel) => {
    const column = all.column(channel)
    points.forEach((point, i) => (column[i] = point[channel]! + (channel === "timestamp" ? zero : 0)))
  })
  return laps.map((lap, index) => {
    const start = zero + lap.start_time
    const end = zero + lap.end_time
    return {
      lap: {
        id: index + 1,
        sessionId: 1,
        lapNumber: lap.lap_number,
        lapTime: lap.lap_time,
        sector1Time: lap.sector1_time,
        sector2Time: lap.sector2_time,
        sector3Time: lap.sector3_time,
        valid: lap.valid,
        startTime: start,
        endTime: end
      },
      points: all.slice(lowerBound(all.timestamps, start - margin), lowerBound(all.timestamps, end + margin))
    }
  })
}
