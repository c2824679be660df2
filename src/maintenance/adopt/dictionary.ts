/** Rebuilds a session's declared channels from its samples. */
import { Effect } from "effect"
import { POINTS, undeclaredDictionary } from "../../domain/Dictionary.ts"
import { RowStore } from "../../store/RowStore.ts"

/**
 * The groups and channels that have samples. A channel of the vocabulary gets its unit and kind; any other has no unit,
 * and is `continuous`. It is unknown which of the ten were declared, so all count as declared. None if there are no
 * samples.
 */
export const rebuiltDictionary = Effect.fn("adopt.dictionary")(function* (sessionId: number) {
  const store = yield* RowStore
  const groups = yield* store.groups(sessionId)
  const declarations = yield* Effect.forEach(
    groups.filter((group) => group !== POINTS),
    (group) =>
      Effect.map(store.columns({ sessionId, group }), (columns) => ({
        name: group,
        channels: columns.filter((name) => name !== "timestamp").map((name) => ({ name }))
      }))
  )
  return declarations.length === 0 ? undefined : undeclaredDictionary.withGroups(declarations).dictionary
})
