/**
 * Compares a driven path with a circuit on the plane of x and y; a mirrored path does not fit. The circuits are lines that come
 * from no simulator (../shared/data/tracks), or those that an emulator drives.
 */

export interface Line {
  readonly x: ArrayLike<number>
  readonly y: ArrayLike<number>
}

export interface Fit {
  /** Root mean square of the distances of the path from the line, m. */
  readonly rms: number
  /** Near 1 for a path in metres. */
  readonly scale: number
  /** Degrees, counter-clockwise. */
  readonly rotation: number
}

/** The number of points by which a path is compared: they are some metres apart on the longest circuits. */
const POINTS = 500
/** The maximum of searches for the nearest points; the search ends when the fit no longer moves. */
const MAX_ROUNDS = 30

/** `count` points of an open or closed path, at equal distances along it. */
const evenly = ({ x, y }: Line, count: number, closed: boolean): Array<readonly [number, number]> => {
  const along = [0]
  const last = closed ? x.length : x.length - 1
  for (let i = 0; i < last; i++) {
    const j = (i + 1) % x.length
    along.push(along[i]! + Math.hypot(x[j]! - x[i]!, y[j]! - y[i]!))
  }
  const length = along.at(-1)!
  let i = 0
  return Array.from({ length: count }, (_, n) => {
    const distance = (length * n) / (closed ? count : count - 1)
    while (i + 2 < along.length && along[i + 1]! <= distance) i++
    const j = (i + 1) % x.length
    const step = along[i + 1]! - along[i]!
    const share = step > 0 ? (distance - along[i]!) / step : 0
    return [x[i]! + share * (x[j]! - x[i]!), y[i]! + share * (y[j]! - y[i]!)] as const
  })
}

type Points = ReadonlyArray<readonly [number, number]>

const centreOf = (points: Points): readonly [number, number] => [
  points.reduce((sum, [x]) => sum + x, 0) / points.length,
  points.reduce((sum, [, y]) => sum + y, 0) / points.length
]

/** The turn about the two centres that brings one row of points closest to another, and the scale that would bring it closer. */
const placed = (from: Points, to: Points) => {
  const [a, b] = [centreOf(from), centreOf(to)]
  let [along, across, size] = [0, 0, 0]
  from.forEach(([x, y], i) => {
    const [u, v] = [x - a[0], y - a[1]]
    const [s, t] = [to[i]![0] - b[0], to[i]![1] - b[1]]
    along += u * s + v * t
    across += u * t - v * s
    size += u * u + v * v
  })
  const long = Math.hypot(along, across)
  const [c, d] = [along / long, across / long]
  const move = ([x, y]: readonly [number, number]): readonly [number, number] => {
    const [u, v] = [x - a[0], y - a[1]]
    return [b[0] + c * u - d * v, b[1] + d * u + c * v]
  }
  return { move, scale: long / size, rotation: (Math.atan2(d, c) * 180) / Math.PI }
}

/** The search for the nearest point looks first at one of this many points of the line. */
const COARSE = 8

/** The nearest point of a closed line for each point: searched among every `COARSE`th of the line's, then around the nearest. */
const nearestOf = (points: Points, line: Points): Points => {
  // In typed arrays: a fit looks at hundreds of thousands of pairs, up to thirty times.
  const x = Float64Array.from(line, (point) => point[0])
  const y = Float64Array.from(line, (point) => point[1])
  return points.map(([px, py]) => {
    let best = 0
    let least = Infinity
    const look = (i: number) => {
      const distance = (x[i]! - px) * (x[i]! - px) + (y[i]! - py) * (y[i]! - py)
      if (distance >= least) return
      least = distance
      best = i
    }
    for (let i = 0; i < x.length; i += COARSE) look(i)
    const about = best
    for (let i = about - COARSE; i <= about + COARSE; i++) look((i + x.length) % x.length)
    return line[best]!
  })
}

const rmsOf = (a: Points, b: Points): number =>
  Math.sqrt(a.reduce((sum, [x, y], i) => sum + (x - b[i]![0]) ** 2 + (y - b[i]![1]) ** 2, 0) / a.length)

/**
 * Fits a path of about one lap to a closed line by rotation and translation alone. It never mirrors the path, and never scales
 * it, because a path that is small enough always fits. `scale`: the factor by which a larger path would fit best. The path has
 * the line's direction; where on the line it begins is found by trial.
 */
export const fit = (way: Line, circuit: Line): Fit => {
  const driven = evenly(way, POINTS, false)
  const line = evenly(circuit, POINTS, true)
  const shifted = (shift: number) => driven.map((_, i) => line[(i + shift) % POINTS]!)
  const begins = Array.from({ length: POINTS / 5 }, (_, n) => {
    const to = shifted(5 * n)
    const { move } = placed(driven, to)
    return { to, rms: rmsOf(driven.map(move), to) }
  })
  let to: Points = begins.reduce((best, one) => (one.rms < best.rms ? one : best)).to
  const fine = evenly(circuit, 8 * POINTS, true)
  let found = placed(driven, to)
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const near = nearestOf(driven.map(found.move), fine)
    const moves = near.some((point, i) => point !== to[i])
    to = near
    found = placed(driven, to)
    if (!moves) break
  }
  const { move, rotation, scale } = found
  return { rms: rmsOf(driven.map(move), to), scale, rotation }
}

/** The same line as a mirror shows it. */
export const mirrored = ({ x, y }: Line): Line => ({ x, y: Array.from(y, (value) => -value) })

/** The same line, driven the other way round. */
export const reversed = ({ x, y }: Line): Line => ({
  x: Array.from(x).toReversed(),
  y: Array.from(y).toReversed()
})

/** The bend at a point is measured over this much path on either side, m, where the rounding of positions does not matter. */
const REACH_M = 8
/** Slower cars, m/s, and gentler bends, m/s² to the side, show little about the wheel. */
const FAST = 15
const SIDEWAYS = 5

export interface Steered {
  /** The share of points in bends with steering to the inside: to the right, positive, where the path bends right. */
  readonly share: number
  readonly right: number
  readonly left: number
}

/** Compares the steering with the driven path. `speed` in km/h; x and y in metres, right-handed with z up. */
export const steered = ({
  speed,
  steering,
  x,
  y
}: Line & { readonly steering: ArrayLike<number>; readonly speed: ArrayLike<number> }): Steered => {
  const along = [0]
  for (let i = 1; i < x.length; i++)
    along.push(along[i - 1]! + Math.hypot(x[i]! - x[i - 1]!, y[i]! - y[i - 1]!))
  let [before, after, agree, right, left] = [0, 0, 0, 0, 0]
  for (let i = 0; i < x.length; i++) {
    while (along[i]! - along[before]! > REACH_M) before++
    while (after < x.length - 1 && along[after]! - along[i]! < REACH_M) after++
    const metres = speed[i]! / 3.6
    if (metres < FAST || before === i || after === i) continue
    const [ax, ay, bx, by] = [x[i]! - x[before]!, y[i]! - y[before]!, x[after]! - x[i]!, y[after]! - y[i]!]
    // The curvature of the circle through the three points, positive to the left (Menger).
    const curvature =
      (2 * (ax * by - ay * bx)) / (Math.hypot(ax, ay) * Math.hypot(bx, by) * Math.hypot(ax + bx, ay + by))
    if (!(Math.abs(curvature) * metres ** 2 > SIDEWAYS)) continue
    if (curvature < 0) right++
    else left++
    if (curvature * steering[i]! < 0) agree++
  }
  return { share: agree / (right + left), right, left }
}
