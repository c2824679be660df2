/** Laps of which predictions need to know no more than number, time and validity. */
import type { RecordedLap } from "../../src/domain/Lap.ts"

/** Laps begin a hundred seconds apart. */
export const lapOf = (number: number, lap_time: number | null, valid = true): RecordedLap => ({
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

export const lapsWith = (times: ReadonlyArray<number | null>): ReadonlyArray<RecordedLap> =>
  times.map((time, i) => lapOf(i + 1, time))
