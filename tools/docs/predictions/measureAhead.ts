/**
 * Makes the quantiles of src/analysis/predictions/ahead.ts from the laps that constants were chosen on, and prints how
 * often the intervals contain the laps of the others; about two minutes.
 *
 *   npm run node tools/docs/predictions/measureAhead.ts
 */
import { quantile } from "../../../src/analysis/math/robust.ts"
import { lapsAhead } from "../../../src/analysis/predictions/ahead.ts"
import { stepAfter, walkThrough } from "../../../src/analysis/predictions/walk.ts"
import type { RaceSeries } from "../../../test/analysis/raceSeries.ts"
import { needSharedData } from "../sharedData.ts"
import { parts } from "./split.ts"

needSharedData()

const AHEAD = 10

/** A lap at pace some laps after the laps that its forecast knows. */
interface Later {
  readonly laps: number
  readonly afterMissed: boolean
  /** Whether laps were missed between the next lap and this one. */
  readonly overStop: boolean
  /** The error of the logarithm, in the stated deviations. */
  readonly error: number
  readonly off: number
  /** The error of the last lap again. */
  readonly again: number
  readonly isInside: boolean
  readonly width: number
}

const laterOf = ({ laps }: RaceSeries): ReadonlyArray<Later> => {
  const { past } = walkThrough(laps)
  return past.flatMap(({ forecast, lap: next }, from) => {
    const { known, pace } = forecast
    const answers = lapsAhead(forecast)
    const found: Array<Later> = []
    let overStop = false
    for (let at = from; at < past.length; at++) {
      const { forecast: before, lap } = past[at]!
      // Laps are numbered here in the order driven.
      const ahead = lap.id - next.id + 1
      if (ahead > AHEAD) break
      if (at > from && before.known.missed > 0) overStop = true
      const { deviation, time } = pace.forecast(stepAfter(known, ahead))
      const answer = answers[ahead - 1]
      const [low, high] = answer?.confidenceInterval ?? [0, 0]
      found.push({
        laps: ahead,
        afterMissed: known.missed > 0,
        overStop,
        error: Math.log(lap.lapTime / time) / deviation,
        off: Math.abs(lap.lapTime - (answer?.predictedLapTime ?? time)),
        again: Math.abs(lap.lapTime - known.used.at(-1)!.lap.lapTime),
        isInside: lap.lapTime >= low && lap.lapTime <= high,
        width: high - low
      })
    }
    return found
  })
}

const scored = parts().map((part) => ({ ...part, later: part.series.flatMap(laterOf) }))

const fitted = scored.filter(({ isFitted }) => isFitted)
const most = Math.max(...fitted.map(({ later }) => later.length))
console.log(
  `quantiles, from ${fitted.map(({ later, name }) => `${later.length} laps ahead of ${name}`).join(", ")}:`
)
for (const afterMissed of [false, true]) {
  console.log(afterMissed ? "AFTER_MISSED" : "DIRECTLY")
  for (let laps = 2; laps <= AHEAD; laps++) {
    // Every part counts alike, however many laps it has.
    const errors = fitted.flatMap(({ later }) => {
      const those = later.filter((one) => one.laps === laps && one.afterMissed === afterMissed)
      const times = afterMissed ? 1 : Math.round(most / later.length)
      return those.flatMap(({ error }) => Array.from({ length: times }, () => error))
    })
    console.log(`  [${quantile(errors, 0.05).toFixed(2)}, ${quantile(errors, 0.95).toFixed(2)}],`)
  }
}

const mean = (values: ReadonlyArray<number>) => values.reduce((sum, value) => sum + value, 0) / values.length
const figures = (some: ReadonlyArray<Later>) =>
  some.length < 50
    ? "-"
    : `${some.length}: ${(mean(some.map(({ off }) => off)) / mean(some.map(({ again }) => again))).toFixed(2)}, ` +
      `${(100 * mean(some.map(({ isInside }) => (isInside ? 1 : 0)))).toFixed(1)} %`

const SHOWN = [1, 2, 3, 5, 10]
console.log(`\nnumber: error over that of the last lap again, share in the interval\n`)
console.log(`| laps | ${SHOWN.map((laps) => `${laps} ahead`).join(" | ")} |`)
console.log(`| --- | ${SHOWN.map(() => "---").join(" | ")} |`)
for (const { isFitted, later, name } of scored) {
  const kinds: ReadonlyArray<readonly [string, (one: Later) => boolean]> = [
    ["", () => true],
    [", stint goes on", (one) => !one.afterMissed && !one.overStop],
    [", first after laps missed", (one) => one.afterMissed],
    [", over laps missed", (one) => !one.afterMissed && one.overStop]
  ]
  for (const [kind, is] of kinds) {
    const cells = SHOWN.map((laps) => figures(later.filter((one) => one.laps === laps && is(one))))
    console.log(`| ${name}${isFitted ? " (fitted)" : ""}${kind} | ${cells.join(" | ")} |`)
  }
}
