/**
 * Scores the service's predictions on real lap times, as docs/analysis/method.md quotes it: on the laps that constants
 * were chosen on and held out by session, and against simple predictions; about eight minutes.
 *
 *   npm run measure:predictions
 */
import { quantile } from "../../src/analysis/math/robust.ts"
import { readSeries } from "../../test/analysis/lapTimeSeries.ts"
import { type Case, casesOf } from "./predictions/cases.ts"
import { type Method, methods } from "./predictions/methods.ts"
import { isInside, mean, type Scored, scored } from "./predictions/scores.ts"
import { sources } from "./predictions/split.ts"
import { scoreUnseen } from "./predictions/unseen.ts"
import { type CarErrors, chosenOn, errorsOf, pooled, variants } from "./predictions/variants.ts"
import { needSharedData } from "./sharedData.ts"

needSharedData()

const say = (words: string) => console.log(words)
const percent = (share: number) => `${(100 * share).toFixed(1)} %`
const seconds = (value: number) => `${value.toFixed(3)} s`

scoreUnseen(say)

const all = readSeries()
const cases = all.flatMap(casesOf)
const groups = [...new Set(cases.flatMap((one) => one.groups))]

const scoresOf = (method: Method, of: ReadonlyArray<Case>) => of.map((one) => scored(one, method(one)))

const table = (title: string, of: ReadonlyArray<Case>) => {
  const by = Object.entries(methods).map(([name, method]) => ({ name, scores: scoresOf(method, of) }))
  const service = by[0]!.scores
  say(`\n${title}: ${of.length} laps. Mean error (CRPS) in s; laps in the interval; half of it\n`)
  say(
    `| laps | number | ${by.map(({ name }) => name).join(" | ")} | in the interval | half, median and widest |`
  )
  say(`| --- | --- | ${by.map(() => "---").join(" | ")} | --- | --- |`)
  for (const group of groups) {
    const picked = (scores: ReadonlyArray<Scored>) => scores.filter(({ one }) => one.groups.includes(group))
    const mine = picked(service)
    if (mine.length === 0) continue
    const inside = mine.filter(isInside).length
    const halves = mine.map(({ answer }) => (answer.interval![1] - answer.interval![0]) / 2)
    const figures = by.map(({ scores }) => {
      const those = picked(scores)
      return `${mean(those.map(({ error }) => error)).toFixed(3)} (${mean(those.map(({ crps }) => crps)).toFixed(3)})`
    })
    say(
      `| ${group} | ${mine.length} | ${figures.join(" | ")} | ${inside} (${percent(inside / mine.length)}) | ` +
        `${quantile(halves, 0.5).toFixed(2)}, ${Math.max(...halves).toFixed(2)} |`
    )
  }
  return service
}

const atPace = cases.filter((one) => one.atPace)
table("Next laps at pace", atPace)
table(
  "Next laps at pace that are no outliers",
  atPace.filter((one) => one.ordinary)
)
table("All timed next laps, at pace or not", cases)

say("\nIs the gain real?\n")

const cars = all.map(errorsOf).filter(({ persistence }) => persistence.length > 0)
const ratio = (of: ReadonlyArray<CarErrors>) =>
  pooled(of, (car) => car.variants[0]!) / pooled(of, ({ persistence }) => persistence)

/** A generator with the same numbers each time (Park & Miller 1988). */
const uniform = () => {
  let state = 1
  return () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647
}
const random = uniform()
const DRAWS = 2000
const drawn = Array.from({ length: DRAWS }, () =>
  ratio(cars.map(() => cars[Math.floor(random() * cars.length)]!))
)
say(
  `error over persistence's: ${ratio(cars).toFixed(3)}; with ${cars.length} cars drawn again ${DRAWS} times, ` +
    `90 % of the ratios from ${quantile(drawn, 0.05).toFixed(3)} to ${quantile(drawn, 0.95).toFixed(3)}`
)
const better = cars.filter((car) => ratio([car]) < 1).length
say(`better than persistence for ${better} of ${cars.length} cars`)

const errors = variants.map((_, v) => pooled(cars, (car) => car.variants[v]!))
const worst = errors.indexOf(Math.max(...errors))
const best = errors.indexOf(Math.min(...errors))
say(
  `${variants.length} variants of the constants: from ${seconds(errors[best]!)} (${variants[best]!.name}) to ` +
    `${seconds(errors[worst]!)} (${variants[worst]!.name}); as they are ${seconds(errors[0]!)}, ` +
    `persistence ${seconds(pooled(cars, ({ persistence }) => persistence))}`
)

/** Of every source one car of so many. */
const EVERY = 12
const some = sources().flatMap(({ series }) => series.filter((_, at) => at % EVERY === 0).map(errorsOf))
const sessions = [...new Set(some.map(({ event }) => event))]
const leftOut = sessions.flatMap((session) => {
  const chosen = chosenOn(some.filter(({ event }) => event !== session))
  return some.filter(({ event }) => event === session).map((car) => ({ car, chosen }))
})
const figure = (of: (one: (typeof leftOut)[number]) => ReadonlyArray<number>) =>
  seconds(mean(leftOut.flatMap(of)))
say(
  `${some.length} cars of ${sessions.length} sessions: as they are ${figure(({ car }) => car.variants[0]!)}; ` +
    `chosen on all sessions but one, scored on that one, each in turn, ` +
    `${figure(({ car, chosen }) => car.variants[chosen]!)} ` +
    `(${[...new Set(leftOut.map(({ chosen }) => variants[chosen]!.name))].join(", ")}); ` +
    `persistence ${figure(({ car }) => car.persistence)}`
)
