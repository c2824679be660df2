/** What a process that records has from the one before it, which died: its connections. */
import { Context, type Effect } from "effect"
import type { ConnectRequest } from "../domain/Connection.ts"

export class ActiveConnections extends Context.Tag("simulators/ActiveConnections")<
  ActiveConnections,
  {
    /** What the connections that stand were asked for: those whose handshake succeeded, and that no client ended. */
    readonly active: Effect.Effect<ReadonlyArray<ConnectRequest>>
    /** Has such connections again. Each is tried for as long as it takes, as one whose simulator was lost. */
    readonly restore: (requests: ReadonlyArray<ConnectRequest>) => Effect.Effect<void>
  }
>() {}
