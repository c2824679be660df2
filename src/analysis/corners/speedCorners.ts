/**
 * Finds corners of laps without positions: the places where most of the laps are slower than before and after. A place
 * where only one lap is slow (a mistake, traffic, a lift) does not count. Speeds do not show the side, the angle and
 * the radius of a corner.
 */
import type { Alignment, LapOnGrid } from "../place/alignment.ts"
import { MAD_TO_SIGMA, median, roughQuantile } from "../math/robust.ts"
import { type Valley, valleysOf } from "../math/valleys.ts"

/** Distances in m from the start line; `exit` < `entry` where the line lies within the corner. */
export interface SpeedCorner {
  /** From 1, by the place of the apex. */
  readonly number: number
  readonly direction: null
  /** Where the laps' speed is nearer to their slowest than to the faster place around it. */
  readonly entry: number
  /** The slowest place: the median over the laps. */
  readonly apex: number
  readonly exit: number
  readonly angle: null
  readonly radius: null
  readonly foundBy: "speed"
}

/** The number of laps that are analysed: more show no other corners, and cost more. */
const MAX_LAPS = 9
/** A place that only one lap shows need not be a corner. */
const MIN_LAPS = 2
/** At least this share of the laps with a known speed must be slower there. */
const MIN_SHOWN = 0.7
/**
 * Half of the distance over which a lap's speeds are averaged, m: less than any corner, more than the distance between
 * a game's points.
 */
const MEAN_M = 10
/** A corner slows the car by more than this, m/s; a lift or a gust does not. GPS speeds are good to a tenth of it. */
const MIN_SLOWED = 3
/** And by more than this many deviations of the speeds from their means: noise looks like corners. */
const NOISE = 3
/** A lap's own slowest place is no further from the common one, m; aligned laps are off by 10 m. */
const NEAR_M = 60
/**
 * The least number of a lap's points between entry and exit: fewer do not show that it was slow for longer than one
 * point.
 */
const MIN_POINTS = 3
/** A corner lasts while the speed is above its least by no more than this share of the car's slowing. */
const ABOVE = 0.4

/** m/s at each node; NaN where the lap is unreliable. */
const soundSpeeds = ({ speed, unsound }: LapOnGrid, step: number): Float64Array => {
  const known = speed.map((value) => value / 3.6)
  for (const { from, to } of unsound) {
    known.fill(Number.NaN, Math.max(0, Math.ceil(from / step)), Math.max(0, Math.floor(to / step) + 1))
  }
  return known
}

/** Each value's mean with the known values around it; NaN where the value is unknown. */
const meansOf = (values: Float64Array, reach: number): Float64Array => {
  const size = values.length
  const result = new Float64Array(size)
  let sum = 0
  let count = 0
  const take = (n: number, sign: 1 | -1): void => {
    if (n < 0 || n >= size || Number.isNaN(values[n]!)) return
    sum += sign * values[n]!
    count += sign
  }
  for (let n = 0; n < reach; n++) take(n, 1)
  for (let n = 0; n < size; n++) {
    take(n + reach, 1)
    take(n - reach - 1, -1)
    result[n] = Number.isNaN(values[n]!) ? Number.NaN : sum / count
  }
  return result
}

/** How far the laps' speeds differ from their means, m/s: a standard deviation, the median over the laps. */
const noiseOf = (known: ReadonlyArray<Float64Array>, means: ReadonlyArray<Float64Array>): number =>
  MAD_TO_SIGMA *
  median(
    known.map((row, l) =>
      roughQuantile(
        row.map((value, n) => Math.abs(value - means[l]![n]!)),
        0.5
      )
    )
  )

const timeOnGrid = ({ lap, time }: LapOnGrid): number => lap.lapTime ?? time.at(-1)!

/**
 * The reference and the fastest others, whatever the order of the input; valid laps first, laps that were taken back
 * last.
 */
const chosenOf = ({ laps, reference }: Alignment): ReadonlyArray<LapOnGrid> => {
  const order = (one: LapOnGrid) =>
    one === reference ? 0 : one.lap.valid ? 1 : one.lap.withdrawn === true ? 3 : 2
  return laps
    .filter(({ complete }) => complete)
    .toSorted((a, b) => order(a) - order(b) || timeOnGrid(a) - timeOnGrid(b) || a.lap.id - b.lap.id)
    .slice(0, MAX_LAPS)
}

/**
 * At each place, the speed that more than half of the laps do not exceed; of two laps the faster one. Where fewer than
 * two are known, a straight between the known places. Undefined where nothing is known.
 */
const common = (rows: ReadonlyArray<Float64Array>): Float64Array | undefined => {
  const size = rows[0]?.length ?? 0
  const result = new Float64Array(size).fill(Number.NaN)
  const reported = new Float64Array(rows.length)
  let last = -1
  for (let n = 0; n < size; n++) {
    let count = 0
    for (const row of rows) {
      const value = row[n]!
      if (Number.isNaN(value)) continue
      let k = count++
      for (; k > 0 && reported[k - 1]! > value; k--) reported[k] = reported[k - 1]!
      reported[k] = value
    }
    if (count < MIN_LAPS) continue
    result[n] = reported[count >> 1]!
    const from = last < 0 ? result[n]! : result[last]!
    for (let k = last + 1; k < n; k++) result[k] = from + ((result[n]! - from) * (k - last)) / (n - last)
    last = n
  }
  return last < 0 ? undefined : result.fill(result[last]!, last + 1)
}

const highest = (row: Float64Array, from: number, to: number): number => {
  let most = -Infinity
  for (let n = from; n <= to; n++) if (row[n]! > most) most = row[n]!
  return most
}

/** The nodes around a valley's lowest, between which the speed is no higher than a share of its depth. */
const endsOf = (
  row: Float64Array,
  { after, before, low }: Valley
): readonly [entry: number, exit: number] => {
  const level = row[low]! + ABOVE * (Math.min(row[before]!, row[after]!) - row[low]!)
  let entry = low
  while (entry > before && row[entry - 1]! <= level) entry--
  let exit = low
  while (exit < after && row[exit + 1]! <= level) exit++
  return [entry, exit]
}

/** The corners that most of the laps' speeds show, in order; none for fewer than two laps. */
export const speedCorners = (alignment: Alignment): ReadonlyArray<SpeedCorner> => {
  const { step } = alignment.grid
  const chosen = chosenOf(alignment)
  if (chosen.length < MIN_LAPS) return []
  const known = chosen.map((lap) => soundSpeeds(lap, step))
  const means = known.map((row) => meansOf(row, Math.round(MEAN_M / step)))
  const all = common(means)
  if (all === undefined) return []
  const last = all.length - 1
  const least = Math.max(MIN_SLOWED, NOISE * noiseOf(known, means))
  // The search goes around the line where laps continue, from the fastest place, so that no corner is cut in two.
  const isRing = Math.abs(all[last]! - all[0]!) < least
  const origin = isRing ? all.subarray(0, last).indexOf(highest(all, 0, last - 1)) : 0
  const turned = (row: Float64Array): Float64Array => {
    if (!isRing) return row
    const result = new Float64Array(last + 1)
    result.set(row.subarray(origin, last))
    result.set(row.subarray(0, origin), last - origin)
    result[last] = row[origin]!
    return result
  }
  const rows = means.map(turned)
  const points = chosen.map(({ point }) => turned(Float64Array.from(point)))
  const trace = turned(all)
  const metres = (n: number) => (isRing ? (((n + origin) % last) + last) % last : n) * step
  const near = Math.round(NEAR_M / step)

  /**
   * By how many nodes a lap's slowest place lies behind the common one; undefined where the lap is not slower there,
   * NaN where its speed is unknown.
   */
  const shownBy = (l: number, valley: Valley, entry: number, exit: number): number | undefined => {
    const row = rows[l]!
    let reported = 1
    for (let n = entry; n <= exit; n++) {
      if (Number.isNaN(row[n]!)) return Number.NaN
      if (n > entry && points[l]![n] !== points[l]![n - 1]) reported++
    }
    let own = valley.low
    const from = Math.max(valley.before, valley.low - near)
    const to = Math.min(valley.after, valley.low + near)
    for (let n = from; n <= to; n++) if (row[n]! < row[own]!) own = n
    const above = Math.min(highest(row, valley.before, own), highest(row, own, valley.after))
    return reported >= MIN_POINTS && above - row[own]! > least ? own - valley.low : undefined
  }
  return valleysOf(trace, least, true)
    .flatMap((valley) => {
      const [entry, exit] = endsOf(trace, valley)
      const offsets = chosen.map((_, l) => shownBy(l, valley, entry, exit))
      const reported = offsets.filter((offset) => !Number.isNaN(offset))
      const shown = reported.filter((offset) => offset !== undefined).toSorted((a, b) => a - b)
      if (shown.length < MIN_LAPS || shown.length < MIN_SHOWN * reported.length) return []
      const apex = Math.min(Math.max(entry, valley.low + shown[shown.length >> 1]!), exit)
      return [{ entry: metres(entry), apex: metres(apex), exit: metres(exit) }]
    })
    .toSorted((a, b) => a.apex - b.apex)
    .map((place, index) => ({
      number: index + 1,
      direction: null,
      ...place,
      angle: null,
      radius: null,
      foundBy: "speed"
    }))
}
