/**
 * Turns one connection's events into a session's points and laps. It is the sink to which the connection's driver hands
 * events.
 *
 * Responsibilities: record one event at a time; keep events that cannot be recorded immediately; leave the session open
 * when the link is lost; end the session. `EventRecorder` records events, `CurrentSession` begins and ends sessions,
 * `FeedQuota` limits the sessions and laps of a feed.
 *
 * Ordering: events are recorded in the feed's order, whether they had to wait or not. While the recorder works, or
 * keeps events, `offer` adds to the kept events. These are recorded before the session is left or closed. Points are
 * published live before they are stored; a lap or an ended session is published only after it is stored.
 *
 * Back-pressure: a feed that can be made to wait loses nothing: `offer` returns false until there is room. A feed that
 * cannot wait loses the rows that find no room; they are counted.
 *
 * Hard cases: points before any session belong to no session and are refused, unless the user named a session to record into.
 * A feed may start over after its link was lost: its points and laps are then refused as old, so nothing is stored twice.
 */
import { Effect, type Scope } from "effect"
import type { SessionBeingRecorded, SessionNotFound, StoreUnavailable } from "../../domain/errors.ts"
import { LivePublisher } from "../../live/hub/LivePublisher.ts"
import type { Circuits } from "../../store/Circuits.ts"
import type { Dictionaries } from "../../store/Dictionaries.ts"
import type { Laps } from "../../store/Laps.ts"
import type { RowStore } from "../../store/RowStore.ts"
import type { Sessions } from "../../store/Sessions.ts"
import { CurrentSession, type CurrentSessionOptions } from "./CurrentSession.ts"
import { EventRecorder } from "./EventRecorder.ts"
import type { EventSink } from "./EventSink.ts"
import { FeedCounters } from "./FeedCounters.ts"
import { FeedQuota } from "./FeedQuota.ts"
import { Intake } from "../intake/Intake.ts"
import { Mutex } from "../intake/Mutex.ts"
import { StoredRows } from "../intake/StoredRows.ts"
import { andThen, type Wait } from "../intake/waits.ts"

export type RecorderOptions = CurrentSessionOptions

export interface Recorder extends EventSink {
  readonly counters: FeedCounters
  /** The session that is being recorded; null before one runs. */
  readonly sessionId: () => number | null
  /** To be run when the link is lost; the session stays open for a while. */
  readonly linkLost: Effect.Effect<void>
  /** Ends the session; succeeds when all of it is stored. */
  readonly close: Effect.Effect<void>
}

export const make = Effect.fn("Recorder.make")(function* (
  options: RecorderOptions
): Effect.fn.Return<
  Recorder,
  SessionNotFound | SessionBeingRecorded | StoreUnavailable,
  Circuits | Dictionaries | Laps | RowStore | Sessions | Intake | LivePublisher | Scope.Scope
> {
  const { reliable } = options
  const intake = yield* Intake
  const live = yield* LivePublisher
  const clock = yield* Effect.clock
  const mutex = new Mutex()
  const counters = new FeedCounters(options.changed)
  const quota = new FeedQuota(reliable, clock, counters)
  const session = yield* CurrentSession.make(options, quota, counters)
  const storesSamples = (yield* StoredRows) === "all"
  const recorder = new EventRecorder({
    reliable,
    clock,
    counters,
    quota,
    session,
    intake,
    live,
    storesSamples
  })
  /** Records the events that could not be recorded when they were offered. */
  let kept: Wait

  const recordKept: Effect.Effect<void> = Effect.suspend(() => {
    const recording = kept
    kept = undefined
    // More events may have been offered meanwhile.
    return recording === undefined ? Effect.void : Effect.zipRight(recording, recordKept)
  })
  const settle = Effect.suspend(() => recorder.settle() ?? Effect.void)
  const recordAll = Effect.uninterruptible(Effect.zipRight(recordKept, settle))
  const end = Effect.sync(() => session.end())

  return {
    counters,
    sessionId: () => session.open?.id ?? null,
    offer: (events) => {
      if (kept !== undefined || !mutex.isFree) {
        kept = andThen(kept ?? Effect.void, () => recorder.record(events))
      } else kept = recorder.record(events)
      return kept === undefined && !quota.isExceeded
    },
    ready: Effect.zipRight(Effect.uninterruptible(mutex.hold(recordKept)), quota.await),
    linkLost: mutex.hold(
      Effect.zipRight(
        recordAll,
        Effect.suspend(() => session.linkLost(mutex.hold(end)))
      )
    ),
    close: mutex.hold(
      Effect.zipRight(
        Effect.uninterruptible(Effect.zipRight(recordAll, end)),
        Effect.suspend(() => session.stored)
      )
    )
  }
})
