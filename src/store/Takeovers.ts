import { Context, type Effect } from "effect"
import type { KeptConnection } from "../domain/Connection.ts"
import type { StoreUnavailable } from "../domain/errors.ts"
import type { NodeHolder, NodeState } from "./Nodes.ts"

/** The connections that a node keeps, by address, and the number of sessions that it records. */
export interface Held {
  readonly connections: ReadonlyArray<KeptConnection>
  readonly sessions: number
}

export const HOLDS_NOTHING: Held = { connections: [], sessions: 0 }

/** A connection that another node had, and the session that it was recording into; undefined for none. */
export interface TakenConnection {
  readonly kept: KeptConnection
  readonly sessionId: number | undefined
}

/** What a node took of another that shows no sign of life. */
export interface Taken {
  readonly connections: ReadonlyArray<TakenConnection>
  /** Sessions without a connection that this node may have; they only need to be ended. */
  readonly sessions: ReadonlyArray<number>
}

/**
 * A part of a session that one node recorded. Its rows have a key of their own in the store of points, so that rows which a
 * node writes after it was taken over are never read: they are later than `until`.
 */
export interface Tenure {
  /** Undefined for the key that the session has without tenures. */
  readonly key: string | undefined
  /** Epoch seconds of the last row that counts; Infinity for the part that is being recorded, or was recorded last. */
  readonly until: number
  /** Whether the rows that this node writes now belong to it. */
  readonly isOwn: boolean
}

/**
 * Takes sessions and connections from a node that has stopped, or is cut off. The taking is one transaction. From its commit on
 * the other node no longer finds that it records the sessions (`Deletions.lost`), and so acknowledges nothing of them.
 *
 * The caller then cuts each session: it waits until all rows written so far can be read, and calls `continueSession` with the time
 * of the last one. Rows that the other node writes later are behind the cut.
 */
export class Takeovers extends Context.Tag("store/Takeovers")<
  Takeovers,
  {
    /** What each node keeps and records; a node without either may be left out. */
    readonly held: Effect.Effect<ReadonlyMap<string, Held>, StoreUnavailable>
    /**
     * Takes these connections with their sessions, and with `allSessions` its other sessions, too; of two nodes that want the same
     * the faster has it. Takes nothing, and returns undefined, if the node has renewed its lease since it was seen.
     */
    readonly take: (
      from: NodeState,
      by: NodeHolder,
      wanted: {
        readonly connections: ReadonlyArray<KeptConnection>
        readonly allSessions: boolean
        readonly run: string
      }
    ) => Effect.Effect<Taken | undefined, StoreUnavailable>
    /**
     * This node's rows of the session count from now on, and those written before count up to `until` (epoch seconds; -Infinity if there
     * are none).
     */
    readonly continueSession: (sessionId: number, until: number) => Effect.Effect<void, StoreUnavailable>
    /**
     * Lets rows count that this node had stored before it was taken over, and that had waited on its disk, up to `until` (epoch seconds):
     * as soon as the session has ended, because points keep their numbers while it is recorded. Returns false, and does nothing, if it is
     * still recorded and not `isFollowed`: nobody knows yet when the next part begins.
     */
    readonly admit: (
      sessionId: number,
      until: number,
      isFollowed: boolean
    ) => Effect.Effect<boolean, StoreUnavailable>
    /** The parts in the order of their times; none for a session that one node recorded alone. */
    readonly tenures: (sessionId: number) => Effect.Effect<ReadonlyArray<Tenure>, StoreUnavailable>
  }
>() {}
