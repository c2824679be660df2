import { Context, type Effect } from "effect"
import type { NodeInUse, StoreUnavailable } from "../domain/errors.ts"

/** A process that is, or is to be, a node. */
export interface NodeHolder {
  /** The node's identity. */
  readonly node: string
  /** The process's own, drawn when it started. */
  readonly holder: string
  /** What people know the process by. */
  readonly described: string
  /** A holder of the node that is known to have ended; its lease is no obstacle. */
  readonly ended: string | undefined
}

/** A node whose lease has ended, and that still has sessions being recorded. */
export interface LostNode {
  readonly node: string
  readonly described: string
  readonly sessions: ReadonlyArray<number>
}

/** The node that owns sessions on their way from a catalog of this origin, so that no other node ends them meanwhile. */
export const migrationNode = (origin: string) => `migration-${origin}`
export const isMigration = (node: string) => node.startsWith(migrationNode(""))

/** How often a node's lease is renewed. */
export const RENEW_EVERY_SECONDS = 5
/**
 * How long a lease lives. Three renewals may fail, or be late on a machine that stalls, before somebody else can have it;
 * and so long must a node wait at the most that was moved to another folder right after a crash.
 */
export const LEASE_SECONDS = 20

/**
 * The nodes that share a catalog: each is one process at a time, by a lease that the process renews. All times are those of the
 * database's clock: no two machines' clocks are compared.
 */
export class Nodes extends Context.Tag("store/Nodes")<
  Nodes,
  {
    /** The lease, unless another process has it and it lives. */
    readonly take: (holder: NodeHolder) => Effect.Effect<void, NodeInUse | StoreUnavailable>
    /** False where the lease is another's by now. */
    readonly renew: (holder: NodeHolder) => Effect.Effect<boolean, StoreUnavailable>
    /** Ends it, if it is still the holder's. */
    readonly release: (holder: NodeHolder) => Effect.Effect<void, StoreUnavailable>
    /** Nodes that crashed and were not started again, by their names. */
    readonly lost: Effect.Effect<ReadonlyArray<LostNode>, StoreUnavailable>
    /**
     * The node does not come back: what it was recording has no owner, and the node that starts next ends it. The
     * sessions; fails where its lease lives.
     */
    readonly giveUp: (node: string) => Effect.Effect<ReadonlyArray<number>, NodeInUse | StoreUnavailable>
  }
>() {}
