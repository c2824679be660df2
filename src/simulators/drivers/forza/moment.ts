/** The state of the race in one packet. */
import type { Format } from "./formats.ts"

/** A race time that went back below this started anew; above this, the race was rewound, s. */
const RACE_BEGINS_S = 3
/** No rewind goes further back: a race started anew, and its first seconds were not heard, s. */
const MAX_REWIND_S = 60

/** Times in seconds, distances in metres. */
export interface Moment {
  readonly format: Format
  /** TimestampMS: ms, wraps around. */
  readonly stamp: number
  readonly car: number
  readonly track: number
  readonly speed: number
  /** Since the start of the race. */
  readonly raceTime: number
  readonly distance: number
  /** The current lap, counted from 0. */
  readonly lap: number
  readonly currentLap: number
  readonly lastLap: number
}

export const momentOf = (bytes: Buffer, format: Format): Moment => {
  const { read } = format.packet
  return {
    format,
    stamp: read.timestampMS(bytes),
    car: read.carOrdinal(bytes),
    track: format.tracks ? read.trackOrdinal(bytes) : -1,
    speed: read.speed(bytes),
    raceTime: read.currentRaceTime(bytes),
    distance: read.distanceTraveled(bytes),
    lap: read.lapNumber(bytes),
    currentLap: read.currentLap(bytes),
    lastLap: read.lastLap(bytes)
  }
}

export const isSound = ({ currentLap, distance, lastLap, raceTime, speed }: Moment): boolean =>
  Number.isFinite(currentLap + distance + lastLap + raceTime + speed)

/** ms from one TimestampMS to another, across its wrap-around. */
export const stampsBetween = (earlier: Moment, later: Moment): number => (later.stamp - earlier.stamp) >>> 0

/** Whether a race or a lap is timed; in free roam, and on the grid, none is. */
export const isTimed = ({ currentLap, lap, raceTime }: Moment): boolean =>
  raceTime > 0 || currentLap > 0 || lap > 0

/** Whether a race started anew between two packets; otherwise a clock or counter that went back was rewound. */
export const isNewRace = (last: Moment, now: Moment): boolean => {
  const back = last.raceTime - now.raceTime
  return back > 0 ? now.raceTime < RACE_BEGINS_S || back > MAX_REWIND_S : now.lap < last.lap
}
