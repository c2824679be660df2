/** An import of a drive that was also recorded live names the live session; another drive's does not. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { POINTS } from "../../src/domain/Dictionary.ts"
import { channels } from "../../src/domain/pointChannels.ts"
import { RowBatch } from "../../src/domain/RowBatch.ts"
import { importFile } from "../../src/imports/importFile.ts"
import * as ImportLane from "../../src/imports/importLane.ts"
import { SessionEndings } from "../../src/recording/intake/SessionEndings.ts"
import { FileImports } from "../../src/store/FileImports.ts"
import { RowStore } from "../../src/store/RowStore.ts"
import { Sessions } from "../../src/store/Sessions.ts"
import * as SqliteStore from "../../src/store/sqlite/SqliteStore.ts"
import { session as recorded, textOf } from "./recordingText.ts"

const START = Date.parse(`${recorded.datetime}Z`) / 1000

/** A drive's speed, km/h, at a time since the start, s. */
const speedAt = (seconds: number) => 150 + 80 * Math.sin(seconds / 7) + 20 * Math.sin(seconds / 1.3)

const folder = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "overlaps-"))),
  (path) => Effect.sync(() => rmSync(path, { recursive: true }))
)

/** A live session from `begin` on, s, at 60 Hz. */
const record = Effect.fn(function* (
  names: { readonly driver: string },
  begin: number,
  seconds: number,
  speed: (at: number) => number
) {
  const { createSession, extendSessions } = yield* Sessions
  const { id } = yield* createSession(
    { circuit: "Spa", vehicle: "gt3", ...names, datetime: START + begin },
    { recording: false }
  )
  const batch = RowBatch.allocate(seconds * 60, channels)
  batch.data.fill(Number.NaN)
  for (let i = 0; i < batch.length; i++) {
    batch.timestamps[i] = START + begin + i / 60
    batch.column("speed")[i] = speed(begin + i / 60)
  }
  yield* (yield* RowStore).write([{ sessionId: id, group: POINTS, batch }])
  yield* extendSessions(new Map([[id, { first: batch.timestamps[0]!, last: batch.timestamps.at(-1)! }]]))
  return id
})

it.scoped("an import names the live session of the same drive", () =>
  Effect.gen(function* () {
    const data = yield* folder
    const path = join(data, "drive.ndjson")
    const points = Array.from({ length: 6000 }, (_, i) => ({
      timestamp: i / 20,
      speed: speedAt(i / 20),
      rpm: 5000
    }))
    const messages = Array.from({ length: 6 }, (_, n) => ({
      type: "points",
      points: points.slice(n * 1000, (n + 1) * 1000)
    }))
    writeFileSync(path, textOf([recorded, ...messages]))
    yield* Effect.gen(function* () {
      const same = yield* record({ driver: "ANNA" }, 20, 280, speedAt)
      yield* record({ driver: "Anna" }, 0, 300, (at) => speedAt(at + 2))
      yield* record({ driver: "Bea" }, 0, 300, speedAt)
      yield* record({ driver: "Anna" }, 200, 300, speedAt)
      const options = { timeZone: "UTC" }
      const { addImport, fileImport } = yield* FileImports
      const { id } = yield* addImport({ name: "drive", sha256: "00", size: 1, state: "queued", options })
      const done = yield* importFile({ id, path, name: "drive.ndjson", modified: 0, options })
      expect([done.state, done.overlaps]).toEqual(["done", [same]])
      expect((yield* fileImport(id)).overlaps).toEqual([same])
    }).pipe(
      Effect.provide(
        ImportLane.layer.pipe(
          Layer.provide(SessionEndings.ignored),
          Layer.provideMerge(SqliteStore.layer(data))
        )
      )
    )
  })
)
