/** A longer way through a corner as a cause of a loss. */
import type { LapOnGrid } from "../place/alignment.ts"
import { at, nodesOf, type Section } from "../corners/cornerTimes.ts"
import { explains, type PossibleCause } from "./possibleCause.ts"

/** Noise of positions alone makes laps differ by this, m. */
const LINE_M = 0.5
/** Noise lengthens a way that is measured over less, m. */
const CHORD_M = 15

/** m of a lap's own way through a section, by its positions. */
const wayOf = ({ x, y }: LapOnGrid, from: number, to: number, step: number): number => {
  const every = Math.max(1, Math.round(CHORD_M / step))
  let way = 0
  for (let n = from; n < to; n += every) {
    const next = Math.min(to, n + every)
    way += Math.hypot(x[next]! - x[n]!, y[next]! - y[n]!)
  }
  return way
}

/** m of a lap's way from node to node, by its speed and its own time. */
const drivenBy = ({ speed, time }: LapOnGrid, from: number, to: number): number => {
  let way = 0
  for (let n = from; n < to; n++) way += ((speed[n]! + speed[n + 1]!) / 7.2) * (time[n + 1]! - time[n]!)
  return way
}

/**
 * Where the speeds do not explain the loss: a longer way. The lap's positions must show it, and its speed over its time must
 * agree, so that neither the noise of positions nor a fault of the speed passes for a line.
 */
export const longerLine = (
  section: Section,
  lap: LapOnGrid,
  fastest: LapOnGrid,
  step: number
): PossibleCause | undefined => {
  const [begin, end] = nodesOf(section, step)
  // The ends of a lap are as far from the line as its clock is coarse, which is no way that it drove.
  const rim = Math.round(CHORD_M / step)
  const from = Math.max(rim, begin)
  const to = Math.min(end, lap.speed.length - rim) - 1
  if (!(to > from)) return undefined
  const longer = wayOf(lap, from, to, step) - wayOf(fastest, from, to, step)
  const driven = drivenBy(lap, from, to) - drivenBy(fastest, from, to)
  if (!(longer > LINE_M && Math.abs(driven - longer) < LINE_M + longer / 2)) return undefined
  const pace = Math.max(1, at(fastest.speed, step, (section.from + section.to) / 2) / 3.6)
  const what = `drives a line ${longer.toFixed(1)} m longer`
  return explains(
    [{ cause: "line", what, costs: longer / pace, where: [section.from, section.to] }],
    section.lost
  )
}
