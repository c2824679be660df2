/** The next lap's time from both models of lap times and the last lap; each is better at something. */
import type { OutlierLikelihood } from "./LapTimeModel.ts"
import type { UsedLaps } from "./usedLaps.ts"

/** A longer absence of a car that did not stand is no stop but a safety car, of which the model of pace knows nothing. */
const MAX_STOP = 2
/** With fewer laps nothing shows yet how much of the last lap's distance from the level remains. */
const FEW_LAPS = 7
/** The last lap's share in the forecast of a lap that follows directly, while few laps are known, and later. */
const SHARES = { early: 0.6, later: 0.2 }

export const isEarly = (laps: number): boolean => laps < FEW_LAPS

/** `median` of LapTimeModel and `pace` of PaceModel, s; `judged`: the last lap at pace. */
export const joinedTime = (
  { missed, stood, used }: UsedLaps,
  median: number,
  pace: number,
  judged: OutlierLikelihood,
  shares: Readonly<typeof SHARES> = SHARES
): number => {
  if (missed > 0) return stood || missed <= MAX_STOP ? pace : median
  const early = isEarly(used.length)
  const level = early ? median : (median + pace) / 2
  const share = (early ? shares.early : shares.later) * (1 - judged.outlier)
  return level + share * (used.at(-1)!.lap.lapTime - level)
}
