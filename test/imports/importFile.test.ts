/** Imports from a file to a SQLite store in a folder, with the thread that reads it. */
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { basename, join } from "node:path"
import { describe, expect, it } from "@effect/vitest"
import { Chunk, Effect, Fiber, Layer, Stream } from "effect"
import { POINTS } from "../../src/domain/Dictionary.ts"
import { channels } from "../../src/domain/pointChannels.ts"
import { RowBatch } from "../../src/domain/RowBatch.ts"
import { importFile } from "../../src/imports/importFile.ts"
import * as ImportLane from "../../src/imports/importLane.ts"
import { removeBroken } from "../../src/imports/removeBroken.ts"
import { recover } from "../../src/recording/intake/recovery.ts"
import { SessionEndings } from "../../src/recording/intake/SessionEndings.ts"
import { Dictionaries } from "../../src/store/Dictionaries.ts"
import { FileImports } from "../../src/store/FileImports.ts"
import { Laps } from "../../src/store/Laps.ts"
import { RowStore } from "../../src/store/RowStore.ts"
import { Sessions } from "../../src/store/Sessions.ts"
import * as SqliteStore from "../../src/store/sqlite/SqliteStore.ts"
import { writeIbt } from "../../bench/imports/files.ts"
import { needing } from "../support/needing.ts"
import { formatsHere, sharedFolder } from "../support/sharedData.ts"
import { readFile, timesOf, valuesOf } from "./readFile.ts"
import { points, recordingText, session, textOf } from "./recordingText.ts"

const folder = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "import-"))),
  (path) => Effect.sync(() => rmSync(path, { recursive: true }))
)

/** The message of a lap that begins every 20 s. */
const lapMessage = (n: number) => ({
  type: "lap",
  lap_number: n + 1,
  lap_time: 10 + n / 100,
  start_time: n * 20,
  end_time: n * 20 + 10 + n / 100
})

/** The stores of a folder, and the lane of imports. */
const lane = (data: string) =>
  ImportLane.layer.pipe(Layer.provide(SessionEndings.ignored), Layer.provideMerge(SqliteStore.layer(data)))

const run = Effect.fn(function* (path: string, name = basename(path)) {
  const { addImport } = yield* FileImports
  const { size } = statSync(path)
  const added = yield* addImport({
    name,
    sha256: "00",
    size,
    state: "queued",
    options: { timeZone: "UTC" }
  })
  const job = { id: added.id, path, name, size, modified: 1_700_000_000, options: { timeZone: "UTC" } }
  return yield* importFile(job)
})

describe("an import", () => {
  it.scoped("stores a recording as a session of its own time, and nothing of it is live", () =>
    Effect.gen(function* () {
      const data = yield* folder
      const path = join(data, "one.ndjson")
      // A hole of two hours is within one session: a file's times are not held against their arrival.
      writeFileSync(path, textOf([session, points(0, 50), points(7200, 50), { type: "session_end" }]))
      yield* Effect.gen(function* () {
        const done = yield* run(path)
        expect(done).toMatchObject({
          state: "done",
          format: "recording",
          rows: 100,
          laps: 1,
          detail: null,
          progress: 1
        })
        const { items } = yield* (yield* Sessions).sessions({ limit: 9, offset: 0 })
        expect(items).toMatchObject([
          {
            id: done.sessions[0],
            source: "import",
            circuit: "Spa",
            datetime: Date.UTC(2020, 4, 1, 10) / 1000,
            duration: 7204
          }
        ])
        const read = yield* (yield* RowStore)
          .read({ sessionId: items[0]!.id, group: POINTS, from: -Infinity, until: Infinity }, channels)
          .pipe(
            Stream.runCollect,
            Effect.map((batches) => RowBatch.concat(Chunk.toReadonlyArray(batches)))
          )
        expect([read.length, read.column("speed").at(-1), read.column("brake").at(-1)]).toEqual([
          100,
          49,
          Number.NaN
        ])
      }).pipe(Effect.provide(lane(data)))
    })
  )

  it.scoped("of many pieces stores what its reader gives, row by row", () =>
    Effect.gen(function* () {
      const data = yield* folder
      const path = join(data, "large.ibt")
      // Six pieces, each in the memory of the one before.
      writeIbt(path, 6e6, 1_700_000_000)
      const [read] = (yield* Effect.promise(() => readFile(path))).sessions
      yield* Effect.gen(function* () {
        const done = yield* run(path)
        expect(done.state).toBe("done")
        const store = yield* RowStore
        for (const [group, channel] of [
          [POINTS, "speed"],
          [POINTS, "position_x"],
          ["iracing", "iracing_benchchannel7"],
          ["iracing", "iracing_benchchannel250"]
        ] as const) {
          const range = { sessionId: done.sessions[0]!, group, from: -Infinity, until: Infinity }
          const batches = yield* Stream.runCollect(store.read(range, ["timestamp", channel]))
          const stored = RowBatch.concat(Chunk.toReadonlyArray(batches))
          expect([...stored.timestamps]).toEqual(timesOf(read!, channel))
          expect([...stored.column(channel)]).toEqual(valuesOf(read!, channel))
        }
      }).pipe(Effect.provide(lane(data)))
    })
  )

  it.scoped("of more laps than are stored together has all of them, in their order", () =>
    Effect.gen(function* () {
      const data = yield* folder
      const path = join(data, "laps.ndjson")
      const drive = Array.from({ length: 150 }, (_, n) => [points(n * 20, 200), lapMessage(n)]).flat()
      writeFileSync(path, textOf([session, ...drive, { type: "session_end" }]))
      yield* Effect.gen(function* () {
        const done = yield* run(path)
        const stored = yield* (yield* Laps).laps(done.sessions[0]!)
        expect(
          stored
            .filter(({ lapTime }) => lapTime !== null)
            .map(({ lapNumber, lapTime }) => [lapNumber, lapTime])
        ).toEqual(Array.from({ length: 150 }, (_, n) => [n + 1, 10 + n / 100]))
        expect(done.laps).toBe(stored.length)
      }).pipe(Effect.provide(lane(data)))
    })
  )

  it.scoped("of a file that is no telemetry, or has no rows, stores nothing and says why", () =>
    Effect.gen(function* () {
      const data = yield* folder
      const [text, empty, headless] = ["notes.txt", "empty.ndjson", "headless.ndjson"].map((name) =>
        join(data, name)
      ) as [string, string, string]
      writeFileSync(text, "just some notes")
      writeFileSync(empty, textOf([session]))
      writeFileSync(headless, textOf([points(0, 50)]))
      yield* Effect.gen(function* () {
        expect(yield* run(text)).toMatchObject({ state: "failed", format: null, sessions: [] })
        expect((yield* run(text)).detail).toContain("The file is of no known format")
        for (const path of [empty, headless]) {
          expect(yield* run(path)).toMatchObject({
            state: "failed",
            sessions: [],
            detail: "The file has no rows"
          })
        }
        expect((yield* (yield* Sessions).sessions({ limit: 9, offset: 0 })).total).toBe(0)
      }).pipe(Effect.provide(lane(data)))
    })
  )

  it.scopedLive(
    "that is interrupted leaves no session, and one that a crash cut off is removed at the next start",
    () =>
      Effect.gen(function* () {
        const data = yield* folder
        const path = join(data, "long.ndjson")
        writeFileSync(path, recordingText(150))
        yield* Effect.gen(function* () {
          const imports = yield* FileImports
          const started = yield* Effect.forkDaemon(run(path))
          const reading = imports.fileImports({ limit: 1, offset: 0 }).pipe(
            Effect.map(({ items: [one] }) => one!),
            Effect.delay("10 millis"),
            Effect.repeat({ until: (one) => one?.sessions.length === 1 })
          )
          const { id } = yield* reading
          yield* Fiber.interrupt(started)
          expect(yield* imports.fileImport(id)).toMatchObject({ state: "cancelled", sessions: [] })
          expect((yield* (yield* Sessions).sessions({ limit: 9, offset: 0 })).total).toBe(0)
          // As a killed process leaves them.
          const broken = yield* imports.addImport({
            name: "b",
            sha256: "00",
            size: 1,
            state: "reading",
            options: {}
          })
          const half = { circuit: "Spa", vehicle: "GT3", driver: "Anna", datetime: 0, importId: broken.id }
          yield* (yield* Sessions).createSession(half, { recording: true })
        }).pipe(Effect.provide(lane(data)))
        yield* Effect.gen(function* () {
          yield* recover
          yield* removeBroken(() => false)
          const [broken] = (yield* (yield* FileImports).fileImports({ limit: 1, offset: 0 })).items
          expect(broken).toMatchObject({
            name: "b",
            state: "failed",
            sessions: [],
            detail: "It was cut off: import it again"
          })
          expect((yield* (yield* Sessions).sessions({ limit: 9, offset: 0 })).total).toBe(0)
        }).pipe(Effect.provide(lane(data)))
      })
  )
})

describe("an import", needing(formatsHere), () => {
  it.scoped("of a file that is cut off keeps what is whole, and says what is missing", () =>
    Effect.gen(function* () {
      const data = yield* folder
      const whole = readFileSync(join(sharedFolder("data/formats"), "iracing-made.ibt"))
      const path = join(data, "cut.ibt")
      writeFileSync(path, whole.subarray(0, 700_001))
      yield* Effect.gen(function* () {
        const done = yield* run(path)
        expect(done).toMatchObject({ state: "partial", format: "iracing-ibt" })
        expect(done.detail).toMatch(/^The file ends in its record \d+: what is before it was read$/)
        const laps = yield* (yield* Laps).laps(done.sessions[0]!)
        expect(laps.filter(({ lapTime }) => lapTime !== null).length).toBeGreaterThan(0)
        const dictionary = yield* (yield* Dictionaries).dictionary(done.sessions[0]!)
        expect(dictionary!.channel("latitude")!.group.name).toBe("gps")
      }).pipe(Effect.provide(lane(data)))
    })
  )
})
