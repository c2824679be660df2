/** Laps in the protocol's form: times in whole milliseconds. */
import type { DrivenLap } from "../../model/lap.ts"
import type { LapFields } from "../../../src/simulators/drivers/acc/layout.ts"

export const ms = (seconds: number): number => Math.round(seconds * 1000)

export const noLap = (carIndex: number): LapFields => ({
  laptimeMs: null,
  carIndex,
  driverIndex: 0,
  splits: [],
  isInvalid: false,
  isValidForBest: true,
  isOutlap: false,
  isInlap: false
})

/** Its splits add up to its time. */
export const lapFields = (carIndex: number, lap: DrivenLap | undefined): LapFields => {
  if (lap === undefined) return noLap(carIndex)
  const [one, two] = [ms(lap.sectors[0]), ms(lap.sectors[1])]
  const laptimeMs = ms(lap.lapTime)
  const splits = [one, two, laptimeMs - one - two]
  return { ...noLap(carIndex), laptimeMs, splits, isInvalid: !lap.valid, isValidForBest: lap.valid }
}
