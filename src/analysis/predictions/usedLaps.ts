/** Which laps of a session a prediction uses, and how many were missed before each. */
import type { RecordedLap } from "../../domain/Lap.ts"
import { comparableLaps, byStart, isTimed, PACE, type TimedLap } from "../compare/comparable.ts"

/** A lap that the prediction uses. */
export interface UsedLap {
  readonly lap: TimedLap
  /** Laps between the used lap before and this one that were not driven at pace: a stop, a safety car, a gap. */
  readonly missed: number
}

/** Beyond this many laps a longer absence changes nothing. */
const MAX_MISSED = 10
/** Lap numbers that start again mean a restart. It counts as a pit stop at least: an in-lap and an out-lap. */
const RESTART_MISSED = 2

export interface UsedLaps {
  /** The laps at pace, in the order driven. */
  readonly used: ReadonlyArray<UsedLap>
  /** Laps missed since the last used lap. */
  readonly missed: number
}

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
): number => {
  const { lapNumber: lap_number, lapTime: lap_time } = session[from]!
  const number = session[to]?.lapNumber ?? session[to - 1]!.lapNumber + 1
  let atPace = 0
  let idle = 0
  for (let i = from + 1; i <= to; i++) {
    const lap = session[i]
    if (lap === undefined) break
    if (i < to && isTimed(lap) && lap.lapTime <= slowest) atPace++
    idle += Math.max(0, lap.startTime - session[i - 1]!.endTime)
  }
  const unrecorded = Math.round(idle / lap_time!)
  const numbers = number > lap_number ? number - lap_number - 1 : RESTART_MISSED
  const between = Math.max(numbers, to - from - 1, unrecorded) - atPace
  return Math.min(MAX_MISSED, Math.max(0, between))
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
    used.push({ lap: laps[next]!, missed: last < 0 ? 0 : missedBetween(session, last, at, slowest) })
    last = at
    next++
  })
  return { used, missed: last < 0 ? 0 : missedBetween(session, last, session.length, slowest) }
}

export const driven = (session: ReadonlyArray<RecordedLap>): ReadonlyArray<RecordedLap> =>
  session.toSorted(byStart)
