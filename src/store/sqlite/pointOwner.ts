/** The owner of the points of a SQLite file: one row. */
import type * as SqlClient from "@effect/sql/SqlClient"
import { Effect, Option } from "effect"
import type { StoreUnavailable } from "../../domain/errors.ts"
import * as Ownership from "../ownership.ts"
import type { Owner } from "../RowStore.ts"
import { orUnavailable } from "./SqliteFile.ts"

/** `store`: the file's name in sentences; `sessionIds`: the sessions that have points in it. */
export const make = (
  sql: SqlClient.SqlClient,
  store: string,
  sessionIds: Effect.Effect<ReadonlyArray<number>, StoreUnavailable>
) => {
  const current = sql<{ catalog: string }>`SELECT catalog FROM point_owner`.pipe(
    Effect.map(([row]) => row?.catalog),
    orUnavailable
  )

  return {
    ownedBy: Effect.map(current, Option.fromNullable),
    claim: Effect.fn("pointOwner.claim")(function* (owner: Owner) {
      if (!(yield* Ownership.isFree(store, owner, yield* current, sessionIds))) return
      // Another catalog may have been first, and may have written since; the second check detects that.
      yield* orUnavailable(
        sql`INSERT INTO point_owner (id, catalog) VALUES (1, ${owner.catalog}) ON CONFLICT (id) DO NOTHING`
      )
      yield* Ownership.isFree(store, owner, yield* current, sessionIds)
    }),
    changeOwner: Effect.fn("pointOwner.changeOwner")(function* (catalog: string) {
      yield* sql`INSERT INTO point_owner (id, catalog) VALUES (1, ${catalog})
        ON CONFLICT (id) DO UPDATE SET catalog = excluded.catalog`
    }, orUnavailable)
  }
}
