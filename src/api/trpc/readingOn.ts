/**
 * Follows the catalog: gives the events stored since a position, in the order in which they were stored. It asks the
 * catalog again whenever the hub announces that there may be more. Nothing waits in memory for a slow client, and a
 * client that was away misses nothing.
 */
import { Effect } from "effect"
import { InvalidValue, type StoreUnavailable } from "../../domain/errors.ts"
import { LiveHub } from "../../live/hub/LiveHub.ts"
import type { LiveEvent } from "../../live/hub/messages.ts"

/** A client that was away for long gets the missed events in pages of this size. */
export const PAGE = 100

export interface StoredEvent<A> {
  /** Grows from one event to the next. It is the event's id. */
  readonly position: number
  readonly message: A
}

interface Followed<A> {
  /** The position to go on from; looked up after the hub is watched. */
  readonly from: Effect.Effect<number, InvalidValue | StoreUnavailable>
  readonly concerns: (event: LiveEvent) => boolean
  /**
   * The message for an event about something that was given before. If several have the same key, the newest is given.
   */
  readonly again?: (event: LiveEvent) => { readonly key: number; readonly message: A } | undefined
  /** The events after a position, in order, PAGE at most. */
  readonly after: (position: number) => Effect.Effect<ReadonlyArray<StoredEvent<A>>, StoreUnavailable>
}

export const readingOn = <A>({ after, again, concerns, from }: Followed<A>) =>
  Effect.gen(function* () {
    const hub = yield* LiveHub
    const more = yield* Effect.makeLatch(true)
    const changes = new Map<number, A>()
    yield* Effect.acquireRelease(
      Effect.sync(() =>
        hub.watch((event) => {
          if (!concerns(event)) return
          const change = again?.(event)
          if (change !== undefined) changes.set(change.key, change.message)
          more.unsafeOpen()
        })
      ),
      (stop) => Effect.sync(stop)
    )
    let position = yield* from
    const next = Effect.gen(function* () {
      yield* more.await
      // Close before reading: a read may miss events that are announced while it runs.
      yield* more.close
      const page = yield* after(position)
      position = page.at(-1)?.position ?? position
      if (page.length === PAGE) yield* more.open
      // Changes come after the page, because the changed things were stored before. A client that reconnects goes on
      // from the same position.
      const changed = [...changes.values()].map((message): StoredEvent<A> => ({ position, message }))
      changes.clear()
      return [...page, ...changed]
    })
    return Effect.repeat(next, { until: (page) => page.length > 0 })
  })

/**
 * The position from which a client goes on: after the event that it saw last, or from now on. An id greater than the
 * catalog's last comes from another catalog, and must not delay this catalog's events.
 */
export const positionOf = (
  lastEventId: string | undefined,
  newest: Effect.Effect<number, StoreUnavailable>
): Effect.Effect<number, InvalidValue | StoreUnavailable> => {
  if (lastEventId === undefined) return newest
  const seen = Number(lastEventId)
  return /^\d+$/.test(lastEventId) && Number.isSafeInteger(seen)
    ? Effect.map(newest, (there) => Math.min(seen, there))
    : new InvalidValue({ name: "lastEventId", value: lastEventId, expected: "the id of an event" })
}
