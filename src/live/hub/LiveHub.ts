import { Context, Effect, Layer, type Scope } from "effect"
import { TooManyOfClient, TooManyReplays, TooManySelections } from "../../domain/errors.ts"
import {
  type ChannelSelection,
  MAX_SELECTIONS,
  MAX_SELECTIONS_OF_CLIENT,
  type TakenSelection
} from "../channels/ChannelSelection.ts"
import { clientOf } from "../transports/clientOf.ts"
import { Hub } from "./Hub.ts"
import { MAX_REPLAYS } from "./Replays.ts"
import { Timing } from "../../platform/Timing.ts"

/** The hub of this process. It starts at the default telemetry_rate; the relay's serving side sets the configured one. */
export class LiveHub extends Context.Tag("live/LiveHub")<LiveHub, Hub>() {
  /** Its end dismisses the subscribers; the routes wait for their connections to close. */
  static readonly layer = Layer.scoped(
    LiveHub,
    Effect.acquireRelease(
      Effect.map(Timing, (timing) => new Hub(timing)),
      (hub) => Effect.sync(hub.dismissAll)
    )
  )
}

/** Begins a replay, before a client is answered. The returned Effect ends it; so does the end of the scope. */
export const beginReplay = Effect.flatMap(LiveHub, ({ replays }) =>
  Effect.acquireRelease(
    Effect.suspend(() => {
      const end = replays.begin()
      return end === undefined ? new TooManyReplays({ limit: MAX_REPLAYS }) : Effect.succeed(Effect.sync(end))
    }),
    (end) => end
  )
)

/**
 * The selection of these names and patterns, as long as the scope; undefined if none are wanted. `address`: the client's.
 */
export const selectChannels = (wanted: ReadonlyArray<string> | undefined, address: string | undefined) =>
  Effect.gen(function* (): Effect.fn.Return<
    ChannelSelection | undefined,
    TooManySelections | TooManyOfClient,
    LiveHub | Scope.Scope
  > {
    if (wanted === undefined || wanted.length === 0) return undefined
    const { selections } = yield* LiveHub
    const taken = yield* Effect.acquireRelease(
      Effect.suspend((): Effect.Effect<TakenSelection, TooManyOfClient | TooManySelections> => {
        const taken = selections.take(wanted, clientOf(address))
        if (taken === "of client") return new TooManyOfClient({ limit: MAX_SELECTIONS_OF_CLIENT })
        return taken === "of all" ? new TooManySelections({ limit: MAX_SELECTIONS }) : Effect.succeed(taken)
      }),
      ({ release }) => Effect.sync(release)
    )
    return taken.selection
  })
