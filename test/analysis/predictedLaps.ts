/** Laps for predictions, which need only their number, time and validity. */
import type { RecordedLap } from "../../src/domain/Lap.ts"

/** Laps begin a hundred seconds apart. */
export const lapOf = (number: number, lapTime: number | null, valid = true): RecordedLap => ({
  id: number,
  sessionId: 1,
  lapNumber: number,
  lapTime,
  sector1Time: null,
  sector2Time: null,
  sector3Time: null,
  valid,
  startTime: number * 100,
  endTime: number * 100 + 99
})

export const lapsWith = (times: ReadonlyArray<number | null>): ReadonlyArray<RecordedLap> =>
  times.map((time, i) => lapOf(i + 1, time))
