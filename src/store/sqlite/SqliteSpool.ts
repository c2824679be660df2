/** Points on this machine's disk that wait for a server: blocks in a SQLite file of their own, `spool.sqlite`. */
import { join } from "node:path"
import * as SqlClient from "@effect/sql/SqlClient"
import { Effect, Layer } from "effect"
import { PointStore } from "../PointStore.ts"
import type { Spool } from "../SpooledPointStore.ts"
import * as SqliteFile from "./SqliteFile.ts"
import * as SqlitePointStore from "./SqlitePointStore.ts"
import { startThread } from "./WriterThread.ts"

/** Pages that are free again are used before the file grows. */
const BYTES_IN_USE = `SELECT (pages.page_count - free.freelist_count) * size.page_size AS bytes
  FROM pragma_page_count AS pages, pragma_freelist_count AS free, pragma_page_size AS size`

export const spoolFile = (dataFolder: string) => join(dataFolder, "spool.sqlite")

/** Lives as long as the scope. */
export const make = Effect.fn("SqliteSpool.make")(function* (dataFolder: string, mostBytes: number) {
  yield* SqliteFile.ensureFolder(dataFolder)
  const filename = spoolFile(dataFolder)
  const file = SqliteFile.layer(filename)
  const points = SqlitePointStore.layer(() => startThread(filename), "spool")
  const context = yield* Layer.build(Layer.provideMerge(points, file))
  return yield* Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const spool: Spool = {
      store: yield* PointStore,
      mostBytes,
      bytes: sql.unsafe<{ readonly bytes: number }>(BYTES_IN_USE).pipe(
        Effect.map(([row]) => row?.bytes ?? 0),
        Effect.mapError(SqliteFile.unavailable)
      )
    }
    return spool
  }).pipe(Effect.provide(context))
})
