/** What a session's source declared, as far as its samples still say it. */
import { Effect } from "effect"
import { dictionaryBeforeGroups } from "../domain/Dictionary.ts"
import { PointStore } from "../store/PointStore.ts"

/**
 * The groups and channels of which there are samples: of one of the vocabulary its unit and kind, of any other no unit, and
 * `continuous`. Which of the ten were told is unknown: they all count as told. None where there are no samples.
 */
export const rebuiltDictionary = Effect.fn("adopt.dictionary")(function* (sessionId: number) {
  const store = yield* PointStore
  const declarations = yield* Effect.forEach(yield* store.sampleGroups(sessionId), (group) =>
    Effect.map(store.sampleColumns(sessionId, group), (columns) => ({
      name: group,
      channels: columns.filter((name) => name !== "timestamp").map((name) => ({ name }))
    }))
  )
  return declarations.length === 0 ? undefined : dictionaryBeforeGroups.declared(declarations).dictionary
})
