import type { Worker as Thread } from "node:worker_threads"
import * as NodeWorker from "@effect/platform-node/NodeWorker"
import * as SqlClient from "@effect/sql/SqlClient"
import { Effect, Layer } from "effect"
import invariant from "tiny-invariant"
import { POINTS } from "../../domain/Dictionary.ts"
import { channels } from "../../domain/pointChannels.ts"
import { sameChannels } from "../../domain/RowBatch.ts"
import { traced } from "../../observability/traced.ts"
import { RowStore, type SessionRows } from "../RowStore.ts"
import { thin } from "../thinning.ts"
import * as BlockIndex from "./blockIndex.ts"
import * as BlockReader from "./blockReader.ts"
import { migratePoints } from "./pointMigrations.ts"
import * as PointOwner from "./pointOwner.ts"
import { bytesInUse } from "./SqliteFile.ts"
import { toThread } from "./writerProtocol.ts"
import * as WriterThread from "./WriterThread.ts"

const isWhole = (rows: SessionRows): boolean =>
  rows.group === POINTS ? sameChannels(rows.batch.channels, channels) : rows.batch.channels[0] === "timestamp"

/**
 * The rows of groups as blocks in the SQLite file of the client. The writer thread makes all changes, in order, so that
 * compression and fsync do not block the event loop; reads use the client's own connection. `startThread` starts that thread
 * on the same file; `name` is the store's name in sentences.
 */
export const layer = (startThread: () => Thread, name: "sqlite" | "spool" = "sqlite") =>
  Layer.scoped(
    RowStore,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* migratePoints
      const writer = yield* WriterThread.make(startThread)
      const reader = BlockReader.make(sql, name)
      const index = BlockIndex.make(sql)
      const owner = PointOwner.make(sql, name, index.sessionIds)
      const removed = yield* Effect.makeLatch(false)

      // Runs in the background: a client that removes a session does not wait until the disk has its space back.
      yield* removed.await.pipe(
        Effect.zipRight(Effect.sync(() => removed.unsafeClose())),
        Effect.zipRight(
          Effect.catchAll(writer.request({ _tag: "Reclaim" }), ({ cause }) =>
            Effect.logDebug("The space of removed sessions is given back after the next removal", cause)
          )
        ),
        Effect.forever,
        Effect.forkScoped
      )

      const remove = (sessionId: number) =>
        Effect.zipRight(
          writer.request({ _tag: "Remove", sessionId }),
          Effect.sync(() => removed.unsafeOpen())
        )

      return RowStore.of({
        sessionIds: index.sessionIds,
        check: index.check,
        groups: index.groups,
        columns: index.columns,
        ...owner,
        ...reader,
        readEvery: (range, columns, every) => thin(every)(reader.read(range, columns)),
        write: traced(
          "RowStore.write",
          Effect.fnUntraced(function* (batches) {
            const some = batches.filter(({ batch }) => batch.length > 0)
            invariant(
              some.every(isWhole),
              "points are stored with all channels, and samples with their time first"
            )
            if (some.length > 0) yield* writer.request({ _tag: "Write", batches: some.map(toThread) })
          })
        ),
        seal: (sessionId) => writer.request({ _tag: "Seal", sessionId }),
        remove,
        // Nothing to do: the store gives space back after each removal.
        reclaim: () => Effect.void,
        bytes: bytesInUse(sql)
      })
    })
  ).pipe(Layer.provide(NodeWorker.layerManager))
