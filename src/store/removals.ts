/**
 * Removals of the points of deleted sessions. A removal is pending, as a row of the catalog, from the session's deletion
 * until its points are gone: the next start finishes one that was cut short. Nothing else is ever removed:
 * that a catalog does not know a session is no reason.
 */
import { Effect } from "effect"
import { Catalog } from "./Catalog.ts"
import { PointStore } from "./PointStore.ts"

/** Removes the points of a session whose removal is pending; done twice, or by two at once, it is done once. */
export const finishRemoval = Effect.fn("removals.finishRemoval")(function* (sessionId: number) {
  yield* (yield* PointStore).remove(sessionId)
  yield* (yield* Catalog).removalDone(sessionId)
})

/** All that are pending. */
export const finishRemovals = Effect.gen(function* () {
  for (const sessionId of yield* (yield* Catalog).pendingRemovals) {
    yield* Effect.logInfo(`Removing the points of session ${sessionId}, which was deleted`)
    yield* finishRemoval(sessionId)
  }
})
