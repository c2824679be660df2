import { Context, Effect, Layer } from "effect"
import { LiveHub } from "./LiveHub.ts"

/** Tells a new telemetry_rate to every process that serves live subscribers. */
export class LiveRate extends Context.Tag("live/LiveRate")<
  LiveRate,
  { readonly set: (hz: number) => Effect.Effect<void> }
>() {
  /** For a service of one process. */
  static readonly layer = Layer.effect(
    LiveRate,
    Effect.map(LiveHub, (hub) => ({ set: (hz: number) => Effect.sync(() => hub.setRate(hz)) }))
  )
}
