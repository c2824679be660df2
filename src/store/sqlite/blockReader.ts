/**
 * Reads the rows of groups from their blocks, in pages of at most a full block's rows. Nothing stays open between two pages.
 * The next page begins after the last row delivered, whichever block holds it by then. So if a tail is compacted in between,
 * no row is lost or read twice.
 */
import type * as SqlClient from "@effect/sql/SqlClient"
import { Chunk, Effect, Option, Stream } from "effect"
import { PointsDamaged, type PointsUnreadable } from "../../domain/errors.ts"
import { lowerBound, RowBatch } from "../../domain/RowBatch.ts"
import { formatDateTime, justAfter } from "../../domain/Time.ts"
import { breathe } from "../../platform/threads/breathe.ts"
import type { RowRange, SessionGroup } from "../RowStore.ts"
import { blockRows, decodeColumns } from "./blockCodec.ts"
import { orUnavailable, unavailable } from "./SqliteFile.ts"
import { opened, STORED, STORED_FROM, type StoredBlock } from "./storedBlock.ts"

/** The number of blocks looked up in the index together: some pages, or less than one page of a live tail. */
const BLOCKS_AHEAD = 64
/** Damaged blocks that a process logs, each once. */
const MAX_LOGGED = 1000

interface Entry {
  readonly last: number
  readonly length: number
}

/** The progress of a read. */
interface Reached {
  /** The first instant that was not read. */
  readonly from: number
  /** The times of the last rows of the next pages, from the index. If blocks were compacted since, no row has such a time. */
  readonly ends: ReadonlyArray<number>
}

/**
 * The times at which pages of these consecutive blocks end. A page has as many blocks as fit in `most` rows, at least
 * one.
 */
const pageEnds = (entries: ReadonlyArray<Entry>, most: number): ReadonlyArray<number> => {
  let rows = 0
  return entries.flatMap((entry, index) => {
    rows += entry.length
    const next = entries[index + 1]
    if (next !== undefined && rows + next.length <= most) return []
    rows = 0
    return [entry.last]
  })
}

/** The rows of a block with `from` <= timestamp < `until`. */
const cutOut = <Name extends string>(
  store: string,
  row: StoredBlock,
  { from, until }: Pick<RowRange, "from" | "until">,
  wanted: ReadonlyArray<Name>
): RowBatch<Name> =>
  opened(store, row, (data, layout) => {
    const batch = decodeColumns(data, layout, wanted)
    if (row.first >= from && row.last < until) return batch
    const isTimed = (wanted as ReadonlyArray<string>).includes("timestamp")
    const times = isTimed ? batch.timestamps : decodeColumns(data, layout, ["timestamp"]).data
    return batch.slice(lowerBound(times, from), lowerBound(times, until))
  })

/** `store`: the store's name in sentences. */
export const make = (sql: SqlClient.SqlClient, store: string) => {
  const stored = sql.literal(STORED)
  const storedFrom = sql.literal(STORED_FROM)
  const theirs = ({ group, sessionId }: SessionGroup) =>
    sql`b.session_id = ${sessionId} AND b.group_name = ${group}`
  /** The damaged blocks that were logged, because a client may ask for the same block again and again. */
  const logged = new Set<string>()

  const tell = ({ first, group, last, reason, sessionId }: PointsDamaged) =>
    Effect.suspend(() => {
      const which = `session ${sessionId} from ${formatDateTime(first)} to ${formatDateTime(last)}`
      const what = group === undefined ? "points" : `samples of ${group}`
      if (logged.has(`${what} ${which}`) || logged.size === MAX_LOGGED) return Effect.void
      logged.add(`${what} ${which}`)
      return Effect.logError(`A block of ${what} in the ${store} store is damaged: ${which}, ${reason}`)
    })

  const decoding = <A>(decode: () => A): Effect.Effect<A, PointsUnreadable> =>
    Effect.try({
      try: decode,
      catch: (error) => (error instanceof PointsDamaged ? error : unavailable(error))
    }).pipe(Effect.tapErrorTag("PointsDamaged", tell))

  const entries = (range: RowRange, start: number) =>
    sql<Entry>`SELECT last_time AS last, length FROM blocks AS b
      WHERE ${theirs(range)} AND last_time >= ${start} AND first_time < ${range.until}
      ORDER BY last_time LIMIT ${BLOCKS_AHEAD}`.pipe(orUnavailable)

  // Untraced, because its statement has a span.
  const page = Effect.fnUntraced(function* <Name extends string>(
    range: RowRange,
    { ends, from }: Reached,
    wanted: ReadonlyArray<Name>
  ) {
    const nothing = Chunk.empty<RowBatch<Name>>()
    const [end, ...later] =
      ends.length > 0 ? ends : pageEnds(yield* entries(range, from), blockRows(wanted.length))
    if (end === undefined) return [nothing, Option.none<Reached>()] as const
    const rows = yield* sql<StoredBlock>`SELECT ${stored} FROM ${storedFrom}
      WHERE ${theirs(range)} AND last_time >= ${from} AND last_time <= ${end}
      ORDER BY last_time`.pipe(orUnavailable)
    const last = rows.at(-1)
    // These blocks were compacted in between, and the block that has their rows ends later. Look it up again.
    if (last === undefined) return [nothing, Option.some<Reached>({ from, ends: [] })] as const
    const { until } = range
    const batch = yield* decoding(() =>
      RowBatch.concat(
        rows.map((row) => cutOut(store, row, { from, until }, wanted)).filter((part) => part.length > 0)
      )
    )
    return [
      batch.length > 0 ? Chunk.of(batch) : nothing,
      last.last < until
        ? Option.some<Reached>({ from: justAfter(last.last), ends: later })
        : Option.none<Reached>()
    ] as const
  })

  const read = <Name extends string>(
    range: RowRange,
    wanted: ReadonlyArray<Name>
  ): Stream.Stream<RowBatch<Name>, PointsUnreadable> =>
    range.from < range.until
      ? Stream.paginateChunkEffect({ from: range.from, ends: [] } as Reached, (reached) =>
          Effect.zipRight(breathe, page(range, reached, wanted))
        )
      : Stream.empty

  const count = Effect.fn("BlockReader.count")(function* (range: RowRange) {
    const { from: start, until } = range
    if (!(start < until)) return 0
    // One statement reads one state of the file: whole blocks from the index, then the blocks at the ends, which are cut.
    const [whole, ...cut] = yield* sql<StoredBlock>`
      SELECT NULL AS id, NULL AS session_id, NULL AS group_name, NULL AS names, NULL AS first, NULL AS last,
          coalesce(sum(length), 0) AS length, NULL AS checksum, NULL AS data FROM blocks AS b
        WHERE ${theirs(range)} AND last_time >= ${start} AND last_time < ${until} AND first_time >= ${start}
      UNION ALL
      SELECT * FROM (SELECT ${stored} FROM ${storedFrom}
        WHERE ${theirs(range)} AND last_time >= ${start} ORDER BY last_time LIMIT 1)
        WHERE first < ${start}
      UNION ALL
      SELECT * FROM (SELECT ${stored} FROM ${storedFrom}
        WHERE ${theirs(range)} AND last_time >= ${until} ORDER BY last_time LIMIT 1)
        WHERE first >= ${start} AND first < ${until}`.pipe(orUnavailable)
    return yield* decoding(() => {
      let total = whole?.length ?? 0
      for (const block of cut) {
        const times = opened(store, block, (data, layout) => decodeColumns(data, layout, ["timestamp"]).data)
        total += lowerBound(times, until) - lowerBound(times, start)
      }
      return total
    })
  })

  const bounds = Effect.fn("BlockReader.bounds")(function* (of: SessionGroup) {
    const [row] = yield* sql<{ first: number | null; last: number | null }>`SELECT
      (SELECT first_time FROM blocks AS b WHERE ${theirs(of)} ORDER BY last_time LIMIT 1) AS first,
      (SELECT max(last_time) FROM blocks AS b WHERE ${theirs(of)}) AS last`.pipe(orUnavailable)
    return row === undefined || row.first === null || row.last === null
      ? Option.none()
      : Option.some({ first: row.first, last: row.last })
  })

  /**
   * The last row at or before `time`. It is in the block that begins at or before `time` and ends later, or it is the last
   * row of the block before.
   */
  const last = Effect.fn("BlockReader.last")(function* <Name extends string>(
    of: SessionGroup,
    time: number,
    wanted: ReadonlyArray<Name>
  ) {
    const rows = yield* sql<StoredBlock>`SELECT ${stored} FROM ${storedFrom} WHERE b.id = coalesce(
      (SELECT id FROM (SELECT id, first_time FROM blocks AS b
        WHERE ${theirs(of)} AND last_time > ${time} ORDER BY last_time LIMIT 1) WHERE first_time <= ${time}),
      (SELECT id FROM blocks AS b
        WHERE ${theirs(of)} AND last_time <= ${time} ORDER BY last_time DESC LIMIT 1))`.pipe(orUnavailable)
    const block = rows[0]
    if (block === undefined) return Option.none<RowBatch<Name>>()
    const found = yield* decoding(() =>
      cutOut(store, block, { from: -Infinity, until: justAfter(time) }, wanted)
    )
    return Option.some(found.slice(found.length - 1, found.length))
  })

  return { read, count, bounds, last }
}
