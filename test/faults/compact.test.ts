/** `telemetry compact`, on a data folder of an earlier version. */
import { statSync, writeFileSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { gunzipSync } from "node:zlib"
import { describe, expect, it } from "@effect/vitest"
import Database from "better-sqlite3"
import { Effect } from "effect"
import { lockFolder } from "../../src/folder/FolderLock.ts"
import * as Box from "../blackbox/processes.ts"

/** Bytes that a removed session left, and that another has. */
const LEFT = 24e6
const KEPT = 16e6

/** A file of an earlier version, with blocks of no meaning beside its own: of sessions 91, which is removed, and 92. */
const older = Effect.map(Box.folder, (data) => {
  const file = join(data, "telemetry.sqlite")
  writeFileSync(
    file,
    gunzipSync(readFileSync(join(import.meta.dirname, "../blackbox/older/before-absent.sqlite.gz")))
  )
  const database = new Database(file)
  database.exec("CREATE TABLE filler (id INTEGER PRIMARY KEY, session INTEGER, data BLOB)")
  const insert = database.prepare("INSERT INTO filler (session, data) VALUES (?, ?)")
  const block = Buffer.alloc(100_000, 7)
  database.transaction(() => {
    for (let n = 0; n < LEFT / block.length; n++) insert.run(91, block)
    for (let n = 0; n < KEPT / block.length; n++) insert.run(92, block)
  })()
  database.exec("DELETE FROM filler WHERE session = 91")
  database.close()
  return { data, file }
})

const look = (file: string) => {
  const database = new Database(file)
  try {
    return {
      mode: database.pragma("auto_vacuum", { simple: true }),
      free: database.pragma("freelist_count", { simple: true }),
      check: database.pragma("integrity_check", { simple: true }),
      mark: database.pragma("application_id", { simple: true }),
      blocks: database.prepare("SELECT * FROM point_blocks ORDER BY id").all(),
      sessions: database.prepare("SELECT * FROM sessions ORDER BY id").all(),
      filler: database.prepare("SELECT count(*) AS n, sum(length(data)) AS bytes FROM filler").get()
    }
  } finally {
    database.close()
  }
}

const compact = (data: string) => Box.run("main.js", ["compact", "--data", data])

describe("compact", () => {
  it.scopedLive("rewrites a file of an earlier version once, and only while no service has it", () =>
    Effect.gen(function* () {
      const { data, file } = yield* older
      const before = look(file)
      expect([before.mode, Number(before.free) > 5000]).toEqual([0, true])
      yield* Effect.scoped(
        Effect.gen(function* () {
          yield* lockFolder(data)
          const refused = yield* compact(data)
          expect(refused).toEqual({
            code: 1,
            output: "",
            errors: `${data} is in use by process ${process.pid}\n`
          })
        })
      )
      expect(look(file).mode).toBe(0)

      const done = yield* compact(data)
      expect(done).toMatchObject({ code: 0, errors: "" })
      expect(done.output).toMatch(
        /^telemetry\.sqlite: 38\.\d MiB, of which 15\.\d MiB are in use; it takes up to 31\.\d MiB more while it lasts, and the disk has [\d.]+ MiB\ntelemetry\.sqlite: 15\.\d MiB now\n$/
      )
      expect(statSync(file).size).toBeLessThan(KEPT * 1.02)
      expect(look(file)).toEqual({ ...before, mode: 2, free: 0, mark: look(file).mark })
      const again = yield* compact(data)
      expect(again).toMatchObject({ code: 0, output: expect.stringContaining("has none to give") })
    })
  )

  it.scopedLive("killed on the way leaves the file as it was or as it is to be", () =>
    Effect.gen(function* () {
      const { data, file } = yield* older
      const before = look(file)
      // Its first line comes before it begins.
      const running = yield* Box.start("main.js", ["compact", "--data", data])
      yield* running.signal("SIGKILL")
      const after = look(file)
      expect([0, 2]).toContain(after.mode)
      expect({ ...after, mode: 0, free: 0, mark: 0 }).toEqual({ ...before, mode: 0, free: 0, mark: 0 })
      expect((yield* compact(data)).code).toBe(0)
      expect(look(file)).toMatchObject({ mode: 2, free: 0, check: "ok", blocks: before.blocks })
    })
  )
})
