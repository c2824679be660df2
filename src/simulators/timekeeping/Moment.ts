/**
 * The data of one packet, in words that all games share. Values that the game does not send are left out, undefined or
 * NaN. Times in s. A driver has one moment, and fills it anew for each packet.
 */
import type { Sectors } from "./reportedTimes.ts"

/** The details of the last lap, from a game that keeps them; they replace what was seen during the lap. */
export interface LastLap {
  readonly sectors: Sectors
  readonly valid: boolean | undefined
}

/** A lap that is over, from a game that keeps laps by their numbers. */
export interface CompletedLap extends LastLap {
  readonly lapTime: number
}

export interface Moment {
  /** On the feed's clock. */
  time: number
  /** The game's own name of the session. */
  session?: number | bigint | undefined
  kind?: string | number | undefined
  /**
   * Whether it is a race: only a race restarts when its count or its clock falls. In practice or qualifying the car
   * begins another run. Undefined where the game does not report it.
   */
  isRace?: boolean | undefined
  /** All that distinguishes one circuit and layout from another. */
  course?: string | number | undefined
  car?: string | number | undefined
  /** The person who drives; "" while unknown. */
  driver?: string
  /** Since the session began. */
  sessionClock?: number
  /** Of the lap under way; less than 1, or NaN, where the game counts none: before the start, behind the flag, in a menu. */
  lapNumber: number
  /** The number of laps in the race; laps beyond it are behind the flag. Left out or 0 where the game sets no limit. */
  laps?: number
  /** Since the lap began; 0 while it does not run, NaN where the game does not report it. */
  clock: number
  /** Whether clocks and count went back because the game was rewound, not because something started anew. */
  isRewound?: boolean
  /** The game's time of the last lap that it timed; null without one. */
  lastLap: number | null
  /**
   * The number of the lap whose end this packet itself reports: `lastLap` is its time, and no more of its data comes.
   */
  ended?: number | undefined
  /** Whether the race is over for the car: its last lap has ended. */
  isOver?: boolean
  bestLap?: number | null
  /** Of the lap under way, each its own duration. */
  sector1?: number | null
  sector2?: number | null
  /** Whether the lap under way is valid; undefined where the game does not report it. */
  valid?: boolean | undefined
  /** Whether the car is in the pits: a lap with a visit to the pits is invalid (contract, section 4). */
  isInPit?: boolean
  /** Along the track, 0..1 from the line, from which LapMarks cuts sectors if the game sends none. */
  place?: number
  lastLapWas?: LastLap
  /** The lap with this number; undefined where the game does not keep it, or it is not over. Left out where it keeps none. */
  completed?: (lapNumber: number) => CompletedLap | undefined
}
