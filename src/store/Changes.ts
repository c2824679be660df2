import { Context, type Effect } from "effect"
import type { StoreUnavailable } from "../domain/errors.ts"
import type { RecordedLap } from "../domain/Lap.ts"
import type { Session } from "../domain/Session.ts"

/** The highest id of a lap, and the number of the last change of a session; 0 before the first. */
export interface Newest {
  readonly lapId: number
  readonly change: number
}

/** The laps to list: those of one session or of all, and the maximum number. */
export interface LapsWanted {
  readonly sessionId: number | undefined
  readonly most: number
}

/** A session with the number of its last change. Changes of all sessions are numbered in the order of their commits. */
export interface ChangedSession {
  readonly change: number
  readonly session: Session
  /** Whether it is being recorded. */
  readonly isRecorded: boolean
}

/** Laps and sessions stored since an earlier read, for clients that follow them. Those of imported files are not live. */
export class Changes extends Context.Tag("store/Changes")<
  Changes,
  {
    /** The last lap's id and the last change's number. Everything stored later has a higher one. */
    readonly newest: Effect.Effect<Newest, StoreUnavailable>
    /** Laps with an id above `id`, of one session or of all, ordered by id, at most `most`. */
    readonly lapsAfter: (
      id: number,
      wanted: LapsWanted
    ) => Effect.Effect<ReadonlyArray<RecordedLap>, StoreUnavailable>
    /**
     * Sessions that began or ended after `change`, in their present state: their recording began (`createSession`) or
     * stopped. Ordered by their last change, at most `most`.
     */
    readonly sessionsAfter: (
      change: number,
      most: number
    ) => Effect.Effect<ReadonlyArray<ChangedSession>, StoreUnavailable>
  }
>() {}
