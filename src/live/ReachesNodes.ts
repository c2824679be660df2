import { Context } from "effect"

/** Whether this node reaches the others of its cluster now; undefined if it belongs to none. */
export class ReachesNodes extends Context.Reference<ReachesNodes>()("live/ReachesNodes", {
  defaultValue: () => (): boolean | undefined => undefined
}) {}
