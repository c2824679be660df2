/** Ranges of time in SQL. */
import { justAfter } from "../../domain/Time.ts"
import type { SessionRange } from "../RowStore.ts"

/** A time's nanoseconds as SQL, `slack` ns lower or higher: the condition on `time` gives the exact bound. */
const nanos = (time: number, slack: number): string =>
  String(
    BigInt(Math.floor(time)) * 1_000_000_000n + BigInt(Math.round((time - Math.floor(time)) * 1e9) + slack)
  )

/** Exceeds the error of a present-day double after conversion to nanoseconds, ns. */
const SLACK_NS = 1000

/** SQL for the rows of a session with `from` <= time < `until`. `ts` selects the partitions, `time` the rows. */
export const rowsWithin = (key: string, { from, until }: Pick<SessionRange, "from" | "until">): string => {
  const clauses = [`session = '${key}'`]
  if (from > 0) clauses.push(`ts >= ${nanos(Math.min(from, 9e9), -SLACK_NS)}`, `time >= ${sqlDouble(from)}`)
  if (until < Infinity) {
    clauses.push(`ts <= ${nanos(Math.min(Math.max(until, 0), 9e9), SLACK_NS)}`, `time < ${sqlDouble(until)}`)
  }
  return clauses.join(" AND ")
}

/** SQL for the rows of a session with time <= `time`. */
export const rowsUntil = (key: string, time: number): string =>
  rowsWithin(key, { from: -Infinity, until: justAfter(time) })

/** A double in SQL, to the last bit: the shortest digits that parse to the same double. */
const sqlDouble = (value: number): string =>
  value === Infinity ? "1e308" : value === -Infinity ? "-1e308" : value.toString()
