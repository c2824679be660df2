/** Checks the sideways and lengthwise channels of a log against its speed and heading, by its first twenty minutes. */
import type { Samples } from "./SampledLog.ts"
import { type Checked, isChecked, SignCheck } from "./SignCheck.ts"

/** Signs are checked in this much of a log, s. */
export const CHECKED_S = 1200
const RATE_HZ = 10
/** A car that moved less has no direction, m. */
const MIN_WAY_M = 1
const METRES_PER_DEGREE = 111_195

/** Samples in the unit of the vocabulary's channel that they are taken for. */
export interface Meant extends Samples {
  readonly meant: string
}

/** Values at `RATE_HZ`; NaN where the channel has none. */
type Series = (row: number) => number

const seriesOf = async ({ count, rate, samples }: Samples): Promise<Series> => {
  const values = await samples(0, Math.min(count, Math.ceil(CHECKED_S * rate)))
  return (row) => values[Math.floor((row / RATE_HZ) * rate + 1e-6)] ?? Number.NaN
}

/** The direction of the way between two places, degrees clockwise from north, by its east and north, m. */
const directionOf = (east: number, north: number) =>
  Math.hypot(east, north) < MIN_WAY_M ? Number.NaN : (Math.atan2(east, north) * 180) / Math.PI

/** The car's heading: as logged, else by its way. Undefined if the log shows neither. */
const headingOf = async (meant: ReadonlyArray<Meant>): Promise<Series | undefined> => {
  const of = (channel: string) => meant.find((one) => one.meant === channel)
  const logged = of("gps_heading") ?? of("yaw")
  if (logged !== undefined) return seriesOf(logged)
  const [latitude, longitude] = [of("latitude"), of("longitude")]
  const [x, y] = [of("position_x"), of("position_y")]
  const step = 2
  if (latitude !== undefined && longitude !== undefined) {
    const [lat, lon] = [await seriesOf(latitude), await seriesOf(longitude)]
    return (row) => {
      const shrink = Math.cos((lat(row) * Math.PI) / 180)
      return directionOf(
        (lon(row) - lon(row - step)) * METRES_PER_DEGREE * shrink,
        (lat(row) - lat(row - step)) * METRES_PER_DEGREE
      )
    }
  }
  if (x === undefined || y === undefined) return undefined
  const [east, north] = [await seriesOf(x), await seriesOf(y)]
  return (row) => directionOf(east(row) - east(row - step), north(row) - north(row - step))
}

/**
 * The sign by which a checked channel's values become the vocabulary's: 1 or -1; 0 if the channel is not what it is taken
 * for; undefined if the log cannot show it.
 */
export const signsOf = async (
  meant: ReadonlyArray<Meant>
): Promise<(one: Meant) => 1 | -1 | 0 | undefined> => {
  const speed = meant.find((one) => one.meant === "speed") ?? meant.find((one) => one.meant === "gps_speed")
  const heading = await headingOf(meant)
  const candidates = meant.filter((one): one is Meant & { readonly meant: Checked } => isChecked(one.meant))
  if (speed === undefined || heading === undefined || candidates.length === 0) return () => undefined
  const check = new SignCheck(candidates.map(({ meant: channel }, column) => ({ channel, column })))
  const kmh = await seriesOf(speed)
  const columns: Array<Series> = []
  for (const one of candidates) columns.push(await seriesOf(one))
  const rows = Math.min(CHECKED_S, speed.count / speed.rate) * RATE_HZ
  const cells = new Float64Array(columns.length)
  for (let row = 0; row < rows; row++) {
    columns.forEach((series, c) => (cells[c] = series(row)))
    check.add(row / RATE_HZ, kmh(row) / 3.6, heading(row), cells)
  }
  return (one) => {
    const column = candidates.findIndex((candidate) => candidate === one)
    return column < 0 ? undefined : check.signOf(column)
  }
}
