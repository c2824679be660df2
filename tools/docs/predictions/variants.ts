/** Checks whether the gain depends on the constants: each is halved and doubled, chosen on some laps and scored on others. */
import { constants, type Constants } from "../../../src/analysis/predictions/constants.ts"
import { walkThrough } from "../../../src/analysis/predictions/walk.ts"
import type { Series } from "../../../test/analysis/lapTimeSeries.ts"
import { mean } from "./scores.ts"

const times = (values: ReadonlyArray<number>, factor: number) => values.map((value) => value * factor)

const changed = (factor: number): Readonly<Record<string, Partial<Constants>>> => ({
  usualScatter: { usualScatter: constants.usualScatter * factor },
  scatterDeviation: { scatterDeviation: constants.scatterDeviation * factor },
  steps: { movements: constants.movements.map(([step, kept]) => [step * factor, kept] as const) },
  trend: { trend: constants.trend * factor },
  // 0.8 of a trend kept is 0.2 lost; this 0.2 is halved and doubled.
  trendKept: {
    movements: constants.movements.map(([step, kept]) => [step, 1 - (1 - kept) * factor] as const)
  },
  outliers: { outliers: times(constants.outliers, factor) },
  outlierSize: { outlierSize: constants.outlierSize * factor },
  fastOutliers: { fastOutliers: constants.fastOutliers * factor },
  jump: { jump: constants.jump * factor },
  jumps: { jumps: times(constants.jumps, factor) },
  outlierMissed: { outlierMissed: constants.outlierMissed * factor },
  // No chance is over 1.
  jumpMissed: { jumpMissed: Math.min(0.9, constants.jumpMissed * factor) },
  outlierStood: { outlierStood: constants.outlierStood * factor },
  jumpStood: { jumpStood: constants.jumpStood * factor },
  memory: { memory: 1 - (1 - constants.memory) * factor },
  sequences: { sequences: constants.sequences * factor }
})

export interface Variant {
  readonly name: string
  readonly set: Constants
}

export const variants: ReadonlyArray<Variant> = [
  { name: "as they are", set: constants },
  ...([0.5, 2] as const).flatMap((factor) =>
    Object.entries(changed(factor)).map(([name, change]) => ({
      name: `${name} ${factor === 2 ? "doubled" : "halved"}`,
      set: { ...constants, ...change }
    }))
  )
]

/** A car's errors on its laps at pace, s: of each variant, and of repeating the last lap. */
export interface CarErrors {
  readonly event: string
  readonly variants: ReadonlyArray<ReadonlyArray<number>>
  readonly persistence: ReadonlyArray<number>
}

export const errorsOf = ({ event, laps }: Pick<Series, "event" | "laps">): CarErrors => {
  const walks = variants.map(({ set }) => walkThrough(laps, set).past)
  return {
    event,
    variants: walks.map((past) => past.map((one) => Math.abs(one.lap.lapTime - one.forecast.time))),
    persistence: walks[0]!.map(({ forecast, lap }) =>
      Math.abs(lap.lapTime - forecast.known.used.at(-1)!.lap.lapTime)
    )
  }
}

export const pooled = (
  cars: ReadonlyArray<CarErrors>,
  of: (car: CarErrors) => ReadonlyArray<number>
): number => mean(cars.flatMap(of))

/** The variant with the least mean error on these cars. */
export const chosenOn = (cars: ReadonlyArray<CarErrors>): number => {
  const errors = variants.map((_, v) => pooled(cars, (car) => car.variants[v]!))
  return errors.indexOf(Math.min(...errors))
}
