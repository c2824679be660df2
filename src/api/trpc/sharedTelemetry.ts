import { Effect } from "effect"
import { LiveHub, selectChannels } from "../../live/hub/LiveHub.ts"
import type { SubscriptionOptions } from "../../live/hub/Subscriber.ts"
import { Sessions } from "../../store/Sessions.ts"
import type { EventStream } from "./EventStream.ts"

interface LiveRequest extends Omit<SubscriptionOptions, "channels"> {
  readonly channels: ReadonlyArray<string> | undefined
}

/**
 * Live telemetry of one subscription. The hub writes it to the stream directly, because tRPC would encode each message
 * anew for each client; the pull itself never gives an event. Fails if the session is unknown, and refuses too many
 * selections by an HTTP status.
 */
export const sharedTelemetry = Effect.fnUntraced(function* (
  { channels, ...options }: LiveRequest,
  stream: EventStream
) {
  if (options.sessionId !== undefined) yield* (yield* Sessions).session(options.sessionId)
  const hub = yield* LiveHub
  const selection = yield* Effect.tapError(selectChannels(channels, stream.address), (error) =>
    Effect.sync(() => stream.refuse(error))
  )
  yield* Effect.acquireRelease(
    Effect.sync(() => stream.follow(hub, { ...options, channels: selection })),
    (stop) => Effect.sync(stop)
  )
  return Effect.never
})
