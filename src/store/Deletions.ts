import { Context, type Effect, type Option } from "effect"
import type { SessionBeingRecorded, SessionNotFound, StoreUnavailable } from "../domain/errors.ts"

/**
 * A session that may be removed to make room. `ended`, epoch s: the time of its last point (its start if it has no
 * points), or the time when this machine began or ended its recording, if that is later.
 */
export interface Removable {
  readonly id: number
  readonly ended: number
}

/** The greatest id and the latest `ended` of all sessions. */
export type NewestSession = Removable

/** Deletes sessions from the catalog, and knows which were deleted. removals.ts removes their points. */
export class Deletions extends Context.Tag("store/Deletions")<
  Deletions,
  {
    /** Removes the session and its laps. Its points are in the RowStore; their removal is pending from then on. */
    readonly deleteSession: (
      id: number
    ) => Effect.Effect<void, SessionNotFound | SessionBeingRecorded | StoreUnavailable>
    /**
     * The session that ended first, among those with an id of at most `until` that no node records, no user pinned, and
     * no reference lap is of.
     */
    readonly oldestRemovable: (until: number) => Effect.Effect<Option.Option<Removable>, StoreUnavailable>
    readonly newestSession: Effect.Effect<Option.Option<NewestSession>, StoreUnavailable>
    /**
     * Deletes the session as `deleteSession` does, unless it is being recorded or kept by a user, or has been recorded into
     * since. Returns whether it was deleted.
     */
    readonly deleteRemovable: (session: Removable) => Effect.Effect<boolean, StoreUnavailable>
    /** The deleted sessions whose points may still be stored, by increasing id. */
    readonly pendingRemovals: Effect.Effect<ReadonlyArray<number>, StoreUnavailable>
    /** Notes that the points of a deleted session are removed. */
    readonly removalDone: (id: number) => Effect.Effect<void, StoreUnavailable>
    /** Makes the removal pending again: points were written after the deletion. False if the session was not deleted. */
    readonly removeAgain: (id: number) => Effect.Effect<boolean, StoreUnavailable>
    /** Returns those of the ids whose session was deleted. */
    readonly deleted: (ids: ReadonlyArray<number>) => Effect.Effect<ReadonlyArray<number>, StoreUnavailable>
    /** Returns those of the ids whose session was deleted to make room (`deleteRemovable`). */
    readonly removedForRoom: (
      ids: ReadonlyArray<number>
    ) => Effect.Effect<ReadonlyArray<number>, StoreUnavailable>
    /** Returns those of the ids that the catalog does not have, deleted or never known. */
    readonly missing: (ids: ReadonlyArray<number>) => Effect.Effect<ReadonlyArray<number>, StoreUnavailable>
    /** Returns those of the ids that the catalog does not have, or that another node records (Takeovers.ts). */
    readonly lost: (ids: ReadonlyArray<number>) => Effect.Effect<ReadonlyArray<number>, StoreUnavailable>
  }
>() {}
