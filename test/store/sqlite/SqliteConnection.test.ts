import { join } from "node:path"
import { expect, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { open } from "../../../src/store/sqlite/SqliteConnection.ts"
import { temporaryFolder } from "./folder.ts"

it.scopedLive("a statement waits for the open transaction, and is not part of it", () =>
  Effect.gen(function* () {
    const { reserve, shared } = yield* open(join(yield* temporaryFolder, "file.sqlite"))
    yield* shared.executeRaw("CREATE TABLE numbers (n)", [])
    const other = yield* Effect.scoped(
      Effect.gen(function* () {
        const alone = yield* reserve
        yield* alone.executeRaw("BEGIN", [])
        const waiting = yield* Effect.fork(shared.execute("INSERT INTO numbers VALUES (1)", [], undefined))
        yield* Effect.yieldNow()
        yield* alone.executeRaw("INSERT INTO numbers VALUES (2)", [])
        expect(yield* Fiber.poll(waiting)).toMatchObject({ _tag: "None" })
        yield* alone.executeRaw("ROLLBACK", [])
        return waiting
      })
    )
    yield* Fiber.join(other)
    expect(yield* shared.executeValues("SELECT n FROM numbers", [])).toEqual([[1]])
    expect(yield* shared.execute("SELECT n FROM numbers", [], undefined)).toEqual([{ n: 1 }])
  })
)

it.scopedLive("an error of SQLite is a failure, in every way to run a statement", () =>
  Effect.gen(function* () {
    const { shared } = yield* open(join(yield* temporaryFolder, "file.sqlite"))
    for (const effect of [
      shared.execute("SELECT nothing", [], undefined),
      shared.executeUnprepared("SELECT nothing", [], undefined)
    ]) {
      expect(yield* Effect.flip(effect)).toMatchObject({ _tag: "SqlError" })
    }
  })
)
