/**
 * Removals of the points and the files of deleted sessions. A removal is pending, as a row of the catalog, from the session's deletion
 * until its points are gone; the next start finishes a removal that was cut short. Nothing else is ever removed. In
 * particular, points are not removed only because the catalog does not know their session.
 */
import { Effect } from "effect"
import { Deletions } from "./Deletions.ts"
import { RowStore } from "./RowStore.ts"
import { SessionFiles } from "./SessionFiles.ts"

/**
 * Removes the points and the files of a session whose removal is pending. Two calls, even concurrent ones, have the effect of one.
 */
export const finishRemoval = Effect.fn("removals.finishRemoval")(function* (sessionId: number) {
  yield* (yield* RowStore).remove(sessionId)
  yield* (yield* SessionFiles).remove(sessionId)
  yield* (yield* Deletions).removalDone(sessionId)
})

/** Finishes all pending removals. */
export const finishRemovals = Effect.gen(function* () {
  for (const sessionId of yield* (yield* Deletions).pendingRemovals) {
    yield* Effect.logInfo(`Removing the points of session ${sessionId}, which was deleted`)
    yield* finishRemoval(sessionId)
  }
})

/**
 * Removes the files that this machine has of deleted sessions, whichever node deleted them. Files of a session that the catalog does
 * not know are set aside: the catalog will give its number to another session.
 */
export const tidyFiles = Effect.gen(function* () {
  const files = yield* SessionFiles
  const { deleted, missing } = yield* Deletions
  const unknown = yield* missing(yield* files.sessionIds)
  const gone = new Set(yield* deleted(unknown))
  for (const sessionId of unknown) {
    yield* gone.has(sessionId) ? files.remove(sessionId) : files.setAside(sessionId)
  }
})
