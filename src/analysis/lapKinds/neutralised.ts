/**
 * Neutralisations by the laps: nearly everywhere slower at once, as behind a safety car, or slower in one place lap
 * after lap, as under a yellow flag.
 *
 * Rain, damage and a lap to cool down look the same: none of them is a place where the driver lost time.
 */
import { PACE } from "../compare/comparable.ts"
import { median } from "../math/robust.ts"
import type { Nodes, OnLap, Placed, Usual } from "./placedLaps.ts"

/** The length of a cell, m: a corner, or the straight after it. */
const CELL_M = 100
const MIN_CELLS = 8
/**
 * The time of a place where the car is held back, in the middle and at least. Behind a safety car, a virtual one or
 * under full course yellow laps take 30 % longer and more (FIA, Formula 1 sporting regulations), in slow corners less;
 * laps at pace differ by 1 or 2 %.
 */
const NEUTRAL = 1.2
/** Nearly everywhere. */
const MOST = 0.9
/** Under a yellow flag the car is as slow as behind a safety car, in the middle of the place. */
const FLAG = 1.3
/** So many cells in a row may be at pace: two cars' distance, and a corner that all take slowly. */
const AT_PACE_CELLS = 2
/** A flag stands for more than one corner: marshals' posts are at most 500 m apart (FIA, Appendix H). */
const FLAG_CELLS = 2
/** Under a flag no car nearly stops: this is a spin (share of the usual speed). */
const SPIN_SHARE = 0.45

interface Cell extends Nodes {
  readonly lap: Placed
  /** The time in it as a multiple of the usual one. */
  readonly ratio: number
}

const cellsOf = (
  placed: ReadonlyArray<Placed>,
  { speed, step, times }: Usual
): ReadonlyArray<ReadonlyArray<Cell>> => {
  const last = speed.length - 1
  const count = Math.max(MIN_CELLS, Math.round((last * step) / CELL_M))
  const edges = Array.from({ length: count + 1 }, (_, c) => Math.round((c * last) / count))
  const usual = edges.slice(1).map((to, c) => median(times.map((time) => time[to]! - time[edges[c]!]!)))
  return placed.map((lap) =>
    usual.map((seconds, c): Cell => {
      const [from, to] = [edges[c]!, edges[c + 1]!]
      return { lap, from, to, ratio: (lap.onGrid.time[to]! - lap.onGrid.time[from]!) / seconds }
    })
  )
}

/** Cells of laps that follow each other without a break. */
const sequencesOf = (placed: ReadonlyArray<Placed>, usual: Usual): ReadonlyArray<ReadonlyArray<Cell>> => {
  const cells = cellsOf(placed, usual)
  const found: Array<Array<Cell>> = []
  placed.forEach(({ onGrid }, l) => {
    if (!onGrid.complete) return
    const before = placed[l - 1]
    if (before?.next !== placed[l] || !before!.onGrid.complete) found.push([])
    found.at(-1)!.push(...cells[l]!)
  })
  return found
}

/** Runs of cells slower than `least`, over at most `over` that are not. */
const runsOf = (
  cells: ReadonlyArray<Cell>,
  least: number,
  over: number
): ReadonlyArray<ReadonlyArray<Cell>> => {
  const found: Array<ReadonlyArray<Cell>> = []
  let from = -1
  let to = -1
  for (let c = 0; c <= cells.length; c++) {
    const isSlow = c < cells.length && cells[c]!.ratio > least
    if (isSlow) {
      if (from < 0) from = c
      to = c
    } else if (from >= 0 && (c === cells.length || c - to > over)) {
      found.push(cells.slice(from, to + 1))
      from = -1
    }
  }
  return found
}

const partsOf = (cells: ReadonlyArray<Cell>, what: string): ReadonlyArray<OnLap> =>
  [...new Set(cells.map(({ lap }) => lap))].map((lap) => {
    const own = cells.filter((cell) => cell.lap === lap)
    return { lap, from: own[0]!.from, to: own.at(-1)!.to, type: "neutralised", channel: "speed", what }
  })

/** Slower nearly everywhere for more than half a lap. */
export const slowEverywhere = (placed: ReadonlyArray<Placed>, usual: Usual): ReadonlyArray<OnLap> => {
  const half = Math.max(MIN_CELLS, Math.round(((usual.speed.length - 1) * usual.step) / CELL_M)) / 2
  return sequencesOf(placed, usual).flatMap((cells) =>
    runsOf(cells, PACE, AT_PACE_CELLS).flatMap((run) => {
      const slow = run.filter(({ ratio }) => ratio > PACE).length
      const isNeutral = run.length > half && slow >= MOST * run.length
      if (!isNeutral || median(run.map(({ ratio }) => ratio)) < NEUTRAL) return []
      return partsOf(run, "nearly everywhere, as behind a safety car or to cool down")
    })
  )
}

const isFlag = (run: ReadonlyArray<Cell>, { speed }: Usual): boolean => {
  const { onGrid } = run[0]!.lap
  for (let k = run[0]!.from; k <= run.at(-1)!.to; k++)
    if (onGrid.speed[k]! < SPIN_SHARE * speed[k]!) return false
  return (
    run.filter(({ ratio }) => ratio > NEUTRAL).length >= FLAG_CELLS && run.some(({ ratio }) => ratio > FLAG)
  )
}

const meets = (one: Nodes, other: Nodes): boolean => one.from < other.to && other.from < one.to

/** Slower in one place on two laps in a row or more. `known`: parts of laps that are explained otherwise. */
export const slowInOnePlace = (
  placed: ReadonlyArray<Placed>,
  usual: Usual,
  known: ReadonlyArray<OnLap>
): ReadonlyArray<OnLap> => {
  const runs = cellsOf(placed, usual).map((cells, l) =>
    !placed[l]!.onGrid.complete
      ? []
      : runsOf(cells, PACE, 0)
          .filter((run) => isFlag(run, usual))
          .map((run) => partsOf(run, "at one place, as under a yellow flag")[0]!)
          .filter((part) => !known.some((other) => other.lap === part.lap && meets(other, part)))
  )
  return runs.flatMap((own, l) => {
    const before = placed[l - 1]?.next === placed[l] ? runs[l - 1]! : []
    const next = placed[l]!.next === undefined ? [] : runs[l + 1]!
    return own.filter((part) => [...before, ...next].some((other) => meets(part, other)))
  })
}
