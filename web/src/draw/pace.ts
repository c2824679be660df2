/** A lap that takes more than this share of the best is off the pace: laps at pace (docs/analysis/method.md), and as much again. */
export const OFF_PACE = 1.14
