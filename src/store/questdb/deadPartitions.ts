/**
 * Drops partitions of points, and of groups, in which every row belongs to a removed session. QuestDB deletes no single
 * rows, so only this gives their space back. It drops one partition at a time, the oldest first. Right before the drop,
 * and in one turn with it, it checks that the partition has no other row; this process writes nothing in between.
 * Another service that shares the tables may write, so it considers only partitions that lie completely before `before`
 * (RowStore.reclaim).
 */
import { Effect } from "effect"
import type { Connections } from "./Connections.ts"
import { ofKey, quoted, type Tables } from "./schema.ts"
import { ensureApplied } from "./tableHealth.ts"

/**
 * SQL for a row per key that is no longer read: the nth removal of a session is the removal of its key n - 1
 * (schema.ts).
 */
const deadKeys = ({ removals }: Tables) => `
  SELECT CASE WHEN n = 1 THEN session::string ELSE concat(session::string, '.', (n - 1)::string) END
  FROM (SELECT session, row_number() OVER (PARTITION BY session ORDER BY ts) AS n FROM ${removals})`

const OF_TENURE = "session LIKE '%~%'"

/** `from`: the tables of points and samples. `inTurn`: runs between two writes of this process. */
export const drop = Effect.fn("questdb.dropDeadPartitions")(function* (
  { rows }: Pick<(typeof Connections)["Service"], "rows">,
  tables: Tables,
  from: ReadonlyArray<string>,
  before: number,
  inTurn: <A, E>(effect: Effect.Effect<A, E>) => Effect.Effect<A, E>
) {
  const [removals] = yield* rows(`SELECT count() AS count FROM ${tables.removals}`)
  if (Number(removals?.["count"] ?? 0) === 0) return 0
  const cutoff = Math.min(Math.max(Math.floor(before), 0), 9e9)
  const dropIfDead = Effect.fnUntraced(function* (table: string, name: string) {
    yield* ensureApplied({ rows }, table)
    yield* ensureApplied({ rows }, tables.removals)
    const within = `FROM ${quoted(table)} WHERE ts IN '${name}'`
    // The first removal of a session removes all its tenures.
    const tenures = yield* rows(`SELECT DISTINCT session ${within} AND ${OF_TENURE}`)
    const sessions = [...new Set(tenures.map((row) => ofKey(String(row["session"])).id))]
    if (sessions.length > 0) {
      const removed = yield* rows(
        `SELECT DISTINCT session FROM ${tables.removals} WHERE session IN (${sessions.join(", ")})`
      )
      if (removed.length < sessions.length) return 0
    }
    const living = yield* rows(
      `SELECT session ${within} AND NOT ${OF_TENURE} AND session NOT IN (${deadKeys(tables)}) LIMIT 1`
    )
    if (living.length > 0) return 0
    yield* rows(`ALTER TABLE ${quoted(table)} DROP PARTITION LIST '${name}'`)
    yield* ensureApplied({ rows }, table)
    return 1
  })
  let dropped = 0
  for (const table of from) {
    const partitions = yield* rows(
      `SELECT name FROM table_partitions('${table}')
       WHERE NOT active AND maxTimestamp < ${cutoff}000000000::timestamp_ns ORDER BY minTimestamp`
    )
    for (const row of partitions) dropped += yield* inTurn(dropIfDead(table, String(row["name"])))
  }
  if (dropped > 0) yield* Effect.logInfo(`Dropped ${dropped} partitions of QuestDB, of removed sessions only`)
  return dropped
})
