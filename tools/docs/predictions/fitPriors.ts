/**
 * Fits the priors of PaceModel to Formula 1's races: in each race a robust regression of the logarithms of its running laps, with a
 * level for each car; then the median of each effect over the races, and its robust deviation.
 */
import { median, robustSigma } from "../../../src/analysis/math/robust.ts"
import { PACE } from "../../../src/analysis/compare/comparable.ts"
import { NO_REFUELLING, type Prior } from "../../../src/analysis/predictions/PaceModel.ts"
import type { RaceSeries } from "../../../test/analysis/raceSeries.ts"
import { grouped } from "./scores.ts"

const compounds = ["soft", "medium", "hard"] as const
/** Columns: the lap's number, the tyres' age by compound, soft, hard, first lap of a stint. */
const FUEL = 0
const AGE = 1
const SOFT = 4
const HARD = 5
const FRESH = 6
const COLUMNS = 7
/** A race shows an effect if so many of its laps have it. */
const MIN_LAPS = 10
/** Rests beyond so many deviations count less (Huber). */
const FAR = 1.5
const ROUNDS = 8

/** A car's lap: the logarithm of its time, and the columns. */
interface Row {
  readonly log: number
  readonly columns: ReadonlyArray<number>
}

/** By lap, its place in its stint: 0 of an out-lap. */
export const placesOf = ({ facts }: RaceSeries): ReadonlyArray<number> => {
  let first = 0
  return facts.map(({ stint }, at) => {
    if (at > 0 && stint !== facts[at - 1]!.stint) first = at
    return at - first
  })
}

/** By lap, its time if it is a running lap at pace, s. */
export const runningTimes = ({ facts, laps }: RaceSeries): ReadonlyArray<number | undefined> => {
  const running = laps.map(({ lapTime }, at) =>
    facts[at]!.running && lapTime !== null ? lapTime : undefined
  )
  const best = Math.min(...running.filter((time) => time !== undefined))
  return running.map((time) => (time !== undefined && time <= PACE * best ? time : undefined))
}

const rowsOf = (car: RaceSeries): ReadonlyArray<Row> => {
  const places = placesOf(car)
  return runningTimes(car).flatMap((time, at) => {
    const { compound, stint, tyreAge } = car.facts[at]!
    if (time === undefined || compound === undefined) return []
    const age = tyreAge ?? places[at]!
    return [
      {
        log: Math.log(time),
        columns: [
          at + 1,
          ...compounds.map((one) => (one === compound ? age : 0)),
          compound === "soft" ? 1 : 0,
          compound === "hard" ? 1 : 0,
          places[at] === 1 && stint !== car.facts[0]!.stint ? 1 : 0
        ]
      }
    ]
  })
}

/** Solves a symmetric system of the columns in `used` by elimination. */
const solved = (
  matrix: ReadonlyArray<ReadonlyArray<number>>,
  right: ReadonlyArray<number>
): Array<number> => {
  const rows = matrix.map((row, i) => [...row, right[i]!])
  rows.forEach((pivot, i) => {
    for (const row of rows) {
      if (row === pivot) continue
      const share = row[i]! / pivot[i]!
      for (let j = i; j < row.length; j++) row[j]! -= share * pivot[j]!
    }
  })
  return rows.map((row, i) => row.at(-1)! / row[i]!)
}

/** By column the effect in a race; undefined where too few of its laps show it. */
const effectsOf = (race: ReadonlyArray<RaceSeries>): ReadonlyArray<number | undefined> => {
  const cars = race.map(rowsOf).filter(({ length }) => length > COLUMNS)
  const all = cars.flat()
  const used = Array.from({ length: COLUMNS }, (_, c) => c).filter(
    (c) => all.filter(({ columns }) => columns[c] !== 0).length >= MIN_LAPS
  )
  if (!used.includes(FUEL)) return Array.from({ length: COLUMNS }, () => undefined)
  let effects = used.map(() => 0)
  let rests: ReadonlyArray<ReadonlyArray<number>> = cars.map((rows) => rows.map(() => 0))
  for (let round = 0; round < ROUNDS; round++) {
    const near = FAR * robustSigma(rests.flat())
    const matrix = used.map(() => used.map(() => 0))
    const right = used.map(() => 0)
    const centred = cars.map((rows, k) => {
      const weights = rests[k]!.map((rest) => (near > 0 && Math.abs(rest) > near ? near / Math.abs(rest) : 1))
      const total = weights.reduce((sum, weight) => sum + weight, 0)
      const mean = (of: (row: Row) => number) =>
        rows.reduce((sum, row, at) => sum + weights[at]! * of(row), 0) / total
      const level = mean(({ log }) => log)
      const means = used.map((c) => mean(({ columns }) => columns[c]!))
      const away = rows.map(({ columns, log }) => ({
        log: log - level,
        columns: used.map((c, i) => columns[c]! - means[i]!)
      }))
      away.forEach(({ columns, log }, at) => {
        columns.forEach((one, i) => {
          right[i]! += weights[at]! * one * log
          columns.forEach((other, j) => (matrix[i]![j]! += weights[at]! * one * other))
        })
      })
      return away
    })
    effects = solved(matrix, right)
    rests = centred.map((rows) =>
      rows.map(({ columns, log }) => log - columns.reduce((sum, one, i) => sum + one * effects[i]!, 0))
    )
  }
  return Array.from({ length: COLUMNS }, (_, c) => effects[used.indexOf(c)])
}

/** By race the effects that it shows. */
export const effectsByRace = (
  cars: ReadonlyArray<RaceSeries>
): ReadonlyMap<string, ReadonlyArray<number | undefined>> =>
  new Map([...grouped(cars, ({ event }) => event)].map(([event, race]) => [event, effectsOf(race)]))

/** The prior without refuelling, from the effects of some races. */
export const priorOf = (races: ReadonlyArray<ReadonlyArray<number | undefined>>): Prior => {
  const normal = (column: number) => {
    const found = races.flatMap((effects) => effects[column] ?? [])
    return [median(found), robustSigma(found)] as const
  }
  return {
    ...NO_REFUELLING,
    fuel: normal(FUEL),
    age: [normal(AGE), normal(AGE + 1), normal(AGE + 2)],
    soft: normal(SOFT),
    hard: normal(HARD),
    fresh: normal(FRESH)
  }
}
