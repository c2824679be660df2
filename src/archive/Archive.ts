/**
 * Reads, deletes and summarises recordings. Points come as streams of batches, so that memory does not grow with a
 * range.
 */
import { Context, Effect, Layer, Stream } from "effect"
import {
  InvalidValue,
  LapNotFound,
  type SessionBeingRecorded,
  type SessionNotFound,
  type SessionUnreadable,
  type StoreUnavailable,
  type TooManyAnswers
} from "../domain/errors.ts"
import type { RecordedLap } from "../domain/Lap.ts"
import { channels as pointChannels } from "../domain/pointChannels.ts"
import type { Session } from "../domain/Session.ts"
import { justAfter } from "../domain/Time.ts"
import { POINTS } from "../domain/Dictionary.ts"
import { Deletions } from "../store/Deletions.ts"
import { Dictionaries } from "../store/Dictionaries.ts"
import { Laps } from "../store/Laps.ts"
import { type SessionRange, RowStore } from "../store/RowStore.ts"
import { SessionFiles } from "../store/SessionFiles.ts"
import { Sessions } from "../store/Sessions.ts"
import { finishRemoval } from "../store/removals.ts"
import { AnalysisWorkers } from "./AnalysisWorkers.ts"
import { withChannels } from "./asOf.ts"
import { groupsOf, type ListedChannel, listChannels } from "./channelList.ts"
import { type SummarizedChannel, summarize } from "./channelSummaries.ts"
import { placedDistances } from "./placedDistances.ts"
import * as DictionaryOf from "./dictionaryOf.ts"
import { PagesAhead } from "./PagesAhead.ts"
import { boundsOf, withinBounds } from "./rowBounds.ts"
import { stretchesOf } from "./stretches.ts"
import { type ChosenRows, chooseRows, pointsAlone, type RowStream, type RowsWanted } from "./chosenRows.ts"

export interface LapRows {
  readonly lap: RecordedLap
  readonly chosen: ChosenRows
  readonly points: RowStream<LapNotFound>
  /** The number of rows recorded for the lap, before thinning. */
  readonly total: number
}

export interface RangeRows {
  readonly sessionId: number
  readonly chosen: ChosenRows
  /** Epoch seconds, both inclusive; null where neither the user nor any point gives one. */
  readonly start: number | null
  readonly end: number | null
  readonly points: RowStream
  readonly total: number
}

export interface SessionContents {
  readonly session: Session
  readonly chosen: ChosenRows
  /** All points by time; `lap` is null for those outside laps. */
  readonly stretches: ReadonlyArray<{
    readonly lap: RecordedLap | null
    readonly points: RowStream<SessionNotFound, never>
  }>
  /**
   * A text of these points. It begins when all pages that its stretches hold have room, so that none waits in the
   * middle.
   */
  readonly inRoom: <Text, E>(text: Stream.Stream<Text, E>) => Stream.Stream<Text, E | TooManyAnswers>
}

export interface RangeQuestion extends RowsWanted {
  readonly sessionId: number
  readonly start: number | undefined
  readonly end: number | undefined
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
      wanted?: RowsWanted
    ) => Effect.Effect<LapRows, LapNotFound | InvalidValue | SessionUnreadable>
    readonly range: (
      question: RangeQuestion
    ) => Effect.Effect<RangeRows, SessionNotFound | InvalidValue | SessionUnreadable>
    /** A whole session; each stretch of it has its first and its last row. */
    readonly session: (
      sessionId: number,
      wanted?: RowsWanted
    ) => Effect.Effect<SessionContents, SessionNotFound | InvalidValue | SessionUnreadable>
    /** The session's channels: first its channels among the ten, then the others. */
    readonly channels: (
      sessionId: number
    ) => Effect.Effect<ReadonlyArray<ListedChannel>, SessionNotFound | SessionUnreadable>
    /** A summary of each channel in the lap, without the timestamp. */
    readonly channelSummaries: (
      lapId: number
    ) => Effect.Effect<ReadonlyArray<SummarizedChannel>, LapNotFound | SessionUnreadable>
    /** Removes the session, its laps and its points from every read immediately. */
    readonly deleteSession: (
      sessionId: number
    ) => Effect.Effect<void, SessionNotFound | SessionBeingRecorded | StoreUnavailable>
  }
>() {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const deletions = yield* Deletions
      const dictionaries = yield* Dictionaries
      const laps = yield* Laps
      const sessions = yield* Sessions
      const store = yield* RowStore
      const workers = yield* AnalysisWorkers
      const stores = Context.make(Deletions, deletions).pipe(
        Context.add(RowStore, store),
        Context.add(SessionFiles, yield* SessionFiles)
      )

      const ahead = new PagesAhead()

      /** The channel that the analysis computes for a session's points; none where it is not wanted. */
      const computed = (sessionId: number, { isPlaced }: ChosenRows) =>
        isPlaced
          ? Effect.map(laps.laps(sessionId), (all) => [placedDistances(store, all, workers.place)])
          : Effect.succeed([])

      const rowsOf = (range: SessionRange, chosen: ChosenRows, every: number) => {
        const { beside, columns, group, isPlaced } = chosen
        const of = { ...range, group: group ?? POINTS }
        const rows = <Name extends string>(names: ReadonlyArray<Name>) =>
          every === 1 ? store.read(of, names) : store.readEvery(of, names, every)
        if (group === undefined) {
          const points = rows(pointChannels)
          if (beside.length === 0 && !isPlaced) return points
          return Stream.unwrapScoped(
            Effect.map(computed(range.sessionId, chosen), (more) =>
              withChannels(store, range, beside, columns, points, more)
            )
          )
        }
        return rows(columns)
      }

      /**
       * The rows. A deletion removes the session first, so a session that is still there at the end had all its
       * points.
       */
      const read = (
        range: SessionRange,
        chosen: ChosenRows,
        { sampleRate = 1 }: RowsWanted
      ): RowStream<SessionNotFound, never> =>
        Stream.concat(
          rowsOf(range, chosen, sampleRate),
          Stream.drain(Stream.fromEffect(sessions.session(range.sessionId)))
        )

      const count = (range: SessionRange, { group }: ChosenRows) =>
        store.count({ ...range, group: group ?? POINTS })

      const dictionaryOf = (sessionId: number) => DictionaryOf.dictionaryOf(dictionaries, store, sessionId)

      /** Points alone need no read of the catalog. */
      const choose = (sessionId: number, wanted: RowsWanted) =>
        wanted.group === undefined && (wanted.channels ?? []).length === 0
          ? Effect.succeed(pointsAlone)
          : Effect.flatMap(dictionaryOf(sessionId), (dictionary) => chooseRows(dictionary, wanted))

      return {
        lapPoints: Effect.fn("Archive.lapPoints")(function* (lapId, wanted = {}) {
          const lap = yield* laps.lap(lapId)
          const gone = () => new LapNotFound({ lapId })
          const chosen = yield* Effect.catchTag(choose(lap.sessionId, wanted), "SessionNotFound", gone)
          const total = yield* count(rangeOf(lap), chosen)
          const points = Stream.catchTag(read(rangeOf(lap), chosen, wanted), "SessionNotFound", gone)
          return { lap, chosen, points: ahead.inRoom(chosen)(points), total }
        }),

        range: Effect.fn("Archive.range")(function* ({ sessionId, start, end, ...wanted }) {
          yield* sessions.session(sessionId)
          const chosen = yield* choose(sessionId, wanted)
          const { first, last } = yield* withinBounds(start, end, yield* boundsOf(store, sessionId, chosen))
          const range = { sessionId, from: first ?? -Infinity, until: justAfter(last ?? -Infinity) }
          return {
            sessionId,
            chosen,
            start: first,
            end: last,
            points: ahead.inRoom(chosen)(read(range, chosen, wanted)),
            total: yield* count(range, chosen)
          }
        }),

        session: Effect.fn("Archive.session")(function* (sessionId, wanted = {}) {
          const session = yield* sessions.session(sessionId)
          const chosen = yield* choose(sessionId, wanted)
          const all = yield* laps.laps(sessionId)
          // A store that is down fails here, before an answer has begun.
          yield* store.check
          return {
            session,
            chosen,
            stretches: stretchesOf(all).map(({ endTime, lap, startTime }) => ({
              lap,
              points: read({ sessionId, from: startTime, until: endTime }, chosen, wanted)
            })),
            inRoom: ahead.inRoom(chosen)
          }
        }),

        channels: (sessionId) =>
          Effect.flatMap(dictionaryOf(sessionId), (dictionary) => listChannels(store, sessionId, dictionary)),

        channelSummaries: Effect.fn("Archive.channelSummaries")(function* (lapId) {
          const lap = yield* laps.lap(lapId)
          const dictionary = yield* Effect.catchTag(
            dictionaryOf(lap.sessionId),
            "SessionNotFound",
            () => new LapNotFound({ lapId })
          )
          const groups = groupsOf(dictionary).map(({ channels, name }) => ({
            name,
            channels: channels.filter((channel) => channel.name !== "timestamp")
          }))
          return yield* summarize(store, rangeOf(lap), groups)
        }),

        deleteSession: Effect.fn("Archive.deleteSession")(function* (sessionId) {
          // From here on no read finds the session: it is deleted, whatever happens to its points.
          yield* deletions.deleteSession(sessionId)
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
