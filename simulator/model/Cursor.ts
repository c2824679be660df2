/** The position of a drive at a time: its lap, the node before, and the share of the way to the next one. Fast for increasing times. */
import type { LapTrace } from "./lap.ts"
import { LEAD } from "./plan.ts"

interface Laps {
  readonly lapAt: (time: number) => number
  readonly trace: (lap: number) => LapTrace
}

export class Cursor {
  readonly #laps: Laps
  #trace: LapTrace | undefined
  /** The node before, in the trace's columns. */
  node = LEAD
  /** Share of the way to the next node, 0..1. */
  share = 0
  /** m/s. */
  speed = 0
  /** s since the lap began. */
  since = 0

  constructor(laps: Laps) {
    this.#laps = laps
  }

  /** Moves to a time, s since the drive began; gives the lap at that time. */
  moveTo(time: number): LapTrace {
    let trace = this.#trace
    if (trace === undefined || time >= trace.lap.end || time < trace.lap.start) {
      trace = this.#laps.trace(this.#laps.lapAt(time))
      this.#trace = trace
      this.node = LEAD
    }
    const since = time - trace.lap.start
    const last = trace.nodes - 1
    let j = this.node
    if (j === LEAD || trace.time[j]! > since) j = nodeBefore(trace.time, since, trace.nodes)
    while (trace.time[j + 1]! <= since && j < LEAD + last) j++
    const within = since - trace.time[j]!
    const rise = (trace.speed[j + 1]! - trace.speed[j]!) / (trace.time[j + 1]! - trace.time[j]!)
    const v = trace.speed[j]! + rise * within
    const way = ((trace.speed[j]! + v) / 2) * within
    this.node = j
    this.share = Math.min(1, way / trace.path.step[j]!)
    this.speed = v
    this.since = since
    return trace
  }
}

/** The index of the last node that is not after `since` (binary search). */
const nodeBefore = (time: Float64Array, since: number, nodes: number): number => {
  let low = LEAD
  let high = LEAD + nodes
  while (high - low > 1) {
    const middle = (low + high) >>> 1
    if (time[middle]! <= since) low = middle
    else high = middle
  }
  return low
}
