import { Context, type Effect, type Option, type Stream } from "effect"
import type { PointsOfAnother, PointsUnreadable, StoreUnavailable } from "../domain/errors.ts"
import type { Channel, PointBatch, SampleBatch } from "../domain/PointBatch.ts"

/** The points of one session with `from` <= timestamp < `until` (epoch seconds). */
export interface PointRange {
  readonly sessionId: number
  readonly from: number
  readonly until: number
}

/** The samples of one group of a session. The group is not `points`. */
export interface SampleRange extends PointRange {
  readonly group: string
}

/** A batch and its session; timestamps increase strictly. */
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

/** The first and last timestamp of some rows. */
export interface TimeBounds {
  readonly first: number
  readonly last: number
}

/** The catalog that points belong to. */
export interface Owner {
  /** The catalog's identity (CatalogTransfer). */
  readonly catalog: string
  /** Returns those of the sessions that the catalog does not have, and those that it deleted. */
  readonly missing: (ids: ReadonlyArray<number>) => Effect.Effect<ReadonlyArray<number>, StoreUnavailable>
  readonly deleted: (ids: ReadonlyArray<number>) => Effect.Effect<ReadonlyArray<number>, StoreUnavailable>
  /** The highest id that the catalog has ever given to a session. */
  readonly given: Effect.Effect<number, StoreUnavailable>
}

/**
 * Points, and samples of other groups. Reads return the stored values to the last bit, ordered by time.
 *
 * `(session, group, timestamp)` is unique. One writer writes a session, in order of time. Rows that are not later than
 * the last stored row of their group count as stored already and are skipped. So storing twice is storing once, and
 * every retry is safe.
 *
 * The points belong to one catalog, which gives sessions their ids. The store keeps this owner's identity. A service
 * claims its store before it does anything else with it.
 */
export class PointStore extends Context.Tag("store/PointStore")<
  PointStore,
  {
    /**
     * Makes sure that the points are the owner's, and of no session whose id the owner is still to give: a catalog that was
     * restored from an older copy would give it to another session. A store without an owner gets this one if it has no sessions, or only
     * sessions that the owner knows. If several catalogs claim the store at once, one of them gets it. If the store is
     * away, the call fails with StoreUnavailable, and the store checks its owner before it does anything else. While
     * the points belong to another catalog, every call fails with StoreUnavailable.
     */
    readonly claim: (owner: Owner) => Effect.Effect<void, PointsOfAnother | StoreUnavailable>
    /** The catalog that owns the points; none if no catalog has claimed them. */
    readonly ownedBy: Effect.Effect<Option.Option<string>, StoreUnavailable>
    /** Makes this catalog the owner, whichever catalog was before. For a catalog that was moved or lost. */
    readonly changeOwner: (catalog: string) => Effect.Effect<void, StoreUnavailable>
    /**
     * Writes all batches, of all groups, in one commit. When it returns they are durable and visible to every reader.
     * The caller must not change the batches before; the store keeps no reference to them afterwards.
     */
    readonly write: (batches: ReadonlyArray<SessionRows>) => Effect.Effect<void, StoreUnavailable>
    /** Compacts the small blocks of the session, which gets no more points or samples for now. */
    readonly seal: (sessionId: number) => Effect.Effect<void, StoreUnavailable>
    /**
     * Batches in order of time, of at most some thousand points each, with the given channels (by default all). The
     * batches belong to the caller. Memory does not grow with the range.
     */
    readonly read: (
      range: PointRange,
      channels?: ReadonlyArray<Channel>
    ) => Stream.Stream<PointBatch, PointsUnreadable>
    /**
     * The first point of the range, every `every`th after it, and the last: the points that `thin` keeps of `read`. A
     * store that can count points where they are kept transfers only these.
     */
    readonly readEvery: (range: PointRange, every: number) => Stream.Stream<PointBatch, PointsUnreadable>
    /** The number of points in the range. */
    readonly count: (range: PointRange) => Effect.Effect<number, PointsUnreadable>
    /** The first and last timestamp of a session; none if it has no points. */
    readonly bounds: (sessionId: number) => Effect.Effect<Option.Option<TimeBounds>, StoreUnavailable>
    /**
     * Removes points and samples in steps, between which other requests run. Each group loses its first rows first. An
     * interrupted removal has removed a part; the caller asks again.
     */
    readonly remove: (sessionId: number) => Effect.Effect<void, StoreUnavailable>
    /** The groups of which the session has samples, sorted. */
    readonly sampleGroups: (sessionId: number) => Effect.Effect<ReadonlyArray<string>, StoreUnavailable>
    /**
     * The stored columns of a group in any order, "timestamp" among them; none if the session has no samples of the
     * group. The list may have columns without a value in this session. For callers without a dictionary, which move
     * samples or rebuild a catalog.
     */
    readonly sampleColumns: (
      sessionId: number,
      group: string
    ) => Effect.Effect<ReadonlyArray<string>, StoreUnavailable>
    /**
     * Reads one group as `read` does: batches with just the wanted columns, in their order. A wanted column that is not
     * stored is absent. A group that the session does not have gives no samples.
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
    /** The sessions that have points or samples, by increasing id. */
    readonly sessionIds: Effect.Effect<ReadonlyArray<number>, StoreUnavailable>
    /**
     * Gives back the space of removed points before `before` (epoch seconds), where the store does not do so by itself.
     * It loses only removed points, provided that no session that may still get points has any before that time.
     */
    readonly reclaim: (before: number) => Effect.Effect<void, StoreUnavailable>
    /**
     * The bytes in use where the points are kept. Of a file: its used pages (including the catalog if it is in the same
     * file), without the pages that removed sessions left free. Of a server: what its tables of points take on its
     * disk.
     */
    readonly bytes: Effect.Effect<number, StoreUnavailable>
    /** Succeeds if the store answers. */
    readonly check: Effect.Effect<void, StoreUnavailable>
  }
>() {}
