/** The stretch of time that strips show, and the marks of its axis. */

export interface Span {
  /** The shown times, by the newest point. */
  readonly range: (latest: number) => readonly [from: number, to: number]
  /** Marks are times since the start, as those of a lap; otherwise times before the end. */
  readonly sinceStart?: boolean
}

/** The last seconds. */
export const lastSeconds = (seconds: number): Span => ({ range: (latest) => [latest - seconds, latest] })

/** Steps between two marks, s. */
const STEPS = [1, 2, 5, 10, 20, 30, 60, 120, 300, 600, 1200, 1800, 3600, 7200, 14_400]
const MARKS = 7

const stepOf = (seconds: number) => STEPS.find((step) => seconds / step <= MARKS) ?? STEPS.at(-1)!

/** Marks a whole number of steps from the fixed end, which stand still while the line moves. */
export const marksOf = ({ sinceStart }: Span, from: number, to: number): Array<number> => {
  const step = stepOf(to - from)
  const count = Math.floor((to - from) / step + 1e-6)
  const steps = Array.from({ length: count + 1 }, (_, k) => k * step)
  return sinceStart === true
    ? steps.map((after) => from + after)
    : steps.map((before) => to - before).toReversed()
}
