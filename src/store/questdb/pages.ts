/**
 * Reads the rows of one group of a session as pages of columns. Each page is a bulk answer that begins after the last
 * row of the page before.
 *
 * To read every Nth point, the server numbers the points in order of time. This is exact, while SAMPLE BY would count
 * seconds. Numbering begins anew for each page, after the point that was kept last, and every Nth is kept.
 */
import { Chunk, Effect, Option, Stream } from "effect"
import { RowBatch } from "../../domain/RowBatch.ts"
import { justAfter } from "../../domain/Time.ts"
import type { Connections } from "./Connections.ts"
import { type Part, rowsUntil, rowsWithin } from "./ranges.ts"
import { columnOf, quoted } from "./schema.ts"

/** Rows of a page of points: half a megabyte. */
const PAGE_ROWS = 8192
/** The limit for pages with more columns. */
const MAX_PAGE_VALUES = 1 << 17
/** Rows that a query numbers, or N if that is more. At some 60 ns each they take far less than the time-out (measured). */
const MAX_NUMBERED = 10_000_000

/** Half open, epoch seconds. */
interface Times {
  readonly from: number
  readonly until: number
}

type Parts = ReadonlyArray<Part>

export interface Paged<Name extends string> {
  readonly table: string
  readonly columns: ReadonlyArray<Name>
  /** Whether the table has the channel's column. A channel without a column is absent. */
  readonly has: (channel: Name) => boolean
}

/** Rows of a page with this number of columns. */
const pageRows = (columns: number) => Math.min(PAGE_ROWS, Math.max(1, Math.floor(MAX_PAGE_VALUES / columns)))

export const make = <Name extends string>(
  { bulk }: Pick<(typeof Connections)["Service"], "bulk">,
  { columns, has, table }: Paged<Name>
) => {
  const inTable = (channel: Name) => (has(channel) ? quoted(columnOf(channel)) : "null::double")
  /**
   * The answer's columns: the time, from which the next page continues, and the wanted ones. Their names have a number,
   * because no two columns of an answer may share a name, and the channel, for readers of an error message.
   */
  const named = ["time", ...columns.map(inTable)]
    .map((name, n) => `${name} AS "${n} ${columns[n - 1] ?? "time"}"`)
    .join(", ")

  const stored = [
    "ts",
    "time",
    ...columns.filter((channel) => channel !== "timestamp" && has(channel)).map(inTable)
  ]

  const ask = (text: string, capacity: number) =>
    Effect.map(bulk(text, { columns: columns.length + 1, capacity }), ({ data, rows }) => {
      const batch = RowBatch.allocate(rows, columns)
      for (let c = 0; c < columns.length; c++) {
        batch.data.set(data.subarray((c + 1) * capacity, (c + 1) * capacity + rows), c * rows)
      }
      return { batch, rows, last: rows === 0 ? Number.NaN : data[rows - 1]! }
    })

  const within = (parts: Parts, times: Times) =>
    `FROM ${quoted(table)} WHERE ${rowsWithin(parts, times)} ORDER BY ts`

  const page = (parts: Parts, times: Times, capacity: number) =>
    ask(`SELECT ${named} ${within(parts, times)} LIMIT ${capacity}`, capacity)

  const lastRow = (parts: Parts, times: Times) =>
    ask(`SELECT ${named} ${within(parts, times)} DESC LIMIT 1`, 1)

  /** The rows whose number, counted from 1, leaves `remainder` when divided by `every`; `capacity` at most. */
  const everyNth = (parts: Parts, times: Times, every: number, remainder: number, capacity: number) =>
    ask(
      `SELECT ${named} FROM (
         SELECT ${stored.join(", ")}, row_number() OVER (ORDER BY ts) AS number
         ${within(parts, times)}
       ) WHERE number % ${every} = ${remainder} ORDER BY ts LIMIT ${capacity}`,
      capacity
    )

  return {
    read: ({ from, until }: Times, parts: Parts) => {
      const capacity = pageRows(columns.length + 1)
      return Stream.paginateChunkEffect(from, (begin) =>
        Effect.map(page(parts, { from: begin, until }, capacity), ({ batch, last, rows }) => [
          rows === 0 ? Chunk.empty<RowBatch<Name>>() : Chunk.of(batch),
          rows < capacity ? Option.none<number>() : Option.some(justAfter(last))
        ])
      )
    },

    /** The last row at or before the time: the server searches backwards from there. */
    lastUntil: (parts: Parts, time: number) =>
      Effect.map(
        ask(
          `SELECT ${named} FROM ${quoted(table)} WHERE ${rowsUntil(parts, time)} ORDER BY ts DESC LIMIT 1`,
          1
        ),
        ({ batch, rows }) => (rows === 0 ? Option.none<RowBatch<Name>>() : Option.some(batch))
      ),

    /** Looks up the last row first, because rows that are written meanwhile come after it. */
    readEvery: (times: Times, parts: Parts, every: number) =>
      Stream.unwrap(
        Effect.map(lastRow(parts, times), (end) => {
          if (end.rows === 0) return Stream.empty
          const capacity = Math.max(1, Math.min(pageRows(columns.length), Math.floor(MAX_NUMBERED / every)))
          const kept = Stream.paginateChunkEffect(
            { from: times.from, remainder: 1 % every },
            ({ from, remainder }) =>
              Effect.map(
                everyNth(parts, { from, until: end.last }, every, remainder, capacity),
                ({ batch, last, rows }) => [
                  rows === 0 ? Chunk.empty<RowBatch<Name>>() : Chunk.of(batch),
                  rows < capacity ? Option.none() : Option.some({ from: justAfter(last), remainder: 0 })
                ]
              )
          )
          return Stream.concat(kept, Stream.make(end.batch))
        })
      )
  }
}
