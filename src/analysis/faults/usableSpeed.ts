/**
 * A speed for every point: the reported one, or, where that is wrong or absent, one from the positions or the neighbours.
 */
import type { Sources } from "./sources.ts"

/** Positions this far apart in time give a speed, s: nearer ones give more noise. */
const CHORD_S = 0.4

/** m/s from the sound positions around a point; NaN unless there are some on both sides. */
const byPositions = ({ placeWrong, t, x, y }: Sources, i: number): number => {
  let a = i
  while (a > 0 && t[i]! - t[a - 1]! <= CHORD_S / 2) a--
  let b = i
  while (b < t.length - 1 && t[b + 1]! - t[i]! <= CHORD_S / 2) b++
  if (a === i && a > 0) a--
  if (b === i && b < t.length - 1) b++
  while (a < b && placeWrong[a] === 1) a++
  while (b > a && placeWrong[b] === 1) b--
  return b > a ? Math.hypot(x[b]! - x[a]!, y[b]! - y[a]!) / (t[b]! - t[a]!) : Number.NaN
}

/** The sources' own column where nothing is wrong with it. m/s; 0 for a lap that has neither source. */
export const usableSpeed = (sources: Sources): Float64Array => {
  const { speedWrong, t, v } = sources
  const wrong = (i: number) => !sources.hasSpeed || speedWrong[i] === 1
  let sound = true
  for (let i = 0; i < v.length && sound; i++) sound = !wrong(i)
  if (sound) return v
  const speed = v.slice()
  const known = new Uint8Array(v.length)
  for (let i = 0; i < v.length; i++) {
    if (!wrong(i)) known[i] = 1
    else if (sources.hasPositions) {
      speed[i] = byPositions(sources, i)
      if (!Number.isNaN(speed[i]!)) known[i] = 1
    }
  }
  let last = -1
  for (let i = 0; i <= v.length; i++) {
    if (i < v.length && known[i] === 0) continue
    const [before, after] = [speed[last] ?? speed[i] ?? 0, speed[i] ?? speed[last] ?? 0]
    for (let k = last + 1; k < i; k++) {
      const share = last >= 0 && i < v.length ? (t[k]! - t[last]!) / (t[i]! - t[last]!) : 0
      speed[k] = before + share * (after - before)
    }
    last = i
  }
  return speed
}
