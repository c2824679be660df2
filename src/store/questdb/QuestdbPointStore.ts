/**
 * Points in QuestDB: written as ILP over HTTP, read over PGWire.
 *
 * Writes, seals and removals happen one after another. Of a session the last time written is remembered, so that a retry
 * skips what is stored; after a failure it is asked for again. Reads wait until what was written is visible
 * (`wait_wal_table`, 1.4 ms), whoever wrote it.
 *
 * Hard cases: a request of which some rows are bad is refused whole: it is halved until the bad rows are alone, which are
 * counted and logged. A removed session's rows stay (QuestDB deletes no rows) under a key that nobody reads any more.
 */
import { Chunk, Effect, Layer, Metric, Option, Stream } from "effect"
import invariant from "tiny-invariant"
import { type Channel, channels, lowerBound, PointBatch } from "../../domain/PointBatch.ts"
import { justAfter } from "../../domain/Time.ts"
import { type PointRange, PointStore, type SessionPoints } from "../PointStore.ts"
import type { QuestdbAddress } from "./address.ts"
import { Connections, unavailable } from "./Connections.ts"
import { isStorable, RowEncoder } from "./RowEncoder.ts"
import { columnOf, definitions, tablesOf } from "./schema.ts"
import * as Sender from "./Sender.ts"
import { ensureApplied } from "./tableHealth.ts"

/** Rows of a request: 5 to 50 thousand cost the server the same a row (notes). */
const ROWS_PER_REQUEST = 20_000
/** Rows of a page: half a megabyte. */
const PAGE_POINTS = 8192

const refusedRows = Metric.counter("telemetry_questdb_rows_refused_total", {
  description: "Points that QuestDB turned down; the log has the reason",
  incremental: true
})

/** Points that are not kept, for a reason that trying again would not change. */
const refuse = (rows: number, reason: string) =>
  Effect.zipRight(
    Effect.sync(() => refusedRows.unsafeUpdate(rows, [])),
    Effect.logError(`QuestDB cannot keep ${rows} point${rows === 1 ? "" : "s"}: ${reason}`)
  )

/** Rows `from` to `to` of a batch, for the session's key. */
interface Run {
  readonly key: string
  readonly batch: PointBatch
  readonly from: number
  readonly to: number
}

const rowsOf = (runs: ReadonlyArray<Run>) => runs.reduce((sum, { from, to }) => sum + to - from, 0)

/** The first `count` rows, and the rest. */
const splitAt = (runs: ReadonlyArray<Run>, count: number): readonly [Array<Run>, Array<Run>] => {
  const before: Array<Run> = []
  const after: Array<Run> = []
  let room = count
  for (const run of runs) {
    const middle = Math.min(run.to, run.from + room)
    if (middle > run.from) before.push({ ...run, to: middle })
    if (middle < run.to) after.push({ ...run, from: middle })
    room -= middle - run.from
  }
  return [before, after]
}

/** A time's nanoseconds as SQL, `slack` further down or up: the exact bound is that of `time`. */
const nanos = (time: number, slack: number): string =>
  String(
    BigInt(Math.floor(time)) * 1_000_000_000n + BigInt(Math.round((time - Math.floor(time)) * 1e9) + slack)
  )

/** More than doubles of today lose between their value and its nanoseconds, ns. */
const SLACK_NS = 1000

/** The rows of a session with `from` <= time < `until`; `ts` finds the partitions, `time` the points. */
const where = (key: string, { from, until }: Pick<PointRange, "from" | "until">): string => {
  const clauses = [`session = '${key}'`]
  if (from > 0) clauses.push(`ts >= ${nanos(Math.min(from, 9e9), -SLACK_NS)}`, `time >= ${sqlDouble(from)}`)
  if (until < Infinity) {
    clauses.push(`ts <= ${nanos(Math.min(Math.max(until, 0), 9e9), SLACK_NS)}`, `time < ${sqlDouble(until)}`)
  }
  return clauses.join(" AND ")
}

/** A double in SQL, to the last bit: the shortest digits that give it back. */
const sqlDouble = (value: number): string =>
  value === Infinity ? "1e308" : value === -Infinity ? "-1e308" : value.toString()

export const layer = (address: QuestdbAddress) =>
  Layer.scoped(
    PointStore,
    Effect.gen(function* () {
      const tables = tablesOf(address.prefix)
      const connections = yield* Connections
      const sender = yield* Sender.make(address)
      const encoder = new RowEncoder(tables.points)
      const turn = yield* Effect.makeSemaphore(1)
      const tails = new Map<string, number>()
      let defined = false

      /** The tables, by the first who needs them: a server that is away now may be there then. */
      const ready = Effect.suspend(() =>
        defined
          ? Effect.void
          : Effect.forEach(definitions(tables, address.ttl), (text) => connections.rows(text)).pipe(
              Effect.andThen(() => {
                defined = true
              })
            )
      )

      /** What everything of the session is kept under: see schema.ts. */
      const keyOf = Effect.fnUntraced(function* (sessionId: number) {
        yield* ready
        yield* ensureApplied(connections, tables.removals)
        const [row] = yield* connections.rows(
          `SELECT count() AS removals FROM ${tables.removals} WHERE session = ${sessionId}`
        )
        const removals = Number(row?.["removals"] ?? 0)
        return removals === 0 ? String(sessionId) : `${sessionId}.${removals}`
      })

      const applied = Effect.suspend(() => ensureApplied(connections, tables.points))

      const boundsOf = Effect.fnUntraced(function* (key: string) {
        yield* applied
        const { data, capacity } = yield* connections.bulk(
          `SELECT min(time) AS first, max(time) AS last FROM ${tables.points} WHERE session = '${key}'`,
          { columns: 2, capacity: 1 }
        )
        const first = data[0]!
        const last = data[capacity]!
        return Number.isNaN(first) ? Option.none() : Option.some({ first, last })
      })

      const tailOf = Effect.fnUntraced(function* (key: string) {
        const known = tails.get(key)
        if (known !== undefined) return known
        const bounds = yield* boundsOf(key)
        const last = Option.match(bounds, { onNone: () => -Infinity, onSome: ({ last }) => last })
        tails.set(key, last)
        return last
      })

      const send = (runs: ReadonlyArray<Run>): ReturnType<Sender.Sender["send"]> =>
        Effect.suspend(() => {
          encoder.clear()
          for (const { batch, from, key, to } of runs) encoder.add(key, batch, from, to)
          return sender.send(encoder.bytes)
        })

      /** All but the rows that the server cannot keep. */
      const sendGood = (runs: ReadonlyArray<Run>): Effect.Effect<void, ReturnType<typeof unavailable>> =>
        Effect.catchTag(send(runs), "RowsRefused", ({ reason }) => {
          const rows = rowsOf(runs)
          if (rows === 1) return refuse(1, reason)
          const [before, after] = splitAt(runs, rows >> 1)
          return Effect.zipRight(sendGood(before), sendGood(after))
        })

      const write = Effect.fn("QuestdbPointStore.write")(function* (batches: ReadonlyArray<SessionPoints>) {
        const runs: Array<Run> = []
        const last = new Map<string, number>()
        const keys = new Map<number, string>()
        for (const { batch, sessionId } of batches) {
          const key = keys.get(sessionId) ?? (yield* keyFor(sessionId))
          keys.set(sessionId, key)
          const tail = last.get(key) ?? (yield* tailOf(key))
          const times = batch.timestamps
          const from = lowerBound(times, justAfter(tail))
          // Times increase, so that what cannot be kept is at the ends.
          const first = Math.max(from, lowerBound(times, 0))
          let to = times.length
          while (to > first && !isStorable(times[to - 1]!)) to--
          if (first > from || to < times.length) {
            yield* refuse(first - from + times.length - to, "its time is not within the years 1970 to 2261")
          }
          if (to > first) {
            runs.push({ key, batch, from: first, to })
            last.set(key, times[to - 1]!)
          }
        }
        let rest: ReadonlyArray<Run> = runs
        while (rest.length > 0) {
          const [now, later] = splitAt(rest, ROWS_PER_REQUEST)
          yield* sendGood(now)
          rest = later
        }
        for (const [key, time] of last) tails.set(key, time)
      })

      /** Keys of the sessions that this process writes; a removal elsewhere cannot meet a session being recorded. */
      const writing = new Map<number, string>()
      const keyFor = Effect.fnUntraced(function* (sessionId: number) {
        const key = writing.get(sessionId) ?? (yield* keyOf(sessionId))
        writing.set(sessionId, key)
        return key
      })

      const forget = (sessionId: number) => {
        const key = writing.get(sessionId)
        writing.delete(sessionId)
        if (key === undefined) return
        tails.delete(key)
        encoder.forget(key)
      }

      const page = (key: string, range: Pick<PointRange, "from" | "until">, wanted: ReadonlyArray<Channel>) =>
        Effect.map(
          connections.bulk(
            `SELECT ${["time", ...wanted.map(columnOf)].map((name, n) => `${name} AS c${n}`).join(", ")}
             FROM ${tables.points} WHERE ${where(key, range)} ORDER BY ts LIMIT ${PAGE_POINTS}`,
            { columns: wanted.length + 1, capacity: PAGE_POINTS }
          ),
          ({ capacity, data, rows }) => {
            const batch = PointBatch.allocate(rows, wanted)
            for (let c = 0; c < wanted.length; c++) {
              batch.data.set(data.subarray((c + 1) * capacity, (c + 1) * capacity + rows), c * rows)
            }
            return { batch, rows, last: rows === 0 ? Number.NaN : data[rows - 1]! }
          }
        )

      const read = (
        { from, sessionId, until }: PointRange,
        wanted: ReadonlyArray<Channel> = channels
      ): Stream.Stream<PointBatch, ReturnType<typeof unavailable>> =>
        Stream.unwrap(
          Effect.gen(function* () {
            const key = yield* keyOf(sessionId)
            yield* applied
            return Stream.paginateChunkEffect(from, (begin) =>
              Effect.map(page(key, { from: begin, until }, wanted), ({ batch, last, rows }) => [
                rows === 0 ? Chunk.empty<PointBatch>() : Chunk.of(batch),
                rows < PAGE_POINTS ? Option.none<number>() : Option.some(justAfter(last))
              ])
            )
          })
        )

      return PointStore.of({
        write: (batches) => {
          const complete = batches.every(({ batch }) => batch.channels.length === channels.length)
          invariant(complete, "points are stored with all channels")
          return write(batches.filter(({ batch }) => batch.length > 0)).pipe(
            // What was stored of a write that failed midway is found out from the server.
            Effect.tapError(() => Effect.sync(() => tails.clear())),
            turn.withPermits(1)
          )
        },
        seal: (sessionId) => turn.withPermits(1)(Effect.sync(() => forget(sessionId))),
        remove: (sessionId) =>
          Effect.gen(function* () {
            const key = yield* keyOf(sessionId)
            forget(sessionId)
            if (Option.isNone(yield* boundsOf(key))) return
            yield* connections.rows(
              `INSERT INTO ${tables.removals} (session, ts) VALUES (${sessionId}, now())`
            )
          }).pipe(turn.withPermits(1)),
        read,
        count: (range) =>
          Effect.gen(function* () {
            const key = yield* keyOf(range.sessionId)
            yield* applied
            const [row] = yield* connections.rows(
              `SELECT count() AS points FROM ${tables.points} WHERE ${where(key, range)}`
            )
            return Number(row?.["points"] ?? 0)
          }),
        bounds: (sessionId) => Effect.flatMap(keyOf(sessionId), boundsOf),
        sessionIds: Effect.gen(function* () {
          yield* ready
          yield* applied
          yield* ensureApplied(connections, tables.removals)
          const kept = yield* connections.rows(`SELECT DISTINCT session FROM ${tables.points}`)
          const removals = yield* connections.rows(
            `SELECT session, count() AS removals FROM ${tables.removals} GROUP BY session`
          )
          const removed = new Map(removals.map((row) => [Number(row["session"]), Number(row["removals"])]))
          return kept
            .map((row) => String(row["session"]).split("."))
            .filter(([id, removal = "0"]) => (removed.get(Number(id)) ?? 0) === Number(removal))
            .map(([id]) => Number(id))
            .sort((a, b) => a - b)
        }),
        check: Effect.zipRight(ready, applied)
      })
    })
  )
