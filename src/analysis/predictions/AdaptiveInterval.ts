/**
 * Chooses the share of a forecast's distribution that its interval covers, so that intervals contain as many laps as
 * stated.
 *
 * Adaptive conformal inference (Gibbs & Candes 2021) on the distribution's own quantiles (Chernozhukov, Wuthrich & Zhu,
 * Distributional conformal prediction, 2021): a lap outside makes the next intervals hold more, a lap inside a little
 * less. A lap that follows directly, one after missed laps and one after the car stood are three horizons, which learn
 * separately.
 */
import type { Absence } from "./usedLaps.ts"

/** The share of laps at pace that intervals should contain. */
export const LEVEL = 0.9
/** The share left out stays within these bounds, whatever the laps were. */
const MIN_OUT = 0.005
const MAX_OUT = 0.3
/**
 * The shares left out at first, and what a lap changes: one outside takes 0.063 off, one inside adds 0.007. Chosen on all
 * sources, and held out by session in tools/docs/predictions.
 */
const ADAPTING = { directly: 0.09, afterMissed: 0.13, afterStanding: 0.13, adaptation: 0.07 }

export type Adapting = Readonly<typeof ADAPTING>

export class AdaptiveInterval {
  private readonly out: Omit<typeof ADAPTING, "adaptation">
  private readonly adaptation: number

  constructor({ adaptation, ...first }: Adapting = ADAPTING) {
    this.adaptation = adaptation
    this.out = first
  }

  /** The share that the interval holds of the distribution of a lap `after` what was missed. */
  held(after: Absence): number {
    return 1 - this.out[horizon(after)]
  }

  learn(after: Absence, inside: boolean): void {
    const out = this.out[horizon(after)] + this.adaptation * (1 - LEVEL - (inside ? 0 : 1))
    this.out[horizon(after)] = Math.min(MAX_OUT, Math.max(MIN_OUT, out))
  }
}

const horizon = ({ missed, stood }: Absence) =>
  missed === 0 ? "directly" : stood ? "afterStanding" : "afterMissed"
