/**
 * The rows of groups in QuestDB: written as ILP over HTTP, read over PGWire.
 *
 * Writes, seals and removals happen one after another. The store remembers the last time written of each session in
 * each table, so that a retry skips stored rows. After a failure it asks the server for this time again. Reads wait
 * until earlier writes of any process are visible (`wait_wal_table`, 1.4 ms).
 *
 * Hard cases: QuestDB deletes no rows, so the rows of a removed session stay, under a key that is no longer read. A
 * server that was away may be another server when it is back, and points may get another owner while they are used. So
 * the store asks for the owner again after each failure and at each check, and writes nothing to points of another
 * owner.
 */
import { Effect, Layer, Schedule } from "effect"
import invariant from "tiny-invariant"
import type { QuestdbAddress } from "../../platform/addresses/questdb.ts"
import { POINTS } from "../../domain/Dictionary.ts"
import { channels } from "../../domain/pointChannels.ts"
import { sameChannels } from "../../domain/RowBatch.ts"
import { RowStore } from "../RowStore.ts"
import { Connections } from "./Connections.ts"
import * as DeadPartitions from "./deadPartitions.ts"
import * as GroupTables from "./groupTables.ts"
import type { Losses } from "./losses.ts"
import * as PointOwner from "./pointOwner.ts"
import * as Readiness from "./readiness.ts"
import * as Reading from "./reading.ts"
import * as RowSender from "./RowSender.ts"
import { groupTable, pointColumns, rowColumns, tablesOf } from "./schema.ts"
import * as Sender from "./Sender.ts"
import * as SessionKeys from "./sessionKeys.ts"
import { ensureFits } from "./tableColumns.ts"
import { ensureRunning } from "./tableHealth.ts"
import * as WriteCheck from "./writeCheck.ts"
import * as Writing from "./writing.ts"

/** The check takes some queries of a millisecond each, and writes a row. */
const WATCH_EVERY = "15 seconds"

/** `losses` gets each loss that a check notices. */
export const layer = (address: QuestdbAddress, losses: Losses) =>
  Layer.scoped(
    RowStore,
    Effect.gen(function* () {
      const tables = tablesOf(address.prefix)
      const connections = yield* Connections
      const groups = GroupTables.make(connections, { tables, prefix: address.prefix, ttl: address.ttl })
      const groupTables = Effect.map(groups.groups, (all) =>
        all.map((group) => groupTable(address.prefix, group))
      )
      const ownership = PointOwner.make(connections, tables, groupTables)
      const readiness = yield* Readiness.make(connections, ownership, tables, address.ttl)
      const { claim, isStillOwners, ready } = readiness
      const keys = SessionKeys.make(connections, readiness, tables)
      const { applied, hasRows, partsOf } = keys
      const sender = yield* Sender.make(address)
      const rows = RowSender.make(sender)
      const writer = Writing.make({ rows, tables, groups, keys })
      const reading = Reading.make(connections, { tables, groups, keys })
      const turn = yield* Effect.makeSemaphore(1)

      const written = WriteCheck.make(connections, sender, tables)
      /** Whether `tried` has succeeded since the last failure and since the last interval. */
      let isTried = false
      const tried = Effect.gen(function* () {
        if (isTried) return
        yield* ensureFits(connections, tables.points, pointColumns)
        for (const table of yield* groupTables) yield* ensureFits(connections, table, rowColumns, true)
        yield* written
        isTried = true
      })

      const doubt = () => {
        isTried = false
        readiness.doubt()
        groups.doubt()
        writer.doubt()
      }

      // Also checks for suspended tables. While no rows wait, a suspended table passes `applied` below, and would take
      // rows without showing them.
      const check = Effect.gen(function* () {
        yield* ready
        if (!(yield* isStillOwners)) {
          doubt()
          yield* ready
        }
        yield* ensureRunning(
          connections,
          tables.points,
          tables.removals,
          tables.groups,
          ...(yield* groupTables)
        )
        yield* applied(tables.points)
        yield* losses.look(connections, tables.points)
        yield* tried
      }).pipe(Effect.tapError(() => Effect.sync(doubt)))

      // Updates the metrics and resumes suspended tables even if nobody asks for the service's health.
      const watch = Effect.suspend(() => {
        isTried = false
        return Effect.ignore(check)
      })
      yield* watch.pipe(Effect.repeat(Schedule.spaced(WATCH_EVERY)), Effect.forkScoped)

      return RowStore.of({
        claim,
        ownedBy: ownership.ownedBy,
        changeOwner: ownership.changeOwner,
        write: (batches) => {
          const complete = batches.every(
            ({ batch, group }) => group !== POINTS || sameChannels(batch.channels, channels)
          )
          invariant(complete, "points are stored with all channels")
          return writer.write(batches.filter(({ batch }) => batch.length > 0)).pipe(
            Effect.tapError(() => Effect.sync(doubt)),
            turn.withPermits(1)
          )
        },
        seal: (sessionId) => turn.withPermits(1)(Effect.sync(() => writer.forget(sessionId))),
        remove: (sessionId) =>
          Effect.gen(function* () {
            writer.forget(sessionId)
            const parts = yield* partsOf(sessionId)
            const all = [tables.points, ...(yield* groupTables)]
            if (!(yield* anyOf(all, (table) => hasRows(table, parts)))) return
            yield* connections.rows(
              `INSERT INTO ${tables.removals} (session, ts) VALUES (${sessionId}, now())`
            )
          }).pipe(turn.withPermits(1)),
        ...reading,
        sessionIds: Effect.zipRight(ready, ownership.sessionIds),
        reclaim: (before) =>
          Effect.gen(function* () {
            yield* ready
            const all = [...(yield* groupTables), tables.points]
            yield* DeadPartitions.drop(connections, tables, all, before, turn.withPermits(1))
          }),
        bytes: Effect.gen(function* () {
          yield* ready
          const parts = [tables.points, ...(yield* groupTables)].map(
            (table) => `SELECT sum(diskSize) AS bytes FROM table_partitions('${table}')`
          )
          const sizes = yield* connections.rows(parts.join(" UNION ALL "))
          return sizes.reduce((sum, row) => sum + Number(row["bytes"] ?? 0), 0)
        }),
        check
      })
    })
  )

/** Whether the condition is true for one of them; stops at the first. */
const anyOf = Effect.fnUntraced(function* <A, E, R>(
  all: ReadonlyArray<A>,
  holds: (one: A) => Effect.Effect<boolean, E, R>
) {
  for (const one of all) if (yield* holds(one)) return true
  return false
})
