/**
 * Ensures two conditions before QuestDB is used: the points belong to the owner, and the tables exist.
 *
 * Hard case: a server that was away may be another server when it is back, and points may get another owner while they are
 * used.
 */
import { Effect } from "effect"
import type { PointsOfAnother } from "../../domain/errors.ts"
import * as Ownership from "../ownership.ts"
import type { Owner } from "../RowStore.ts"
import type { Connections } from "./Connections.ts"
import type { PointOwner } from "./pointOwner.ts"
import { definitions, type Tables } from "./schema.ts"
import { ensureFits, tablesThere } from "./tableColumns.ts"

export const make = Effect.fnUntraced(function* (
  connections: typeof Connections.Service,
  ownership: PointOwner,
  tables: Tables,
  ttl: string | undefined
) {
  const preparing = yield* Effect.makeSemaphore(1)
  let owner: Owner | undefined
  let prepared = false
  /** Whether the refusal was logged; reset when the points belong to the owner again. */
  let isRefused = false

  const prepare = Effect.gen(function* () {
    const there = yield* tablesThere(connections)
    const all = definitions(tables, ttl)
    // This comes before anything is written: the tables may belong to another program.
    for (const { columns, table } of all) if (there.has(table)) yield* ensureFits(connections, table, columns)
    if (owner !== undefined) yield* ownership.claim(owner)
    isRefused = false
    for (const { table, text } of all) if (!there.has(table)) yield* connections.rows(text)
    prepared = true
  })

  const refuse = (error: PointsOfAnother) => {
    const failure = Ownership.refusedAsUnavailable(error)
    const first = !isRefused
    isRefused = true
    prepared = false
    return Effect.zipRight(first ? Effect.logError(failure.reason) : Effect.void, failure)
  }

  /**
   * Makes sure that the points belong to the owner and the tables exist. This happens when a caller first needs the
   * store, not at the start, because a server that is away at the start may be back by then. After a failure it happens
   * again, because the server may have lost its data.
   */
  const ready = Effect.suspend(() => (prepared ? Effect.void : prepare)).pipe(
    preparing.withPermits(1),
    Effect.catchTag("PointsOfAnother", refuse),
    Effect.unless(() => prepared)
  )

  /** Makes the next caller check owner and tables again. */
  const doubt = () => {
    prepared = false
  }

  return {
    ready,
    doubt,
    claim: (by: Owner) =>
      Effect.suspend(() => {
        owner = by
        return prepare
      }).pipe(preparing.withPermits(1)),
    /** The parts of a session that several nodes recorded; none if the points have no owner. */
    tenures: (sessionId: number) =>
      Effect.suspend(() => (owner === undefined ? Effect.succeed([]) : owner.tenures(sessionId))),
    /** Whether the points still belong to the owner, according to the visible rows. True if they have no owner. */
    isStillOwners: Effect.suspend(() =>
      owner === undefined ? Effect.succeed(true) : ownership.isStill(owner)
    )
  }
})

export type Readiness = Effect.Effect.Success<ReturnType<typeof make>>
