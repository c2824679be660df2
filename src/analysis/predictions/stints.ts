/** Groups the laps of a session into stints, and finds laps that do not count for the level. */
import type { LeftOutLap } from "../../domain/analysis/predictions.ts"
import type { RecordedLap } from "../../domain/Lap.ts"
import { isTimed, PACE, type TimedLap } from "../compare/comparable.ts"
import type { LapKind, LapKinds } from "../lapKinds/placedLaps.ts"
import { endsStint } from "../lapKinds/stint.ts"
import type { OutlierLikelihood } from "./LapTimeModel.ts"
import type { UsedLaps } from "./usedLaps.ts"

type Reason = LeftOutLap["reason"]

/** More likely than not. */
const LIKELY = 0.5
/** A way through the pit lane, at its limit of speed, takes this much longer than a lap at pace, s. */
const PIT_LANE_S = 10

export interface Stints {
  /** The laps at pace that are no outliers, by stint, in the order driven. The first stint has a lap if any has. */
  readonly stints: ReadonlyArray<ReadonlyArray<TimedLap>>
  readonly leftOut: ReadonlyArray<LeftOutLap>
}

const isStop = (kinds: ReadonlySet<LapKind> | undefined) =>
  kinds !== undefined && (kinds.has("in_lap") || kinds.has("out_lap"))

/** In the order in which a lap of several kinds is called so. */
const KINDS: ReadonlyArray<LapKind> = ["in_lap", "out_lap", "neutralised", "start"]

/** `session` in the order driven; one judgement for each used lap; `kinds` of the laps that are no running laps. */
export const stintsOf = (
  session: ReadonlyArray<RecordedLap>,
  { stood, used }: UsedLaps,
  judgements: ReadonlyArray<OutlierLikelihood>,
  kinds: LapKinds
): Stints => {
  const best = Math.min(...used.map(({ lap }) => lap.lapTime))
  const reasons = new Map<RecordedLap, Reason>()
  const stints: Array<Array<TimedLap>> = []
  const order = new Map(session.map((lap, at) => [lap, at]))
  const kindsBetween = (from: TimedLap, to: TimedLap) =>
    session.slice(order.get(from)! + 1, order.get(to)).map(({ id }) => kinds.get(id))
  const stopped = (at: number): boolean => {
    const { lap, missed: before } = used[at]!
    const between = kindsBetween(used[at - 1]!.lap, lap)
    return between.some(isStop) || endsStint(before - between.filter((one) => one?.has("neutralised")).length)
  }
  /**
   * Of an outlier: a stop shows in the lap that leaves the pits. One such lap between laps at pace is an out-lap; several
   * are a safety car, flags or a car that is off, unless the car stood.
   */
  const isInLap = (at: number): boolean => {
    const next = used[at + 1]
    const out = session[order.get(used[at]!.lap)! + 1]
    const leavesPits = next?.missed === 1 || (next?.stood ?? stood)
    return leavesPits && out !== undefined && (out.lapTime ?? out.endTime - out.startTime) > best + PIT_LANE_S
  }
  used.forEach(({ lap, missed: before }, at) => {
    const { jump, outlier } = judgements[at]!
    const afterInLap = before > 0 && reasons.get(used[at - 1]!.lap) === "in_lap"
    if (at === 0 || stopped(at) || afterInLap || jump > LIKELY) stints.push([])
    if (outlier > LIKELY) reasons.set(lap, isInLap(at) ? "in_lap" : "outlier")
    else stints.at(-1)!.push(lap)
  })
  const pace = new Set<RecordedLap>(used.map(({ lap }) => lap))
  const reasonOf = (lap: RecordedLap): Reason | undefined => {
    if (pace.has(lap)) return reasons.get(lap)
    const known = kinds.get(lap.id)
    if (known !== undefined) return KINDS.find((kind) => known.has(kind))
    if (!isTimed(lap)) return "not_timed"
    if (!lap.valid) return "not_valid"
    return lap.lapTime > PACE * best ? "off_pace" : "implausible_time"
  }
  const leftOut = session.flatMap((lap) => {
    const reason = reasonOf(lap)
    return reason === undefined ? [] : [{ lapId: lap.id, lapNumber: lap.lapNumber, reason }]
  })
  return { stints: stints.filter((stint) => stint.length > 0), leftOut }
}
