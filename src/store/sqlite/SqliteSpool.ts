/** Points on this machine's disk that wait for a server: blocks in a SQLite file of their own, `spool.sqlite`. */
import { join } from "node:path"
import { Context, Effect, Layer } from "effect"
import { RowStore } from "../RowStore.ts"
import type { Spool } from "../spool/Sides.ts"
import * as SqliteFile from "./SqliteFile.ts"
import * as SqliteRowStore from "./SqliteRowStore.ts"
import { startThread } from "./WriterThread.ts"

export const spoolFile = (dataFolder: string) => join(dataFolder, "spool.sqlite")

/** The spool lives as long as the scope. */
export const make = Effect.fn("SqliteSpool.make")(function* (dataFolder: string, maxBytes: number) {
  yield* SqliteFile.ensureFolder(dataFolder)
  const filename = spoolFile(dataFolder)
  const file = SqliteFile.layer(filename)
  const points = SqliteRowStore.layer(() => startThread(filename), "spool")
  const store = Context.get(yield* Layer.build(Layer.provide(points, file)), RowStore)
  const spool: Spool = { store, maxBytes }
  return spool
})
