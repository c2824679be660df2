import { Context, type Effect } from "effect"
import type {
  SessionBeingRecorded,
  SessionIdsGiven,
  SessionNotFound,
  StoreUnavailable
} from "../domain/errors.ts"
import type { RecordedLap } from "../domain/Lap.ts"
import type { MarkKind } from "../domain/Mark.ts"
import type { NewSession } from "../domain/Session.ts"

/** The identity of a catalog, and the highest ids that it has given. */
export interface CatalogIdentity {
  /** A random identity, drawn when the catalog was made. A copy of its file or a restored backup has the same. */
  readonly origin: string
  /** The highest id that was ever given to a session, and to a lap; 0 before the first. */
  readonly sessions: number
  readonly laps: number
}

/** A mark of a session or of one of its laps, as the catalog keeps it. */
export interface MarkRecord {
  readonly kind: Exclude<MarkKind, "name">
  /** The lap's start; null if the mark is not about a lap. */
  readonly lapStart: number | null
  /** Its text in the catalog. */
  readonly value: string
  readonly revision: number
  readonly changedAt: number
}

/**
 * Everything that a catalog keeps of a session, to the last bit. Times in epoch seconds. Names and laps are the reported ones;
 * the marks say what users make of them.
 */
export interface SessionRecord extends NewSession {
  readonly id: number
  readonly firstPoint: number | null
  readonly lastPoint: number | null
  /** Metres; null if not measured. */
  readonly distance: number | null
  readonly pinned: boolean
  /** What a reader found out about a session of a file, as JSON; null for none, undefined for a session that was recorded live. */
  readonly facts?: string | null | undefined
  readonly laps: ReadonlyArray<RecordedLap>
  readonly marks: ReadonlyArray<MarkRecord>
}

/**
 * Moves sessions from one catalog (the *origin*) to another (the *target*).
 *
 * The target remembers the origin of each moved session. So an interrupted move continues, and no session arrives
 * twice. A session keeps its id if the origin gave that id before the target gave any of its own; other sessions get
 * new ids. A session that is moving counts as *being recorded* in the target, without laps, until `complete`. So nobody
 * deletes it or records into it, and the points of every visible lap can be read.
 */
export class CatalogTransfer extends Context.Tag("store/CatalogTransfer")<
  CatalogTransfer,
  {
    readonly identity: Effect.Effect<CatalogIdentity, StoreUnavailable>
    /** Whether a configuration was ever put. If not, the catalog gives the default. */
    readonly configured: Effect.Effect<boolean, StoreUnavailable>
    readonly record: (id: number) => Effect.Effect<SessionRecord, SessionNotFound | StoreUnavailable>
    /**
     * Reserves the origin's ids in the target, if the target has given none itself. Called before the first `place` of
     * a run. Sessions up to the returned id keep their ids.
     */
    readonly reserve: (origin: CatalogIdentity) => Effect.Effect<number, StoreUnavailable>
    /** Returns the target's id for the session. A session that was placed before has the same id again. */
    readonly place: (
      origin: string,
      record: SessionRecord
    ) => Effect.Effect<number, SessionBeingRecorded | StoreUnavailable>
    /** Called when the session's points are stored: adds the missing laps, widens its bounds, and ends it. */
    readonly complete: (
      origin: string,
      record: SessionRecord
    ) => Effect.Effect<void, SessionNotFound | StoreUnavailable>
    /**
     * Adds sessions that were rebuilt from a store's points, all or none, under the ids that the points have. The
     * catalog must not have given these ids itself. Laps keep their ids if these are free. A session that was
     * adopted from that origin before stays as it is.
     */
    readonly adopt: (
      origin: string,
      records: ReadonlyArray<SessionRecord>
    ) => Effect.Effect<void, SessionIdsGiven | StoreUnavailable>
  }
>() {}
