/** The cost of an event, its uncertainty, its severity, and how they are reported. */
import { rounded } from "./anomaly.ts"
import type { Finding, Severity } from "../../domain/analysis/anomalies.ts"

export interface Cost {
  readonly seconds: number
  /** s: nine in ten true costs lie within it. */
  readonly uncertainty: number
  /** s: of the laps' times over the stretch, and of this lap's clock. */
  readonly deviation: number
  readonly laps: number
}

/** A smaller cost is not worth an engineer's look, s. */
export const MIN_COST_S = 0.12

/** At least tenths are shown, and at most thousandths. */
const MIN_DIGITS = 1
const MAX_DIGITS = 3

/** Seconds with no more digits than their uncertainty allows. */
export const costText = ({ seconds, uncertainty }: Pick<Cost, "seconds" | "uncertainty">): string => {
  const digits = uncertainty > 0 ? Math.ceil(-Math.log10(uncertainty)) : MAX_DIGITS
  return Math.max(0, seconds).toFixed(Math.min(MAX_DIGITS, Math.max(MIN_DIGITS, digits)))
}

/** A cost as it is reported. It is never negative: an event gains nothing. */
export const costFields = (
  cost: Pick<Cost, "seconds" | "uncertainty"> | null
): Pick<Finding, "cost" | "costUncertainty"> =>
  cost === null
    ? { cost: null, costUncertainty: null }
    : { cost: Number(costText(cost)), costUncertainty: rounded(cost.uncertainty) }

/** Drivers work for a tenth; a second is a place or more on any grid. */
const GRAVE_S = 1
const NOTABLE_S = 0.3

/** By the cost as it is reported: of two findings of 0.3 s neither is the graver. */
export const severityOf = (cost: Pick<Cost, "seconds" | "uncertainty"> | null): Severity => {
  const seconds = costFields(cost).cost ?? 0
  return seconds >= GRAVE_S ? "high" : seconds >= NOTABLE_S ? "medium" : "low"
}
