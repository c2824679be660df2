/** Numbers for laps and changes of sessions, and the order in which these become visible. */
import type * as SqlClient from "@effect/sql/SqlClient"
import { Effect } from "effect"
import type { Newest } from "../Changes.ts"
import { orUnavailable } from "./catalogFailures.ts"

export const make = (sql: SqlClient.SqlClient) => {
  /**
   * The first statement of a transaction. Transactions that begin with it run one after another, each until its commit.
   */
  const turn = (changes: 0 | 1) =>
    Effect.map(
      sql<{ latest: number }>`UPDATE changes SET latest = latest + ${changes} WHERE id = 1 RETURNING latest`,
      ([row]) => row!.latest
    )

  const newest = Effect.map(
    sql<Newest>`SELECT (SELECT coalesce(max(id), 0) FROM laps) AS "lapId", latest AS change FROM changes`,
    ([row]) => row!
  )

  return { turn, newest: orUnavailable(newest) }
}

export type SqlChanges = ReturnType<typeof make>
