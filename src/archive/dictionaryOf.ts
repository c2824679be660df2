import { Effect, Option } from "effect"
import { dictionaryBeforeGroups, emptyDictionary } from "../domain/Dictionary.ts"
import type { Catalog } from "../store/Catalog.ts"
import type { PointStore } from "../store/PointStore.ts"

/** The dictionary of a session, also of one that was recorded before sessions had dictionaries. */
export const dictionaryOf = Effect.fnUntraced(function* (
  catalog: typeof Catalog.Service,
  store: typeof PointStore.Service,
  sessionId: number
) {
  const known = yield* catalog.dictionary(sessionId)
  if (known !== undefined) return known
  return Option.isSome(yield* store.bounds(sessionId)) ? dictionaryBeforeGroups : emptyDictionary
})
