import { Effect } from "effect"
import { LiveHub } from "../live/LiveHub.ts"
import type { SubscriptionOptions } from "../live/Subscriber.ts"
import { Catalog } from "../store/Catalog.ts"
import type { EventStream } from "./EventStream.ts"

/**
 * Live telemetry of one subscription. The hub writes it to the stream past tRPC, which would encode each message for each client
 * anew; the pull itself never gives an event. Fails where the session is not known.
 */
export const sharedTelemetry = Effect.fnUntraced(function* (
  options: SubscriptionOptions,
  stream: EventStream
) {
  if (options.sessionId !== undefined) yield* (yield* Catalog).session(options.sessionId)
  const hub = yield* LiveHub
  yield* Effect.acquireRelease(
    Effect.sync(() => stream.follow(hub, options)),
    (stop) => Effect.sync(stop)
  )
  return Effect.never
})
