/**
 * The uniform cubic B-spline of `values` at `u` (one unit per value). Twice continuously differentiable and within the values'
 * hull, so that curves drawn with it have a continuous curvature and keep their bounds.
 * de Boor, A Practical Guide to Splines, ch. IX.
 */
export const bSpline = (valueAt: (index: number) => number, u: number): number => {
  const i = Math.floor(u)
  const t = u - i
  const s = 1 - t
  return (
    (s * s * s * valueAt(i - 1) +
      (3 * t * t * t - 6 * t * t + 4) * valueAt(i) +
      (3 * s * s * s - 6 * s * s + 4) * valueAt(i + 1) +
      t * t * t * valueAt(i + 2)) /
    6
  )
}

/** The same over periodic values. */
export const periodicBSpline = (values: ArrayLike<number>, u: number): number =>
  bSpline((index) => values[((index % values.length) + values.length) % values.length]!, u)
