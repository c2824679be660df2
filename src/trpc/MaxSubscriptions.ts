import { Context } from "effect"

/**
 * The most subscriptions that are open at a time in one process. Each costs its own encoding: who needs more clients has
 * the live WebSocket, whose frames are shared.
 */
export class MaxSubscriptions extends Context.Reference<MaxSubscriptions>()("trpc/MaxSubscriptions", {
  defaultValue: () => 2000
}) {}
