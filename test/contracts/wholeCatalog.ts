/** Everything that a catalog has of its sessions, for tests that compare two catalogs. */
import { Effect } from "effect"
import type { SessionNamesWanted } from "../../src/domain/Session.ts"
import type { CatalogService } from "./catalogService.ts"

/** The sessions of these names, oldest first, each with its laps. */
export const sessionsWithLaps = Effect.fn(function* (
  catalog: CatalogService,
  names: SessionNamesWanted = {}
) {
  const { items } = yield* catalog.sessions({ ...names, limit: 1000, offset: 0 })
  return yield* Effect.forEach(items.toReversed(), (session) =>
    Effect.map(catalog.laps(session.id), (laps) => ({ session, laps }))
  )
})

/** Metres that the only session of a catalog was driven, as stored; null if they are not. */
export const keptDistance = Effect.fn(function* (catalog: CatalogService) {
  const [open] = yield* catalog.notMeasured({})
  const [only] = yield* catalog.totalsByCircuit({})
  return open === undefined ? only?.totals.metres : null
})

export const wholeCatalog = (catalog: CatalogService) =>
  Effect.all({ sessions: sessionsWithLaps(catalog), totals: catalog.totalsByCircuit({}) })
