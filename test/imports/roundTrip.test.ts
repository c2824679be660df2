/** A session that is exported as a recording, imported and exported again is the same. */
import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { gunzipSync } from "node:zlib"
import { describe, expect, it } from "@effect/vitest"
import { Chunk, Effect, Layer, Stream } from "effect"
import { POINTS } from "../../src/domain/Dictionary.ts"
import { channels as pointChannels } from "../../src/domain/pointChannels.ts"
import { RowBatch } from "../../src/domain/RowBatch.ts"
import { recordingFile } from "../../src/formats/recording/sessionRecording.ts"
import { importFile } from "../../src/imports/importFile.ts"
import * as ImportLane from "../../src/imports/importLane.ts"
import { SessionEndings } from "../../src/recording/intake/SessionEndings.ts"
import { Dictionaries } from "../../src/store/Dictionaries.ts"
import { FileImports } from "../../src/store/FileImports.ts"
import { Laps } from "../../src/store/Laps.ts"
import { RowStore } from "../../src/store/RowStore.ts"
import * as SqliteStore from "../../src/store/sqlite/SqliteStore.ts"
import { needing } from "../support/needing.ts"
import { formatsHere, recordingsHere, sharedFolder } from "../support/sharedData.ts"

const folder = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "round-trip-"))),
  (path) => Effect.sync(() => rmSync(path, { recursive: true }))
)

const imported = Effect.fn(function* (path: string, name: string) {
  const { addImport } = yield* FileImports
  const { size } = statSync(path)
  const options = { timeZone: "UTC" }
  const { id } = yield* addImport({ name, sha256: "00", size, state: "queued", options })
  const { sessions } = yield* importFile({ id, path, name, modified: 1_700_000_000, options })
  return sessions
})

const exported = Effect.fn(function* (sessionId: number) {
  const { text } = yield* recordingFile(sessionId)
  return Buffer.concat(Chunk.toReadonlyArray(yield* Stream.runCollect(text)))
})

/** All that the stores have of a session, without its ids. */
const contents = Effect.fn(function* (sessionId: number) {
  const dictionary = yield* (yield* Dictionaries).dictionary(sessionId)
  const groups = [
    { name: POINTS, columns: pointChannels as ReadonlyArray<string> },
    ...dictionary!.groups.map(({ columns, name }) => ({ name, columns }))
  ]
  const store = yield* RowStore
  const rows = yield* Effect.forEach(groups, ({ columns, name: group }) =>
    store.read({ sessionId, group, from: -Infinity, until: Infinity }, columns).pipe(
      Stream.runCollect,
      Effect.map((batches) => {
        const { data, length } = RowBatch.concat(Chunk.toReadonlyArray(batches))
        return {
          group,
          length,
          bytes: Buffer.from(data.buffer, data.byteOffset, data.byteLength).toString("base64")
        }
      })
    )
  )
  const laps = (yield* (yield* Laps).laps(sessionId)).map(({ id: _id, sessionId: _sessionId, ...lap }) => lap)
  return { dictionary: JSON.parse(JSON.stringify(dictionary)) as unknown, rows, laps }
})

const cases = [
  ["recordings", "portland-gps.ndjson.gz"],
  ["formats", "iracing-made.ibt"],
  ["formats", "iracing-pits.ibt"],
  ["formats", "motec-m1.ld"]
] as const

describe("a recording of a session", needing(formatsHere, recordingsHere), () => {
  it.scoped.each(cases)("%s/%s: imported and exported again, it has the same bytes", ([from, name]) =>
    Effect.gen(function* () {
      const data = yield* folder
      const lane = ImportLane.layer.pipe(
        Layer.provide(SessionEndings.ignored),
        Layer.provideMerge(SqliteStore.layer(data))
      )
      yield* Effect.gen(function* () {
        const firsts = yield* imported(join(sharedFolder(`data/${from}`), name), name)
        expect(firsts.length).toBeGreaterThan(0)
        for (const first of firsts) {
          const file = yield* exported(first)
          const path = join(data, `session-${first}.ndjson.gz`)
          writeFileSync(path, file)
          const [second] = yield* imported(path, `session-${first}.ndjson.gz`)
          expect(yield* contents(second!)).toEqual(yield* contents(first))
          const again = yield* exported(second!)
          expect(gunzipSync(again).toString() === gunzipSync(file).toString()).toBe(true)
          expect(again.equals(file)).toBe(true)
        }
      }).pipe(Effect.provide(lane))
    })
  )
})
