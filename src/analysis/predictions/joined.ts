/** The next lap's time from both models of lap times; each is better at something. */
import type { UsedLaps } from "./usedLaps.ts"

/** With fewer laps nothing shows yet how much of a lap's distance from the level remains. */
const FEW_LAPS = 7
/** A longer absence of a car that did not stand is no stop but a safety car, of which the model of pace knows nothing. */
const MAX_STOP = 2

/** `median` of LapTimeModel and `pace` of PaceModel, s. */
export const joinedTime = ({ missed, stood, used }: UsedLaps, median: number, pace: number): number => {
  if (missed > 0) return stood || missed <= MAX_STOP ? pace : median
  if (used.length < FEW_LAPS) return (median + used.at(-1)!.lap.lapTime) / 2
  return (median + pace) / 2
}
