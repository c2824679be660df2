/** The connections of a recording process, which the process that replaces it after a crash opens again. */
import { Context, type Effect } from "effect"
import type { ConnectRequest } from "../../domain/Connection.ts"

export class ActiveConnections extends Context.Tag("simulators/ActiveConnections")<
  ActiveConnections,
  {
    /** The requests of the open connections: those whose handshake succeeded, and that no client ended. */
    readonly active: Effect.Effect<ReadonlyArray<ConnectRequest>>
    /** Opens such connections again. Each is tried until it succeeds, like a connection that lost its simulator. */
    readonly restore: (requests: ReadonlyArray<ConnectRequest>) => Effect.Effect<void>
  }
>() {}
