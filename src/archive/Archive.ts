/** What has been recorded, read back. Points come as streams of batches: memory does not grow with a range. */
import { Context, Effect, Layer, Option, Stream } from "effect"
import {
  InvalidValue,
  LapNotFound,
  type SessionBeingRecorded,
  type SessionNotFound,
  type PointsUnreadable,
  type StoreUnavailable
} from "../domain/errors.ts"
import type { RecordedLap } from "../domain/Lap.ts"
import type { PointBatch } from "../domain/PointBatch.ts"
import type { Session } from "../domain/Session.ts"
import { justAfter } from "../domain/Time.ts"
import { Catalog } from "../store/Catalog.ts"
import { type PointRange, PointStore } from "../store/PointStore.ts"
import { finishRemoval } from "../store/removals.ts"

/** Fails at its end when what it is of was deleted meanwhile: then what came may not be all there was. */
export type Points<Deleted = SessionNotFound> = Stream.Stream<PointBatch, Deleted | PointsUnreadable>

export interface LapPoints {
  readonly lap: RecordedLap
  readonly points: Points<LapNotFound>
  /** Recorded for the lap, before thinning. */
  readonly total: number
}

export interface RangePoints {
  readonly sessionId: number
  /** Epoch seconds, both inclusive; null where neither the user nor any point says. */
  readonly start: number | null
  readonly end: number | null
  readonly points: Points
  readonly total: number
}

export interface RangeQuestion {
  readonly sessionId: number
  readonly start: number | undefined
  readonly end: number | undefined
  /** Every Nth point. */
  readonly sampleRate: number
}

const rangeOf = (lap: RecordedLap) => ({
  sessionId: lap.sessionId,
  from: lap.startTime,
  until: lap.endTime
})

export class Archive extends Context.Tag("archive/Archive")<
  Archive,
  {
    readonly lapPoints: (
      lapId: number,
      sampleRate: number
    ) => Effect.Effect<LapPoints, LapNotFound | PointsUnreadable>
    readonly range: (
      question: RangeQuestion
    ) => Effect.Effect<RangePoints, SessionNotFound | InvalidValue | PointsUnreadable>
    /** A session whole: its laps, and all its points by time, those outside any lap too. */
    readonly session: (
      sessionId: number
    ) => Effect.Effect<
      { readonly session: Session; readonly laps: ReadonlyArray<RecordedLap>; readonly points: Points },
      SessionNotFound | PointsUnreadable
    >
    /** The points of a lap that is at hand. */
    readonly pointsOf: (lap: RecordedLap) => Points
    /** The session, its laps and its points are gone from every read at once. */
    readonly deleteSession: (
      sessionId: number
    ) => Effect.Effect<void, SessionNotFound | SessionBeingRecorded | StoreUnavailable>
  }
>() {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const catalog = yield* Catalog
      const store = yield* PointStore
      const stores = Context.make(Catalog, catalog).pipe(Context.add(PointStore, store))

      /** Every Nth point. A deletion removes the session first, so that one still there had all its points. */
      const read = (range: PointRange, every = 1): Points =>
        Stream.concat(
          every === 1 ? store.read(range) : store.readEvery(range, every),
          Stream.drain(Stream.fromEffect(catalog.session(range.sessionId)))
        )

      return {
        lapPoints: Effect.fn("Archive.lapPoints")(function* (lapId, sampleRate) {
          const lap = yield* catalog.lap(lapId)
          const total = yield* store.count(rangeOf(lap))
          const points = Stream.catchTag(
            read(rangeOf(lap), sampleRate),
            "SessionNotFound",
            () => new LapNotFound({ lapId })
          )
          return { lap, points, total }
        }),

        range: Effect.fn("Archive.range")(function* ({ sessionId, start, end, sampleRate }) {
          yield* catalog.session(sessionId)
          if (start !== undefined && end !== undefined && start > end) {
            return yield* new InvalidValue({
              name: "start_time",
              value: start,
              expected: `at most end_time, which is ${end}`
            })
          }
          const bounds = Option.getOrUndefined(yield* store.bounds(sessionId))
          const first = start ?? bounds?.first ?? null
          const last = end ?? bounds?.last ?? null
          const range = { sessionId, from: first ?? -Infinity, until: justAfter(last ?? -Infinity) }
          return {
            sessionId,
            start: first,
            end: last,
            points: read(range, sampleRate),
            total: yield* store.count(range)
          }
        }),

        session: Effect.fn("Archive.session")(function* (sessionId) {
          const session = yield* catalog.session(sessionId)
          const laps = yield* catalog.laps(sessionId)
          // A store that is down says so here, and not when an answer has begun.
          yield* store.check
          return { session, laps, points: read({ sessionId, from: -Infinity, until: Infinity }) }
        }),

        pointsOf: (lap) => read(rangeOf(lap)),

        deleteSession: Effect.fn("Archive.deleteSession")(function* (sessionId) {
          // From here on no read finds it: the session is deleted, whatever becomes of its points.
          yield* catalog.deleteSession(sessionId)
          yield* finishRemoval(sessionId).pipe(
            Effect.provide(stores),
            Effect.catchAll(({ cause }) =>
              Effect.logWarning(`The points of session ${sessionId} are removed at the next start`, cause)
            )
          )
        }, Effect.uninterruptible)
      }
    })
  )
}
