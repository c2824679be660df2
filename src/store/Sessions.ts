import { Context, type Effect } from "effect"
import type { SessionBeingRecorded, SessionNotFound, StoreUnavailable } from "../domain/errors.ts"
import type { NewSession, Session, SessionBounds, SessionFilter, SessionNames } from "../domain/Session.ts"

/** The distance driven in a session: metres, up to its point at `until` (epoch seconds). */
export interface MeasuredDistance {
  readonly metres: number
  readonly until: number
}

/**
 * The sessions of the catalog. `Deletions` removes them.
 *
 * A session is *being recorded* from `createSession(…, {recording: true})` or `claimSession` until `endSession`. In every
 * process that shares the catalog, this flag prevents a second connection from recording into the session, and anyone from
 * deleting it meanwhile. The flag names the node that records the session (ThisNode.ts). Ids are never reused. Every write to
 * the catalog is durable when it returns.
 */
export class Sessions extends Context.Tag("store/Sessions")<
  Sessions,
  {
    readonly createSession: (
      session: NewSession,
      options: { readonly recording: boolean }
    ) => Effect.Effect<Session, StoreUnavailable>
    readonly session: (id: number) => Effect.Effect<Session, SessionNotFound | StoreUnavailable>
    /** Newest first (datetime, then id), with the number of all sessions that match. */
    readonly sessions: (
      filter: SessionFilter
    ) => Effect.Effect<{ readonly total: number; readonly items: ReadonlyArray<Session> }, StoreUnavailable>
    /** Sets whether the session is kept when others are removed to make room. `deleteSession` ignores this flag. */
    readonly pinSession: (
      id: number,
      pinned: boolean
    ) => Effect.Effect<Session, SessionNotFound | StoreUnavailable>
    /**
     * Marks an existing session as being recorded, over the connection to this address (`addressKey`); its distance is no longer known.
     */
    readonly claimSession: (
      id: number,
      connection?: string
    ) => Effect.Effect<Session, SessionNotFound | SessionBeingRecorded | StoreUnavailable>
    /**
     * Gives the session other reported names, under which its laps count from then on; under names that a user gave
     * (Marks.ts), they go on counting.
     */
    readonly renameSession: (
      id: number,
      names: SessionNames
    ) => Effect.Effect<Session, SessionNotFound | StoreUnavailable>
    /** Widens the bounds of each session (by its id) to include these; never narrows them. Sessions that are gone are no error. */
    readonly extendSessions: (
      bounds: ReadonlyMap<number, SessionBounds>
    ) => Effect.Effect<void, StoreUnavailable>
    /** Marks the session as no longer being recorded. It is no error if it was not. */
    readonly endSession: (id: number) => Effect.Effect<void, StoreUnavailable>
    /**
     * Keeps a session's distance. Keeps nothing if the session is being recorded, or if its last point is not the one
     * at `until`: then the distance is out of date. That is no error, nor is a session that is gone.
     */
    readonly keepDistance: (id: number, measured: MeasuredDistance) => Effect.Effect<void, StoreUnavailable>
    /** Sessions marked as being recorded by any node, including those that a crash left open. */
    readonly unendedSessions: Effect.Effect<ReadonlyArray<number>, StoreUnavailable>
    /**
     * The unended sessions of this node or of no node. When the node starts, these are the sessions that a crash left
     * open. In a catalog file, which only one node uses, all unended sessions.
     */
    readonly ownUnendedSessions: Effect.Effect<ReadonlyArray<number>, StoreUnavailable>
    /** The ids of all sessions, increasing. */
    readonly sessionIds: Effect.Effect<ReadonlyArray<number>, StoreUnavailable>
    /** Succeeds if the catalog answers. */
    readonly check: Effect.Effect<void, StoreUnavailable>
  }
>() {}
