import { Context, type Effect, type Option, type Stream } from "effect"
import type { PointsOfAnother, PointsUnreadable, StoreUnavailable } from "../domain/errors.ts"
import type { Channel, PointBatch, SampleBatch } from "../domain/PointBatch.ts"

/** The points of one session with `from` <= timestamp < `until` (epoch seconds). */
export interface PointRange {
  readonly sessionId: number
  readonly from: number
  readonly until: number
}

/** The samples of one group of a session, other than its points. */
export interface SampleRange extends PointRange {
  readonly group: string
}

/** A batch and the session it belongs to; its timestamps increase strictly. */
export interface SessionPoints {
  readonly sessionId: number
  readonly group?: undefined
  readonly batch: PointBatch
}

/** A batch of a group other than `points`; its first column is "timestamp". */
export interface SessionSamples {
  readonly sessionId: number
  readonly group: string
  readonly batch: SampleBatch
}

export type SessionRows = SessionPoints | SessionSamples

/** The first and last timestamp of rows. */
export interface TimeBounds {
  readonly first: number
  readonly last: number
}

/** The catalog that points belong to. */
export interface Owner {
  /** The catalog's identity (CatalogTransfer). */
  readonly catalog: string
  /** Of these sessions, those that it does not have, and those that were deleted in it. */
  readonly missing: (ids: ReadonlyArray<number>) => Effect.Effect<ReadonlyArray<number>, StoreUnavailable>
  readonly deleted: (ids: ReadonlyArray<number>) => Effect.Effect<ReadonlyArray<number>, StoreUnavailable>
}

/**
 * The points, and the samples of other groups. What goes in comes out to the last bit, by time.
 *
 * `(session, group, timestamp)` is unique. A session is written in order of time by one writer; rows that are not
 * later than the last one stored of their group are taken for those already stored and skipped, so that storing twice is
 * storing once and every retry is safe.
 *
 * The points belong to one catalog, which gives sessions their ids; the store keeps whose it is. A service claims its
 * store before it does anything else with it.
 */
export class PointStore extends Context.Tag("store/PointStore")<
  PointStore,
  {
    /**
     * Makes sure that the points are the owner's. A store without an owner gets this one, if it has no sessions or only
     * sessions that the owner knows; of several catalogs that claim it at once, one gets it. A store that is away fails with
     * StoreUnavailable, and checks its owner before it does anything else. While the points are another catalog's, every
     * call fails with StoreUnavailable.
     */
    readonly claim: (owner: Owner) => Effect.Effect<void, PointsOfAnother | StoreUnavailable>
    /** The catalog that owns the points; none where no catalog has claimed them. */
    readonly ownedBy: Effect.Effect<Option.Option<string>, StoreUnavailable>
    /** Makes this catalog the owner of the points, whatever catalog was: for a catalog that was moved, or lost. */
    readonly changeOwner: (catalog: string) => Effect.Effect<void, StoreUnavailable>
    /**
     * All batches, of all groups, in one commit; durable, and visible to every reader, when it returns. Until then they must
     * stay as they are, and afterwards nothing of them is kept.
     */
    readonly write: (batches: ReadonlyArray<SessionRows>) => Effect.Effect<void, StoreUnavailable>
    /** No more points or samples of the session come for now: compact the small pieces that were written of it. */
    readonly seal: (sessionId: number) => Effect.Effect<void, StoreUnavailable>
    /**
     * Batches in order of time, of at most some thousand points each, with the given channels (all by default);
     * they are the caller's own. Memory does not grow with the range.
     */
    readonly read: (
      range: PointRange,
      channels?: ReadonlyArray<Channel>
    ) => Stream.Stream<PointBatch, PointsUnreadable>
    /**
     * Every `every`th point of the range from its first on, and its last: what `thin` keeps of `read`. A store that
     * can count its points where they are moves no others.
     */
    readonly readEvery: (range: PointRange, every: number) => Stream.Stream<PointBatch, PointsUnreadable>
    /** How many points the range has. */
    readonly count: (range: PointRange) => Effect.Effect<number, PointsUnreadable>
    /** The first and last timestamp of a session; none where it has no points. */
    readonly bounds: (sessionId: number) => Effect.Effect<Option.Option<TimeBounds>, StoreUnavailable>
    /**
     * Removes points and samples in pieces, between which others write; of each group the first rows first. One that is cut
     * short has removed a part, and is asked for again.
     */
    readonly remove: (sessionId: number) => Effect.Effect<void, StoreUnavailable>
    /** The groups of which the session has samples, sorted. */
    readonly sampleGroups: (sessionId: number) => Effect.Effect<ReadonlyArray<string>, StoreUnavailable>
    /**
     * The columns that were stored of a group, in whatever order, "timestamp" among them; none where the session has no
     * samples of it. There may be more, of which the session has no value. For callers without a dictionary: those that move samples, or
     * rebuilds a catalog.
     */
    readonly sampleColumns: (
      sessionId: number,
      group: string
    ) => Effect.Effect<ReadonlyArray<string>, StoreUnavailable>
    /**
     * As `read`, of one group: batches with just the wanted columns, in their order. A column that what is stored lacks is
     * absent. A group that the session does not have has no samples.
     */
    readonly readSamples: (
      range: SampleRange,
      channels: ReadonlyArray<string>
    ) => Stream.Stream<SampleBatch, PointsUnreadable>
    readonly countSamples: (range: SampleRange) => Effect.Effect<number, PointsUnreadable>
    readonly sampleBounds: (
      sessionId: number,
      group: string
    ) => Effect.Effect<Option.Option<TimeBounds>, StoreUnavailable>
    /** The group's last sample at or before `time`, with the wanted columns: a batch of one row, found by index. */
    readonly lastSample: (
      sessionId: number,
      group: string,
      time: number,
      channels: ReadonlyArray<string>
    ) => Effect.Effect<Option.Option<SampleBatch>, PointsUnreadable>
    /** The sessions that have points or samples, increasing. */
    readonly sessionIds: Effect.Effect<ReadonlyArray<number>, StoreUnavailable>
    /**
     * Gives the space of removed points before `before` (epoch seconds) back, where the store cannot do so by itself: nothing
     * that is not removed goes with it, if no session of which points may still come has any before that time.
     */
    readonly reclaim: (before: number) => Effect.Effect<void, StoreUnavailable>
    /**
     * What is in use where the points are kept: of a file (the catalog, too, if it is in there) what holds something, without
     * what removed sessions have left; of a server what its tables of points take on its disk.
     */
    readonly bytes: Effect.Effect<number, StoreUnavailable>
    /** Succeeds while the store answers. */
    readonly check: Effect.Effect<void, StoreUnavailable>
  }
>() {}
