import { Effect } from "effect"
import { LiveHub } from "../live/LiveHub.ts"
import type { Wish } from "../live/Listener.ts"
import { Catalog } from "../store/Catalog.ts"
import type { EventStream } from "./EventStream.ts"

/**
 * What the live hub tells of a wish goes to the stream past tRPC, which would encode each message for each client anew: as
 * a feed it gives nothing, for as long as it is listened to. Fails where its session is not known.
 */
export const telemetryFeed = Effect.fnUntraced(function* (wish: Wish, stream: EventStream) {
  if (wish.sessionId !== undefined) yield* (yield* Catalog).session(wish.sessionId)
  const hub = yield* LiveHub
  yield* Effect.acquireRelease(
    Effect.sync(() => stream.follow(hub, wish)),
    (stop) => Effect.sync(stop)
  )
  return Effect.never
})
