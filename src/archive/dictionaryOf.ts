import { Effect, Option } from "effect"
import { emptyDictionary, POINTS, undeclaredDictionary } from "../domain/Dictionary.ts"
import type { Dictionaries } from "../store/Dictionaries.ts"
import type { RowStore } from "../store/RowStore.ts"

/** The dictionary of a session, also of one whose source has not declared any. */
export const dictionaryOf = Effect.fnUntraced(function* (
  dictionaries: typeof Dictionaries.Service,
  store: typeof RowStore.Service,
  sessionId: number
) {
  const known = yield* dictionaries.dictionary(sessionId)
  if (known !== undefined) return known
  return Option.isSome(yield* store.bounds({ sessionId, group: POINTS }))
    ? undeclaredDictionary
    : emptyDictionary
})
