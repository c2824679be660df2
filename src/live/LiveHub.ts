import { Context, Effect, Layer } from "effect"
import { Hub } from "./Hub.ts"
import { LiveFeed } from "./LiveFeed.ts"
import { Timing } from "../Timing.ts"

/** The hub of this process. It starts at the default telemetry_rate; who knows the configuration sets it. */
export class LiveHub extends Context.Tag("live/LiveHub")<LiveHub, Hub>() {
  /** Its end dismisses the subscribers; the routes that serve them wait for their connections to close. */
  static readonly layer = Layer.scoped(
    LiveHub,
    Effect.acquireRelease(
      Effect.map(Timing, (timing) => new Hub(timing)),
      (hub) => Effect.sync(hub.dismissAll)
    )
  )

  /** What is published in this process goes to the subscribers of this process. */
  static readonly feed = Layer.effect(
    LiveFeed,
    Effect.map(LiveHub, (hub) => ({ publish: hub.publish, announce: hub.announce }))
  )
}
