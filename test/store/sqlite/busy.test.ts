/** Another program has the file's lock: a waiting statement blocks neither the event loop nor the connection. */
import { SqlClient } from "@effect/sql"
import { expect, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import * as SqliteFile from "../../../src/store/sqlite/SqliteFile.ts"
import { databaseFile } from "../../../src/store/sqlite/SqliteStore.ts"
import { temporaryFolder } from "./folder.ts"
import { openSqlite } from "../../support/sqliteFile.ts"

const held = (filename: string) =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const other = openSqlite(filename)
      other.exec("BEGIN IMMEDIATE")
      return other
    }),
    (other) => Effect.sync(() => other.close())
  )

/** Enough turns to show that the loop keeps turning between tries. */
const TURNS = 20

const turns = Effect.repeatN(
  Effect.async<void>((resume) => void setTimeout(() => resume(Effect.void), 1)),
  TURNS
)

for (const [name, write] of [
  ["a statement", (sql: SqlClient.SqlClient) => sql`INSERT INTO kept VALUES (2)`],
  ["a transaction", (sql: SqlClient.SqlClient) => sql.withTransaction(sql`INSERT INTO kept VALUES (2)`)]
] as const) {
  it.scopedLive(`${name} waits for another's lock, while others read and the loop turns`, () =>
    Effect.gen(function* () {
      const filename = databaseFile(yield* temporaryFolder)
      yield* Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        yield* sql`CREATE TABLE kept (value INTEGER)`
        yield* sql`INSERT INTO kept VALUES (1)`
        const other = yield* held(filename)
        const writing = yield* Effect.fork(write(sql))
        yield* turns
        expect(writing.unsafePoll()).toBe(null)
        expect(yield* sql`SELECT value FROM kept`).toEqual([{ value: 1 }])
        yield* turns
        expect(writing.unsafePoll()).toBe(null)
        other.exec("COMMIT")
        yield* Fiber.join(writing)
        expect(yield* sql`SELECT value FROM kept`).toEqual([{ value: 1 }, { value: 2 }])
      }).pipe(Effect.provide(SqliteFile.layer(filename)))
    })
  )
}

it.scopedLive("a statement that waits does not become part of a transaction that is rolled back", () =>
  Effect.gen(function* () {
    const filename = databaseFile(yield* temporaryFolder)
    yield* Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* sql`CREATE TABLE kept (value INTEGER)`
      const other = yield* held(filename)
      const writing = yield* Effect.fork(sql`INSERT INTO kept VALUES (1)`)
      const undone = sql.withTransaction(
        Effect.zipRight(Effect.zipRight(sql`INSERT INTO kept VALUES (2)`, turns), Effect.fail("undone"))
      )
      const failing = yield* Effect.fork(Effect.flip(undone))
      yield* turns
      other.exec("COMMIT")
      expect(yield* Fiber.join(failing)).toBe("undone")
      yield* Fiber.join(writing)
      expect(yield* sql`SELECT value FROM kept`).toEqual([{ value: 1 }])
    }).pipe(Effect.provide(SqliteFile.layer(filename)))
  })
)
