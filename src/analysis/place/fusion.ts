/**
 * Combines two sources to one place at each time: positions, which are noisy but never far off, and the distance
 * driven, which is smooth but drifts. Their difference (the offset) is a random walk seen through noise. Its best
 * estimate from all points of a lap, with its variance, is given by the smoother of Rauch, Tung and Striebel (1965)
 * behind the filter of Kalman (1960).
 */
import type { Movement } from "./agreement.ts"
import type { Reported } from "./reportedWay.ts"
import { roughQuantile } from "../math/robust.ts"

/** The input, by time; a place is NaN where it is unknown. */
export interface Drive {
  /** s, increasing. */
  readonly time: Float64Array
  /** m. */
  readonly place: Float64Array
  /** m driven along the line, by the speed. */
  readonly driven: Float64Array
  /** m/s. */
  readonly speed: Float64Array
  /** 1 where the speed cannot be believed: the drift there has no limit. */
  readonly speedWrong: Uint8Array
  /** The mean squared change of speed in a second, m^2/s^3. */
  readonly unrest: number
}

export interface Fused {
  /** m, at each time. */
  readonly distance: Float64Array
  /** m^2. */
  readonly variance: Float64Array
}

/** Fewer known places do not show their noise. */
const MIN_PLACES = 8
/**
 * Places that scatter by less than this about the speed's are used unchanged, m. Nine in ten scatter by under 1 mm for
 * simulators at 60 or 10 Hz, by 0.8 m for those with an arrival clock, by 1.4 m for the F1 recording.
 */
export const PRECISE_M = 0.1
/** The least scatter and drift of places, m^2 and m^2/s: that of their digits. */
const MIN_VARIANCE = 0.01 ** 2
const MIN_DRIFT = 1e-4
/** Clock noise is proportional to the speed, plus this, m/s. */
const STANDING_MS = 5
/** A place further than this many deviations from the estimate gets less weight, as by Huber (1964). */
const HUBER = 2
const PASSES = 2
/** A point represents at most this much time, s. */
const MAX_S = 0.5

/**
 * How far values lie from the straight between their neighbours: noise, without slow changes. The quantile for nine in
 * ten is taken, because feeds that merge two streams fill in positions that lie on the straight. Unknown values (NaN)
 * are ignored.
 */
export const roughness = (time: Float64Array, values: Float64Array): number => {
  const off = new Float64Array(values.length)
  let count = 0
  let a = -1
  let b = -1
  for (let i = 0; i < values.length; i++) {
    if (Number.isNaN(values[i]!)) continue
    if (a >= 0) {
      const share = (time[b]! - time[a]!) / (time[i]! - time[a]!)
      off[count++] = Math.abs(values[b]! - values[a]! - share * (values[i]! - values[a]!))
    }
    a = b
    b = i
  }
  return roughQuantile(off, 0.9, count)
}

/**
 * The mean squared change of speed in a second, m^2/s^3: the acceleration taken as noise. Where nothing but the ends is
 * known for T seconds, a place found by speeds alone has the variance q T^3 / 12 at the end (an integrated Wiener
 * process).
 */
export const unrest = (time: Float64Array, speed: Float64Array): number => {
  let sum = 0
  let seconds = 0
  for (let i = 0, j = 0; i < time.length; i++) {
    while (j < time.length && time[j]! - time[i]! < 1) j++
    if (j === time.length) break
    const rise = speed[j]! - speed[i]!
    sum += rise * rise
    seconds += time[j]! - time[i]!
  }
  return seconds > 0 ? Math.max(1, sum / seconds) : 1
}

interface Noise {
  /** m^2 s: the places' variance times the time between independent ones. */
  readonly places: number
  /** m^2/s. */
  readonly drift: number
  /** m^2: how far the places themselves drift. Without a third source, half of the two sources' difference is theirs. */
  readonly wander: number
}

/**
 * S and q from differences of means over w s (Allan 1966). For adjacent windows their variance is 2 S / w + 2/3 q w; for
 * windows with a s between them it is 2 S / w + (a + 2/3 w) q.
 */
const noiseOf = ({ apart, far, near, window }: Movement): Noise => {
  const apartBy = Math.max(0, far * far - near * near)
  const drift = Math.max(MIN_DRIFT, apartBy / apart)
  const places = Math.max(MIN_VARIANCE * MAX_S, (window * (near * near - (2 / 3) * drift * window)) / 2)
  return { drift, places, wander: apartBy / 4 }
}

/** The walk's drift from point to point, m^2, plus the part of a step that the speed does not show. */
const steps = ({ speed, speedWrong, time, unrest: acceleration }: Drive, drift: number): Float64Array => {
  return time.map((now, i) => {
    if (i === 0) return 0
    const step = now - time[i - 1]!
    const free = speedWrong[i] === 1 || speedWrong[i - 1] === 1 ? Math.max(1, speed[i]! * step) ** 2 : 0
    return drift * step + (acceleration * step ** 3) / 12 + free
  })
}

/** The random walk through `offset` (NaN: not observed) with these variances of its steps and of the noise. */
export const smoothed = (offset: Float64Array, step: Float64Array, noise: Float64Array) => {
  const size = offset.length
  const value = new Float64Array(size)
  const variance = new Float64Array(size)
  const expected = new Float64Array(size)
  let at = offset.find((one) => !Number.isNaN(one)) ?? 0
  // Nothing is known before the first point.
  let spread = 1e6
  for (let i = 0; i < size; i++) {
    spread += step[i]!
    expected[i] = spread
    if (!Number.isNaN(offset[i]!)) {
      const gain = spread / (spread + noise[i]!)
      at += gain * (offset[i]! - at)
      spread *= 1 - gain
    }
    value[i] = at
    variance[i] = spread
  }
  for (let i = size - 2; i >= 0; i--) {
    const gain = variance[i]! / expected[i + 1]!
    // A random walk is expected to stay where it is.
    value[i] = value[i]! + gain * (value[i + 1]! - value[i]!)
    variance[i] = variance[i]! + gain * gain * (variance[i + 1]! - expected[i + 1]!)
  }
  return { value, variance }
}

/** The clock noise at each point's speed, as a variance relative to the lap's. */
const weights = ({ place, speed }: Drive): Float64Array => {
  let squares = 0
  let count = 0
  for (let i = 0; i < speed.length; i++) {
    if (Number.isNaN(place[i]!)) continue
    squares += speed[i]! ** 2 + STANDING_MS ** 2
    count++
  }
  const usual = squares / Math.max(1, count)
  return speed.map((v) => (v ** 2 + STANDING_MS ** 2) / usual)
}

/** Each place's own noise, m^2: by its speed, and by how much time it represents. */
const noises = (time: Float64Array, weight: Float64Array, density: number): Float64Array =>
  time.map((now, i) => {
    const before = i > 0 ? now - time[i - 1]! : MAX_S
    const after = i + 1 < time.length ? time[i + 1]! - now : MAX_S
    const stands = Math.min(MAX_S, Math.max(1e-4, (before + after) / 2))
    return (density / stands) * weight[i]!
  })

/** Only the known places, unchanged: where the speed is no help, or there are too few places to judge. */
const unfused = ({ place, time }: Drive): Fused => {
  const variance = Math.max(MIN_VARIANCE, roughness(time, place) ** 2)
  return { distance: place, variance: place.map((at) => (Number.isNaN(at) ? Number.NaN : variance)) }
}

/** Precise places unchanged; between them, where some are unknown, the distance driven from one to the other. */
const bridged = (drive: Drive, { offset, way }: Reported, drift: number, own: Float64Array): Fused => {
  const { place } = drive
  const { value, variance } = smoothed(offset, steps(drive, drift), new Float64Array(place.length))
  return {
    distance: place.map((at, i) => (Number.isNaN(at) ? value[i]! + way[i]! : at)),
    variance: variance.map((one, i) => one + own[i]!)
  }
}

/**
 * Distances at every time; NaN where unknown. `reported`: undefined if no speed describes the way.
 * `wandering`: whether the places may drift as well as the distance driven. Places on the circuit's own line do not
 * drift, apart from noise; the distance driven does, because a car on another line drives another distance.
 */
export const fuse = (
  drive: Drive,
  reported: (Reported & { readonly movement: Movement }) | undefined,
  wandering = true
): Fused => {
  const { place, time } = drive
  let known = 0
  for (let i = 0; i < place.length; i++) if (!Number.isNaN(place[i]!)) known++
  if (reported === undefined || known < MIN_PLACES) return unfused(drive)
  const { movement, offset, way } = reported
  const { drift, places, wander } = noiseOf(movement)
  const scatter = roughness(time, offset)
  const own = weights(drive)
  const noise = scatter < PRECISE_M ? undefined : noises(time, own, places)
  const least = Math.max(MIN_VARIANCE, noise === undefined ? scatter ** 2 : 0)
  for (let i = 0; i < own.length; i++) own[i] = least + (wandering ? wander * own[i]! : 0)
  if (noise === undefined) {
    return known === place.length ? { distance: place, variance: own } : bridged(drive, reported, drift, own)
  }
  const step = steps(drive, drift)
  const robust = noise.slice()
  let found = smoothed(offset, step, robust)
  for (let pass = 0; pass < PASSES; pass++) {
    for (let i = 0; i < robust.length; i++) {
      const off = Math.abs(offset[i]! - found.value[i]!) / Math.sqrt(noise[i]!)
      robust[i] = off > HUBER ? (noise[i]! * off) / HUBER : noise[i]!
    }
    found = smoothed(offset, step, robust)
  }
  const { value, variance } = found
  for (let i = 0; i < value.length; i++) {
    value[i] = value[i]! + way[i]!
    variance[i] = variance[i]! + own[i]!
  }
  return { distance: value, variance }
}
