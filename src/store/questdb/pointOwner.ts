/**
 * The owner of the points in QuestDB, in a table of its own to which rows are only added.
 *
 * QuestDB has neither constraints nor transactions, but it applies the writes to a table in one order, and returns rows
 * of the same time in that order. So a catalog that claims the points adds a row, waits until the row can be read, and
 * looks which row is the first. If several catalogs claim at the same time, all see the same first row. A change of
 * owner adds a row with a later time. Among the rows with the latest time, the first one counts.
 */
import { Effect, Option } from "effect"
import type { StoreUnavailable } from "../../domain/errors.ts"
import * as Ownership from "../ownership.ts"
import type { Owner } from "../RowStore.ts"
import type { Connections } from "./Connections.ts"
import { ofKey, ownerDefinition, quoted, type Tables } from "./schema.ts"
import { ensureApplied } from "./tableHealth.ts"

/** `groupTables`: the existing tables of groups. */
export const make = (
  { rows }: Pick<(typeof Connections)["Service"], "rows">,
  tables: Tables,
  groupTables: Effect.Effect<ReadonlyArray<string>, StoreUnavailable>
) => {
  const ask = { rows }

  const exists = (table: string) =>
    Effect.map(
      rows("SELECT table_name FROM tables() WHERE table_name = $1", [table]),
      ({ length }) => length > 0
    )

  /** The owner's catalog and its row's time, if the table exists. */
  const known = Effect.gen(function* () {
    const all = yield* rows(`SELECT catalog, ts::long AS turn FROM ${tables.owner}`)
    const owners = all.map((row) => ({ catalog: String(row["catalog"]), turn: Number(row["turn"]) }))
    return owners.find(({ turn }) => turn === owners.at(-1)!.turn)
  })

  const latest = Effect.gen(function* () {
    if (!(yield* exists(tables.owner))) return undefined
    yield* ensureApplied(ask, tables.owner)
    return yield* known
  })

  const current = Effect.map(latest, (row) => row?.catalog)

  const add = Effect.fnUntraced(function* (catalog: string, turn: number) {
    yield* rows(ownerDefinition(tables))
    yield* rows(`INSERT INTO ${tables.owner} (catalog, ts) VALUES ($1, ${turn}::timestamp)`, [catalog])
    yield* ensureApplied(ask, tables.owner)
  })

  /**
   * The catalog whose ids were compared with the points. This happens once, because it reads the sessions of all
   * points.
   */
  let compared: string | undefined

  /** The sessions whose points and samples are not removed, increasing. */
  const sessionIds: Effect.Effect<ReadonlyArray<number>, StoreUnavailable> = Effect.gen(function* () {
    if (!(yield* exists(tables.points))) return []
    const kept = new Set<string>()
    for (const table of [tables.points, ...(yield* groupTables)]) {
      yield* ensureApplied(ask, table)
      const found = yield* rows(`SELECT DISTINCT session FROM ${quoted(table)}`)
      for (const row of found) kept.add(String(row["session"]))
    }
    const removed = new Map<number, number>()
    if (yield* exists(tables.removals)) {
      yield* ensureApplied(ask, tables.removals)
      const removals = `SELECT session, count() AS removals FROM ${tables.removals} GROUP BY session`
      for (const row of yield* rows(removals)) removed.set(Number(row["session"]), Number(row["removals"]))
    }
    const read = [...kept].map(ofKey).filter(({ id, removals }) => (removed.get(id) ?? 0) === removals)
    return [...new Set(read.map(({ id }) => id))].sort((a, b) => a - b)
  })

  return {
    sessionIds,
    ownedBy: Effect.map(current, Option.fromNullable),
    /** Whether claimed points still belong to the owner, according to the visible rows. */
    isStill: ({ catalog }: Owner) => Effect.map(known, (latest) => latest?.catalog === catalog),
    /** Claims the points, unless they are the owner's already. Fails, and writes nothing, if they are another's. */
    claim: Effect.fn("pointOwner.claim")(function* (owner: Owner) {
      const before = yield* current
      const known = before === owner.catalog && compared === before
      if (known) return
      const isFree = yield* Ownership.isFree("questdb", owner, before, sessionIds)
      compared = owner.catalog
      if (!isFree) return
      yield* add(owner.catalog, 0)
      yield* Ownership.isFree("questdb", owner, yield* current, sessionIds)
    }),
    changeOwner: Effect.fn("pointOwner.changeOwner")(function* (catalog: string) {
      const before = yield* latest
      if (before?.catalog !== catalog) yield* add(catalog, before === undefined ? 0 : before.turn + 1)
    })
  }
}

export type PointOwner = ReturnType<typeof make>
