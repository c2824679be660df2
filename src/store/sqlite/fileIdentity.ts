/** Recognises our SQLite files: they carry our mark in their header. The service writes nothing into another program's file. */
import { basename } from "node:path"
import type * as SqlClient from "@effect/sql/SqlClient"
import { Effect } from "effect"
import { StoreUnavailable } from "../../domain/errors.ts"
import { notForUs, SchemaUse } from "../sql/schemaVersions.ts"
import { NOTADB, resultCodeOf } from "../../platform/sqliteErrors.ts"

/** PRAGMA application_id (sqlite.org/pragma.html): "TELE". */
export const OURS = 0x54454c45

const MAX_NAMES = 3

const another = (filename: string, why: string) =>
  notForUs("sqlite", `${filename} is not this program's: ${why}`)

/**
 * Fails if the file belongs to another program, before anything in it is changed. Returns whether the file still needs our
 * mark.
 */
export const isUnmarked = Effect.fn("fileIdentity.isUnmarked")(
  function* (sql: SqlClient.SqlClient, filename: string) {
    const [header] = yield* sql.unsafe<{ readonly application_id: number }>("PRAGMA application_id")
    const mark = header?.application_id ?? 0
    if (mark === OURS) return false
    const tables = yield* sql.unsafe<{ readonly name: string }>(
      "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"
    )
    const names = tables.map(({ name }) => name)
    if (names.length === 0 && mark === 0) return true
    const some = names.slice(0, MAX_NAMES).join(", ")
    return yield* another(
      filename,
      names.length === 0
        ? "it is marked as another's"
        : `its tables are ${some}${names.length > MAX_NAMES ? ", …" : ""}`
    )
  },
  (effect, _sql, filename) =>
    Effect.catchTag(effect, "SqlError", (error) =>
      Effect.fail(
        resultCodeOf(error) === NOTADB
          ? another(filename, `${basename(filename)} is no SQLite file`)
          : new StoreUnavailable({ store: "sqlite", cause: error })
      )
    )
)

/** Writes our mark into the file, even if it has the mark already: this shows whether the file can be written. */
export const mark = Effect.fn("fileIdentity.mark")(function* (sql: SqlClient.SqlClient) {
  if ((yield* SchemaUse) === "write") yield* sql.unsafe(`PRAGMA application_id = ${OURS}`)
})
