/** Our files carry our mark; another program's file is neither used nor changed. */
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "@effect/vitest"
import { Effect, Exit, Layer, Scope } from "effect"
import * as SqliteStore from "../../../src/store/sqlite/SqliteStore.ts"
import { temporaryFolder } from "./folder.ts"
import { openSqlite } from "../../support/sqliteFile.ts"

/** "TELE" in the four bytes at 68 of the header (sqlite.org/fileformat2.html, 1.3). */
const markOf = (file: string) => readFileSync(file).subarray(68, 72).toString("latin1")

const opened = (folder: string) =>
  Effect.acquireUseRelease(
    Scope.make(),
    (scope) => Effect.exit(Scope.extend(Layer.build(SqliteStore.layer(folder)), scope)),
    (scope) => Scope.close(scope, Exit.void)
  )

const refusal = Effect.fnUntraced(function* (folder: string) {
  const exit = yield* opened(folder)
  return Exit.isFailure(exit) && exit.cause._tag === "Fail" ? exit.cause.error.reason : undefined
})

const inFile = (file: string, ...statements: ReadonlyArray<string>) => {
  const database = openSqlite(file)
  for (const statement of statements) database.exec(statement)
  database.close()
}

describe("the file of the embedded store", () => {
  it.scopedLive("is marked as ours when it is made", () =>
    Effect.gen(function* () {
      const folder = yield* temporaryFolder
      expect(Exit.isSuccess(yield* opened(folder))).toBe(true)
      const file = SqliteStore.databaseFile(folder)
      expect(markOf(file)).toBe("TELE")
      expect(Exit.isSuccess(yield* opened(folder))).toBe(true)
    })
  )

  const others: Readonly<Record<string, readonly [string, (file: string) => void]>> = {
    "another program's database": [
      "its tables are albums, tracks, artists, …",
      (file) =>
        inFile(file, ...["albums", "tracks", "artists", "genres"].map((name) => `CREATE TABLE ${name} (id)`))
    ],
    "a database with another program's mark": [
      "it is marked as another's",
      (file) => inFile(file, "PRAGMA application_id = 1196444487", "VACUUM")
    ],
    "a file that is no database": [
      "telemetry.sqlite is no SQLite file",
      (file) => writeFileSync(file, "Dear diary, ".repeat(1000))
    ]
  }
  for (const [name, [why, make]] of Object.entries(others)) {
    it.scopedLive(`${name} is refused, and not changed by a byte`, () =>
      Effect.gen(function* () {
        const folder = yield* temporaryFolder
        const file = join(folder, "telemetry.sqlite")
        make(file)
        const before = readFileSync(file)
        expect(yield* refusal(folder)).toBe(`${file} is not this program's: ${why}`)
        expect(readFileSync(file).equals(before)).toBe(true)
      })
    )
  }
})
