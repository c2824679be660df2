/**
 * What has been stored since, told in the order in which it was: the catalog is asked again whenever the hub says that
 * there may be more. Nothing waits in memory for a client that is slow, and nothing is lost for one that was away.
 */
import { Effect } from "effect"
import { InvalidValue, type StoreUnavailable } from "../domain/errors.ts"
import { LiveHub } from "../live/LiveHub.ts"
import type { LiveEvent } from "../live/messages.ts"

/** A client that was away for long is told in pages. */
export const PAGE = 100

export interface Stored<A> {
  /** Grows from one to the next: the event's id. */
  readonly position: number
  readonly message: A
}

interface Reading<A> {
  /** The position to go on from; found once the hub is listened to. */
  readonly from: Effect.Effect<number, InvalidValue | StoreUnavailable>
  readonly concerns: (event: LiveEvent) => boolean
  /** What comes after a position, in order, PAGE at most. */
  readonly after: (position: number) => Effect.Effect<ReadonlyArray<Stored<A>>, StoreUnavailable>
}

export const readingOn = <A>({ after, concerns, from }: Reading<A>) =>
  Effect.gen(function* () {
    const hub = yield* LiveHub
    const news = yield* Effect.makeLatch(true)
    yield* Effect.acquireRelease(
      Effect.sync(() =>
        hub.watch((event) => {
          if (concerns(event)) news.unsafeOpen()
        })
      ),
      (stop) => Effect.sync(stop)
    )
    let position = yield* from
    const next = Effect.gen(function* () {
      yield* news.await
      // Before reading: what is announced meanwhile may not be in what is read.
      yield* news.close
      const page = yield* after(position)
      position = page.at(-1)?.position ?? position
      if (page.length === PAGE) yield* news.open
      return page
    })
    return Effect.repeat(next, { until: (page) => page.length > 0 })
  })

/**
 * Where a client goes on: after the event that it saw last, or from now on. An id from beyond what there is comes
 * from another catalog, and what this one stores must not wait for it.
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
