/** The version of a schema in a file or a database, opened by older and newer programs. */
import * as Reactivity from "@effect/experimental/Reactivity"
import * as SqlClient from "@effect/sql/SqlClient"
import { PgClient } from "@effect/sql-pg"
import { describe, expect, it } from "@effect/vitest"
import { Effect, Either, Layer, Redacted } from "effect"
import { join } from "node:path"
import { broughtUpToDate, SchemaUse } from "../../src/store/sql/schemaVersions.ts"
import * as SqliteFile from "../../src/store/sqlite/SqliteFile.ts"
import { needing } from "../support/needing.ts"
import { postgresHere, sharedPostgres } from "../support/servers/postgres.ts"
import { temporaryFolder } from "./sqlite/folder.ts"

const create = Effect.flatMap(SqlClient.SqlClient, (sql) => sql`CREATE TABLE things (id INTEGER)`)
const widen = Effect.flatMap(SqlClient.SqlClient, (sql) => sql`ALTER TABLE things ADD COLUMN more INTEGER`)

const migrations = { "0001_create": create, "0002_widen": widen, "0003_nothing": Effect.void }

/** A program that knows the schema up to a version. */
const program = (version: number) =>
  broughtUpToDate("test", "things", Object.fromEntries(Object.entries(migrations).slice(0, version)))

const reading = Effect.provideService(SchemaUse, "read")

const refusal = <R>(opened: Effect.Effect<void, { readonly reason?: string }, R>) =>
  Effect.map(Effect.either(opened), (result) =>
    Either.isLeft(result) ? (result.left.reason ?? "?") : undefined
  )

const kept = Effect.flatMap(
  SqlClient.SqlClient,
  (sql) => sql`SELECT schema_name, version FROM schema_versions`
)

const suite = <E>(where: string, client: Layer.Layer<SqlClient.SqlClient, E>) =>
  describe(`a schema in ${where}`, () => {
    it.scopedLive("of version 1 is migrated to version 2 with its content", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        yield* program(1)
        expect(yield* kept).toEqual([{ schema_name: "things", version: 1 }])
        yield* sql`INSERT INTO things (id) VALUES (7)`
        yield* program(2)
        expect(yield* kept).toEqual([{ schema_name: "things", version: 2 }])
        expect(yield* sql`SELECT id, more FROM things`).toEqual([{ id: 7, more: null }])
        // A second run changes nothing.
        yield* program(2)
        expect(yield* kept).toEqual([{ schema_name: "things", version: 2 }])
      }).pipe(Effect.provide(Layer.fresh(client)))
    )

    it.scopedLive("is refused to older programs with a sentence, and left unchanged", () =>
      Effect.gen(function* () {
        yield* program(3)
        const written = yield* kept
        for (const opened of [program(2), reading(program(2))])
          expect(yield* refusal(opened)).toBe(
            "its things schema 3 is newer than this version of the program, which knows up to 2"
          )
        expect(yield* kept).toEqual(written)
      }).pipe(Effect.provide(Layer.fresh(client)))
    )

    it.scopedLive("is not created by a reader", () =>
      Effect.gen(function* () {
        expect(yield* refusal(reading(program(1)))).toBe("there is no things of this program in it")
        const sql = yield* SqlClient.SqlClient
        expect(Either.isLeft(yield* Effect.either(sql`SELECT 1 FROM things`))).toBe(true)
        expect(Either.isLeft(yield* Effect.either(sql`SELECT 1 FROM schema_versions`))).toBe(true)
      }).pipe(Effect.provide(Layer.fresh(client)))
    )

    it.scopedLive("is created by many at once", () =>
      Effect.gen(function* () {
        const opened = Effect.provide(program(2), Layer.fresh(client))
        yield* program(1)
        yield* Effect.all([opened, opened, opened, opened], { concurrency: "unbounded" })
      }).pipe(Effect.provide(Layer.fresh(client)))
    )

    it.scopedLive("fails with a sentence if another program has a table of that name", () =>
      Effect.gen(function* () {
        yield* create
        const failed = yield* Effect.flip(program(1))
        expect(failed._tag).toBe("StoreUnavailable")
      }).pipe(Effect.provide(Layer.fresh(client)))
    )
  })

suite(
  "SQLite",
  Layer.unwrapScoped(Effect.map(temporaryFolder, (folder) => SqliteFile.layer(join(folder, "x.sqlite"))))
)

describe("with a real server", needing(postgresHere), () => {
  suite(
    "PostgreSQL",
    Layer.unwrapScoped(
      Effect.map(sharedPostgres, ({ url }) =>
        Layer.scoped(SqlClient.SqlClient, PgClient.make({ url: Redacted.make(url) })).pipe(
          Layer.provide(Reactivity.layer)
        )
      )
    )
  )
})
