/** A lap's sections cut where its delta is not to be relied on, and which of the pieces lost so much that it is sure. */
import type { Stretch } from "../domain/analysis/comparison.ts"
import type { Grid, LapOnGrid } from "./alignment.ts"
import { at, type Section } from "./cornerTimes.ts"
import { mergedRanges } from "./stretches.ts"

/** A lap's delta to the fastest, as far as it is to be relied on. */
export interface Delta {
  readonly lap: LapOnGrid
  /** s at each node: the true delta lies within it nine times in ten. */
  readonly uncertainty: Float64Array
  readonly unsound: ReadonlyArray<Stretch>
  /** The most that it misses official times by, s. */
  readonly closes: number
}

export interface Piece extends Section {
  readonly sound: boolean
  /** Whether it is a section as it was, with nothing cut off, and lost more than could be by chance. */
  readonly named: boolean
}

/** Less than this is not worth a sentence, s: what the alignment of good data is sure of. */
const NAMED_S = 0.005

/** Pieces add up to the delta at the line, as sections do. */
export const piecesOf = (
  { closes, lap, uncertainty, unsound }: Delta,
  fastest: LapOnGrid,
  { length, step }: Grid,
  sections: ReadonlyArray<Section>
): ReadonlyArray<Piece> => {
  const ranges = mergedRanges(unsound)
  const delta = (distance: number) => at(lap.time, step, distance) - at(fastest.time, step, distance)
  const pieces: Array<Piece> = []
  for (const section of sections) {
    const add = (from: number, to: number, sound: boolean): void => {
      if (!(to > from)) return
      const whole = from === section.from && to === section.to
      const lost = whole ? section.lost : delta(to) - delta(from)
      const chance = Math.hypot(at(uncertainty, step, from), at(uncertainty, step, to))
      const least = Math.max(NAMED_S, closes, chance)
      pieces.push({ ...section, from, to, lost, sound, named: sound && whole && lost >= least })
    }
    let from = section.from
    for (const range of ranges) {
      if (range.to < section.from || range.from > section.to) continue
      const [begin, end] = [Math.max(section.from, range.from), Math.min(section.to, range.to, length)]
      add(from, begin, true)
      add(begin, end, false)
      from = end
    }
    add(from, section.to, true)
  }
  return pieces
}
