import { Context, type Effect } from "effect"
import type {
  SessionBeingRecorded,
  SessionIdsGiven,
  SessionNotFound,
  StoreUnavailable
} from "../domain/errors.ts"
import type { RecordedLap } from "../domain/Lap.ts"
import type { NewSession } from "../domain/Session.ts"

/** What a catalog is known by, and how far it has numbered. */
export interface CatalogIdentity {
  /** Drawn when the catalog was made; a copy of its file or a restored backup has the same. */
  readonly origin: string
  /** The highest id that any session, any lap, was ever given; 0 before the first. */
  readonly sessions: number
  readonly laps: number
}

/** All that a catalog keeps of a session, to the last bit. Times in epoch seconds. */
export interface SessionRecord extends NewSession {
  readonly id: number
  readonly firstPoint: number | null
  readonly lastPoint: number | null
  /** Metres; null where not measured. */
  readonly distance: number | null
  readonly pinned: boolean
  readonly laps: ReadonlyArray<RecordedLap>
}

/**
 * Sessions on their way from one catalog (the *origin*) to another.
 *
 * The target remembers which of its sessions came from where, so that what was broken off goes on and nothing
 * comes twice. Ids: those that the origin has given before the target gave any of its own are kept; the others are
 * numbered anew. A session on its way is *being recorded* there, without laps, until `complete`: nobody
 * deletes it or records into it, and a lap that can be seen can be read.
 */
export class CatalogTransfer extends Context.Tag("store/CatalogTransfer")<
  CatalogTransfer,
  {
    readonly identity: Effect.Effect<CatalogIdentity, StoreUnavailable>
    /** Whether a configuration was ever put: without one the catalog gives the default. */
    readonly configured: Effect.Effect<boolean, StoreUnavailable>
    readonly record: (id: number) => Effect.Effect<SessionRecord, SessionNotFound | StoreUnavailable>
    /**
     * The target reserves the origin's ids where it has given none itself; before each `place` of a run. Sessions up to
     * the id that it returns keep theirs.
     */
    readonly reserve: (origin: CatalogIdentity) => Effect.Effect<number, StoreUnavailable>
    /** The target's id for the session, which is the one it has if it came before. */
    readonly place: (
      origin: string,
      record: SessionRecord
    ) => Effect.Effect<number, SessionBeingRecorded | StoreUnavailable>
    /** Its points are there: adds the laps that are missing, widens its bounds, and ends it. */
    readonly complete: (
      origin: string,
      record: SessionRecord
    ) => Effect.Effect<void, SessionNotFound | StoreUnavailable>
    /**
     * Takes in sessions that were rebuilt from a store's points, all or none, under the ids that the points have: ids that
     * the catalog has not given itself. Laps keep theirs where they can. Sessions that came from that origin before stay.
     */
    readonly adopt: (
      origin: string,
      records: ReadonlyArray<SessionRecord>
    ) => Effect.Effect<void, SessionIdsGiven | StoreUnavailable>
  }
>() {}
