/** Groups the laps of a session into stints, and finds laps that do not count for the level. */
import type { LeftOutLap } from "../../domain/analysis/predictions.ts"
import type { RecordedLap } from "../../domain/Lap.ts"
import { isTimed, PACE, type TimedLap } from "../compare/comparable.ts"
import type { OutlierLikelihood } from "./LapTimeModel.ts"
import type { UsedLaps } from "./usedLaps.ts"

type Reason = LeftOutLap["reason"]

/** This many consecutive missed laps end a stint; a single one may have been a spin. */
const STINT_BREAK = 2
/** More likely than not. */
const LIKELY = 0.5

export interface Stints {
  /** The laps at pace that are no outliers, by stint, in the order driven. The first stint has a lap if any has. */
  readonly stints: ReadonlyArray<ReadonlyArray<TimedLap>>
  readonly leftOut: ReadonlyArray<LeftOutLap>
}

/** `session` in the order driven; one judgement for each used lap. */
export const stintsOf = (
  session: ReadonlyArray<RecordedLap>,
  { missed, used }: UsedLaps,
  judgements: ReadonlyArray<OutlierLikelihood>
): Stints => {
  const slowest = PACE * Math.min(...used.map(({ lap }) => lap.lapTime))
  const reasons = new Map<RecordedLap, Reason>()
  const stints: Array<Array<TimedLap>> = []
  used.forEach(({ lap, missed: before }, at) => {
    const { jump, outlier } = judgements[at]!
    const afterInLap = before > 0 && reasons.get(used[at - 1]!.lap) === "in_lap"
    if (at === 0 || before >= STINT_BREAK || afterInLap || jump > LIKELY) stints.push([])
    if (outlier > LIKELY) reasons.set(lap, (used[at + 1]?.missed ?? missed) > 0 ? "in_lap" : "outlier")
    else stints.at(-1)!.push(lap)
  })
  const pace = new Set<RecordedLap>(used.map(({ lap }) => lap))
  const reasonOf = (lap: RecordedLap): Reason | undefined => {
    if (pace.has(lap)) return reasons.get(lap)
    if (!isTimed(lap)) return "not_timed"
    if (!lap.valid) return "not_valid"
    return lap.lapTime > slowest ? "off_pace" : "implausible_time"
  }
  const leftOut = session.flatMap((lap) => {
    const reason = reasonOf(lap)
    return reason === undefined ? [] : [{ lapId: lap.id, lapNumber: lap.lapNumber, reason }]
  })
  return { stints: stints.filter((stint) => stint.length > 0), leftOut }
}
