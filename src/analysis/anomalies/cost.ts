/** What something cost, how sure that is, and how both are told. */
import { rounded } from "./anomaly.ts"
import type { Finding } from "../../domain/analysis/anomalies.ts"

export interface Cost {
  readonly seconds: number
  /** Nine in ten true costs lie within it, s. */
  readonly uncertainty: number
  readonly laps: number
}

/** Less than this is not worth an engineer's look, s. */
export const MIN_COST_S = 0.12

/** Tenths are told in any case, and no more than thousandths. */
const MIN_DIGITS = 1
const MAX_DIGITS = 3

/** Seconds with no more digits than their uncertainty leaves. */
export const costText = ({ seconds, uncertainty }: Pick<Cost, "seconds" | "uncertainty">): string => {
  const digits = uncertainty > 0 ? Math.ceil(-Math.log10(uncertainty)) : MAX_DIGITS
  return Math.max(0, seconds).toFixed(Math.min(MAX_DIGITS, Math.max(MIN_DIGITS, digits)))
}

/** A cost as it is served: nothing is gained by an event. */
export const toldCost = (cost: Cost | null): Pick<Finding, "cost" | "costUncertainty"> =>
  cost === null
    ? { cost: null, costUncertainty: null }
    : { cost: Number(costText(cost)), costUncertainty: rounded(cost.uncertainty) }
