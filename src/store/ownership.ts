/** Ownership of the points: decisions that every store makes in the same way, and their sentences. */
import { Effect } from "effect"
import { PointsOfAnother, StoreUnavailable } from "../domain/errors.ts"
import { Deletions } from "./Deletions.ts"
import { CatalogTransfer } from "./CatalogTransfer.ts"
import { type Owner, RowStore } from "./RowStore.ts"
import { Takeovers } from "./Takeovers.ts"

/** The catalog as the owner of points. */
export const owner = Effect.gen(function* () {
  const { deleted, missing } = yield* Deletions
  const { identity } = yield* CatalogTransfer
  const { admit, tenures } = yield* Takeovers
  const { origin } = yield* identity
  return {
    catalog: origin,
    missing,
    deleted,
    tenures,
    admit,
    given: Effect.map(identity, ({ sessions }) => sessions)
  } satisfies Owner
})

/** Returns those of the sessions that the owner does not know: it does not have them, and has not deleted them. */
export const unknownTo = Effect.fn("ownership.unknownTo")(function* (
  { deleted, missing }: Owner,
  ids: ReadonlyArray<number>
) {
  const gone = yield* missing(ids)
  const known = new Set(yield* deleted(gone))
  return gone.filter((id) => !known.has(id))
})

/** Fails if the points belong to another catalog. The service calls it before it does anything else with the two. */
export const claimPoints = Effect.gen(function* () {
  yield* (yield* RowStore).claim(yield* owner)
})

/**
 * True if the owner may take the store, false if it owns it already; fails otherwise. `current`: the owner that the
 * store names.
 */
export const isFree = Effect.fn("ownership.isFree")(function* (
  store: string,
  by: Owner,
  current: string | undefined,
  sessionIds: Effect.Effect<ReadonlyArray<number>, StoreUnavailable>
) {
  if (current === by.catalog) {
    const ids = yield* sessionIds
    // This read comes afterwards: another node may give ids meanwhile.
    const given = yield* by.given
    const unknown = ids.filter((id) => id > given)
    if (unknown.length > 0) return yield* new PointsOfAnother({ store, unknown })
    return false
  }
  if (current !== undefined) return yield* new PointsOfAnother({ store, unknown: [] })
  const unknown = yield* unknownTo(by, yield* sessionIds)
  if (unknown.length > 0) return yield* new PointsOfAnother({ store, unknown })
  return true
})

const MAX_NAMED = 5

/** Ids in a sentence; of a long list, the first ids and the number of the others. */
export const named = (ids: ReadonlyArray<number>): string => {
  const more = ids.length - MAX_NAMED
  return `${ids.slice(0, MAX_NAMED).join(", ")}${more > 0 ? ` and ${more} more` : ""}`
}

const places: Readonly<Record<string, string>> = {
  questdb: "give this service tables of its own, by prefix=NAME_ in --points",
  spool: "start it with the --catalog that they were recorded under",
  source: "name the catalog that they belong to in --from",
  sqlite: "give this service a --data folder of its own"
}

/** One sentence, and what to do. */
export const refusal = ({ store, unknown }: PointsOfAnother): string => {
  const what =
    unknown.length === 0
      ? `The points in the ${store} store belong to another catalog`
      : `The ${store} store has points of sessions that this catalog does not know: ${named(unknown)}`
  return `${what}. Nothing is written there: ${places[store] ?? "use another store"}, or, if their catalog is lost, rebuild their sessions in this one by "telemetry adopt"`
}

/** The same sentence, as the answer of a store that belongs to another catalog. */
export const refusedAsUnavailable = (cause: PointsOfAnother) =>
  new StoreUnavailable({ store: cause.store, cause, reason: refusal(cause) })
