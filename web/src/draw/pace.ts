/** A lap that takes more than this share of the best is off the pace: twice the margin of laps at pace (docs/analysis/method.md). */
export const OFF_PACE = 1.14
