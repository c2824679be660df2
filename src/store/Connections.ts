import { Context, type Effect } from "effect"
import type { KeptConnection } from "../domain/Connection.ts"
import type { Address, ConnectedElsewhere, StoreUnavailable } from "../domain/errors.ts"

/** The connections of this node that clients asked for and have not ended. The host's case does not matter. */
export class Connections extends Context.Tag("store/Connections")<
  Connections,
  {
    /** By host and port. */
    readonly keptConnections: Effect.Effect<ReadonlyArray<KeptConnection>, StoreUnavailable>
    /** Replaces the one with the same address. Fails if another node has that address for itself alone. */
    readonly keepConnection: (
      connection: KeptConnection
    ) => Effect.Effect<void, ConnectedElsewhere | StoreUnavailable>
    readonly forgetConnection: (address: Address) => Effect.Effect<void, StoreUnavailable>
  }
>() {}
