/** A part of a session that moves separately: the rows of one of its groups. */
import { Effect } from "effect"
import { POINTS } from "../../domain/Dictionary.ts"
import type { RowStore } from "../../store/RowStore.ts"

export interface Part {
  readonly group: string
  /** The columns that are moved and compared, "timestamp" first. */
  readonly columns: ReadonlyArray<string>
}

/** The groups of a session, its points first, each with all of its columns in the store. */
export const partsOf = Effect.fn("migrate.partsOf")(function* (store: RowStore["Type"], sessionId: number) {
  const parts = yield* Effect.forEach(yield* store.groups(sessionId), (group) =>
    Effect.map(store.columns({ sessionId, group }), (columns): Part => ({ group, columns }))
  )
  return parts.toSorted((a, b) => Number(b.group === POINTS) - Number(a.group === POINTS))
})
