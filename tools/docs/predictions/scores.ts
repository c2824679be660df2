/** Errors of predictions, by groups. */
import type { Case } from "./cases.ts"
import { type Answer, limits } from "./methods.ts"

export interface Scored {
  readonly one: Case
  readonly answer: Answer
  /** |time - lap time|, s. */
  readonly error: number
  /** Continuous ranked probability score, s (Matheson & Winkler 1976): the error of a whole distribution. */
  readonly crps: number
}

/** Steps of the integration of the score: from 0 to 107 % of 105 s, 7 ms each. */
const PIECES = 2000

const crpsOf = (one: Case, { below }: Answer): number => {
  const [low, high] = limits(one)
  const step = (high - low) / PIECES
  const time = one.next.lapTime
  let sum = 0
  for (let k = 0; k < PIECES; k++) {
    const at = low + (k + 0.5) * step
    sum += (below(at) - (at >= time ? 1 : 0)) ** 2
  }
  // Beyond the range both the distribution and the lap are 0 or 1.
  return sum * step + Math.max(0, low - time, time - high)
}

export const scored = (one: Case, answer: Answer): Scored => ({
  one,
  answer,
  error: Math.abs(answer.time - one.next.lapTime),
  crps: crpsOf(one, answer)
})

export const mean = (values: ReadonlyArray<number>): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length

export const grouped = <A>(
  all: ReadonlyArray<A>,
  keyOf: (one: A) => string
): ReadonlyMap<string, ReadonlyArray<A>> => {
  const groups = new Map<string, Array<A>>()
  for (const one of all) {
    const group = groups.get(keyOf(one)) ?? []
    groups.set(keyOf(one), group)
    group.push(one)
  }
  return groups
}

export const isInside = ({ answer: { interval }, one: { next } }: Scored): boolean =>
  interval !== undefined && next.lapTime >= interval[0] && next.lapTime <= interval[1]
