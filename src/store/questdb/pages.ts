/**
 * Points of a session as pages of columns, each a bulk answer that goes on behind the last point of the one before.
 *
 * Every Nth point is counted where the points are: by their number in order of time, which is exact, where SAMPLE BY would
 * count seconds. A page's numbers begin behind the point that was kept last, so that each N more is kept.
 */
import { Chunk, Effect, Option, Stream } from "effect"
import { type Channel, channels, PointBatch } from "../../domain/PointBatch.ts"
import { justAfter } from "../../domain/Time.ts"
import type { Connections } from "./Connections.ts"
import { pointsWithin } from "./ranges.ts"
import { columnOf } from "./schema.ts"

/** Rows of a page: half a megabyte. */
const PAGE_POINTS = 8192
/** Rows that a query numbers, or N where that is more: at some 60 ns each they are far from its time-out (measured). */
const MAX_NUMBERED = 10_000_000

/** Half open, epoch seconds. */
interface Times {
  readonly from: number
  readonly until: number
}

/** The answer's columns: the time, which a page ends by, and the channels that are wanted. */
const selected = (wanted: ReadonlyArray<Channel>) => ["time", ...wanted.map(columnOf)]
const named = (wanted: ReadonlyArray<Channel>) =>
  selected(wanted)
    .map((name, n) => `${name} AS c${n}`)
    .join(", ")

export const make = ({ bulk }: Pick<(typeof Connections)["Service"], "bulk">, table: string) => {
  const ask = (text: string, wanted: ReadonlyArray<Channel>, capacity: number) =>
    Effect.map(bulk(text, { columns: wanted.length + 1, capacity }), ({ data, rows }) => {
      const batch = PointBatch.allocate(rows, wanted)
      for (let c = 0; c < wanted.length; c++) {
        batch.data.set(data.subarray((c + 1) * capacity, (c + 1) * capacity + rows), c * rows)
      }
      return { batch, rows, last: rows === 0 ? Number.NaN : data[rows - 1]! }
    })

  const within = (key: string, times: Times) => `FROM ${table} WHERE ${pointsWithin(key, times)} ORDER BY ts`

  const page = (key: string, times: Times, wanted: ReadonlyArray<Channel>) =>
    ask(`SELECT ${named(wanted)} ${within(key, times)} LIMIT ${PAGE_POINTS}`, wanted, PAGE_POINTS)

  const lastPoint = (key: string, times: Times) =>
    ask(`SELECT ${named(channels)} ${within(key, times)} DESC LIMIT 1`, channels, 1)

  /** The points whose number, from 1, leaves `remainder` when divided by `every`; `capacity` at most. */
  const everyNth = (key: string, times: Times, every: number, remainder: number, capacity: number) =>
    ask(
      `SELECT ${named(channels)} FROM (
         SELECT ts, ${selected(channels.slice(1)).join(", ")}, row_number() OVER (ORDER BY ts) AS number
         ${within(key, times)}
       ) WHERE number % ${every} = ${remainder} ORDER BY ts LIMIT ${capacity}`,
      channels,
      capacity
    )

  return {
    read: ({ from, until }: Times, key: string, wanted: ReadonlyArray<Channel>) =>
      Stream.paginateChunkEffect(from, (begin) =>
        Effect.map(page(key, { from: begin, until }, wanted), ({ batch, last, rows }) => [
          rows === 0 ? Chunk.empty<PointBatch>() : Chunk.of(batch),
          rows < PAGE_POINTS ? Option.none<number>() : Option.some(justAfter(last))
        ])
      ),

    /** The last point is looked up first: what is written meanwhile comes behind it. */
    readEvery: (times: Times, key: string, every: number) =>
      Stream.unwrap(
        Effect.map(lastPoint(key, times), (end) => {
          if (end.rows === 0) return Stream.empty
          const capacity = Math.max(1, Math.min(PAGE_POINTS, Math.floor(MAX_NUMBERED / every)))
          const kept = Stream.paginateChunkEffect(
            { from: times.from, remainder: 1 % every },
            ({ from, remainder }) =>
              Effect.map(
                everyNth(key, { from, until: end.last }, every, remainder, capacity),
                ({ batch, last, rows }) => [
                  rows === 0 ? Chunk.empty<PointBatch>() : Chunk.of(batch),
                  rows < capacity ? Option.none() : Option.some({ from: justAfter(last), remainder: 0 })
                ]
              )
          )
          return Stream.concat(kept, Stream.make(end.batch))
        })
      )
  }
}
