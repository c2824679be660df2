/** Distributions that are weighted sums of simple ones, restricted to a range. */

export interface Component {
  /** `slower` and `faster`: all of it lies on one side of the centre, half of it further away than `scale`. */
  readonly kind: "normal" | "slower" | "faster"
  readonly weight: number
  readonly centre: number
  readonly scale: number
}

/** The density of a normal distribution with mean 0. */
export const normalDensity = (value: number, variance: number): number =>
  Math.exp((-value * value) / (2 * variance)) / Math.sqrt(2 * Math.PI * variance)

/** The share of the standard normal distribution below `z`, to 1e-7 (Abramowitz & Stegun 1964, 26.2.17). */
const normalBelow = (z: number): number => {
  const t = 1 / (1 + 0.231_641_9 * Math.abs(z))
  const series =
    t * (0.319_381_53 + t * (-0.356_563_782 + t * (1.781_477_937 + t * (-1.821_255_978 + t * 1.330_274_429))))
  const tail = normalDensity(z, 1) * series
  return z > 0 ? 1 - tail : tail
}

const shareBelow = ({ centre, kind, scale }: Component, value: number): number => {
  if (kind === "normal") return normalBelow((value - centre) / scale)
  const away = kind === "slower" ? value - centre : centre - value
  const nearer = away <= 0 ? 0 : away / (away + scale)
  return kind === "slower" ? nearer : 1 - nearer
}

/** A smaller share of the whole cannot be distinguished from zero: normal shares are known to 1e-7. */
const MIN_INSIDE = 1e-5

/** A quantile is found when the share below it is as near as this, or the range has been halved this often. */
const NEAR = 1e-9
const HALVINGS = 30

export interface Distribution {
  /** The share below `value`, 0 to 1. */
  below(value: number): number
  /** The value below which `share` (0 to 1) lies. */
  quantile(share: number): number
}

export class Mixture implements Distribution {
  private readonly components: ReadonlyArray<Component>
  private readonly low: number
  private readonly high: number
  private readonly belowLow: number
  private readonly inside: number

  /** The part of the components (of any total weight over 0) between `low` and `high`, normalised to a total of 1. */
  constructor(components: ReadonlyArray<Component>, low: number, high: number) {
    this.components = components
    this.low = low
    this.high = high
    this.belowLow = this.sum(low)
    const inside = this.sum(high) - this.belowLow
    const whole = components.reduce((sum, { weight }) => sum + weight, 0)
    this.inside = inside > MIN_INSIDE * whole ? inside : 0
  }

  private sum(value: number): number {
    let sum = 0
    for (const one of this.components) sum += one.weight * shareBelow(one, value)
    return sum
  }

  below(value: number): number {
    if (value <= this.low) return 0
    if (value >= this.high) return 1
    // Where nothing is left between the limits, a uniform distribution is used.
    return this.inside > 0
      ? Math.min(1, Math.max(0, (this.sum(value) - this.belowLow) / this.inside))
      : (value - this.low) / (this.high - this.low)
  }

  /** The same shape further on by `by`; what leaves the range lies at its end. */
  moved(by: number): Distribution {
    const { high, low } = this
    return {
      below: (value) => (value <= low ? 0 : value >= high ? 1 : this.below(value - by)),
      quantile: (share) => Math.min(high, Math.max(low, this.quantile(share) + by))
    }
  }

  quantile(share: number): number {
    const end = (this.high - this.low) / 2 ** HALVINGS
    let { high, low } = this
    let over = 1 - share
    let under = share
    let range = high - low
    // False position (Illinois), and a halving wherever three steps have not halved the range.
    for (let step = 1, side = 0; high - low > end; step++) {
      const isSlow = step % 4 === 0 && high - low > range / 2
      if (step % 4 === 0) range = high - low
      const middle = isSlow ? (low + high) / 2 : low + ((high - low) * under) / (under + over)
      const rest = this.below(middle) - share
      if (Math.abs(rest) < NEAR || middle <= low || middle >= high) return middle
      if (rest < 0) {
        low = middle
        under = -rest
        if (side < 0) over /= 2
        side = -1
      } else {
        high = middle
        over = rest
        if (side > 0) under /= 2
        side = 1
      }
    }
    return (low + high) / 2
  }
}

/** Gauss and Legendre's rule with ten places on -1 to 1 (Abramowitz & Stegun 1964, table 25.4): distance, weight. */
const PLACES: ReadonlyArray<readonly [distance: number, weight: number]> = [
  [0.148_874_339, 0.295_524_225],
  [0.433_395_394, 0.269_266_719],
  [0.679_409_568, 0.219_086_363],
  [0.865_063_367, 0.149_451_349],
  [0.973_906_529, 0.066_671_344]
]

/**
 * The continuous ranked probability score of a distribution between `low` and `high` (Matheson & Winkler 1976): the
 * error of a whole distribution, in the unit of `value`. `centre` and `scale` are about its median and half of its
 * width: places lie close together there.
 */
export const rankedScore = (
  distribution: Distribution,
  value: number,
  low: number,
  high: number,
  centre: number,
  scale: number
): number => {
  const at = (place: number) => centre + scale * Math.sinh(place)
  const place = (time: number) => Math.asinh((time - centre) / scale)
  const turn = Math.min(high, Math.max(low, value))
  const sumOver = (from: number, to: number, isAbove: boolean): number => {
    const half = (to - from) / 2
    const add = (middle: number) => {
      const share = distribution.below(at(middle))
      return (isAbove ? 1 - share : share) ** 2 * Math.cosh(middle)
    }
    let sum = 0
    for (const [distance, weight] of PLACES) {
      const away = half * distance
      sum += weight * (add(from + half - away) + add(from + half + away))
    }
    return sum * half * scale
  }
  // Beyond the range the distribution is 0 or 1.
  const beyond = Math.abs(value - turn)
  return sumOver(place(low), place(turn), false) + sumOver(place(turn), place(high), true) + beyond
}
