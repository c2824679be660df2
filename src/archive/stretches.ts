/** A session cut along its laps. */
import type { LapSpan, RecordedLap } from "../domain/Lap.ts"

export interface Stretch extends LapSpan {
  /** Null for a stretch before, between or after the laps. */
  readonly lap: RecordedLap | null
}

/** All of a session in the order of time. Together the stretches have each point once. */
export const stretchesOf = (laps: ReadonlyArray<RecordedLap>): ReadonlyArray<Stretch> => {
  let from = -Infinity
  const stretches = laps
    .toSorted((a, b) => a.startTime - b.startTime)
    .flatMap((lap): ReadonlyArray<Stretch> => {
      const before = { lap: null, startTime: from, endTime: lap.startTime }
      from = lap.endTime
      return [before, { lap, startTime: lap.startTime, endTime: lap.endTime }]
    })
  return [...stretches, { lap: null, startTime: from, endTime: Infinity }].filter(
    ({ endTime, lap, startTime }) => lap !== null || startTime < endTime
  )
}
