/** One upload at a time writes a file, also if another process has it. */
import { spawn } from "node:child_process"
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { describe, expect, it } from "@effect/vitest"
import { Deferred, Effect, Fiber } from "effect"
import { lockForWriting } from "../../src/imports/uploads/oneWriter.ts"

const folder = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "writers-"))),
  (path) => Effect.sync(() => rmSync(path, { recursive: true }))
)

/** A process that runs until the scope ends. */
const process = Effect.acquireRelease(
  Effect.async<ReturnType<typeof spawn>>((resume) => {
    const child = spawn("sleep", ["1000"])
    child.once("spawn", () => resume(Effect.succeed(child)))
  }),
  (child) =>
    Effect.async<void>((resume) => {
      if (child.exitCode !== null || child.signalCode !== null) return resume(Effect.void)
      child.once("exit", () => resume(Effect.void))
      child.kill("SIGKILL")
    })
)

describe("an upload that is taken up twice", () => {
  it.scopedLive("is written by the newer one, once the older one has given way", () =>
    Effect.gen(function* () {
      const path = join(yield* folder, "7")
      const events: Array<string> = []
      const isLocked = yield* Deferred.make<void>()
      const older = yield* Effect.gen(function* () {
        const wanted = yield* lockForWriting(path)
        yield* Deferred.succeed(isLocked, undefined)
        yield* wanted
        events.push("older gives way")
      }).pipe(Effect.scoped, Effect.fork)
      yield* Deferred.await(isLocked)
      yield* Effect.scoped(
        Effect.zipRight(
          lockForWriting(path),
          Effect.sync(() => events.push("newer writes"))
        )
      )
      yield* Fiber.join(older)
      expect(events).toEqual(["older gives way", "newer writes"])
      expect([existsSync(`${path}.lock`), existsSync(`${path}.wanted`)]).toEqual([false, false])
    })
  )

  it.scopedLive("waits for a process that lives, and not for one that died", () =>
    Effect.gen(function* () {
      const path = join(yield* folder, "7")
      yield* Effect.scoped(
        Effect.gen(function* () {
          const { pid } = yield* process
          writeFileSync(`${path}.lock`, String(pid))
          const waiting = yield* Effect.fork(
            Effect.scoped(Effect.zipRight(lockForWriting(path), Effect.never))
          )
          // It asks the other process to give way.
          yield* Effect.repeat(
            Effect.sync(() => existsSync(`${path}.wanted`)),
            { until: (isWanted) => isWanted }
          )
          expect(readFileSync(`${path}.lock`, "utf8")).toBe(String(pid))
          yield* Fiber.interrupt(waiting)
          expect([existsSync(`${path}.lock`), existsSync(`${path}.wanted`)]).toEqual([true, false])
        })
      )
      // The process is dead: its lock is there, and holds nobody up.
      yield* Effect.scoped(Effect.asVoid(lockForWriting(path)))
      expect(existsSync(`${path}.lock`)).toBe(false)
    })
  )
})
