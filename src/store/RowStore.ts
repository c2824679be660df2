import { Context, type Effect, type Option, type Stream } from "effect"
import type { PointsOfAnother, PointsUnreadable, StoreUnavailable } from "../domain/errors.ts"
import type { RowBatch } from "../domain/RowBatch.ts"
import type { Takeovers } from "./Takeovers.ts"

/** `from` <= timestamp < `until`, epoch seconds. */
export interface SessionRange {
  readonly sessionId: number
  readonly from: number
  readonly until: number
}

/** One group of a session; its points are the group POINTS. */
export interface SessionGroup {
  readonly sessionId: number
  readonly group: string
}

/** The rows of one group of a session within these times. */
export interface RowRange extends SessionRange, SessionGroup {}

/** Rows of a group, "timestamp" first among their columns, which increases strictly. Points have all of their channels. */
export interface SessionRows extends SessionGroup {
  readonly batch: RowBatch
}

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
  /** The parts of a session that several nodes recorded; none for other sessions. */
  readonly tenures: (typeof Takeovers)["Service"]["tenures"]
  readonly admit: (typeof Takeovers)["Service"]["admit"]
  /** The highest id that the catalog has ever given to a session. */
  readonly given: Effect.Effect<number, StoreUnavailable>
}

/**
 * The rows of each session's groups. Reads return the stored values to the last bit, ordered by time.
 *
 * `(session, group, timestamp)` is unique. One writer writes a session, in order of time. Rows that are not later than
 * the last stored row of their group count as stored already and are skipped. So storing twice is storing once, and
 * every retry is safe.
 *
 * The points belong to one catalog, which gives sessions their ids. The store keeps this owner's identity. A service
 * claims its store before it does anything else with it.
 */
export class RowStore extends Context.Tag("store/RowStore")<
  RowStore,
  {
    /**
     * Makes sure that the points belong to the owner, and that they have no session id that the owner has not given
     * yet: a catalog that was restored from an older copy would give that id to another session. A store without an
     * owner gets this one if it has no sessions, or only sessions that the owner knows. If several catalogs claim the
     * store at the same time, one of them gets it. If the store is away, the call fails with StoreUnavailable, and the
     * store checks its owner before it does anything else. While the points belong to another catalog, every call fails
     * with StoreUnavailable.
     */
    readonly claim: (owner: Owner) => Effect.Effect<void, PointsOfAnother | StoreUnavailable>
    /** The catalog that owns the points; none if no catalog has claimed them. */
    readonly ownedBy: Effect.Effect<Option.Option<string>, StoreUnavailable>
    /** Makes this catalog the owner, whichever catalog was before. For a catalog that was moved or lost. */
    readonly changeOwner: (catalog: string) => Effect.Effect<void, StoreUnavailable>
    /**
     * Writes all batches, of all groups, in one commit. When it returns they are durable and visible to every reader.
     * The caller must not change the batches until then; the store keeps no reference to them afterwards.
     */
    readonly write: (batches: ReadonlyArray<SessionRows>) => Effect.Effect<void, StoreUnavailable>
    /** Compacts the small blocks of the session, which gets no more rows for now. */
    readonly seal: (sessionId: number) => Effect.Effect<void, StoreUnavailable>
    /**
     * Batches in order of time, of at most some thousand rows each, with just these columns, in their order. A column that is
     * not stored is absent; a group that the session does not have gives no rows. The batches belong to the caller. Memory
     * does not grow with the range.
     */
    readonly read: <Name extends string>(
      range: RowRange,
      columns: ReadonlyArray<Name>
    ) => Stream.Stream<RowBatch<Name>, PointsUnreadable>
    /**
     * The first row of the range, every `every`th after it, and the last: the rows that `thin` keeps of `read`. "timestamp" is
     * the first of the columns. A store that can count rows on its server transfers only these.
     */
    readonly readEvery: <Name extends string>(
      range: RowRange,
      columns: ReadonlyArray<Name>,
      every: number
    ) => Stream.Stream<RowBatch<Name>, PointsUnreadable>
    /** The group's last row at or before `time`: a batch of one row, found by index. */
    readonly last: <Name extends string>(
      of: SessionGroup,
      time: number,
      columns: ReadonlyArray<Name>
    ) => Effect.Effect<Option.Option<RowBatch<Name>>, PointsUnreadable>
    /** The number of rows in the range. */
    readonly count: (range: RowRange) => Effect.Effect<number, PointsUnreadable>
    /** The first and last timestamp of a group; none if it has no rows. */
    readonly bounds: (of: SessionGroup) => Effect.Effect<Option.Option<TimeBounds>, StoreUnavailable>
    /** The groups of which the session has rows, sorted, POINTS among them. */
    readonly groups: (sessionId: number) => Effect.Effect<ReadonlyArray<string>, StoreUnavailable>
    /**
     * The stored columns of a group: "timestamp" first, then the others in any order; for points, all of their channels
     * in their order; none if the group has no rows. The list may have columns without a value in this session. For
     * callers without a dictionary, which move rows or rebuild a catalog.
     */
    readonly columns: (of: SessionGroup) => Effect.Effect<ReadonlyArray<string>, StoreUnavailable>
    /**
     * Removes the session's rows in steps, between which other requests run. Each group loses its first rows first. An
     * interrupted removal has removed a part; the caller asks again.
     */
    readonly remove: (sessionId: number) => Effect.Effect<void, StoreUnavailable>
    /** The sessions that have rows, by increasing id. */
    readonly sessionIds: Effect.Effect<ReadonlyArray<number>, StoreUnavailable>
    /**
     * Gives back the space of removed rows before `before` (epoch seconds), if the store does not do so by itself.
     * It loses only removed rows, provided that no session that may still get rows has any before that time.
     */
    readonly reclaim: (before: number) => Effect.Effect<void, StoreUnavailable>
    /**
     * The bytes in use where the points are kept. Of a file: its used pages (including the catalog if it is in the same
     * file), without the pages that removed sessions left free. Of a server: what its tables of points take on its
     * disk.
     */
    readonly bytes: Effect.Effect<number, StoreUnavailable>
    /** Whether rows of the session wait on this machine's disk for the server; left out by a store where none can. */
    readonly isWaiting?: (sessionId: number) => boolean
    /** Succeeds if the store answers. */
    readonly check: Effect.Effect<void, StoreUnavailable>
  }
>() {}
