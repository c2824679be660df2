/** What a file or a database says of which versions may use it, held against programs older and newer than it. */
import * as Reactivity from "@effect/experimental/Reactivity"
import * as Migrator from "@effect/sql/Migrator"
import * as SqlClient from "@effect/sql/SqlClient"
import { PgClient } from "@effect/sql-pg"
import { describe, expect, it } from "@effect/vitest"
import { Effect, Either, Layer, Redacted } from "effect"
import { join } from "node:path"
import { broughtUpToDate, SchemaUse, type SchemaVersion, versionOf } from "../../src/store/schemaVersions.ts"
import * as SqliteFile from "../../src/store/sqlite/SqliteFile.ts"
import { needing } from "../runner/needing.ts"
import { postgresHere, sharedPostgres } from "../servers/postgres.ts"
import { temporaryFolder } from "./sqlite/folder.ts"

const create = Effect.flatMap(SqlClient.SqlClient, (sql) => sql`CREATE TABLE things (id INTEGER)`)
const widen = Effect.flatMap(SqlClient.SqlClient, (sql) => sql`ALTER TABLE things ADD COLUMN more INTEGER`)

/** A program that knows the schema up to a version, of which it says who may use it. */
const program = (version: number, readableFrom: number, writableFrom: number) => {
  const migrations = Object.fromEntries(
    Object.entries({ "0001_create": create, "0002_widen": widen, "0003_nothing": Effect.void }).slice(
      0,
      version
    )
  )
  expect(versionOf(migrations)).toBe(version)
  const ours: SchemaVersion = { schema: "things", version, readableFrom, writableFrom }
  return broughtUpToDate(
    "test",
    ours,
    "thing_migrations",
    Migrator.make({})({ loader: Migrator.fromRecord(migrations), table: "thing_migrations" })
  )
}

const reading = Effect.provideService(SchemaUse, "read")

const refusal = <R>(opened: Effect.Effect<void, { readonly reason?: string }, R>) =>
  Effect.map(Effect.either(opened), (result) =>
    Either.isLeft(result) ? (result.left.reason ?? "?") : undefined
  )

const kept = Effect.flatMap(
  SqlClient.SqlClient,
  (sql) => sql`SELECT schema_name, version, readable_from, writable_from FROM schema_versions`
)

const suite = <E>(where: string, client: Layer.Layer<SqlClient.SqlClient, E>) =>
  describe(`a schema in ${where}`, () => {
    it.scopedLive("is brought up to date, and says who may use it", () =>
      Effect.gen(function* () {
        yield* program(1, 1, 1)
        yield* program(2, 1, 2)
        const states = [{ schema_name: "things", version: 2, readable_from: 1, writable_from: 2 }]
        expect(yield* kept).toEqual(states)
        // The same again changes nothing.
        yield* program(2, 1, 2)
        expect(yield* kept).toEqual(states)
      }).pipe(Effect.provide(Layer.fresh(client)))
    )

    it.scopedLive("is refused to programs that are too old, in a sentence, and left as it is", () =>
      Effect.gen(function* () {
        yield* program(3, 2, 3)
        const written = yield* kept
        expect(yield* refusal(program(2, 1, 1))).toBe(
          "its things schema 3 is newer than this version of the program, which knows up to 2; to write it takes one that knows 3"
        )
        expect(yield* refusal(reading(program(1, 1, 1)))).toBe(
          "its things schema 3 is newer than this version of the program, which knows up to 1; to read it takes one that knows 2"
        )
        // Not the program that asks says whether it may, but the one that wrote.
        expect(yield* refusal(reading(program(2, 1, 1)))).toBeUndefined()
        expect(yield* kept).toEqual(written)
      }).pipe(Effect.provide(Layer.fresh(client)))
    )

    it.scopedLive(
      "is written by an older program where the newer one allows it, which stays what it is",
      () =>
        Effect.gen(function* () {
          yield* program(3, 1, 2)
          const written = yield* kept
          expect(yield* refusal(program(2, 2, 2))).toBeUndefined()
          expect(yield* kept).toEqual(written)
        }).pipe(Effect.provide(Layer.fresh(client)))
    )

    it.scopedLive("is not made by who only reads", () =>
      Effect.gen(function* () {
        expect(yield* refusal(reading(program(1, 1, 1)))).toBe("there is no things of this program in it")
        const sql = yield* SqlClient.SqlClient
        expect(Either.isLeft(yield* Effect.either(sql`SELECT 1 FROM things`))).toBe(true)
        expect(Either.isLeft(yield* Effect.either(sql`SELECT 1 FROM schema_versions`))).toBe(true)
      }).pipe(Effect.provide(Layer.fresh(client)))
    )

    it.scopedLive("is stated by many at once", () =>
      Effect.gen(function* () {
        const opened = Effect.provide(program(2, 1, 1), Layer.fresh(client))
        yield* program(1, 1, 1)
        yield* Effect.all([opened, opened, opened, opened], { concurrency: "unbounded" })
      }).pipe(Effect.provide(Layer.fresh(client)))
    )

    it.scopedLive("fails in a sentence where a table of that name is somebody else's", () =>
      Effect.gen(function* () {
        yield* create
        const failed = yield* Effect.flip(program(1, 1, 1))
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
