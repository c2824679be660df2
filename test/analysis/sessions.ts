/** Sessions to analyse: drives with a known truth, and the real recordings. */
import type { LapData } from "../../src/analysis/place/alignment.ts"
import type { RecordedLap } from "../../src/domain/Lap.ts"
import { channels } from "../../src/domain/pointChannels.ts"
import { lowerBound, RowBatch } from "../../src/domain/RowBatch.ts"
import { circuitNamed } from "../../simulator/model/Circuit.ts"
import { SimulatedDrive } from "../../simulator/model/SimulatedDrive.ts"
import type { DrivenLap } from "../../simulator/model/lap.ts"
import { vehicles } from "../../simulator/model/vehicles.ts"
import { readRecording } from "../support/processes.ts"

/** Epoch seconds at which every drive begins. */
export const START = 1_700_000_000

export interface DrivenData extends LapData {
  readonly driven: DrivenLap
}

export interface DriveWish {
  readonly circuit?: string
  readonly vehicle?: number
  readonly seed?: number
  readonly hz?: number
  readonly laps: number
  /** Which of the driven laps to take; all by default. */
  readonly taken?: (lap: DrivenLap) => boolean
}

/** The first `laps` laps taken of a drive, with the times at which they were driven. */
export const drivenLaps = ({
  circuit = "Hollin Moor",
  hz = 60,
  laps,
  seed = 1,
  taken = () => true,
  vehicle = 0
}: DriveWish): ReadonlyArray<DrivenData> => {
  const drive = new SimulatedDrive({ circuit: circuitNamed(circuit)!, vehicle: vehicles[vehicle]!, seed })
  const found: Array<DrivenData> = []
  for (let number = 1; found.length < laps; number++) {
    const driven = drive.lap(number)
    if (!taken(driven)) continue
    const { batch: columns } = drive.between(driven.start, driven.end, hz)
    const batch = new RowBatch(columns.length, columns.data, channels)
    const timestamps = batch.timestamps
    for (let i = 0; i < timestamps.length; i++) timestamps[i] = timestamps[i]! + START
    found.push({
      driven,
      points: batch,
      lap: {
        id: number,
        sessionId: 1,
        lapNumber: number,
        lapTime: driven.lapTime,
        sector1Time: driven.sectors[0],
        sector2Time: driven.sectors[1],
        sector3Time: driven.sectors[2],
        valid: driven.valid,
        startTime: START + driven.start,
        endTime: START + driven.end
      }
    })
  }
  return found
}

export const withoutMistake = (lap: DrivenLap): boolean => lap.mistake === undefined

/** Laps, taken in order, without the effects of a mistake: a driver who spins before the line is slow after it. */
export const withoutAnyMistake = (): ((lap: DrivenLap) => boolean) => {
  let before: DrivenLap["mistake"]
  return ({ mistake }) => {
    const clean = mistake === undefined && before === undefined
    before = mistake
    return clean
  }
}

/** A copy of a lap's points to be changed. */
export const copyOf = ({ lap, points }: LapData): LapData => ({
  lap,
  points: new RowBatch(points.length, points.data.slice(), points.channels)
})

const recorded = new Map<string, ReadonlyArray<LapData>>()

/** The laps of a real recording by its lap messages, with their points. */
export const recordedLaps = (name: string): ReadonlyArray<LapData> => {
  const known = recorded.get(name)
  if (known !== undefined) return known
  const { laps, points, zero } = readRecording(name)
  const whole = RowBatch.allocate(points.length, channels)
  for (const channel of channels) whole.column(channel).set(points.map((point) => point[channel] ?? 0))
  const t = whole.timestamps
  for (let i = 0; i < t.length; i++) t[i] = t[i]! + zero
  const result = laps.map((message, index): LapData => {
    const startTime = zero + message.start_time
    const endTime = zero + message.end_time
    const { lap_number: lapNumber, lap_time: lapTime, valid } = message
    const sectors = {
      sector1Time: message.sector1_time,
      sector2Time: message.sector2_time,
      sector3Time: message.sector3_time
    }
    return {
      lap: { id: index + 1, sessionId: 1, lapNumber, lapTime, ...sectors, valid, startTime, endTime },
      points: whole.slice(lowerBound(t, startTime), lowerBound(t, endTime))
    }
  })
  recorded.set(name, result)
  return result
}

export const lapsOf = (session: ReadonlyArray<LapData>): ReadonlyArray<RecordedLap> =>
  session.map(({ lap }) => lap)
