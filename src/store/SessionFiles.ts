import { Context, Effect } from "effect"

/** Files in the data folder that belong to sessions, beside their rows. They go with their session. */
export class SessionFiles extends Context.Reference<SessionFiles>()("store/SessionFiles", {
  defaultValue: () => ({
    remove: (_sessionId: number): Effect.Effect<void> => Effect.void,
    /** Bytes of all of them. */
    bytes: Effect.succeed(0) as Effect.Effect<number>
  })
}) {}
