/** Checks the sideways and lengthwise channels of a log against its speed and heading, by its first twenty minutes. */
import type { SourceFile } from "../../FileReader.ts"
import { type Checked, isChecked, SignCheck } from "../../tables/SignCheck.ts"
import { conversion } from "../../tables/units.ts"
import { type LdChannel, readSamples } from "./ldFile.ts"

const CHECKED_S = 1200
const RATE_HZ = 10
/** A car that moved less has no direction, m. */
const MIN_WAY_M = 1
const METRES_PER_DEGREE = 111_195

/** A channel of the log, and the channel of the vocabulary that its name means. */
export interface Meant {
  readonly channel: string
  /** The unit of the vocabulary. */
  readonly unit: string
  readonly from: LdChannel
}

/** Values at `RATE_HZ`, in the vocabulary's unit; NaN where the channel has none. */
type Series = (row: number) => number

const seriesOf = (file: SourceFile, { from, unit }: Meant, wanted = unit): Series => {
  const values = readSamples(file, from, 0, Math.min(from.count, Math.ceil(CHECKED_S * from.rate)))
  const convert = conversion(from.unit, wanted) ?? ((value: number) => value)
  return (row) => convert(values[Math.floor((row / RATE_HZ) * from.rate + 1e-6)] ?? Number.NaN)
}

/** The direction of the way between two places, degrees clockwise from north, by its east and north, m. */
const directionOf = (east: number, north: number) =>
  Math.hypot(east, north) < MIN_WAY_M ? Number.NaN : (Math.atan2(east, north) * 180) / Math.PI

/** The car's heading: as logged, else by its way. Undefined if the log shows neither. */
const headingOf = (file: SourceFile, meant: ReadonlyArray<Meant>): Series | undefined => {
  const of = (channel: string) => meant.find((one) => one.channel === channel)
  const logged = of("gps_heading") ?? of("yaw")
  if (logged !== undefined) return seriesOf(file, logged)
  const [latitude, longitude] = [of("latitude"), of("longitude")]
  const [x, y] = [of("position_x"), of("position_y")]
  const step = 2
  if (latitude !== undefined && longitude !== undefined) {
    const [lat, lon] = [seriesOf(file, latitude), seriesOf(file, longitude)]
    return (row) => {
      const shrink = Math.cos((lat(row) * Math.PI) / 180)
      return directionOf(
        (lon(row) - lon(row - step)) * METRES_PER_DEGREE * shrink,
        (lat(row) - lat(row - step)) * METRES_PER_DEGREE
      )
    }
  }
  if (x === undefined || y === undefined) return undefined
  const [east, north] = [seriesOf(file, x), seriesOf(file, y)]
  return (row) => directionOf(east(row) - east(row - step), north(row) - north(row - step))
}

/**
 * The sign by which a checked channel's values become the vocabulary's: 1 or -1; 0 if the channel is not what its name
 * says; undefined if the log cannot show it.
 */
export const signsOf = (
  file: SourceFile,
  meant: ReadonlyArray<Meant>
): ((from: LdChannel) => 1 | -1 | 0 | undefined) => {
  const speed =
    meant.find(({ channel }) => channel === "speed") ?? meant.find(({ channel }) => channel === "gps_speed")
  const heading = headingOf(file, meant)
  const candidates = meant.flatMap((one) =>
    isChecked(one.channel) ? [{ ...one, channel: one.channel as Checked }] : []
  )
  if (speed === undefined || heading === undefined || candidates.length === 0) return () => undefined
  const check = new SignCheck(candidates.map(({ channel }, column) => ({ channel, column })))
  const metres = seriesOf(file, speed, "m/s")
  const columns = candidates.map((one) => seriesOf(file, one))
  const rows = Math.min(CHECKED_S, speed.from.count / speed.from.rate) * RATE_HZ
  const cells = new Float64Array(columns.length)
  for (let row = 0; row < rows; row++) {
    columns.forEach((series, c) => (cells[c] = series(row)))
    check.add(row / RATE_HZ, metres(row), heading(row), cells)
  }
  return (from) => {
    const column = candidates.findIndex((one) => one.from === from)
    return column < 0 ? undefined : check.signOf(column)
  }
}
