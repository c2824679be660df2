/** Stretches of a lap, in metres from the line. */

import type { Stretch } from "../../domain/analysis/comparison.ts"
import type { FaultSource } from "../faults/fault.ts"

/** `lacks`: the unsound part: a source, the points themselves, or the lap as a whole. */
export interface UnsoundStretch extends Stretch {
  readonly lacks: FaultSource | "lap"
}

type Range = Pick<Stretch, "from" | "to">

/** In order, within the lap; a stretch inside another with the same reason is left out. */
export const orderedStretches = <S extends Stretch>(
  stretches: ReadonlyArray<S>,
  length: number
): ReadonlyArray<S> => {
  const found: Array<S> = []
  const clipped = stretches
    .map((one) => ({ ...one, from: Math.max(0, one.from), to: Math.min(length, one.to) }))
    .filter(({ from, to }) => to >= from)
    .sort((a, b) => a.from - b.from || b.to - a.to)
  for (const one of clipped) {
    const last = found.findIndex(({ reason, to }) => reason === one.reason && to >= one.from)
    if (last < 0) found.push(one)
    else found[last] = { ...found[last]!, to: Math.max(found[last]!.to, one.to) }
  }
  return found
}

/** Whether a place, or any part of a stretch, lies in one of these. */
export const touches = (stretches: ReadonlyArray<Range>, from: number, to: number = from): boolean =>
  stretches.some((stretch) => stretch.from <= to && stretch.to >= from)

/** Merged so that no two overlap. */
export const mergedRanges = (stretches: ReadonlyArray<Range>): ReadonlyArray<Range> => {
  const found: Array<{ from: number; to: number }> = []
  for (const { from, to } of [...stretches].sort((a, b) => a.from - b.from)) {
    const last = found.at(-1)
    if (last !== undefined && from <= last.to) last.to = Math.max(last.to, to)
    else found.push({ from, to })
  }
  return found
}
