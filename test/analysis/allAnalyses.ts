/** All results that src/analysis computes for a session, and a check for values that JSON cannot represent. */
import { align, type LapData } from "../../src/analysis/place/alignment.ts"
import { sessionAnomalies } from "../../src/analysis/anomalies/anomalies.ts"
import { comparableLaps, theoreticalBest } from "../../src/analysis/compare/comparable.ts"
import { compare } from "../../src/analysis/compare/comparison.ts"
import { consistency } from "../../src/analysis/compare/consistency.ts"
import { microSectors } from "../../src/analysis/compare/microSectors.ts"
import { predictNextLap } from "../../src/analysis/predictions/predictions.ts"
import { sectorAnalysis } from "../../src/analysis/compare/sectors.ts"
import { metresOf } from "../../src/analysis/place/odometer.ts"
import { lapsOf } from "./sessions.ts"

/** By name; a comparison needs a reference lap, the others none. */
export const allAnalyses = (laps: ReadonlyArray<LapData>, step = 5): Readonly<Record<string, unknown>> => {
  const records = lapsOf(laps)
  const alignment = align(laps, step)
  return {
    alignment,
    comparison: laps.length === 0 ? undefined : compare(laps, step),
    anomalies: sessionAnomalies(1, laps),
    sectors: laps.map((lap) => sectorAnalysis(lap, records)),
    prediction: predictNextLap(records),
    consistency: consistency(records, alignment),
    microSectors: alignment && microSectors(alignment),
    comparable: comparableLaps(records),
    theoreticalBest: theoreticalBest(records),
    metres: laps.map(({ points }) => metresOf(points))
  }
}

/** The places in a result with a number that JSON cannot represent, or a sentence with such a number. */
export const unspeakable = (value: unknown, path = ""): ReadonlyArray<string> => {
  if (typeof value === "number") return Number.isFinite(value) ? [] : [`${path}: ${value}`]
  if (typeof value === "string") return /NaN|Infinity|undefined|null/.test(value) ? [`${path}: ${value}`] : []
  if (value instanceof Float64Array) {
    const wrong = value.findIndex((one) => !Number.isFinite(one))
    return wrong < 0 ? [] : [`${path}.${wrong}: ${value[wrong]}`]
  }
  if (typeof value !== "object" || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) => unspeakable(inner, `${path}.${key}`))
}
