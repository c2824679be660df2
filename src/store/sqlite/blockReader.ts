/**
 * Reads points back from their blocks, a page of at most BLOCK_POINTS at a time. Nothing stays open between
 * two pages, and the next one begins after the last point delivered, whichever block holds it by then: a tail
 * compacted in between is neither lost nor doubled.
 */
import type * as SqlClient from "@effect/sql/SqlClient"
import { Chunk, Effect, Option, Stream } from "effect"
import { PointsDamaged } from "../../domain/errors.ts"
import { type Channel, channels, lowerBound, PointBatch } from "../../domain/PointBatch.ts"
import { formatDateTime, justAfter } from "../../domain/Time.ts"
import { breathe } from "../../threads/breathe.ts"
import { unlessJustAnswered } from "../answered.ts"
import type { PointRange } from "../PointStore.ts"
import { BLOCK_POINTS, decodeBlock } from "./blockCodec.ts"
import { orUnavailable, unavailable } from "./SqliteFile.ts"
import { opened, type StoredBlock } from "./storedBlock.ts"

/** Blocks looked up at once in the index: some pages, of a live tail perhaps less than one. */
const BLOCKS_AHEAD = 64
/** Damaged blocks that a process writes into its log, each once. */
const MAX_LOGGED = 1000

interface BlockRow {
  readonly last_point: number
  readonly points: number
}

/** How far a read has come. */
interface Reached {
  /** The first instant that was not read. */
  readonly from: number
  /** The last points of the next pages, as the index had them; those of blocks compacted since find none. */
  readonly ends: ReadonlyArray<number>
}

/** Where pages end of these neighbours: as many as fit a page, at least one. */
const pageEnds = (entries: ReadonlyArray<BlockRow>): ReadonlyArray<number> => {
  let points = 0
  return entries.flatMap((entry, index) => {
    points += entry.points
    const next = entries[index + 1]
    if (next !== undefined && points + next.points <= BLOCK_POINTS) return []
    points = 0
    return [entry.last_point]
  })
}

/** The points of a block with `from` <= timestamp < `until`. */
const cutOut =
  (row: StoredBlock, from: number, until: number, wanted: ReadonlyArray<Channel>) =>
  (data: Uint8Array): PointBatch => {
    const batch = decodeBlock(data, wanted)
    if (row.first_point >= from && row.last_point < until) return batch
    const times = wanted.includes("timestamp") ? batch.timestamps : decodeBlock(data, ["timestamp"]).data
    return batch.slice(lowerBound(times, from), lowerBound(times, until))
  }

/** `store`: what it is called in sentences. */
export const make = (sql: SqlClient.SqlClient, store: string) => {
  /** The damaged blocks that the log has, since a client may ask again and again. */
  const logged = new Set<string>()

  const tell = ({ first, last, reason, sessionId }: PointsDamaged) =>
    Effect.suspend(() => {
      const which = `session ${sessionId} from ${formatDateTime(first)} to ${formatDateTime(last)}`
      if (logged.has(which) || logged.size === MAX_LOGGED) return Effect.void
      logged.add(which)
      return Effect.logError(`A block of points in the ${store} store is damaged: ${which}, ${reason}`)
    })

  const decoding = <A>(decode: () => A) =>
    Effect.try({
      try: decode,
      catch: (error) => (error instanceof PointsDamaged ? error : unavailable(error))
    }).pipe(Effect.tapErrorTag("PointsDamaged", tell))

  const entries = ({ sessionId, until }: PointRange, from: number) =>
    sql<BlockRow>`SELECT last_point, points FROM point_blocks
      WHERE session_id = ${sessionId} AND last_point >= ${from} AND first_point < ${until}
      ORDER BY last_point LIMIT ${BLOCKS_AHEAD}`.pipe(orUnavailable)

  // Untraced: its statement has a span.
  const page = Effect.fnUntraced(function* (
    range: PointRange,
    { ends, from }: Reached,
    wanted: ReadonlyArray<Channel>
  ) {
    const [end, ...later] = ends.length > 0 ? ends : pageEnds(yield* entries(range, from))
    if (end === undefined) return [Chunk.empty<PointBatch>(), Option.none<Reached>()] as const
    const rows = yield* sql<StoredBlock>`SELECT * FROM point_blocks
      WHERE session_id = ${range.sessionId} AND last_point >= ${from} AND last_point <= ${end}
      ORDER BY last_point`.pipe(orUnavailable)
    const last = rows.at(-1)
    // Compacted since: the block that took their place ends later. Look again.
    if (last === undefined) return [Chunk.empty<PointBatch>(), Option.some({ from, ends: [] })] as const
    const { until } = range
    const batch = yield* decoding(() =>
      PointBatch.concat(
        rows
          .map((row) => opened(store, row, cutOut(row, from, until, wanted)))
          .filter((part) => part.length > 0)
      )
    )
    return [
      batch.length > 0 ? Chunk.of(batch) : Chunk.empty<PointBatch>(),
      last.last_point < until
        ? Option.some({ from: justAfter(last.last_point), ends: later })
        : Option.none<Reached>()
    ] as const
  })

  const read = (range: PointRange, wanted: ReadonlyArray<Channel> = channels) =>
    range.from < range.until
      ? Stream.paginateChunkEffect({ from: range.from, ends: [] } as Reached, (reached) =>
          Effect.zipRight(breathe, page(range, reached, wanted))
        )
      : Stream.empty

  const count = Effect.fn("BlockReader.count")(function* ({ sessionId, from, until }: PointRange) {
    if (!(from < until)) return 0
    // One statement, and so one state of the file: whole blocks from the index, then those that the ends cut.
    const [whole, ...cut] = yield* sql<StoredBlock>`
      SELECT NULL AS id, NULL AS session_id, NULL AS first_point, NULL AS last_point,
          coalesce(sum(points), 0) AS points, NULL AS checksum, NULL AS data FROM point_blocks
        WHERE session_id = ${sessionId} AND last_point >= ${from} AND last_point < ${until}
          AND first_point >= ${from}
      UNION ALL
      SELECT id, session_id, first_point, last_point, points, checksum, data FROM (SELECT * FROM point_blocks
        WHERE session_id = ${sessionId} AND last_point >= ${from} ORDER BY last_point LIMIT 1)
        WHERE first_point < ${from}
      UNION ALL
      SELECT id, session_id, first_point, last_point, points, checksum, data FROM (SELECT * FROM point_blocks
        WHERE session_id = ${sessionId} AND last_point >= ${until} ORDER BY last_point LIMIT 1)
        WHERE first_point >= ${from} AND first_point < ${until}`.pipe(orUnavailable)
    return yield* decoding(() => {
      let total = whole?.points ?? 0
      for (const block of cut) {
        const times = opened(store, block, (data) => decodeBlock(data, ["timestamp"]).data)
        total += lowerBound(times, until) - lowerBound(times, from)
      }
      return total
    })
  })

  const bounds = Effect.fn("BlockReader.bounds")(function* (sessionId: number) {
    const [row] = yield* sql<{ first: number | null; last: number | null }>`SELECT
      (SELECT first_point FROM point_blocks WHERE session_id = ${sessionId}
        ORDER BY last_point LIMIT 1) AS first,
      (SELECT max(last_point) FROM point_blocks WHERE session_id = ${sessionId}) AS last`.pipe(orUnavailable)
    const { first, last } = row ?? { first: null, last: null }
    return first === null || last === null ? Option.none() : Option.some({ first, last })
  })

  // From each id to the next one through the index: a session may have thousands of blocks.
  const sessionIds = sql<{ id: number }>`WITH RECURSIVE ids (id) AS (
      SELECT min(session_id) FROM point_blocks
      UNION ALL
      SELECT (SELECT min(session_id) FROM point_blocks WHERE session_id > ids.id)
        FROM ids WHERE ids.id IS NOT NULL
    ) SELECT ids.id FROM ids WHERE ids.id IS NOT NULL`.pipe(
    orUnavailable,
    Effect.map((rows) => rows.map((row) => row.id)),
    Effect.withSpan("BlockReader.sessionIds")
  )

  // A row, because a statement without a table never looks at the file.
  const check = orUnavailable(unlessJustAnswered(sql`SELECT id FROM point_blocks LIMIT 1`))

  return { read, count, bounds, sessionIds, check }
}
