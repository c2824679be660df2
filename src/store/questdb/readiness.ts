/**
 * What has to be true before QuestDB is used: the points are the owner's, and the tables are there.
 *
 * Hard case: a server that was away may be another when it is back, and points may be handed over while they are used.
 */
import { Effect } from "effect"
import type { PointsOfAnother } from "../../domain/errors.ts"
import * as Ownership from "../ownership.ts"
import type { Owner } from "../PointStore.ts"
import type { Connections } from "./Connections.ts"
import type { PointOwner } from "./pointOwner.ts"
import { definitions, type Tables } from "./schema.ts"

export const make = Effect.fnUntraced(function* (
  connections: typeof Connections.Service,
  ownership: PointOwner,
  tables: Tables,
  ttl: string | undefined
) {
  const preparing = yield* Effect.makeSemaphore(1)
  let owner: Owner | undefined
  let prepared = false
  /** Said once, until the points are the owner's again. */
  let isRefused = false

  const prepare = Effect.gen(function* () {
    if (owner !== undefined) yield* ownership.claim(owner)
    isRefused = false
    for (const text of definitions(tables, ttl)) yield* connections.rows(text)
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
   * The points are the owner's, and the tables there: by the first who needs them, because a server that is away now may
   * be there then. After a failure both are made sure of once more, because what comes back may be a server without
   * its data.
   */
  const ready = Effect.suspend(() => (prepared ? Effect.void : prepare)).pipe(
    preparing.withPermits(1),
    Effect.catchTag("PointsOfAnother", refuse),
    Effect.unless(() => prepared)
  )

  /** The next caller checks owner and tables again. */
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
    /** Whether the points still are the owner's, as far as can be seen now; where they have no owner there is no doubt. */
    isStillOwners: Effect.suspend(() =>
      owner === undefined ? Effect.succeed(true) : ownership.isStill(owner)
    )
  }
})

export type Readiness = Effect.Effect.Success<ReturnType<typeof make>>
