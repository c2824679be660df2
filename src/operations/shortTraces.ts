/** Traces with no more digits than a plot and its values show: a quarter of the bytes. */
import type { Trace } from "../domain/analysis/comparison.ts"

/** Decimals: centimetres, hundredths of km/h, tenths of a millisecond, thousandths of a pedal. */
const DECIMALS: Readonly<Record<Exclude<keyof Trace, "lapId" | "channels">, number>> = {
  distance: 2,
  timeDelta: 4,
  timeDeltaUncertainty: 3,
  speed: 2,
  throttle: 3,
  brake: 3,
  gear: 0,
  steering: 4,
  positionX: 2,
  positionY: 2
}

/** Digits of the greatest value of any other channel, whose unit may be any. */
const SIGNIFICANT = 6

const rounded = (column: Float64Array, decimals: number): Float64Array => {
  const scale = 10 ** decimals
  return column.map((value) => Math.round(value * scale) / scale)
}

const decimalsOf = (column: Float64Array): number => {
  let most = 0
  for (const value of column) if (Math.abs(value) > most) most = Math.abs(value)
  return most === 0 ? 0 : Math.max(0, SIGNIFICANT - 1 - Math.floor(Math.log10(most)))
}

export const shortened = ({ channels, ...trace }: Trace): Trace => {
  const columns = Object.fromEntries(
    Object.entries(DECIMALS).map(([name, decimals]) => [
      name,
      rounded(trace[name as keyof typeof DECIMALS], decimals)
    ])
  ) as unknown as typeof trace
  return {
    ...trace,
    ...columns,
    ...(channels !== undefined && {
      channels: Object.fromEntries(
        Object.entries(channels).map(([name, column]) => [
          name,
          column && rounded(column, decimalsOf(column))
        ])
      )
    })
  }
}
