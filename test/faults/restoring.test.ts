/** Backups put in place in every way, and databases left by a killed service: nothing is merged, nothing is lost. */
import {
  closeSync,
  copyFileSync,
  existsSync,
  openSync,
  readdirSync,
  readFileSync,
  writeFileSync,
  writeSync
} from "node:fs"
import { join } from "node:path"
import { backup as copyDatabase } from "node:sqlite"
import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import * as Box from "../support/processes.ts"
import { openSqlite, valueOf } from "../support/sqliteFile.ts"

const databaseOf = (folder: string) => join(folder, "telemetry.sqlite")

/** A service that has stored this many points at least. */
const recording = Effect.fnUntraced(function* (
  folder: string,
  points: number,
  ...flags: ReadonlyArray<string>
) {
  const service = yield* Box.startService(folder, ...flags)
  const simulator = yield* Box.startSimulator("--rate", "200")
  yield* Box.connect(service, simulator)
  yield* Box.until(Box.connectionOf(service), (one) => (one?.points_stored ?? 0) > points)
  return service
})

const backup = (folder: string, to: string) =>
  Effect.promise(async () => {
    const database = openSqlite(databaseOf(folder), { readOnly: true })
    await copyDatabase(database, to)
    database.close()
  })

const restore = (from: string, folder: string) => Box.run("main.js", ["restore", from, "--data", folder])

const pointsOf = (service: Box.Running, session: number) =>
  Effect.map(
    Box.get<{ readonly total_points: number }>(service, `/telemetry/range?session_id=${session}`),
    ({ total_points: total }) => total
  )

const health = (service: Box.Running) =>
  Effect.map(
    Box.ask<{ readonly detail?: string }>(service, "GET", "/health"),
    ({ body, status }) => [status, body.detail] as const
  )

/** Damages an index that recording does not need. */
const damage = (file: string, index: string) => {
  const database = openSqlite(file)
  const root = Number(valueOf(database, "SELECT rootpage FROM sqlite_master WHERE name = ?", index))
  const size = Number(valueOf(database, "PRAGMA page_size"))
  database.close()
  const opened = openSync(file, "r+")
  writeSync(opened, Uint8Array.of(0), 0, 1, (root - 1) * size)
  closeSync(opened)
}

/** A start that is refused because the log belongs to another database. */
const refused = Effect.fnUntraced(function* (folder: string) {
  const log = readFileSync(`${databaseOf(folder)}-wal`)
  const ended = yield* Effect.flip(Box.startService(folder))
  expect(ended).toMatchObject({ code: 1 })
  expect(ended.errors).toContain("telemetry restore BACKUP")
  expect(readFileSync(`${databaseOf(folder)}-wal`)).toEqual(log)
})

describe("a backup that was put over the database of a killed service", () => {
  it.scopedLive.each([1, 2])(
    "of the same run, with %s workers: refused, and restored by telemetry restore",
    (workers) =>
      Effect.gen(function* () {
        const folder = yield* Box.folder
        const copy = join(yield* Box.folder, "backup.sqlite")
        const service = yield* recording(folder, 100, "--workers", String(workers))
        yield* backup(folder, copy)
        const before = yield* Box.until(Box.connectionOf(service), (one) => (one?.points_stored ?? 0) > 400)
        yield* service.signal("SIGKILL")
        copyFileSync(copy, databaseOf(folder))
        // A recorder stores what it received after its supervisor was killed.
        yield* Box.until(
          Effect.sync(() => existsSync(join(folder, "recorder.pid"))),
          (isThere) => workers === 1 || !isThere
        )
        if (workers === 1) yield* refused(folder)

        const restored = yield* restore(copy, folder)
        expect(restored.errors).toBe("")
        expect(restored.code).toBe(0)
        const kept = readdirSync(folder).find((name) => /^telemetry\.sqlite\.before-.*Z$/.test(name))!
        expect(restored.output).toContain(kept)
        const again = yield* Box.startService(folder)
        expect(yield* health(again)).toEqual([200, undefined])
        const points = yield* pointsOf(again, 1)
        expect(points).toBeGreaterThan(100)
        expect(points).toBeLessThanOrEqual(before!.points_stored)
      })
  )

  it.scopedLive("of an older state: refused; with both files of before the service starts", () =>
    Effect.gen(function* () {
      const folder = yield* Box.folder
      const aside = yield* Box.folder
      const first = yield* recording(folder, 100)
      yield* first.signal("SIGTERM")
      copyFileSync(databaseOf(folder), join(aside, "older.sqlite"))
      const second = yield* recording(folder, 100)
      yield* second.signal("SIGKILL")
      for (const end of ["", "-wal"])
        copyFileSync(`${databaseOf(folder)}${end}`, join(aside, `killed.sqlite${end}`))
      copyFileSync(join(aside, "older.sqlite"), databaseOf(folder))
      yield* refused(folder)
      const looked = yield* Box.run("main.js", ["verify", "--data", folder])
      expect([looked.code, looked.errors]).toEqual([1, expect.stringContaining("has replaced another file")])

      expect(yield* restore(join(aside, "killed.sqlite"), folder)).toMatchObject({ code: 0 })
      const again = yield* Box.startService(folder)
      expect(yield* pointsOf(again, 2)).toBeGreaterThan(100)
    })
  )

  it.scopedLive("is not needed after a kill: the service checks its database, logs that, and goes on", () =>
    Effect.gen(function* () {
      const folder = yield* Box.folder
      const first = yield* recording(folder, 100)
      yield* first.signal("SIGKILL")
      const again = yield* Box.startService(folder)
      yield* Box.untilLogged(again, "are whole")
      expect(yield* health(again)).toEqual([200, undefined])
      yield* again.signal("SIGKILL")
      yield* Box.startService(folder)
    })
  )
})

describe("a database that is damaged", () => {
  it.scopedLive("is named by /health after a kill, until it is replaced", () =>
    Effect.gen(function* () {
      const folder = yield* Box.folder
      const copy = join(yield* Box.folder, "backup.sqlite")
      const first = yield* recording(folder, 100)
      yield* first.signal("SIGTERM")
      copyFileSync(databaseOf(folder), copy)
      damage(databaseOf(folder), "sqlite_autoindex_imports_1")
      const second = yield* recording(folder, 100)
      yield* second.signal("SIGKILL")

      const third = yield* Box.startService(folder)
      const [status, detail] = yield* Box.until(health(third), ([found]) => found !== 200)
      expect([status, detail]).toEqual([503, expect.stringContaining("damage.txt")])
      expect(yield* pointsOf(third, 1)).toBeGreaterThan(100)
      yield* third.signal("SIGTERM")

      expect(yield* restore(copy, folder)).toMatchObject({ code: 0 })
      const again = yield* Box.startService(folder)
      yield* Box.until(health(again), ([found]) => found === 200)
      expect(existsSync(join(folder, "damage.txt"))).toBe(false)
    })
  )

  it.scopedLive("is not restored from a file that is not a backup", () =>
    Effect.gen(function* () {
      const folder = yield* Box.folder
      const service = yield* Box.startService(folder)
      const file = join(folder, "text")
      writeFileSync(file, "no database at all, only a text of some length".repeat(40))
      const inUse = yield* restore(databaseOf(folder), folder)
      expect([inUse.code, inUse.errors]).toEqual([1, expect.stringContaining("is in use by")])
      yield* service.signal("SIGTERM")
      const before = readFileSync(databaseOf(folder))
      const text = yield* restore(file, folder)
      expect([text.code, text.errors]).toEqual([1, expect.stringContaining("Nothing was changed")])
      expect(yield* restore(join(folder, "none"), folder)).toMatchObject({ code: 2 })
      expect(yield* Box.run("main.js", ["restore", "--data", folder])).toMatchObject({ code: 2 })
      expect(readFileSync(databaseOf(folder))).toEqual(before)
    })
  )
})
