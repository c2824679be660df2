/**
 * Measures what PaceModel's prior is worth on Formula 1 races that it was not fitted to: fitted anew to two of three seasons and
 * scored on the third, and to all races but one and scored on that one; beside the prior as it is, and one fitted to the race's own
 * season. Prints the mean errors in s; some five minutes.
 *
 *   npm run node tools/docs/predictions/measurePriors.ts
 */
import { constants } from "../../../src/analysis/predictions/constants.ts"
import {
  NO_REFUELLING,
  PaceModel,
  type Prior,
  REFUELLING
} from "../../../src/analysis/predictions/PaceModel.ts"
import { stepAfter, walkThrough } from "../../../src/analysis/predictions/walk.ts"
import { formula1Races, type RaceSeries } from "../../../test/analysis/raceSeries.ts"
import { needSharedData } from "../sharedData.ts"
import { effectsByRace, placesOf, priorOf, runningTimes } from "./fitPriors.ts"
import { mean } from "./scores.ts"

needSharedData()

/** The prior was fitted to these; nothing of it is from the last one. */
const SEASONS = ["2018", "2019", "2021"] as const
const UNSEEN = "2022"
/** Of the service's own forecasts, which cost more, one car of so many. */
const EVERY = 3
const AHEAD = [1, 3, 5, 10]
/** Smaller groups show nothing. */
const MIN_SHOWN = 50
/** Fewer laps show no level yet. */
const MIN_LAPS = 3

const cars = formula1Races([...SEASONS, UNSEEN])
const effects = effectsByRace(cars)
const fitted = (is: (event: string) => boolean) =>
  priorOf([...effects].flatMap(([event, found]) => (is(event) ? [found] : [])))
const isOf = (seasons: ReadonlyArray<string>) => (event: string) => seasons.includes(event.slice(0, 4))

const show = (name: string, { age, fresh, fuel, hard, soft }: Prior) =>
  console.log(
    `${name}: ${Object.entries({
      fuel,
      soft,
      hard,
      fresh,
      "soft age": age[0],
      "medium age": age[1],
      "hard age": age[2]
    })
      .map(([effect, [middle, deviation]]) => `${effect} ${middle.toFixed(5)} ± ${deviation.toFixed(5)}`)
      .join(", ")}`
  )

const seasons = new Map([...SEASONS, UNSEEN].map((one) => [one as string, fitted(isOf([one]))]))
const others = new Map(
  SEASONS.map((one) => [one as string, fitted(isOf(SEASONS.filter((other) => other !== one)))])
)
others.set(UNSEEN, fitted(isOf(SEASONS)))
show("as it is", NO_REFUELLING)
show(`fitted to ${SEASONS.join(", ")}`, others.get(UNSEEN)!)
for (const [season, prior] of others) show(`fitted without ${season}`, prior)
for (const [season, prior] of seasons) show(`fitted to ${season}`, prior)

const priors: Readonly<Record<string, (race: RaceSeries) => Prior>> = {
  "as it is": () => NO_REFUELLING,
  "fitted to its season": ({ year }) => seasons.get(year)!,
  "fitted to the other seasons": ({ year }) => others.get(year)!,
  "fitted to all other races": (() => {
    const known = new Map<string, Prior>()
    return ({ event }) => {
      const prior =
        known.get(event) ??
        fitted((other) => other !== event && (isOf(SEASONS)(other) || isOf([UNSEEN])(event)))
      known.set(event, prior)
      return prior
    }
  })(),
  "of no series": () => ({ ...REFUELLING, refuels: false })
}

interface Error {
  readonly group: string
  /** s; `again`: of the last lap again. */
  readonly off: number
  readonly again: number
}

/** The errors of the model of pace that knows stops, compounds and ages, lap by lap. */
const told = (car: RaceSeries, prior: Prior): ReadonlyArray<Error> => {
  const { facts } = car
  const places = placesOf(car)
  const times = runningTimes(car)
  const errors: Array<Error> = []
  let model: PaceModel | undefined
  let from = -1
  let count = 0
  const stepTo = (to: number) => {
    const goesOn = facts[to]!.stint === facts[from]!.stint
    return goesOn ? { laps: to - from } : { laps: to - from, placeInStint: places[to]! }
  }
  times.forEach((time, at) => {
    if (time === undefined) return
    model ??= PaceModel.before(time, { refuels: false }, [prior])
    model.observe(time, from < 0 ? { laps: 1 } : stepTo(at), facts[at]!)
    from = at
    if (++count < MIN_LAPS) return
    for (const laps of AHEAD) {
      const wanted = times[at + laps]
      if (wanted === undefined) continue
      const goesOn = facts[at + laps]!.stint === facts[at]!.stint
      const found = model.forecast(stepTo(at + laps), facts[at + laps]!).time
      errors.push({
        group: `${laps} ${laps === 1 ? "lap" : "laps"} ahead, ${goesOn ? "stint goes on" : "over a stop"}`,
        off: Math.abs(wanted - found),
        again: Math.abs(wanted - time)
      })
    }
  })
  return errors
}

/** The errors of the service, which is told nothing but lap times. */
const served = (car: RaceSeries, prior: Prior): ReadonlyArray<Error> => {
  const { past } = walkThrough(car.laps, constants, [prior, REFUELLING])
  return past.flatMap(({ forecast, lap: next }, at) => {
    const { known, pace, time } = forecast
    const last = known.used.at(-1)!.lap.lapTime
    return AHEAD.flatMap((laps) => {
      const later = past.slice(at, at + laps).find(({ lap }) => lap.id === next.id + laps - 1)?.lap
      if (later === undefined) return []
      const found = laps === 1 ? time : pace.forecast(stepAfter(known, laps)).time
      const kind = known.missed > 0 ? "first after laps missed" : "after a lap at pace"
      return [
        {
          group: `${laps} ${laps === 1 ? "lap" : "laps"} ahead, ${kind}`,
          off: Math.abs(later.lapTime - found),
          again: Math.abs(later.lapTime - last)
        }
      ]
    })
  })
}

const table = (
  title: string,
  of: ReadonlyArray<RaceSeries>,
  errorsOf: (car: RaceSeries, prior: Prior) => ReadonlyArray<Error>
) => {
  const all = Object.values(priors).map((priorOf) => of.flatMap((car) => errorsOf(car, priorOf(car))))
  const names = Object.keys(priors)
  console.log(`\n${title}\n\n| laps | number | last lap again | ${names.join(" | ")} |`)
  console.log(`| --- | --- | --- | ${names.map(() => "---").join(" | ")} |`)
  for (const group of [...new Set(all[0]!.map((one) => one.group))].toSorted()) {
    const those = all.map((errors) => errors.filter((one) => one.group === group))
    if (those[0]!.length < MIN_SHOWN) continue
    console.log(
      `| ${group} | ${those[0]!.length} | ${mean(those[0]!.map(({ again }) => again)).toFixed(3)} | ` +
        `${those.map((errors) => mean(errors.map(({ off }) => off)).toFixed(3)).join(" | ")} |`
    )
  }
}

const isSeason = (season: string) => cars.filter(({ year }) => year === season)
const three = cars.filter(({ year }) => year !== UNSEEN)
table("stops, compounds and ages told: 2018, 2019 and 2021, each season held out", three, told)
for (const season of SEASONS) table(`the same, ${season}`, isSeason(season), told)
table("the same, 2022, of which nothing is in the first prior", isSeason(UNSEEN), told)
table(
  `lap times alone, as served, every third car: 2018, 2019 and 2021`,
  three.filter((_, at) => at % EVERY === 0),
  served
)
