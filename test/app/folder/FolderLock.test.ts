/** Locks as one process sees them; test/faults/secondStart shows that processes exclude each other. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { DataFolderInUse, DataFolderUnusable } from "../../../src/domain/errors.ts"
import { lockFolder, lockRecording, lockWhole } from "../../../src/app/folder/FolderLock.ts"
import { makeFolder } from "../../../src/platform/makeFolder.ts"
import { temporaryFolder } from "../../store/sqlite/folder.ts"

describe("the lock of a data folder", () => {
  it.scopedLive("makes the folder, names its holder, and is free again at the end", () =>
    Effect.gen(function* () {
      const folder = join(yield* temporaryFolder, "new", "data")
      const pid = join(folder, "service.pid")
      yield* Effect.gen(function* () {
        expect(yield* lockFolder(folder)).toBe(folder)
        expect(readFileSync(pid, "utf8")).toMatch(new RegExp(`^${process.pid} \\S+\\n$`))
        const second = yield* Effect.flip(lockFolder(`${folder}/../data/`))
        expect(second).toEqual(new DataFolderInUse({ folder, process: `process ${process.pid}` }))
        // The lock's holder may be on another machine, or may not have written yet who it is.
        writeFileSync(pid, "77 elsewhere\n")
        expect(yield* Effect.flip(lockFolder(folder))).toMatchObject({ process: "process 77 on elsewhere" })
        writeFileSync(pid, "")
        expect(yield* Effect.flip(lockFolder(folder))).toMatchObject({ process: undefined })
      }).pipe(Effect.scoped)
      expect(existsSync(pid)).toBe(false)
      yield* lockFolder(folder)
    })
  )

  it.scopedLive("for recording waits for its holder", () =>
    Effect.gen(function* () {
      const folder = yield* temporaryFolder
      const first = yield* Effect.forkScoped(Effect.scoped(Effect.zipRight(lockWhole(folder), Effect.never)))
      yield* Effect.repeat(
        Effect.delay(
          Effect.sync(() => existsSync(join(folder, "recorder.pid"))),
          "10 millis"
        ),
        { until: (there) => there }
      )
      const second = yield* Effect.fork(Effect.scoped(lockRecording(folder)))
      yield* Effect.yieldNow()
      expect(yield* Fiber.poll(second)).toMatchObject({ _tag: "None" })
      yield* Fiber.interrupt(first)
      expect(yield* Fiber.join(second)).toBe(folder)
      yield* lockFolder(folder)
    })
  )

  it.scopedLive("fails if the folder cannot be written", () =>
    Effect.gen(function* () {
      const folder = yield* temporaryFolder
      writeFileSync(join(folder, "file"), "")
      // There is a folder in place of the lock's file.
      mkdirSync(join(folder, "blocked", "service.lock"), { recursive: true })
      for (const place of ["file", "file/below", "blocked"]) {
        expect(yield* Effect.flip(lockFolder(join(folder, place)))).toBeInstanceOf(DataFolderUnusable)
      }
      expect(yield* Effect.flip(makeFolder("/proc/nope/below"))).toMatchObject({
        _tag: "DataFolderUnusable",
        folder: "/proc/nope/below"
      })
    })
  )

  it.scopedLive("works if several make the folder at once", () =>
    Effect.gen(function* () {
      const folder = join(yield* temporaryFolder, "a", "b", "c")
      const made = yield* Effect.all(
        Array.from({ length: 8 }, () => makeFolder(folder)),
        { concurrency: "unbounded" }
      )
      expect(new Set(made)).toEqual(new Set([folder]))
    })
  )
})
