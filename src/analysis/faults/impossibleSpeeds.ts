/** Speeds that leap beyond any acceleration, and leap back: a sensor's dropout, or a locked wheel. */
import { faultOf, secondsText } from "./fault.ts"
import type { Sources } from "./sources.ts"

/** Ten times gravity, m/s^2: twice the braking of a Formula 1 car. */
const MAX_ACCELERATION = 100
/** Whole numbers of km/h at a high rate change by one; 5 km/h is more, m/s. */
const COARSE_MS = 5 / 3.6
/** A leap that does not come back within this, s, is no fault of the speed: it is a crash. */
const MAX_S = 10

/** The positions confirm the speed if their way differs from the speed's by at most so many m, or this share. */
const OFF_M = 2
const OFF_SHARE = 0.2

/** Whether the positions confirm the speeds from one point to another. */
const confirmed = ({ hasPositions, placeWrong, t, v, x, y }: Sources, from: number, to: number): boolean => {
  if (!hasPositions) return false
  let way = 0
  let said = 0
  for (let i = from; i <= to; i++) {
    if (placeWrong[i] === 1 || placeWrong[i - 1] === 1) return false
    way += Math.hypot(x[i]! - x[i - 1]!, y[i]! - y[i - 1]!)
    said += ((v[i]! + v[i - 1]!) / 2) * (t[i]! - t[i - 1]!)
  }
  return Math.abs(way - said) <= OFF_M + OFF_SHARE * said
}

/** Whether the speed changes to this point from the one before faster than any car's. */
export const leapsTo = ({ t, v }: Pick<Sources, "t" | "v">, i: number): boolean =>
  Math.abs(v[i]! - v[i - 1]!) > MAX_ACCELERATION * (t[i]! - t[i - 1]!) + COARSE_MS

export const impossibleSpeeds = (sources: Sources): void => {
  const { faults, speedWrong, t, v } = sources
  for (let i = 1; i < t.length; i++) {
    if (!leapsTo(sources, i)) continue
    // Where the speed is back: after an opposite leap, at a speed that a car can have reached meanwhile.
    const side = Math.sign(v[i]! - v[i - 1]!)
    let back = i + 1
    while (
      back < t.length &&
      t[back]! - t[i - 1]! <= MAX_S &&
      !(
        leapsTo(sources, back) &&
        Math.sign(v[back]! - v[back - 1]!) === -side &&
        Math.abs(v[back]! - v[i - 1]!) <= (MAX_ACCELERATION / 2) * (t[back]! - t[i - 1]!) + COARSE_MS
      )
    )
      back++
    if (back >= t.length || t[back]! - t[i - 1]! > MAX_S || confirmed(sources, i, back)) continue
    for (let k = i; k < back; k++) speedWrong[k] = 1
    faults.push(
      faultOf("speed", t, i, back - 1, (time) => `speed leaps as no car's does, for ${secondsText(time)}`)
    )
    i = back
  }
}
