import { Context, type Effect } from "effect"
import type { Configuration } from "../domain/Configuration.ts"
import type { SessionNotFound, StoreUnavailable } from "../domain/errors.ts"

/** The settings that users change while the service runs: one configuration, which all processes share. */
export class Configurations extends Context.Tag("store/Configurations")<
  Configurations,
  {
    /** The stored configuration, or the default if none was put. */
    readonly configuration: Effect.Effect<Configuration, StoreUnavailable>
    readonly putConfiguration: (configuration: Configuration) => Effect.Effect<void, StoreUnavailable>
    /** The session that a client put on air; null if none was chosen, or it was deleted. */
    readonly chosenOnAir: Effect.Effect<number | null, StoreUnavailable>
    readonly chooseOnAir: (
      sessionId: number | null
    ) => Effect.Effect<void, StoreUnavailable | SessionNotFound>
  }
>() {}
