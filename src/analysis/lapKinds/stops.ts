/**
 * Stops in the pits by the laps and the line: a car that passes the line slowly where the others are fast, and does so
 * steadily, as on a limiter, or beside the others' line. The stop has the end of the in lap and the begin of the out
 * lap, up to the place where the car is up to speed again.
 *
 * A spin is no stop: the car comes at speed, and is soon faster again.
 */
import { LAUNCH_M, type Nodes, type OnLap, type Placed, type Usual } from "./placedLaps.ts"

/**
 * Of the usual speed, beside the pits. Limits are 40 to 130 km/h, depending on the series and the circuit, where cars
 * are twice as fast and more.
 */
const CRAWLS = 0.6
/** Where the others are slow too, a car this slow may still be in the pit lane, km/h. */
const PIT_KMH = 100
/** The shortest way beside the others' line, m: a car that has spun is back at this speed after some 100 m. */
const MIN_M = 150
/** The same where only one side of the line is known: the lane may lie almost wholly on the other. */
const MIN_HALF_M = 30
/** A limiter holds the speed: within 3 %, which is 2 km/h at 60, and for longer than any corner, m. */
const STEADY = 0.03
const STEADY_M = 50
/** Half of a track's width: nobody overtakes further aside, m. */
const BESIDE_M = 8
/** A car that stands for so long was not only slow, s. */
const STANDS_S = 2
/**
 * A lap that left the pits is up to speed when it reaches this share of the usual speed, at the latest after LAUNCH_M;
 * one that drives in leaves it at most this far before, m.
 */
const UP_TO_SPEED = 0.98
const ENTRY_M = 300

/** A stretch that may be driven in the pit lane. */
interface Crawl extends Nodes {
  /** m of it where the others are fast. */
  readonly metres: number
  /** m of it at a steady speed. */
  readonly steady: number
  /** m of it beside the others' line. */
  readonly beside: number
  /** The longest time on one step, s. */
  readonly stands: number
}

/** The longest way at one speed, in nodes, of those where the others are fast. */
const steadyNodes = (speed: Float64Array, isCrawl: (k: number) => boolean, { from, to }: Nodes): number => {
  let longest = 0
  for (let k = from; k <= to; k++) {
    let [least, most] = [Infinity, 0]
    for (let n = k; n <= to && isCrawl(n); n++) {
      least = Math.min(least, speed[n]!)
      most = Math.max(most, speed[n]!)
      if (most - least > STEADY * most) break
      longest = Math.max(longest, n - k + 1)
    }
  }
  return longest
}

const crawlsOf = ({ onGrid: { aside, speed, time } }: Placed, usual: Usual): ReadonlyArray<Crawl> => {
  const found: Array<Crawl> = []
  const last = usual.speed.length - 1
  const isCrawl = (k: number) => speed[k]! <= CRAWLS * usual.speed[k]!
  const isSlow = (k: number) => isCrawl(k) || speed[k]! <= PIT_KMH
  for (let k = 0; k <= last; k++) {
    if (!isCrawl(k)) continue
    let from = k
    while (from > 0 && isSlow(from - 1)) from--
    let to = k
    while (to < last && isSlow(to + 1)) to++
    let [metres, beside, stands] = [0, 0, 0]
    for (let n = from; n <= to; n++) {
      if (isCrawl(n)) {
        metres += usual.step
        if (Math.abs(aside[n]!) >= BESIDE_M) beside += usual.step
      }
      if (n < last) stands = Math.max(stands, time[n + 1]! - time[n]!)
    }
    const steady = usual.step * steadyNodes(speed, isCrawl, { from: k, to })
    found.push({ from: from === 0 ? 0 : k, to, metres, steady, beside, stands })
    k = to
  }
  return found
}

/** Both sides of the line, or the one that is known. */
const isStop = (halves: ReadonlyArray<Crawl>, least: number): boolean => {
  const of = (part: "metres" | "steady" | "beside") => halves.reduce((sum, half) => sum + half[part], 0)
  return of("metres") >= least && (of("steady") >= STEADY_M || of("beside") >= least)
}

/** Back to where the car slowed for the pits. */
export const entryOf = ({ onGrid }: Placed, { speed, step }: Usual, from: number): number => {
  const first = Math.max(0, from - Math.round(ENTRY_M / step))
  let k = from
  while (k > first && onGrid.speed[k - 1]! < UP_TO_SPEED * speed[k - 1]!) k--
  return k
}

/** On to where the car is up to speed. */
export const exitOf = ({ onGrid }: Placed, { speed, step }: Usual, to: number): number => {
  const last = Math.min(speed.length - 1, to + Math.round(LAUNCH_M / step))
  let k = to
  while (k < last && onGrid.speed[k]! < UP_TO_SPEED * speed[k]!) k++
  return k
}

const partOf = (lap: Placed, nodes: Nodes, channel: string): OnLap => ({
  lap,
  from: nodes.from,
  to: nodes.to,
  type: "pit_stop",
  channel,
  what: "in the pits"
})

export const endOf = (lap: Placed, usual: Usual, from: number, channel: string): OnLap =>
  partOf(lap, { from: entryOf(lap, usual, from), to: usual.speed.length - 1 }, channel)

export const beginOf = (lap: Placed, usual: Usual, to: number, channel: string): OnLap =>
  partOf(lap, { from: 0, to: exitOf(lap, usual, to) }, channel)

export const withinOf = (lap: Placed, usual: Usual, { from, to }: Nodes, channel: string): OnLap =>
  partOf(lap, { from: entryOf(lap, usual, from), to: exitOf(lap, usual, to) }, channel)

/** `slow`: parts of laps in which every car is slow; a stop there needs a standstill. */
export const stopsOf = (
  placed: ReadonlyArray<Placed>,
  usual: Usual,
  slow: ReadonlyArray<OnLap>
): ReadonlyArray<OnLap> => {
  const last = usual.speed.length - 1
  const found: Array<OnLap> = []
  const isSlow = (lap: Placed, { from, to }: Nodes) =>
    slow.some((part) => part.lap === lap && part.from <= to && from <= part.to)
  const crawls = new Map(placed.map((lap) => [lap, crawlsOf(lap, usual)]))
  const headOf = (lap: Placed | undefined) =>
    lap === undefined ? undefined : crawls.get(lap)!.find(({ from }) => from === 0)
  const isNext = new Set(placed.flatMap(({ next }) => next ?? []))
  for (const lap of placed) {
    const own = crawls.get(lap)!
    const tail = own.find(({ from, to }) => to === last && from > 0)
    const head = headOf(lap.next)
    if (tail !== undefined) {
      const halves = head === undefined ? [tail] : [tail, head]
      const stands = halves.some((half) => half.stands >= STANDS_S) || !isSlow(lap, tail)
      if (stands && isStop(halves, lap.next === undefined ? MIN_HALF_M : MIN_M)) {
        found.push(endOf(lap, usual, tail.from, "speed"))
        if (head !== undefined) found.push(beginOf(lap.next!, usual, head.to, "speed"))
      }
    }
    const begin = headOf(lap)
    // The lap before has no places here: it is judged with another part of a long session.
    const isAlone = begin !== undefined && !isNext.has(lap) && !lap.begins
    if (isAlone && isStop([begin], MIN_HALF_M) && !isSlow(lap, begin)) {
      found.push(beginOf(lap, usual, begin.to, "speed"))
    }
    for (const crawl of own) {
      const isBox = crawl.from > 0 && crawl.to < last && crawl.stands >= STANDS_S && crawl.steady >= STEADY_M
      if (isBox && crawl.beside >= MIN_M) found.push(withinOf(lap, usual, crawl, "speed"))
    }
  }
  return found
}
