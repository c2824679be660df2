/** Cuts a lap's sections where its delta is unreliable, and finds the pieces that certainly lost time. */
import type { Stretch } from "../../domain/analysis/comparison.ts"
import type { Grid, LapOnGrid } from "../place/alignment.ts"
import { at, type Section } from "../corners/cornerTimes.ts"
import { mergedRanges } from "./stretches.ts"

/** A lap's delta to the fastest, with its reliability. */
export interface Delta {
  readonly lap: LapOnGrid
  /** s at each node: the true delta lies within this nine times in ten. */
  readonly uncertainty: Float64Array
  readonly unsound: ReadonlyArray<Stretch>
  /** The greatest difference from official times, s. */
  readonly closes: number
}

export interface Piece extends Section {
  readonly sound: boolean
  /** Whether it is a whole section, and lost more than chance explains. */
  readonly named: boolean
}

/** A smaller loss is not worth a sentence, s: good data are aligned to this precision. */
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
