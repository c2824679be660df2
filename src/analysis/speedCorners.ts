/**
 * Corners of laps without positions: the places where most of the laps are slower than before and after. What only one lap
 * does (a mistake, traffic, a lift) is none. To which side they turn, how far and how tightly, no speed tells.
 */
import type { Alignment, LapOnGrid } from "./alignment.ts"
import { MAD_TO_SIGMA, median, roughQuantile } from "./robust.ts"
import { type Valley, valleysOf } from "./valleys.ts"

/** Distances in m from the start line; `exit` < `entry` where the line lies within the corner. */
export interface SpeedCorner {
  /** From 1, by where the apex lies. */
  readonly number: number
  readonly direction: null
  /** Where the laps are so slow as to be nearer to their slowest than to the faster place around it. */
  readonly entry: number
  /** The slowest place, of the laps' own the median. */
  readonly apex: number
  readonly exit: number
  readonly angle: null
  readonly radius: null
  readonly foundBy: "speed"
}

/** Laps that are looked at: more show no other corners, and cost more. */
const MAX_LAPS = 9
/** What only one lap shows need not be a corner. */
const MIN_LAPS = 2
/** Of the laps that tell of the place, so many are slower there. */
const MAX_SHOW = 0.7
/** Half of the way that a lap's speeds are the mean of, m: less than any corner, more than points of a game are apart. */
const MEAN_M = 10
/** A corner slows by more than this, m/s: a lift or a gust do not, and speeds by GPS are good to a tenth of it. */
const MIN_SLOWED = 3
/** And by more than so many deviations of the speeds from their means: noise looks like corners. */
const NOISE = 3
/** A lap's own slowest place is no further from that of all, m; laps laid over each other are off by 10 m. */
const NEAR_M = 60
/** Points of a lap between entry and exit: fewer do not show that it was slow there for longer than one of them. */
const MIN_POINTS = 3
/** A corner lasts from where to where the speed is above its least by this share of what it slowed. */
const ABOVE = 0.4

/** m/s at each node; NaN where the lap is not to be relied on. */
const soundSpeeds = ({ speed, unsound }: LapOnGrid, step: number): Float64Array => {
  const known = speed.map((value) => value / 3.6)
  for (const { from, to } of unsound) {
    known.fill(Number.NaN, Math.max(0, Math.ceil(from / step)), Math.max(0, Math.floor(to / step) + 1))
  }
  return known
}

/** Each value's mean with those around it, as far as they are known; NaN where it is not. */
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

/** What a lap's speeds differ from their means by, m/s: a standard deviation, of the laps the middle one. */
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

/** The reference and the fastest others, whatever order they are given in; valid ones first. */
const chosenOf = ({ laps, reference }: Alignment): ReadonlyArray<LapOnGrid> => {
  const order = (one: LapOnGrid) => (one === reference ? 0 : one.lap.valid ? 1 : 2)
  return laps
    .filter(({ complete }) => complete)
    .toSorted((a, b) => order(a) - order(b) || timeOnGrid(a) - timeOnGrid(b) || a.lap.id - b.lap.id)
    .slice(0, MAX_LAPS)
}

/**
 * What more than half of the laps are no faster than, at each place; of two laps the faster. Where fewer than two tell, a
 * straight from what is known before to what is known after. Undefined where nothing is.
 */
const common = (rows: ReadonlyArray<Float64Array>): Float64Array | undefined => {
  const size = rows[0]?.length ?? 0
  const result = new Float64Array(size).fill(Number.NaN)
  const told = new Float64Array(rows.length)
  let last = -1
  for (let n = 0; n < size; n++) {
    let count = 0
    for (const row of rows) {
      const value = row[n]!
      if (Number.isNaN(value)) continue
      let k = count++
      for (; k > 0 && told[k - 1]! > value; k--) told[k] = told[k - 1]!
      told[k] = value
    }
    if (count < MIN_LAPS) continue
    result[n] = told[count >> 1]!
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

/** Between which nodes around its lowest a valley is no higher than a share of its depth. */
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

/** The corners that a lap's speed goes through in most of the laps, in order; none of fewer than two laps. */
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
  // Around the line where laps go on, from the fastest place, so that no corner is cut in two.
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

  /** By how many nodes a lap is slowest after all are; undefined where it is not slower there, NaN where it does not tell. */
  const shownBy = (l: number, valley: Valley, entry: number, exit: number): number | undefined => {
    const row = rows[l]!
    let told = 1
    for (let n = entry; n <= exit; n++) {
      if (Number.isNaN(row[n]!)) return Number.NaN
      if (n > entry && points[l]![n] !== points[l]![n - 1]) told++
    }
    let own = valley.low
    const from = Math.max(valley.before, valley.low - near)
    const to = Math.min(valley.after, valley.low + near)
    for (let n = from; n <= to; n++) if (row[n]! < row[own]!) own = n
    const above = Math.min(highest(row, valley.before, own), highest(row, own, valley.after))
    return told >= MIN_POINTS && above - row[own]! > least ? own - valley.low : undefined
  }
  return valleysOf(trace, least, true)
    .flatMap((valley) => {
      const [entry, exit] = endsOf(trace, valley)
      const offsets = chosen.map((_, l) => shownBy(l, valley, entry, exit))
      const told = offsets.filter((offset) => !Number.isNaN(offset))
      const shown = told.filter((offset) => offset !== undefined).toSorted((a, b) => a - b)
      if (shown.length < MIN_LAPS || shown.length < MAX_SHOW * told.length) return []
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
