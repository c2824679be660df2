import { Effect } from "effect"
import { LiveHub } from "../live/LiveHub.ts"
import type { Wish } from "../live/Listener.ts"
import type { Tap } from "../live/Tap.ts"
import { Catalog } from "../store/Catalog.ts"

const ready = (tap: Tap) =>
  Effect.async<void>((resume) => {
    const stop = tap.whenReady(() => resume(Effect.void))
    return Effect.sync(stop)
  })

/** What the live hub tells of a wish. Fails where its session is not known. */
export const telemetryFeed = Effect.fnUntraced(function* (wish: Wish) {
  if (wish.sessionId !== undefined) yield* (yield* Catalog).session(wish.sessionId)
  const hub = yield* LiveHub
  const tap = yield* Effect.acquireRelease(
    Effect.sync(() => hub.tap(wish)),
    (tap) => Effect.sync(() => tap.close())
  )
  return Effect.map(ready(tap), () => tap.take())
})
