import { Cause, Effect } from "effect"
import { Deletions } from "../store/Deletions.ts"
import { finishRemoval } from "../store/removals.ts"

/** Deletes sessions of an import that was not finished. A session that is gone is no error. */
export const removeSessions = Effect.fnUntraced(function* (ids: ReadonlyArray<number>) {
  const { deleteSession } = yield* Deletions
  for (const id of ids) {
    yield* Effect.catchTag(deleteSession(id), "SessionNotFound", () => Effect.void)
    yield* Effect.catchAll(finishRemoval(id), ({ cause }) =>
      Effect.logWarning(`The points of session ${id} are removed at the next start`, Cause.fail(cause))
    )
  }
})
