/**
 * The port to the catalog.
 *
 * Over 250 lines: it is one list of what can be done with the catalog.
 */
import { Context, type Effect, type Option } from "effect"
import type { CircuitDetails } from "../domain/Circuit.ts"
import type { Dictionary } from "../domain/Dictionary.ts"
import type { Configuration } from "../domain/Configuration.ts"
import type {
  ChannelsDamaged,
  LapNotFound,
  SessionBeingRecorded,
  SessionNotFound,
  StoreUnavailable
} from "../domain/errors.ts"
import type { LapChange, NewLap, RecordedLap, SectorSource } from "../domain/Lap.ts"
import type { SectorLines } from "../domain/SectorLines.ts"
import type {
  NewSession,
  Session,
  SessionBounds,
  SessionFilter,
  SessionNames,
  SessionNamesWanted
} from "../domain/Session.ts"

/** A lap with its circuit, vehicle, driver and date. */
export type PlacedLap = RecordedLap & Pick<Session, "circuit" | "vehicle" | "driver" | "datetime">

/**
 * The totals of a set of sessions; of a driver, those of the laps that he drove, and of the sessions in which he did or which
 * are his. A timed lap is a valid one with a time of more than 0 s and at most a day. Only timed laps
 * count for `bestLapTime` (null without one) and for `seconds`, the sum of their times to the nanosecond.
 */
export interface Totals {
  readonly sessions: number
  /** All laps that the catalog keeps, valid or not, without those that were withdrawn. */
  readonly laps: number
  readonly timedLaps: number
  readonly seconds: number
  readonly bestLapTime: number | null
  /** To the micrometre, over the sessions whose distance was measured: it is that of the session's driver. */
  readonly metres: number
}

export interface CircuitTotals extends Totals {
  /** The spelling of the newest session. */
  readonly circuit: string
  /** The best sector times of valid laps, s; null where a sector was never timed. */
  readonly bestSectors: readonly [number | null, number | null, number | null]
  /** Who measured the sectors. */
  readonly sectorSource: SectorSource
  /** Each spelling once, sorted by code units. */
  readonly drivers: ReadonlyArray<string>
  readonly vehicles: ReadonlyArray<string>
}

/** The highest id of a lap, and the number of the last change of a session; 0 before the first. */
export interface Newest {
  readonly lapId: number
  readonly change: number
}

/** Which laps to list: of one session or of all, and how many at most. */
export interface LapsWanted {
  readonly sessionId: number | undefined
  readonly most: number
}

/** A session with the number of its last change. Changes of all sessions are numbered in the order of their commits. */
export interface ChangedSession {
  readonly change: number
  readonly session: Session
}

/**
 * A session that may be removed to make room. `ended`, epoch s: the time of its last point, or its start without any; or when
 * this machine began or ended its recording, if that is later.
 */
export interface Removable {
  readonly id: number
  readonly ended: number
}

/** The greatest id, and the latest end as Removable has it, of all sessions. */
export type NewestSession = Removable

/** The distance driven in a session: metres, up to its point at `until` (epoch seconds). */
export interface MeasuredDistance {
  readonly metres: number
  readonly until: number
}

/**
 * Sessions, laps and the configuration: small, relational, transactional.
 *
 * A session is *being recorded* from `createSession(…, {recording: true})` or `claimSession` until `endSession`. In every
 * process that shares the catalog, this flag prevents a second connection from recording into the session, and anyone from
 * deleting it meanwhile. The flag names the node that records the session (ThisNode.ts). Ids are never reused. Every write is
 * durable when it returns.
 */
export class Catalog extends Context.Tag("store/Catalog")<
  Catalog,
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
    /** Removes the session and its laps. Its points are in the RowStore; their removal is pending from then on. */
    readonly deleteSession: (
      id: number
    ) => Effect.Effect<void, SessionNotFound | SessionBeingRecorded | StoreUnavailable>
    /** Sets whether the session is kept when others are removed to make room. `deleteSession` ignores this flag. */
    readonly pinSession: (
      id: number,
      pinned: boolean
    ) => Effect.Effect<Session, SessionNotFound | StoreUnavailable>
    /** Of the sessions that no node records and no user pinned, and whose id is at most `until`, the one that ended first. */
    readonly oldestRemovable: (until: number) => Effect.Effect<Option.Option<Removable>, StoreUnavailable>
    readonly newestSession: Effect.Effect<Option.Option<NewestSession>, StoreUnavailable>
    /**
     * Deletes the session as `deleteSession` does, unless it is now recorded or pinned, or was recorded into since. True
     * where it was deleted.
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

    /** Marks an existing session as being recorded; its distance is no longer known. */
    readonly claimSession: (
      id: number
    ) => Effect.Effect<Session, SessionNotFound | SessionBeingRecorded | StoreUnavailable>
    /**
     * The channels that the session's source has declared; undefined if it has not declared any, or if the session was adopted
     * without samples.
     */
    readonly dictionary: (
      sessionId: number
    ) => Effect.Effect<Dictionary | undefined, SessionNotFound | ChannelsDamaged | StoreUnavailable>
    /** Replaces the session's dictionary. It is no error if the session is gone. */
    readonly putDictionary: (
      sessionId: number,
      dictionary: Dictionary
    ) => Effect.Effect<void, StoreUnavailable>
    /** Gives the session other names, under which its laps count from then on. */
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
     * Keeps a session's distance. If the session is being recorded, or was since, its last point is not the one at `until`
     * and the distance is out of date: then nothing is kept. That is no error, nor is a session that is gone.
     */
    readonly keepDistance: (id: number, measured: MeasuredDistance) => Effect.Effect<void, StoreUnavailable>
    /** Sessions marked as being recorded by any node, including those that a crash left open. */
    readonly unendedSessions: Effect.Effect<ReadonlyArray<number>, StoreUnavailable>
    /**
     * The unended sessions of this node or of no node: at its start, those that a crash left open. In a catalog file, which
     * one node has for itself, all unended sessions.
     */
    readonly ownUnendedSessions: Effect.Effect<ReadonlyArray<number>, StoreUnavailable>
    /** Returns those of the ids that the catalog does not have, deleted or never known. */
    readonly missing: (ids: ReadonlyArray<number>) => Effect.Effect<ReadonlyArray<number>, StoreUnavailable>
    /** The ids of all sessions, increasing. */
    readonly sessionIds: Effect.Effect<ReadonlyArray<number>, StoreUnavailable>

    /**
     * Numbers and keeps laps. A lap with the same session and start as a kept one is taken for that one, so a retry is safe.
     */
    readonly addLaps: (
      laps: ReadonlyArray<NewLap>
    ) => Effect.Effect<ReadonlyArray<RecordedLap>, SessionNotFound | StoreUnavailable>
    /**
     * Changes a lap, by its session and start, and moves bests and statistics accordingly. Undefined if there is no such
     * lap.
     */
    readonly changeLap: (
      sessionId: number,
      startTime: number,
      change: LapChange
    ) => Effect.Effect<RecordedLap | undefined, StoreUnavailable>
    readonly lap: (id: number) => Effect.Effect<RecordedLap, LapNotFound | StoreUnavailable>
    /** Ordered by lap_number, then start_time. */
    readonly laps: (
      sessionId: number
    ) => Effect.Effect<ReadonlyArray<RecordedLap>, SessionNotFound | StoreUnavailable>

    /**
     * The fastest timed laps with these names: those of their sessions, and who drove the lap (whole names, ignoring case; without names, of all sessions).
     * Laps with equal times are ordered by start, then by id.
     */
    readonly bestLaps: (
      names: SessionNamesWanted,
      limit: number
    ) => Effect.Effect<ReadonlyArray<PlacedLap>, StoreUnavailable>
    /** The totals of all sessions on a circuit; undefined where there is none. */
    readonly circuitTotals: (circuit: string) => Effect.Effect<CircuitTotals | undefined, StoreUnavailable>
    /** Totals of these names by circuit, sorted; each as spelled in its newest session of anyone. */
    readonly totalsByCircuit: (
      names: SessionNamesWanted
    ) => Effect.Effect<ReadonlyArray<{ readonly circuit: string; readonly totals: Totals }>, StoreUnavailable>
    /** The driver's name as spelled in the driver's newest session; undefined for a driver without a session and a lap. */
    readonly driverName: (driver: string) => Effect.Effect<string | undefined, StoreUnavailable>
    /** The sessions with these names whose distance is not known, by increasing id. */
    readonly notMeasured: (
      names: SessionNamesWanted
    ) => Effect.Effect<
      ReadonlyArray<{ readonly sessionId: number; readonly circuit: string }>,
      StoreUnavailable
    >

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

    readonly counts: Effect.Effect<{ readonly sessions: number; readonly laps: number }, StoreUnavailable>
    /** The circuits that have a session, sorted. */
    readonly circuits: Effect.Effect<ReadonlyArray<string>, StoreUnavailable>
    readonly vehicles: Effect.Effect<ReadonlyArray<string>, StoreUnavailable>

    /**
     * The sector lines that came with laps on a circuit (its whole name, ignoring case), kept by `addLaps`: one entry for
     * each layout that was driven, the oldest first, `MAX_LAYOUTS` at most.
     */
    readonly sectorLines: (circuit: string) => Effect.Effect<ReadonlyArray<SectorLines>, StoreUnavailable>

    /** The details that users gave of a circuit (its whole name, ignoring case); undefined without any. */
    readonly circuitDetails: (name: string) => Effect.Effect<CircuitDetails | undefined, StoreUnavailable>
    /** Replaces the circuit's details. The circuit needs no session. */
    readonly putCircuitDetails: (
      name: string,
      details: CircuitDetails
    ) => Effect.Effect<void, StoreUnavailable>
    /** All circuit details, by circuit names as users wrote them, sorted. */
    readonly allCircuitDetails: Effect.Effect<
      ReadonlyArray<readonly [name: string, details: CircuitDetails]>,
      StoreUnavailable
    >

    /** The stored configuration, or the default if none was put. */
    readonly configuration: Effect.Effect<Configuration, StoreUnavailable>
    readonly putConfiguration: (configuration: Configuration) => Effect.Effect<void, StoreUnavailable>

    /** Succeeds if the catalog answers. */
    readonly check: Effect.Effect<void, StoreUnavailable>
  }
>() {}
