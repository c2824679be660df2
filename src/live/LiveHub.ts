import { Context, Effect, Layer, type Scope } from "effect"
import { TooManyReplays, TooManySelections } from "../domain/errors.ts"
import { type ChannelSelection, MAX_SELECTIONS } from "./ChannelSelection.ts"
import { Hub } from "./Hub.ts"
import { MAX_REPLAYS } from "./Replays.ts"
import { Timing } from "../Timing.ts"

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

/** The selection of these names and patterns, as long as the scope; undefined if none are wanted. */
export const selectChannels = (wanted: ReadonlyArray<string> | undefined) =>
  Effect.gen(function* (): Effect.fn.Return<
    ChannelSelection | undefined,
    TooManySelections,
    LiveHub | Scope.Scope
  > {
    if (wanted === undefined || wanted.length === 0) return undefined
    const { selections } = yield* LiveHub
    const taken = yield* Effect.acquireRelease(
      Effect.suspend(() => {
        const taken = selections.take(wanted)
        return taken === undefined ? new TooManySelections({ limit: MAX_SELECTIONS }) : Effect.succeed(taken)
      }),
      ({ release }) => Effect.sync(release)
    )
    return taken.selection
  })
