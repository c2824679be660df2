/**
 * Points in QuestDB: written as ILP over HTTP, read over PGWire.
 *
 * Writes, seals and removals happen one after another. Of a session the last time written is remembered, so that a retry
 * skips what is stored; after a failure it is asked for again. Reads wait until what was written is visible
 * (`wait_wal_table`, 1.4 ms), whoever wrote it.
 *
 * Hard cases: a removed session's rows stay (QuestDB deletes no rows), under a key that nobody reads any more. A server that
 * was away may be another when it is back, and points may be handed over while they are used: whose they are is asked
 * again after each failure and at each check, and nothing is written to another's.
 */
import { Effect, Layer, Option, Schedule, Stream } from "effect"
import invariant from "tiny-invariant"
import type { PointsOfAnother } from "../../domain/errors.ts"
import { channels, lowerBound } from "../../domain/PointBatch.ts"
import { justAfter } from "../../domain/Time.ts"
import * as Ownership from "../ownership.ts"
import { type Owner, PointStore, type SessionPoints } from "../PointStore.ts"
import type { QuestdbAddress } from "../../addresses/questdb.ts"
import { Connections } from "./Connections.ts"
import * as DeadPartitions from "./deadPartitions.ts"
import * as PointOwner from "./pointOwner.ts"
import * as Pages from "./pages.ts"
import { pointsWithin } from "./ranges.ts"
import { isStorable } from "./RowEncoder.ts"
import * as RowSender from "./RowSender.ts"
import { definitions, tablesOf } from "./schema.ts"
import * as Sender from "./Sender.ts"
import { ensureApplied, ensureRunning } from "./tableHealth.ts"

/** Two queries of a millisecond. */
const WATCH_EVERY = "15 seconds"

export const layer = (address: QuestdbAddress) =>
  Layer.scoped(
    PointStore,
    Effect.gen(function* () {
      const tables = tablesOf(address.prefix)
      const connections = yield* Connections
      const sender = yield* Sender.make(address)
      const rows = RowSender.make(tables.points, sender)
      const pages = Pages.make(connections, tables.points)
      const turn = yield* Effect.makeSemaphore(1)
      const tails = new Map<string, number>()
      /** Keys of the sessions that this process writes; a removal elsewhere cannot meet a session being recorded. */
      const writing = new Map<number, string>()
      const ownership = PointOwner.make(connections, tables)
      const preparing = yield* Effect.makeSemaphore(1)
      let owner: Owner | undefined
      let prepared = false
      /** Said once, until the points are the owner's again. */
      let isRefused = false

      const prepare = Effect.gen(function* () {
        if (owner !== undefined) yield* ownership.claim(owner)
        isRefused = false
        for (const text of definitions(tables, address.ttl)) yield* connections.rows(text)
        prepared = true
      })

      const refuse = (error: PointsOfAnother) => {
        const failure = Ownership.refused(error)
        const first = !isRefused
        isRefused = true
        prepared = false
        return Effect.zipRight(first ? Effect.logError(failure.reason) : Effect.void, failure)
      }

      /**
       * The points are the owner's, and the tables there: by the first who needs them, because a server that is away now may
       * be there then. After a failure both are made sure of once more, because what comes back may be a server without
       * its data.
       */
      const ready = Effect.suspend(() => (prepared ? Effect.void : prepare)).pipe(
        preparing.withPermits(1),
        Effect.catchTag("PointsOfAnother", refuse),
        Effect.unless(() => prepared)
      )

      /** What was stored of a write that failed midway, and where, is found out from the server. */
      const doubt = () => {
        prepared = false
        tails.clear()
        writing.clear()
      }

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

      const write = Effect.fn("QuestdbPointStore.write")(function* (batches: ReadonlyArray<SessionPoints>) {
        const runs: Array<RowSender.Run> = []
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
            yield* RowSender.refuse(
              first - from + times.length - to,
              "its time is not within the years 1970 to 2261"
            )
          }
          if (to > first) {
            runs.push({ key, batch, from: first, to })
            last.set(key, times[to - 1]!)
          }
        }
        yield* rows.send(runs)
        for (const [key, time] of last) tails.set(key, time)
      })

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
        rows.forget(key)
      }

      /** The key of a session whose points are all visible. */
      const readable = Effect.fnUntraced(function* (sessionId: number) {
        const key = yield* keyOf(sessionId)
        yield* applied
        return key
      })

      // Both: a table that is suspended while nothing waits to be applied takes what comes, and does not show it.
      const check = Effect.gen(function* () {
        yield* ready
        if (owner !== undefined && !(yield* ownership.isStill(owner))) {
          doubt()
          yield* ready
        }
        yield* ensureRunning(connections, tables.points)
        yield* ensureRunning(connections, tables.removals)
        yield* applied
      }).pipe(Effect.tapError(() => Effect.sync(doubt)))

      // For the metrics, and so that what may be resumed is, whether or not somebody asks for the service's health.
      yield* Effect.ignore(check).pipe(Effect.repeat(Schedule.spaced(WATCH_EVERY)), Effect.forkScoped)

      return PointStore.of({
        claim: (by) =>
          Effect.suspend(() => {
            owner = by
            return prepare
          }).pipe(preparing.withPermits(1)),
        ownedBy: ownership.ownedBy,
        handOver: ownership.handOver,
        write: (batches) => {
          const complete = batches.every(({ batch }) => batch.channels.length === channels.length)
          invariant(complete, "points are stored with all channels")
          return write(batches.filter(({ batch }) => batch.length > 0)).pipe(
            Effect.tapError(() => Effect.sync(doubt)),
            turn.withPermits(1)
          )
        },
        seal: (sessionId) => turn.withPermits(1)(Effect.sync(() => forget(sessionId))),
        remove: (sessionId) =>
          Effect.gen(function* () {
            const key = yield* keyOf(sessionId)
            // It looks through all points of the table, and writes go on meanwhile.
            const bounds = yield* boundsOf(key)
            yield* Effect.gen(function* () {
              forget(sessionId)
              if (Option.isNone(bounds) || (yield* keyOf(sessionId)) !== key) return
              yield* connections.rows(
                `INSERT INTO ${tables.removals} (session, ts) VALUES (${sessionId}, now())`
              )
            }).pipe(turn.withPermits(1))
          }),
        read: (range, wanted = channels) =>
          Stream.unwrap(Effect.map(readable(range.sessionId), (key) => pages.read(range, key, wanted))),
        readEvery: (range, every) =>
          Stream.unwrap(Effect.map(readable(range.sessionId), (key) => pages.readEvery(range, key, every))),
        count: (range) =>
          Effect.gen(function* () {
            const key = yield* readable(range.sessionId)
            const [row] = yield* connections.rows(
              `SELECT count() AS points FROM ${tables.points} WHERE ${pointsWithin(key, range)}`
            )
            return Number(row?.["points"] ?? 0)
          }),
        bounds: (sessionId) => Effect.flatMap(keyOf(sessionId), boundsOf),
        sessionIds: Effect.zipRight(ready, ownership.sessionIds),
        reclaim: (before) =>
          Effect.zipRight(ready, DeadPartitions.drop(connections, tables, before, turn.withPermits(1))),
        bytes: Effect.gen(function* () {
          yield* ready
          const [row] = yield* connections.rows(
            `SELECT sum(diskSize) AS bytes FROM table_partitions('${tables.points}')`
          )
          return Number(row?.["bytes"] ?? 0)
        }),
        check
      })
    })
  )
