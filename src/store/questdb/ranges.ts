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

/** A key and the times of those of its rows that count: `from` <= time < `until`. */
export interface Part {
  readonly key: string
  readonly from: number
  readonly until: number
}

type Times = Pick<SessionRange, "from" | "until">

const timesIn = ({ from, until }: Times): ReadonlyArray<string> => [
  ...(from > 0 ? [`time >= ${sqlDouble(from)}`] : []),
  ...(until < Infinity ? [`time < ${sqlDouble(until)}`] : [])
]

const keysIn = (parts: ReadonlyArray<Part>): ReadonlyArray<string> => {
  const [first, ...others] = parts
  if (others.length === 0) return [`session = '${first!.key}'`, ...timesIn(first!)]
  const any = parts.map((part) => [`session = '${part.key}'`, ...timesIn(part)].join(" AND "))
  // The list of keys lets the server choose rows by the symbol's numbers before it looks at times.
  return [
    `session IN (${parts.map(({ key }) => `'${key}'`).join(", ")})`,
    `(${any.map((one) => `(${one})`).join(" OR ")})`
  ]
}

/**
 * SQL for the rows of a session, by its parts (one or more), with `from` <= time < `until`. `ts` selects the partitions, `time` the
 * rows.
 */
export const rowsWithin = (parts: ReadonlyArray<Part>, times: Times): string => {
  const { from, until } = times
  const clauses = [...keysIn(parts), ...timesIn(times)]
  if (from > 0) clauses.push(`ts >= ${nanos(Math.min(from, 9e9), -SLACK_NS)}`)
  if (until < Infinity) clauses.push(`ts <= ${nanos(Math.min(Math.max(until, 0), 9e9), SLACK_NS)}`)
  return clauses.join(" AND ")
}

/** SQL for the rows of a session with time <= `time`. */
export const rowsUntil = (parts: ReadonlyArray<Part>, time: number): string =>
  rowsWithin(parts, { from: -Infinity, until: justAfter(time) })

/** A double in SQL, to the last bit: the shortest digits that parse to the same double. */
const sqlDouble = (value: number): string =>
  value === Infinity ? "1e308" : value === -Infinity ? "-1e308" : value.toString()
