/** Which laps of a session a prediction uses, and how many were missed before each. */
import type { RecordedLap } from "../../domain/Lap.ts"
import { comparableLaps, byStart, isTimed, PACE, type TimedLap } from "../compare/comparable.ts"

/** A lap that the prediction uses. */
export interface UsedLap {
  readonly lap: TimedLap
  /** Laps between the used lap before and this one that were not driven at pace: a stop, a safety car, a gap. */
  readonly missed: number
  /** Whether the car stood in that time, longer than for a stop: another programme may follow. */
  readonly stood: boolean
}

/** Beyond this many laps a longer absence changes nothing. */
const MAX_MISSED = 10
/** Lap numbers that start again mean a restart. It counts as a pit stop at least: an in-lap and an out-lap. */
const RESTART_MISSED = 2
/**
 * In a lap, or a time without laps, that takes as many laps at pace the car stood. Stops to refuel take up to three, and
 * laps behind a safety car two. 2 to 6 are alike on the laps that constants were chosen on.
 */
const STOOD = 3
/** A car that has driven more laps since shows by them what it does: behind a safety car for an hour it also stops. */
const MAX_SINCE = 1

export interface UsedLaps {
  /** The laps at pace, in the order driven. */
  readonly used: ReadonlyArray<UsedLap>
  /** Laps missed since the last used lap, and whether the car stood. */
  readonly missed: number
  readonly stood: boolean
}

export type Absence = Omit<UsedLap, "lap">

const NONE: Absence = { missed: 0, stood: false }

/**
 * How many laps were missed after `session[from]` and before `session[to]`, or before the next lap where `to` is the
 * session's end. Counted by lap numbers, and by the clock where nothing was recorded. A lap in between that was driven
 * at pace and is only invalid does not count as missed.
 */
const missedBetween = (
  session: ReadonlyArray<RecordedLap>,
  from: number,
  to: number,
  slowest: number
): Absence => {
  const { lapNumber: lap_number, lapTime: lap_time } = session[from]!
  const number = session[to]?.lapNumber ?? session[to - 1]!.lapNumber + 1
  let atPace = 0
  let idle = 0
  let longest = 0
  for (let i = from + 1; i <= to; i++) {
    const lap = session[i]
    if (lap === undefined) break
    if (i < to && isTimed(lap) && lap.lapTime <= slowest) atPace++
    const gap = Math.max(0, lap.startTime - session[i - 1]!.endTime)
    idle += gap
    if (to - i <= MAX_SINCE + 1) longest = Math.max(longest, gap, i < to ? lap.endTime - lap.startTime : 0)
  }
  const unrecorded = Math.round(idle / lap_time!)
  const numbers = number > lap_number ? number - lap_number - 1 : RESTART_MISSED
  const between = Math.max(numbers, to - from - 1, unrecorded) - atPace
  const missed = Math.min(MAX_MISSED, Math.max(0, between))
  return missed === 0 ? NONE : { missed, stood: longest > STOOD * slowest }
}

/** `session` in the order driven. */
export const usedLaps = (session: ReadonlyArray<RecordedLap>): UsedLaps => {
  const laps = comparableLaps(session)
  const slowest = PACE * Math.min(...laps.map((lap) => lap.lapTime))
  const used: Array<UsedLap> = []
  let last = -1
  let next = 0
  session.forEach((lap, at) => {
    if (lap !== laps[next]) return
    const { missed, stood } = last < 0 ? NONE : missedBetween(session, last, at, slowest)
    used.push({ lap: laps[next]!, missed, stood })
    last = at
    next++
  })
  const { missed, stood } = last < 0 ? NONE : missedBetween(session, last, session.length, slowest)
  return { used, missed, stood }
}

export const driven = (session: ReadonlyArray<RecordedLap>): ReadonlyArray<RecordedLap> =>
  session.toSorted(byStart)
