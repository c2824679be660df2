/** The laps of a Le Mans Ultimate database: its events of laps, times and pits (formats.md, 3.3). */
import type { Crossing } from "../../tables/Crossings.ts"

/** The rows of an event: when its value changed, on the clock of `GPS Time`, and to what. */
export interface EventRows {
  /** s, increasing. */
  readonly times: Float64Array
  readonly values: Float64Array
}

/** A lap's times stand this close to the crossing that ends it, s. */
const NEAR_S = 0.05

/** The value of the row nearest to `time`, if it is near; undefined if it is 0, which stands for no time. */
const near = ({ times, values }: EventRows, time: number): number | undefined => {
  let best = -1
  for (let i = 0; i < times.length; i++) {
    if (best < 0 || Math.abs(times[i]! - time) < Math.abs(times[best]! - time)) best = i
  }
  return best >= 0 && Math.abs(times[best]! - time) <= NEAR_S && values[best]! > 0 ? values[best]! : undefined
}

/** Whether a flag was up at some time between two. */
const wasUp = ({ times, values }: EventRows, from: number, to: number): boolean =>
  times.some((time, i) => values[i]! > 0 && time < to && (times[i + 1] ?? Infinity) > from)

/**
 * The crossings of the line: each row of `Lap` after the first. `timeOf`: epoch seconds of a time of `GPS Time`. A lap on
 * which the car was in the pits is not valid; the file has no other validity.
 */
export const crossingsOf = (
  events: (name: string) => EventRows,
  timeOf: (time: number) => number
): ReadonlyArray<Crossing> => {
  const [laps, lapTimes, firsts, seconds, pits] = [
    events("Lap"),
    events("Lap Time"),
    events("Last Sector1"),
    events("Last Sector2"),
    events("In Pits")
  ]
  return Array.from(laps.times.subarray(1), (time, n): Crossing => {
    const lapTime = near(lapTimes, time)
    const one = near(firsts, time)
    // The time until the end of the second sector.
    const two = near(seconds, time)
    return {
      time: timeOf(time),
      lapTime,
      sectors: [
        one ?? null,
        one === undefined || two === undefined ? null : two - one,
        lapTime === undefined || two === undefined ? null : lapTime - two
      ],
      valid: wasUp(pits, laps.times[n]!, time) ? false : undefined
    }
  })
}
