/** The values of one packet about the race. */
import type { Format } from "./formats.ts"

/** A race time that went back below this started anew; above this, the race was rewound, s. */
const RACE_BEGINS_S = 3
/** No rewind goes further back: a race started anew, and its first seconds were not heard, s. */
const MAX_REWIND_S = 60

/** Times in seconds, distances in metres. */
export interface Reported {
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
  readonly bestLap: number
}

export const readReported = (bytes: Buffer, format: Format): Reported => {
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
    lastLap: read.lastLap(bytes),
    bestLap: read.bestLap(bytes)
  }
}

export const isSound = ({ bestLap, currentLap, distance, lastLap, raceTime, speed }: Reported): boolean =>
  Number.isFinite(bestLap + currentLap + distance + lastLap + raceTime + speed)

/** ms from one TimestampMS to another, across its wrap-around. */
export const stampsBetween = (earlier: Reported, later: Reported): number =>
  (later.stamp - earlier.stamp) >>> 0

/** Whether a race or a lap is timed; in free roam, and on the grid, none is. */
export const isTimed = ({ currentLap, lap, raceTime }: Reported): boolean =>
  raceTime > 0 || currentLap > 0 || lap > 0

/** Whether the race's clock went back because the race was rewound; otherwise it started anew. */
export const isRewound = (last: Reported, now: Reported): boolean => {
  const back = last.raceTime - now.raceTime
  return back > 0 && back <= MAX_REWIND_S && now.raceTime >= RACE_BEGINS_S
}
