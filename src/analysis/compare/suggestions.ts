/** Sentences for the driver, made from the places where a lap lost time and the differences there. */
import type { Alignment, LapOnGrid } from "../place/alignment.ts"
import { causeOf, ofStraight, spun } from "./causes.ts"
import type { Loss } from "../../domain/analysis/comparison.ts"
import type { NumberedCorner } from "../circuits/numbering.ts"
import type { CornerAnalysis } from "../corners/cornerTimes.ts"
import { hasAbsent } from "../missing.ts"
import type { Piece } from "./pieces.ts"
import { isKnown, round } from "./possibleCause.ts"
import type { Slipped } from "./wheelCauses.ts"

const seconds = (value: number) => `${value.toFixed(3)} s`

/** "Corner 3 (850 m)", "Between corners 3 and 4 (850 m)". `isNumbered`: by the circuit's map, or by a user. */
const placeOf = ({ apex, label }: NumberedCorner, isNumbered: boolean): string => {
  const name = label.startsWith("between ") ? `Between corners ${label.slice(8)}` : `Corner ${label}`
  return `${name} (${isNumbered ? "" : "unofficial number, "}${round(apex)} m)`
}

/** Whether the loss to the fastest can be explained: both laps have speeds all the way. */
export const isExplicable = (lap: LapOnGrid, fastest: LapOnGrid): boolean =>
  !hasAbsent(lap.speed) && !hasAbsent(fastest.speed)

/**
 * Every named loss of every lap to the fastest, the largest first. `pieces`, `slips`: a row for each lap. Losses less gains of a
 * lap's pieces are its delta at the line.
 */
export const lossesOf = (
  alignment: Alignment,
  fastest: LapOnGrid,
  analysis: CornerAnalysis,
  pieces: ReadonlyArray<ReadonlyArray<Piece>>,
  slips: ReadonlyArray<ReadonlyArray<Slipped>>
): ReadonlyArray<Loss> => {
  const { step } = alignment.grid
  const losses: Array<Loss> = []
  alignment.laps.forEach((lap, l) => {
    if (lap === fastest || !isExplicable(lap, fastest)) return
    const name = `Lap ${lap.lap.lapNumber}`
    for (const section of pieces[l]!) {
      if (!section.named) continue
      const { corner } = section
      const own = { ...section, ...section.own }
      const common = { lapId: lap.lap.id, from: section.from, to: section.to, seconds: section.lost }
      if (corner === null) {
        const found = spun(section, lap, fastest, step) ?? ofStraight(section, lap, fastest, slips[l]!, step)
        const place =
          section.from === 0 && section.to === alignment.grid.length
            ? "Over the lap"
            : `On the straight from ${round(section.from)} m to ${round(section.to)} m`
        losses.push({
          ...common,
          corner: null,
          cornerLabel: null,
          distance: (section.from + section.to) / 2,
          cause: found?.cause ?? null,
          causeAt: found?.where ?? null,
          sentence: `${place}: ${name} ${found === undefined ? "" : `${found.what} and `}loses ${seconds(section.lost)}.`
        })
        continue
      }
      const { passes } = analysis.corners.find(({ entry }) => entry === corner.entry)!
      const pass = passes[l]!
      const best = passes[alignment.laps.indexOf(fastest)]!
      const found =
        spun(own, lap, fastest, step) ??
        // In a pause of one of the laps nothing shows a cause.
        (isKnown(pass) && isKnown(best)
          ? causeOf(pass, best, lap, fastest, slips[l]!, { ...own, corner }, alignment.grid)
          : undefined)
      losses.push({
        ...common,
        corner: corner.number,
        cornerLabel: corner.label,
        distance: corner.apex,
        cause: found?.cause ?? null,
        causeAt: found?.where ?? null,
        sentence: `${placeOf(corner, analysis.circuit !== null)}: ${name} ${found === undefined ? "" : `${found.what} and `}loses ${seconds(section.lost)}.`
      })
    }
  })
  return losses.sort((a, b) => b.seconds - a.seconds)
}
