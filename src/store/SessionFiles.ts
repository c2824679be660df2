import { Context, Effect } from "effect"

/** Files in the data folder that belong to sessions, beside their rows. They go with their session. */
export class SessionFiles extends Context.Reference<SessionFiles>()("store/SessionFiles", {
  defaultValue: () => ({
    /** The sessions that have files here. */
    sessionIds: Effect.succeed<ReadonlyArray<number>>([]) as Effect.Effect<ReadonlyArray<number>>,
    remove: (_sessionId: number): Effect.Effect<void> => Effect.void,
    /** Gives the files of a session that is not known names that no other session's files have, and logs them. */
    setAside: (_sessionId: number): Effect.Effect<void> => Effect.void,
    /** Bytes of all of them. */
    bytes: Effect.succeed(0) as Effect.Effect<number>
  })
}) {}
