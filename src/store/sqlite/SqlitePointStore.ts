import type { Worker as Thread } from "node:worker_threads"
import * as NodeWorker from "@effect/platform-node/NodeWorker"
import * as SqlClient from "@effect/sql/SqlClient"
import { Effect, Layer } from "effect"
import invariant from "tiny-invariant"
import { channels } from "../../domain/PointBatch.ts"
import { PointStore } from "../PointStore.ts"
import { thin } from "../thinning.ts"
import * as BlockReader from "./blockReader.ts"
import { migratePoints } from "./pointMigrations.ts"
import * as PointOwner from "./pointOwner.ts"
import { bytesInUse } from "./SqliteFile.ts"
import { toWire } from "./writerProtocol.ts"
import * as WriterThread from "./WriterThread.ts"

/**
 * Points as blocks in the SQLite file of the client. Whatever changes them goes through the writer thread, in
 * order, so that compression and fsync do not hold up the event loop; reads use the client's own connection.
 * `startThread` starts that thread, on the same file; `name` is what sentences call the store.
 */
export const layer = (startThread: () => Thread, name = "sqlite") =>
  Layer.scoped(
    PointStore,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* migratePoints
      const writer = yield* WriterThread.make(startThread)
      const reader = BlockReader.make(sql, name)
      const removed = yield* Effect.makeLatch(false)

      // By itself: a client that removes a session does not wait until the disk has its space back.
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

      return PointStore.of({
        ...reader,
        ...PointOwner.make(sql, name, reader.sessionIds),
        readEvery: (range, every) => thin(every)(reader.read(range)),
        write: Effect.fn("PointStore.write")(function* (batches) {
          const some = batches.filter(({ batch }) => batch.length > 0)
          const complete = some.every(({ batch }) => batch.channels.length === channels.length)
          invariant(complete, "points are stored with all channels")
          if (some.length > 0) yield* writer.request({ _tag: "Write", batches: some.map(toWire) })
        }),
        seal: (sessionId) => writer.request({ _tag: "Seal", sessionId }),
        remove: (sessionId) =>
          Effect.zipRight(
            writer.request({ _tag: "Remove", sessionId }),
            Effect.sync(() => removed.unsafeOpen())
          ),
        // It goes back behind each removal.
        reclaim: () => Effect.void,
        bytes: bytesInUse(sql)
      })
    })
  ).pipe(Layer.provide(NodeWorker.layerManager))
