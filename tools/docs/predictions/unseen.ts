/** Scores the service's predictions on the laps that constants were chosen on, and on those that nothing was fitted to. */
import { rankedScore } from "../../../src/analysis/predictions/Mixture.ts"
import { type Foreseen, stepAfter, walkThrough } from "../../../src/analysis/predictions/walk.ts"
import type { RaceSeries } from "../../../test/analysis/raceSeries.ts"
import { parts } from "./split.ts"

interface Lap {
  readonly groups: ReadonlyArray<string>
  readonly error: number
  /** That of the last lap again. */
  readonly again: number
  readonly crps: number
  readonly isInside: boolean
}

/** With fewer laps known, a series has just begun. */
const FEW = 7
/** Smaller groups show nothing. */
const MIN_LAPS = 50

const groupsOf = ({ forecast: { known } }: Foreseen): ReadonlyArray<string> => {
  if (known.missed === 0)
    return [
      "after a lap at pace",
      ...(known.used.length < FEW ? ["after a lap at pace, 3 to 6 laps known"] : [])
    ]
  const kind = known.stood
    ? "after standing"
    : known.missed < 3
      ? "after 1 or 2 laps missed"
      : "after 3 or more laps missed"
  return ["after laps not at pace", kind]
}

const lapsOf = ({ group, laps }: RaceSeries): ReadonlyArray<Lap> =>
  walkThrough(laps).past.map((one) => {
    const { forecast, inside, lap } = one
    const { distribution, high, known, low, pace, time } = forecast
    const scale = time * pace.forecast(stepAfter(known)).deviation
    const sessions = group.includes("_") || group === "Qualifying" || group === "Race" || group === "Sprint"
    return {
      groups: [
        "all",
        ...groupsOf(one),
        ...(sessions ? [group, ...(known.missed === 0 ? [`${group}, after a lap at pace`] : [])] : [])
      ],
      error: Math.abs(lap.lapTime - time),
      again: Math.abs(lap.lapTime - known.used.at(-1)!.lap.lapTime),
      crps: rankedScore(distribution, lap.lapTime, low, high, time, scale),
      isInside: inside
    }
  })

const mean = (values: ReadonlyArray<number>) => values.reduce((sum, value) => sum + value, 0) / values.length

const row = (name: string, laps: ReadonlyArray<Lap>): string => {
  const error = mean(laps.map((one) => one.error))
  const again = mean(laps.map((one) => one.again))
  const inside = 100 * mean(laps.map(({ isInside }) => (isInside ? 1 : 0)))
  const crps = mean(laps.map((one) => one.crps))
  return (
    `| ${name} | ${laps.length} | ${error.toFixed(3)} | ${again.toFixed(3)} | ${(error / again).toFixed(3)} | ` +
    `${crps.toFixed(3)} | ${inside.toFixed(1)} % |`
  )
}

export const scoreUnseen = (say: (words: string) => void): void => {
  const scored = parts().map((part) => ({ ...part, laps: part.series.flatMap(lapsOf) }))
  say("\nNext laps at pace, fitted and unseen: mean errors and CRPS in s\n")
  say("| laps | number | service | last lap again | ratio | CRPS | in the interval |")
  say("| --- | --- | --- | --- | --- | --- | --- |")
  for (const isFitted of [true, false]) {
    const those = scored.filter((part) => part.isFitted === isFitted)
    say(
      row(
        isFitted ? "all fitted" : "all unseen",
        those.flatMap(({ laps }) => laps)
      )
    )
  }
  for (const { isFitted, laps, name } of scored) {
    const groups = [...new Set(laps.flatMap((one) => one.groups))].toSorted()
    for (const group of groups) {
      const those = laps.filter((one) => one.groups.includes(group))
      if (those.length >= MIN_LAPS) say(row(`${name}${isFitted ? " (fitted)" : ""}: ${group}`, those))
    }
  }
}
