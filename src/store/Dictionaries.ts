import { Context, type Effect } from "effect"
import type { Dictionary } from "../domain/Dictionary.ts"
import type { ChannelsDamaged, SessionNotFound, StoreUnavailable } from "../domain/errors.ts"

/** The channels that the sessions' sources have declared. */
export class Dictionaries extends Context.Tag("store/Dictionaries")<
  Dictionaries,
  {
    /**
     * The channels that the session's source has declared; undefined if it has not declared any, or if the session was adopted
     * without samples.
     */
    readonly dictionary: (
      sessionId: number
    ) => Effect.Effect<Dictionary | undefined, SessionNotFound | ChannelsDamaged | StoreUnavailable>
    /** Replaces the session's dictionary. It is no error if the session is gone. */
    readonly putDictionary: (
      sessionId: number,
      dictionary: Dictionary
    ) => Effect.Effect<void, StoreUnavailable>
  }
>() {}
