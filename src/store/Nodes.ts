import { Context, type Effect } from "effect"
import type { NodeInUse, PointsNotShared, StoreUnavailable } from "../domain/errors.ts"

/** A process that is a node, or asks to become one. */
export interface NodeHolder {
  /** The node's identity. */
  readonly node: string
  /** The process's own identity, drawn when it started. */
  readonly holder: string
  /** A description of the process for people. */
  readonly described: string
  /** An earlier holder of the node that has certainly ended; its lease does not count. */
  readonly ended: string | undefined
  /** After so many seconds without a renewal other nodes may take its connections. */
  readonly lease?: number
  /** Its address, for people. */
  readonly url?: string
}

/** A node whose lease has expired while sessions of it are still marked as being recorded. */
export interface LostNode {
  readonly node: string
  readonly described: string
  readonly sessions: ReadonlyArray<number>
}

/** A node as its row in the catalog shows it. */
export interface NodeState {
  readonly node: string
  readonly holder: string
  readonly described: string
  /** Null if it is not known. */
  readonly url: string | null
  readonly version: string
  /** After so many seconds without a renewal other nodes may take its connections. */
  readonly lease: number
  /** Grows with every renewal of its lease. */
  readonly beat: number
  /** How often other nodes have taken what it recorded. */
  readonly taken: number
  /** Seconds since the last renewal; null if the lease was released, or another node took it. */
  readonly silent: number | null
}

/** Nodes renew their leases each second; two renewals may fail or come late. */
export const STOPPED_AFTER_SECONDS = 3

/** Whether the node has renewed its lease lately, by the database's clock. */
export const isAlive = ({ lease, silent }: NodeState): boolean => silent !== null && silent < lease

/**
 * The node that owns sessions while they move here from a catalog of this origin. It prevents other nodes from ending
 * them.
 */
export const migrationNode = (origin: string) => `migration-${origin}`
export const isMigration = (node: string) => node.startsWith(migrationNode(""))

/** How often a node renews its lease. */
export const RENEW_EVERY_SECONDS = 1
/**
 * How long a lease lasts: so long no other process can become this node, on a machine that stalls or while the database is away.
 * A node that was moved to another folder right after a crash waits this long at most. In a cluster another node takes its
 * connections sooner (cluster/takeover).
 */
export const LEASE_SECONDS = 20

/**
 * The nodes that share a catalog. Each node is one process at a time, which holds a lease and renews it. All times come
 * from the database's clock: the clocks of two machines are never compared.
 */
export class Nodes extends Context.Tag("store/Nodes")<
  Nodes,
  {
    /**
     * Takes the lease. Fails if another process holds it and it has not expired. Also fails if the catalog has another
     * node, running or not, and one of the two does not share its points. `shares`: whether other nodes find the points
     * of this one.
     */
    readonly take: (
      holder: NodeHolder,
      shares: boolean
    ) => Effect.Effect<void, NodeInUse | PointsNotShared | StoreUnavailable>
    /** Returns false if another process holds the lease now. */
    readonly renew: (holder: NodeHolder) => Effect.Effect<boolean, StoreUnavailable>
    /** Ends the lease if this process still holds it. */
    readonly release: (holder: NodeHolder) => Effect.Effect<void, StoreUnavailable>
    /** All nodes, by name. */
    readonly all: Effect.Effect<ReadonlyArray<NodeState>, StoreUnavailable>
    /** Crashed nodes that were not started again, by name. */
    readonly lost: Effect.Effect<ReadonlyArray<LostNode>, StoreUnavailable>
    /**
     * Declares that the node does not come back. The sessions that it was recording lose their owner, and the next node
     * that starts ends them. Returns these sessions; fails while the node's lease is valid.
     */
    readonly giveUp: (node: string) => Effect.Effect<ReadonlyArray<number>, NodeInUse | StoreUnavailable>
  }
>() {}
