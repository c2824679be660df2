/**
 * Makes the quantiles of src/analysis/predictions/ahead.ts, in which all sources count alike, and prints how often their intervals contain
 * the laps of each source: with those quantiles, and with the quantiles of all other sessions; about three minutes.
 *
 *   npm run node tools/docs/predictions/measureAhead.ts
 */
import { AHEAD } from "../../../src/analysis/predictions/ahead.ts"
import { stepAfter, walkThrough } from "../../../src/analysis/predictions/walk.ts"
import type { RaceSeries } from "../../../test/analysis/raceSeries.ts"
import { needSharedData } from "../sharedData.ts"
import { grouped, mean } from "./scores.ts"
import { type Source, sources } from "./split.ts"

needSharedData()

/** The shares of errors below an interval's ends. */
const ENDS = [0.05, 0.95] as const
const MIN_LAPS = 50
/** What a lap outside costs, in its distance from the interval: two over the share that is outside (Gneiting & Raftery 2007). */
const OUTSIDE = 20

/** A lap at pace some laps after the laps that its forecast knows. */
interface Later {
  readonly source: string
  readonly session: string
  readonly laps: number
  readonly afterMissed: boolean
  /** Whether laps were missed between the next lap and this one. */
  readonly overStop: boolean
  /** The error of the logarithm, in the stated deviations. */
  readonly error: number
  /** s: the time, that of the forecast with its deviation as a share, the last lap's, and the range of a lap at pace. */
  readonly time: number
  readonly predicted: number
  readonly deviation: number
  readonly last: number
  readonly low: number
  readonly high: number
}

const laterOf = ({ name }: Source, { event, laps: all }: RaceSeries): ReadonlyArray<Later> => {
  const { past } = walkThrough(all)
  return past.flatMap(({ forecast, lap: next }, from) => {
    const { high, known, low, pace } = forecast
    const found: Array<Later> = []
    let overStop = false
    for (let at = from + 1; at < past.length; at++) {
      const { forecast: before, lap } = past[at]!
      // Laps are numbered here in the order driven.
      const laps = lap.id - next.id + 1
      if (laps > AHEAD) break
      if (before.known.missed > 0) overStop = true
      const { deviation, time: predicted } = pace.forecast(stepAfter(known, laps))
      found.push({
        source: name,
        session: event,
        laps,
        afterMissed: known.missed > 0,
        overStop,
        error: Math.log(lap.lapTime / predicted) / deviation,
        time: lap.lapTime,
        predicted: Math.min(high, Math.max(low, predicted)),
        deviation,
        last: known.used.at(-1)!.lap.lapTime,
        low,
        high
      })
    }
    return found
  })
}

const all = sources().flatMap((source) => source.series.flatMap((series) => laterOf(source, series)))

type Ends = readonly [low: number, high: number]

const keyOf = ({ afterMissed, laps }: Later) => `${afterMissed ? "AFTER_MISSED" : "DIRECTLY"} ${laps}`
const groups = new Map(
  [...grouped(all, keyOf)].map(([key, those]) => [key, those.toSorted((a, b) => a.error - b.error)])
)

/** The quantiles of a group's errors without those of a session. Sources count alike, however many laps they have. */
const endsOf = (key: string, without?: string): Ends => {
  const those = groups.get(key)!.filter(({ session }) => session !== without)
  const counts = new Map(
    [...grouped(those, ({ source }) => source)].map(([name, some]) => [name, some.length])
  )
  const place = (share: number) => {
    let sum = 0
    return those.find(({ source }) => (sum += 1 / counts.get(source)!) >= share * counts.size)!.error
  }
  return [place(ENDS[0]), place(ENDS[1])]
}

const shipped = new Map([...groups.keys()].map((key) => [key, endsOf(key)]))
for (const kind of ["DIRECTLY", "AFTER_MISSED"]) {
  const rows = Array.from({ length: AHEAD - 1 }, (_, at) => shipped.get(`${kind} ${at + 2}`)!)
  console.log(kind, rows.map((ends) => `[${ends.map((end) => end.toFixed(2)).join(", ")}]`).join(", "))
}
console.log(`from ${all.length} laps ahead`)

const heldOut = new Map<string, Ends>()
const endsWithout = (one: Later): Ends => {
  const key = `${keyOf(one)} ${one.session}`
  const ends = heldOut.get(key) ?? endsOf(keyOf(one), one.session)
  heldOut.set(key, ends)
  return ends
}

const intervalOf = ({ deviation, high, low, predicted }: Later, ends: Ends) =>
  ends.map((end) => Math.min(high, Math.max(low, predicted * Math.exp(end * deviation)))) as [number, number]

const insideOf = (those: ReadonlyArray<Later>, ends: (one: Later) => Ends) =>
  100 *
  mean(
    those.map((one) => {
      const [from, to] = intervalOf(one, ends(one))
      return one.time >= from && one.time <= to ? 1 : 0
    })
  )

/** Gneiting and Raftery's interval score, s: the width, and what a lap outside costs. */
const scoreOf = (those: ReadonlyArray<Later>) =>
  mean(
    those.map((one) => {
      const [from, to] = intervalOf(one, endsWithout(one))
      return to - from + OUTSIDE * Math.max(0, from - one.time, one.time - to)
    })
  )

const figures = (those: ReadonlyArray<Later>): string => {
  if (those.length < MIN_LAPS) return "-"
  const off = mean(those.map(({ predicted, time }) => Math.abs(time - predicted)))
  const again = mean(those.map(({ last, time }) => Math.abs(time - last)))
  const inside = [(one: Later) => shipped.get(keyOf(one))!, endsWithout].map((ends) =>
    insideOf(those, ends).toFixed(1)
  )
  return `${those.length}: ${(off / again).toFixed(2)}, ${inside.join(" / ")} %, ${scoreOf(those).toFixed(2)} s`
}

console.log(
  "\nnumber: error over that of the last lap again; share in the interval, and held out; interval score, held out\n"
)
const shown = Array.from({ length: AHEAD - 1 }, (_, at) => at + 2)
console.log(`| laps | ${shown.map((laps) => `${laps} ahead`).join(" | ")} |`)
console.log(`| --- | ${shown.map(() => "---").join(" | ")} |`)
const kinds: ReadonlyArray<readonly [string, (one: Later) => boolean]> = [
  ["", () => true],
  [", stint goes on", (one) => !one.afterMissed && !one.overStop],
  [", first after laps missed", (one) => one.afterMissed],
  [", over laps missed", (one) => !one.afterMissed && one.overStop]
]
for (const [name, those] of grouped(all, ({ source }) => source)) {
  for (const [kind, is] of kinds) {
    console.log(
      `| ${name}${kind} | ${shown.map((laps) => figures(those.filter((one) => one.laps === laps && is(one)))).join(" | ")} |`
    )
  }
}
