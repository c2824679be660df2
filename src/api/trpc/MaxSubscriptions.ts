import { Context } from "effect"

/** The maximum number of open subscriptions in one process. Each costs a connection, and fibers of its own. */
export class MaxSubscriptions extends Context.Reference<MaxSubscriptions>()("trpc/MaxSubscriptions", {
  defaultValue: () => 2000
}) {}
