/** The sessions that an import of a file makes in a SQLite store. */
import { mkdtempSync, rmSync, statSync } from "node:fs"
import { tmpdir } from "node:os"
import { basename, join } from "node:path"
import { Chunk, Effect, Layer, Stream } from "effect"
import { POINTS } from "../../src/domain/Dictionary.ts"
import type { RecordedLap } from "../../src/domain/Lap.ts"
import { importFile } from "../../src/imports/importFile.ts"
import * as ImportLane from "../../src/imports/importLane.ts"
import { SessionEndings } from "../../src/recording/intake/SessionEndings.ts"
import { FileImports } from "../../src/store/FileImports.ts"
import { Laps } from "../../src/store/Laps.ts"
import { RowStore } from "../../src/store/RowStore.ts"
import * as SqliteStore from "../../src/store/sqlite/SqliteStore.ts"

/** What is told of a lap, whenever it was. */
export const outcomeOf = (lap: RecordedLap) => [
  lap.lapNumber,
  lap.lapTime,
  lap.sector1Time,
  lap.sector2Time,
  lap.sector3Time,
  lap.valid
]

const sessionOf = Effect.fnUntraced(function* (sessionId: number) {
  const laps = yield* (yield* Laps).laps(sessionId)
  const { read } = yield* RowStore
  const batches = yield* Stream.runCollect(
    read({ sessionId, group: POINTS, from: -Infinity, until: Infinity }, ["timestamp"])
  )
  const times = Chunk.toReadonlyArray(batches).flatMap((batch) => [...batch.timestamps])
  return {
    laps: laps.map(outcomeOf),
    points: times.length,
    first: times[0]
  }
})

/** Imports the files one after another into one store. `modified`: the time of the files, epoch seconds. */
export const importedAfterEachOther = (paths: ReadonlyArray<string>, modified: number) =>
  Effect.acquireUseRelease(
    Effect.sync(() => mkdtempSync(join(tmpdir(), "import-"))),
    (data) =>
      Effect.forEach(paths, (path) =>
        Effect.gen(function* () {
          const { addImport } = yield* FileImports
          const [name, options] = [basename(path), { timeZone: "UTC" }]
          const { size } = statSync(path)
          const { id } = yield* addImport({ name, sha256: "00", size, state: "queued", options })
          const done = yield* importFile({ id, path, name, modified, options })
          return { done, sessions: yield* Effect.forEach(done.sessions, sessionOf) }
        })
      ).pipe(
        Effect.provide(
          ImportLane.layer.pipe(
            Layer.provide(SessionEndings.ignored),
            Layer.provideMerge(SqliteStore.layer(data))
          )
        )
      ),
    (data) => Effect.sync(() => rmSync(data, { recursive: true }))
  )

export const importedOf = (path: string, modified: number) =>
  Effect.map(importedAfterEachOther([path], modified), ([only]) => only!)
