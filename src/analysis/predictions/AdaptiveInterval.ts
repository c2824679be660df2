/**
 * Chooses the share of a forecast's distribution that its interval covers, so that intervals contain as many laps as
 * stated.
 *
 * Adaptive conformal inference (Gibbs & Candes 2021) on the distribution's own quantiles (Chernozhukov, Wuthrich & Zhu,
 * Distributional conformal prediction, 2021): a lap outside makes the next intervals hold more, a lap inside a little
 * less. A lap that follows directly and a lap after missed ones are two horizons, which learn separately.
 */

/** The share of laps at pace that intervals should contain. */
export const LEVEL = 0.9
/** A lap outside takes 0.045 off the share left out, a lap inside adds 0.005: four laps show more than one surprise. */
const ADAPTATION = 0.05
/** The share left out stays within these bounds, whatever the laps were. */
const MIN_OUT = 0.01
const MAX_OUT = 0.3

export class AdaptiveInterval {
  private readonly out = { directly: 1 - LEVEL, afterMissed: 1 - LEVEL }

  /** The share that the interval holds of the next lap's distribution, where `missed` laps lie before that lap. */
  held(missed: number): number {
    return 1 - this.out[horizon(missed)]
  }

  learn(missed: number, inside: boolean): void {
    const out = this.out[horizon(missed)] + ADAPTATION * (1 - LEVEL - (inside ? 0 : 1))
    this.out[horizon(missed)] = Math.min(MAX_OUT, Math.max(MIN_OUT, out))
  }
}

const horizon = (missed: number) => (missed === 0 ? "directly" : "afterMissed")
