import { Context, Effect, Layer } from "effect"
import { Hub } from "./Hub.ts"
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
