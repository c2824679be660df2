/** The slowest speeds of two laps in a bend: at one place, and how much of the bend that place stands for. */
import type { NumberedCorner } from "../circuits/numbering.ts"
import { FALLS_AGAIN_KMH } from "../corners/cornerPoints.ts"
import type { LapOnGrid } from "../place/alignment.ts"
import { type KnownPass, round } from "./possibleCause.ts"

/**
 * Minima further apart are at different places of a long bend, m. In a simulated corner that is slower all along, the slowest
 * place moves by up to 28 m.
 */
const ELSEWHERE_M = 30

/** A slowest speed, km/h, and its place, m. */
interface Slowest {
  readonly speed: number
  readonly place: number
}

/** The nodes of a bend; of a corner across the line the part on the side of `place`, m. */
const nodesAround = ({ entry, exit }: NumberedCorner, place: number, last: number, step: number) =>
  [
    entry <= place ? Math.round(entry / step) : 0,
    exit >= place ? Math.min(last, Math.round(exit / step)) : last
  ] as const

/** How slow the faster lap is where the other is slowest. */
export const slowestBeside = (
  pass: KnownPass,
  best: KnownPass,
  corner: NumberedCorner,
  { speed }: LapOnGrid,
  step: number
): Slowest => {
  const place = pass.minimumSpeedAt
  if (Math.abs(place - best.minimumSpeedAt) <= ELSEWHERE_M)
    return { speed: best.minimumSpeed, place: best.minimumSpeedAt }
  const [from, to] = nodesAround(corner, place, speed.length - 1, step)
  const end = Math.min(to, Math.round((place + ELSEWHERE_M) / step))
  let slowest = Math.max(from, Math.round((place - ELSEWHERE_M) / step))
  for (let n = slowest; n <= end; n++) if (speed[n]! < speed[slowest]!) slowest = n
  return { speed: speed[slowest]!, place: slowest * step }
}

/**
 * The length of the bend that a slowest place stands for, m: up to the places before and behind it from which the car slows to another
 * slow place of the bend.
 */
export const slowLength = (
  corner: NumberedCorner,
  { place }: Slowest,
  { speed }: LapOnGrid,
  step: number
): number => {
  const slowest = Math.round(place / step)
  const lengthTo = (end: number): number => {
    const way = Math.sign(end - slowest)
    let fastest = slowest
    for (let n = slowest; n !== end; n += way) {
      if (speed[n]! > speed[fastest]!) fastest = n
      if (speed[fastest]! - speed[n]! > FALLS_AGAIN_KMH) return Math.abs(fastest - slowest)
    }
    return Math.abs(end - slowest)
  }
  const [from, to] = nodesAround(corner, place, speed.length - 1, step)
  return (lengthTo(from) + lengthTo(to)) * step
}

export const isSame = ({ place }: Slowest, { minimumSpeedAt }: KnownPass): boolean => place === minimumSpeedAt

/** Where the faster lap is slowest elsewhere it says the place. */
export const lessMinimumSpeed = (pass: KnownPass, best: KnownPass, there: Slowest): string => {
  const place = isSame(there, best) ? "" : ` at ${round(pass.minimumSpeedAt)} m`
  const [own, other] = [round(pass.minimumSpeed), round(there.speed)]
  return `carries ${other - own} km/h less minimum speed${place} (${own} against ${other} km/h)`
}
