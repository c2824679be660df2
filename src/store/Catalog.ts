import { Context, type Effect, type Option } from "effect"
import type { CircuitDetails } from "../domain/Circuit.ts"
import type { Dictionary } from "../domain/Dictionary.ts"
import type { Configuration } from "../domain/Configuration.ts"
import type {
  LapNotFound,
  SessionBeingRecorded,
  SessionNotFound,
  StoreUnavailable
} from "../domain/errors.ts"
import type { NewLap, RecordedLap, SectorSource } from "../domain/Lap.ts"
import type { SectorLines } from "../domain/SectorLines.ts"
import type {
  NewSession,
  Session,
  SessionBounds,
  SessionFilter,
  SessionNamesWanted
} from "../domain/Session.ts"

/** A lap with what tells where it was driven. */
export type PlacedLap = RecordedLap & Pick<Session, "circuit" | "vehicle" | "driver" | "datetime">

/**
 * What sessions add up to. A timed lap is a valid one with a time of more than 0 s and at most a day: only these make
 * `bestLapTime` (null without one) and `seconds`, which is the sum of their times to the nanosecond.
 */
export interface Totals {
  readonly sessions: number
  /** All that were kept. */
  readonly laps: number
  readonly timedLaps: number
  readonly seconds: number
  readonly bestLapTime: number | null
  /** To the micrometre, of the sessions that were measured. */
  readonly metres: number
}

export interface CircuitTotals extends Totals {
  /** As the newest session has it. */
  readonly circuit: string
  /** Of valid laps, s; null where a sector was never timed. */
  readonly bestSectors: readonly [number | null, number | null, number | null]
  /** Whose they are; null where it is unknown. */
  readonly sectorSource: SectorSource | null
  /** Sorted by code units, each once, as they are written. */
  readonly drivers: ReadonlyArray<string>
  readonly vehicles: ReadonlyArray<string>
}

/** The greatest id of a lap, and the number of the last change of a session; 0 before the first. */
export interface Newest {
  readonly lapId: number
  readonly change: number
}

/** Laps of one session, or of all; so many at most. */
export interface LapsWanted {
  readonly sessionId: number | undefined
  readonly most: number
}

/** Changes are numbered as they are committed, over all sessions. */
export interface ChangedSession {
  readonly change: number
  readonly session: Session
}

/** A session that may be removed to make room. `ended`: the time of its last point, or its start, where it has none; epoch seconds. */
export interface Removable {
  readonly id: number
  readonly ended: number
}

/** How far a session was driven: metres, up to its point at `until` (epoch seconds). */
export interface MeasuredDistance {
  readonly metres: number
  readonly until: number
}

/**
 * Sessions, laps and the configuration: small, relational, transactional.
 *
 * A session is *being recorded* from `createSession(…, {recording: true})` or `claimSession` until
 * `endSession`; that flag is what keeps two connections from one session, and a delete from a live one, in
 * every process that shares the catalog. It names the node that records it (ThisNode.ts). Ids are never reused. Every
 * write is durable when it returns.
 */
export class Catalog extends Context.Tag("store/Catalog")<
  Catalog,
  {
    readonly createSession: (
      session: NewSession,
      options: { readonly recording: boolean }
    ) => Effect.Effect<Session, StoreUnavailable>
    readonly session: (id: number) => Effect.Effect<Session, SessionNotFound | StoreUnavailable>
    /** Newest first (datetime, then id), with the number of all that match. */
    readonly sessions: (
      filter: SessionFilter
    ) => Effect.Effect<{ readonly total: number; readonly items: ReadonlyArray<Session> }, StoreUnavailable>
    /** Removes the session and its laps. The removal of its points, which are the PointStore's, is pending from then on. */
    readonly deleteSession: (
      id: number
    ) => Effect.Effect<void, SessionNotFound | SessionBeingRecorded | StoreUnavailable>
    /** Whether the session is kept whatever is removed to make room. `deleteSession` asks nothing of it. */
    readonly pinSession: (
      id: number,
      pinned: boolean
    ) => Effect.Effect<Session, SessionNotFound | StoreUnavailable>
    /** Of the sessions that are neither recorded, by whichever node, nor pinned the one that ended first. */
    readonly oldestRemovable: Effect.Effect<Option.Option<Removable>, StoreUnavailable>
    /** Deletes it as `deleteSession` does, unless it is recorded or pinned by now, or was recorded on; whether it did. */
    readonly deleteRemovable: (session: Removable) => Effect.Effect<boolean, StoreUnavailable>
    /** The sessions that were deleted and whose points may still be there, increasing. */
    readonly pendingRemovals: Effect.Effect<ReadonlyArray<number>, StoreUnavailable>
    /** The points of a deleted session are removed. */
    readonly removalDone: (id: number) => Effect.Effect<void, StoreUnavailable>
    /** Points of a session were written since it was deleted: their removal is pending again. False where it was not deleted. */
    readonly removeAgain: (id: number) => Effect.Effect<boolean, StoreUnavailable>
    /** Of these sessions, those that were deleted. */
    readonly deleted: (ids: ReadonlyArray<number>) => Effect.Effect<ReadonlyArray<number>, StoreUnavailable>

    /** Marks an existing session as being recorded; its distance is no longer known. */
    readonly claimSession: (
      id: number
    ) => Effect.Effect<Session, SessionNotFound | SessionBeingRecorded | StoreUnavailable>
    /**
     * The channels that the session's source has declared, undefined where they are unknown: a session that was recorded before
     * channels were declared has all of the ten, and no group.
     */
    readonly dictionary: (
      sessionId: number
    ) => Effect.Effect<Dictionary | undefined, SessionNotFound | StoreUnavailable>
    /** Replaces the session's dictionary. A session that is gone is no error. */
    readonly putDictionary: (
      sessionId: number,
      dictionary: Dictionary
    ) => Effect.Effect<void, StoreUnavailable>
    /** Widens the session's bounds to include these; never narrows them. */
    readonly extendSession: (id: number, bounds: SessionBounds) => Effect.Effect<void, StoreUnavailable>
    /** The session is no longer being recorded; ending one that is not is no error. */
    readonly endSession: (id: number) => Effect.Effect<void, StoreUnavailable>
    /**
     * Keeps a session's distance, unless it is being recorded, or was since: then its last point is not the one at
     * `until`, and the distance not the session's. That is no error, nor is a session that is gone.
     */
    readonly keepDistance: (id: number, measured: MeasuredDistance) => Effect.Effect<void, StoreUnavailable>
    /** Sessions marked as being recorded, by any node; after a crash also those that it left open. */
    readonly unendedSessions: Effect.Effect<ReadonlyArray<number>, StoreUnavailable>
    /**
     * Those of them that this node records, or no node: what a process finds that has just begun to be the node, a crash
     * left open. Of a catalog in a file, which one node has for itself, all.
     */
    readonly ownUnendedSessions: Effect.Effect<ReadonlyArray<number>, StoreUnavailable>
    /** Of these sessions, those that the catalog does not have, for whatever reason. */
    readonly missing: (ids: ReadonlyArray<number>) => Effect.Effect<ReadonlyArray<number>, StoreUnavailable>
    /** The ids of all sessions, increasing. */
    readonly sessionIds: Effect.Effect<ReadonlyArray<number>, StoreUnavailable>

    /** Numbers and keeps laps. One that starts when a lap of its session already does is that lap: safe to retry. */
    readonly addLaps: (
      laps: ReadonlyArray<NewLap>
    ) => Effect.Effect<ReadonlyArray<RecordedLap>, SessionNotFound | StoreUnavailable>
    readonly lap: (id: number) => Effect.Effect<RecordedLap, LapNotFound | StoreUnavailable>
    /** By lap_number, then start_time. */
    readonly laps: (
      sessionId: number
    ) => Effect.Effect<ReadonlyArray<RecordedLap>, SessionNotFound | StoreUnavailable>

    /**
     * The fastest timed laps of the sessions of these names (whole, ignoring case; all without any); of equal ones the one
     * that started first, then that of the lower id.
     */
    readonly bestLaps: (
      names: SessionNamesWanted,
      limit: number
    ) => Effect.Effect<ReadonlyArray<PlacedLap>, StoreUnavailable>
    /** Of all sessions on a circuit; undefined where there is none. */
    readonly circuitTotals: (circuit: string) => Effect.Effect<CircuitTotals | undefined, StoreUnavailable>
    /** The sessions of these names by their circuits, sorted by these, each as its newest session of anyone has it. */
    readonly totalsByCircuit: (
      names: SessionNamesWanted
    ) => Effect.Effect<ReadonlyArray<{ readonly circuit: string; readonly totals: Totals }>, StoreUnavailable>
    /** The name as the driver's newest session has it; undefined for a driver without a session. */
    readonly driverName: (driver: string) => Effect.Effect<string | undefined, StoreUnavailable>
    /** The sessions of these names whose distance is not known, increasing. */
    readonly notMeasured: (
      names: SessionNamesWanted
    ) => Effect.Effect<
      ReadonlyArray<{ readonly sessionId: number; readonly circuit: string }>,
      StoreUnavailable
    >

    /** The last lap's id and the last change's number: whatever is stored later has a higher one. */
    readonly newest: Effect.Effect<Newest, StoreUnavailable>
    /** Laps of one session, or of all, whose ids come after `id`: by id, at most so many. */
    readonly lapsAfter: (
      id: number,
      wanted: LapsWanted
    ) => Effect.Effect<ReadonlyArray<RecordedLap>, StoreUnavailable>
    /**
     * Sessions as they are now that began or ended (were created as being recorded, or are so no more) after `change`:
     * by their last change, at most so many.
     */
    readonly sessionsAfter: (
      change: number,
      most: number
    ) => Effect.Effect<ReadonlyArray<ChangedSession>, StoreUnavailable>

    readonly counts: Effect.Effect<{ readonly sessions: number; readonly laps: number }, StoreUnavailable>
    /** The circuits that have a session, sorted. */
    readonly circuits: Effect.Effect<ReadonlyArray<string>, StoreUnavailable>
    readonly vehicles: Effect.Effect<ReadonlyArray<string>, StoreUnavailable>

    /**
     * The lines that laps laid on a circuit (its whole name, ignoring case), the oldest first, `MAX_LAYOUTS` at most: for
     * each layout that was driven. `addLaps` keeps them.
     */
    readonly sectorLines: (circuit: string) => Effect.Effect<ReadonlyArray<SectorLines>, StoreUnavailable>

    /** What a user said of a circuit (its whole name, ignoring case); undefined where no user has. */
    readonly circuitDetails: (name: string) => Effect.Effect<CircuitDetails | undefined, StoreUnavailable>
    /** Replaces the circuit's details. The circuit needs no session. */
    readonly putCircuitDetails: (
      name: string,
      details: CircuitDetails
    ) => Effect.Effect<void, StoreUnavailable>
    /** All that users said, by names as they were put, sorted. */
    readonly allCircuitDetails: Effect.Effect<
      ReadonlyArray<readonly [name: string, details: CircuitDetails]>,
      StoreUnavailable
    >

    /** The default until one was put. */
    readonly configuration: Effect.Effect<Configuration, StoreUnavailable>
    readonly putConfiguration: (configuration: Configuration) => Effect.Effect<void, StoreUnavailable>

    /** Succeeds while the catalog answers. */
    readonly check: Effect.Effect<void, StoreUnavailable>
  }
>() {}
