/**
 * Points in QuestDB: written as ILP over HTTP, read over PGWire.
 *
 * Writes, seals and removals happen one after another. Of a session the last time written is remembered, so that a retry
 * skips what is stored; after a failure it is asked for again. Reads wait until what was written is visible
 * (`wait_wal_table`, 1.4 ms), whichever process wrote it.
 *
 * Hard cases: a removed session's rows stay (QuestDB deletes no rows), under a key that nobody reads any more. A server that
 * was away may be another when it is back, and points may be handed over while they are used: whose they are is asked
 * again after each failure and at each check, and nothing is written to another's.
 */
import { Effect, Layer, Option, Schedule, Stream } from "effect"
import invariant from "tiny-invariant"
import type { QuestdbAddress } from "../../addresses/questdb.ts"
import { channels } from "../../domain/PointBatch.ts"
import { PointStore } from "../PointStore.ts"
import { Connections } from "./Connections.ts"
import * as DeadPartitions from "./deadPartitions.ts"
import * as Pages from "./pages.ts"
import * as PointOwner from "./pointOwner.ts"
import { pointsWithin } from "./ranges.ts"
import * as Readiness from "./readiness.ts"
import * as RowSender from "./RowSender.ts"
import { tablesOf } from "./schema.ts"
import * as Sender from "./Sender.ts"
import * as SessionKeys from "./sessionKeys.ts"
import { ensureRunning } from "./tableHealth.ts"
import * as Writing from "./writing.ts"

/** Two queries of a millisecond. */
const WATCH_EVERY = "15 seconds"

export const layer = (address: QuestdbAddress) =>
  Layer.scoped(
    PointStore,
    Effect.gen(function* () {
      const tables = tablesOf(address.prefix)
      const connections = yield* Connections
      const ownership = PointOwner.make(connections, tables)
      const readiness = yield* Readiness.make(connections, ownership, tables, address.ttl)
      const { claim, isStillOwners, ready } = readiness
      const keys = SessionKeys.make(connections, readiness, tables)
      const { applied, boundsOf, keyOf, readable } = keys
      const writer = Writing.make(RowSender.make(tables.points, yield* Sender.make(address)), keys)
      const pages = Pages.make(connections, tables.points)
      const turn = yield* Effect.makeSemaphore(1)

      const doubt = () => {
        readiness.doubt()
        writer.doubt()
      }

      // Both: a table that is suspended while nothing waits to be applied takes what comes, and does not show it.
      const check = Effect.gen(function* () {
        yield* ready
        if (!(yield* isStillOwners)) {
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
        claim,
        ownedBy: ownership.ownedBy,
        changeOwner: ownership.changeOwner,
        write: (batches) => {
          const complete = batches.every(({ batch }) => batch.channels.length === channels.length)
          invariant(complete, "points are stored with all channels")
          return writer.write(batches.filter(({ batch }) => batch.length > 0)).pipe(
            Effect.tapError(() => Effect.sync(doubt)),
            turn.withPermits(1)
          )
        },
        seal: (sessionId) => turn.withPermits(1)(Effect.sync(() => writer.forget(sessionId))),
        remove: (sessionId) =>
          Effect.gen(function* () {
            const key = yield* keyOf(sessionId)
            // It looks through all points of the table, and writes go on meanwhile.
            const bounds = yield* boundsOf(key)
            yield* Effect.gen(function* () {
              writer.forget(sessionId)
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
