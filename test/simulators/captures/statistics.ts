/** Statistics of channels, for values that a game sent. */
import { expect } from "vitest"
import type { Column } from "../drivers/suite/channels.ts"

/** The values of a channel that the game reports. */
export const valuesOf = (reported: ReadonlyMap<string, Column>, name: string): ReadonlyArray<number> => {
  const channel = reported.get(name)
  if (channel === undefined) return expect.unreachable(`${name} is not reported`)
  return channel.values
}

/** The names of channels for whose every value `such` is true. */
export const namesWith = (
  reported: ReadonlyMap<string, Column>,
  such: (value: number) => boolean
): ReadonlyArray<string> =>
  [...reported].flatMap(([name, { values }]) => (values.every(such) ? [name] : [])).toSorted()

export const meanOf = (values: ReadonlyArray<number>): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length

/** Value by value. */
export const differenceOf = (a: ReadonlyArray<number>, b: ReadonlyArray<number>): ReadonlyArray<number> =>
  a.map((value, i) => value - b[i]!)

/** The least and the greatest value. */
export const spanOf = (reported: ReadonlyMap<string, Column>, name: string): readonly [number, number] => {
  const values = valuesOf(reported, name)
  return [values.reduce((a, b) => Math.min(a, b)), values.reduce((a, b) => Math.max(a, b))]
}

/** The correlation of two columns: Pearson's r, and the slope of `b` over `a`. */
export const together = (a: ReadonlyArray<number>, b: ReadonlyArray<number>) => {
  const [meanA, meanB] = [meanOf(a), meanOf(b)]
  let [ab, aa, bb] = [0, 0, 0]
  a.forEach((value, i) => {
    ab += (value - meanA) * (b[i]! - meanB)
    aa += (value - meanA) ** 2
    bb += (b[i]! - meanB) ** 2
  })
  return { r: ab / Math.sqrt(aa * bb), slope: ab / aa }
}

/** The rate of change of a column of evenly timed values, each over `reach` values on both sides. */
export const rateOf = (values: ReadonlyArray<number>, hz: number, reach = 3): ReadonlyArray<number> =>
  values.map((_, i) => {
    const [before, after] = [Math.max(0, i - reach), Math.min(values.length - 1, i + reach)]
    return ((values[after]! - values[before]!) * hz) / (after - before)
  })
