import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { fileURLToPath } from "node:url"
import { SqlClient } from "@effect/sql"
import { expect, it } from "@effect/vitest"
import { Chunk, Effect, Stream } from "effect"
import { POINTS } from "../../src/domain/Dictionary.ts"
import { channels } from "../../src/domain/pointChannels.ts"
import { type PointBatch, RowBatch } from "../../src/domain/RowBatch.ts"
import { RowStore } from "../../src/store/RowStore.ts"
import { Sessions } from "../../src/store/Sessions.ts"
import * as SqliteFile from "../../src/store/sqlite/SqliteFile.ts"
import * as SqliteStore from "../../src/store/sqlite/SqliteStore.ts"
import { bitsOf, samplePoints } from "../contracts/samples.ts"
import { expectGroup } from "../contracts/rowStoreSamplesSupport.ts"
import { temporaryFolder } from "../store/sqlite/folder.ts"
import { allSlow, allTyres, BATCH, RATE } from "./writtenGroups.ts"

const script = fileURLToPath(new URL("./writeUntilKilled.ts", import.meta.url))

/** The writing process; the end of the scope kills it. */
const startWriter = (folder: string, most?: number) =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const args = [script, folder, ...(most === undefined ? [] : [String(most)])]
      return spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] })
    }),
    (child) => Effect.sync(() => child.kill("SIGKILL"))
  )

/** Resolves when the process has acknowledged so many points; `seen()` is the newest number it printed. */
const acknowledgements = (child: ChildProcess & { readonly stdout: NodeJS.ReadableStream }) => {
  let text = ""
  child.stdout.on("data", (chunk: Buffer) => {
    text += chunk.toString()
  })
  const seen = () => Number(/(\d+)\n[^\n]*$/.exec(text)?.[1] ?? 0)
  const reached = (points: number) =>
    Effect.promise(async () => {
      while (seen() < points) await once(child.stdout, "data")
    })
  return { seen, reached }
}

const readSession = Effect.flatMap(RowStore, (store) =>
  Stream.runCollect(store.read({ sessionId: 1, group: POINTS, from: -Infinity, until: Infinity }, channels))
).pipe(Effect.map((batches) => RowBatch.concat(Chunk.toReadonlyArray(batches))))

const isPrefix = (read: PointBatch) => bitsOf(read).equals(bitsOf(samplePoints(0, read.length, RATE)))

it.scopedLive("another process reads, and writes to the catalog, while this one's points come in", () =>
  Effect.gen(function* () {
    const folder = yield* temporaryFolder
    yield* Effect.gen(function* () {
      const sessions = yield* Sessions
      const child = yield* startWriter(folder, 26_000)
      const exited = once(child, "exit")
      const { reached, seen } = acknowledgements(child)
      for (let goal = 130; goal <= 26_000; goal += 2600) {
        yield* reached(goal)
        const acknowledged = seen()
        const read = yield* readSession
        expect(read.length).toBeGreaterThanOrEqual(acknowledged)
        expect(isPrefix(read)).toBe(true)
        yield* sessions.createSession(
          { circuit: "a", vehicle: "b", driver: "c", datetime: goal },
          { recording: false }
        )
      }
      yield* Effect.promise(() => exited)
      expect((yield* readSession).length).toBe(26_000)
      expect(yield* sessions.sessionIds).toHaveLength(10)
    }).pipe(Effect.provide(SqliteStore.layer(folder)))
  })
)

for (const goal of [400, 9100]) {
  it.scopedLive(`a process killed after ${goal} points has lost no acknowledged point`, () =>
    Effect.gen(function* () {
      const folder = yield* temporaryFolder
      const child = yield* startWriter(folder)
      const exited = once(child, "exit")
      const { reached, seen } = acknowledgements(child)
      yield* reached(goal)
      process.kill(child.pid!, "SIGKILL")
      yield* Effect.promise(() => exited)
      const acknowledged = seen()
      yield* Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        expect(yield* sql`PRAGMA integrity_check`).toEqual([{ integrity_check: "ok" }])
      }).pipe(Effect.provide(SqliteFile.layer(SqliteStore.databaseFile(folder))))
      yield* Effect.gen(function* () {
        const store = yield* RowStore
        const read = yield* readSession
        expect(read.length).toBeGreaterThanOrEqual(acknowledged)
        expect(isPrefix(read)).toBe(true)
        // Each group has the samples written with the points, and no others.
        const commits = read.length / BATCH
        yield* expectGroup(1, "tyres", allTyres(commits))
        yield* expectGroup(1, "slow", allSlow(commits))
        // The feed is repeated from its start, and goes on.
        const more = samplePoints(0, read.length + 5000, RATE)
        const [tyres, slow] = [allTyres(commits + 100), allSlow(commits + 100)]
        yield* store.write([
          { sessionId: 1, group: POINTS, batch: more },
          { sessionId: 1, group: "tyres", batch: tyres },
          { sessionId: 1, group: "slow", batch: slow }
        ])
        yield* store.seal(1)
        expect(bitsOf(yield* readSession).equals(bitsOf(more))).toBe(true)
        yield* expectGroup(1, "tyres", tyres)
        yield* expectGroup(1, "slow", slow)
      }).pipe(Effect.provide(SqliteStore.layer(folder)))
    })
  )
}
