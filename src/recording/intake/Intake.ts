/**
 * The bounded buffer between the recorders and the store writer.
 *
 * It holds points and samples that the store has not acknowledged, at most `CAPACITY_POINTS` times ten values. It
 * counts values, because rows differ in size. When it is full, `offer` suspends: the recorder stops reading its link,
 * and back-pressure reaches the simulator. `tryOffer` does not wait: it refuses entries for which there is no room. It
 * refuses samples sooner, while there is still room for points.
 *
 * Order: entries leave in the order in which their offers were accepted. A recorder offers one entry at a time, so its
 * entries keep their order, and a lap reaches the store after all its points.
 *
 * Two messages go the other way. The writer reports a session that no longer exists to its recorder. It also reports the
 * sessions that are behind the others because the store fails to take their entries. Together these sessions may hold
 * `SHARE_BEHIND` of the room; the rest stays for the others.
 */
import { Context, type Deferred, Effect, Layer } from "effect"
import type { LapChange, NewLap } from "../../domain/Lap.ts"
import { type Dictionary, POINTS } from "../../domain/Dictionary.ts"
import { channels } from "../../domain/pointChannels.ts"
import type { RowBatch } from "../../domain/RowBatch.ts"
import type { SessionNames } from "../../domain/Session.ts"
import { RowRing } from "./RowRing.ts"
import type { RowCounters } from "../RowCounters.ts"
import { CAPACITY_POINTS, DUE_VALUES, FLUSH_THRESHOLD_POINTS } from "./intakeLimits.ts"
import { intakePoints } from "../metrics.ts"

export interface RowsEntry {
  readonly _tag: "Rows"
  readonly sessionId: number
  readonly group: string
  readonly batch: RowBatch
  readonly counters: RowCounters
}

export type IntakeEntry =
  | RowsEntry
  /** The channels that the session's source has declared so far. Stored before the rows that follow this entry. */
  | { readonly _tag: "Dictionary"; readonly sessionId: number; readonly dictionary: Dictionary }
  | { readonly _tag: "Lap"; readonly lap: NewLap }
  /** A change of a lap that was offered before. The lap is identified by its start (epoch seconds). */
  | {
      readonly _tag: "LapChange"
      readonly sessionId: number
      readonly startTime: number
      readonly change: LapChange
    }
  | { readonly _tag: "Names"; readonly sessionId: number; readonly names: SessionNames }
  /** The session ends; `done` succeeds when all of it is stored. */
  | { readonly _tag: "End"; readonly sessionId: number; readonly done: Deferred.Deferred<void> }

/** Samples of a feed that cannot wait are refused when this share of the room is taken: points matter more. */
const SHARE_FOR_SAMPLES = 0.75

/**
 * The share of the room that sessions that are behind may hold. It is large, because in an outage all sessions are
 * behind.
 */
const SHARE_BEHIND = 0.75

const isOfSamples = (entry: IntakeEntry) => entry._tag === "Rows" && entry.group !== POINTS
const pointsIn = (entry: IntakeEntry) =>
  entry._tag === "Rows" && entry.group === POINTS ? entry.batch.length : 0

const valuesIn = (entry: IntakeEntry) => (entry._tag === "Rows" ? entry.batch.data.length : 0)

const isOfLap = ({ _tag }: IntakeEntry) => _tag === "Lap" || _tag === "LapChange" || _tag === "Names"

export const sessionOf = (entry: IntakeEntry): number =>
  entry._tag === "Lap" ? entry.lap.sessionId : entry.sessionId

export class Intake extends Context.Tag("recording/Intake")<
  Intake,
  {
    /**
     * Waits for room, then copies the batch; the caller may then reuse its memory. An entry larger than the whole intake is
     * accepted when nothing else is held.
     */
    readonly offer: (entry: IntakeEntry) => Effect.Effect<void>
    /** Whether this many values would be accepted now, without overtaking offers that wait for room. */
    readonly isOpenTo: (values: number) => boolean
    /** Returns false, and changes nothing, if there is no room now. An entry without rows needs no room. */
    readonly tryOffer: (entry: IntakeEntry) => boolean
    /** Waits for the first entry, then takes at most `most`. They count as held until `release`. */
    readonly take: (most: number) => Effect.Effect<ReadonlyArray<IntakeEntry>>
    /** Waits until a commit should not wait for more entries: many points wait to be taken, or a session ends. */
    readonly awaitFlush: Effect.Effect<void>
    /** Waits until the entries are worth a commit: a lap, a session's end, or more than a few rows. */
    readonly awaitDue: Effect.Effect<void>
    /**
     * Notes that the session no longer exists, or that another node has taken it over, so that nothing of it can be stored here.
     * Applies until a session with that id begins.
     */
    readonly giveUp: (sessionId: number, why: "removed" | "taken over") => void
    readonly begin: (sessionId: number) => void
    readonly isGone: (sessionId: number) => boolean
    readonly isTakenOver: (sessionId: number) => boolean
    /** Replaces the set of sessions that are behind. */
    readonly fallBehind: (sessions: ReadonlySet<number>) => void
    /** Frees the room of entries that are stored or given up. The memory of their rows is reused. */
    readonly release: (entries: ReadonlyArray<IntakeEntry>) => Effect.Effect<void>
  }
>() {
  /** `points`: the capacity, in points. */
  static readonly layer = (points = CAPACITY_POINTS) =>
    Layer.effect(
      this,
      Effect.gen(function* () {
        // A plain array, because one car brings some hundred entries a second, and taking each from a Queue costs 1.5 kB of
        // garbage.
        let queue: Array<IntakeEntry> = []
        const filled = yield* Effect.makeLatch(false)
        const turnstile = yield* Effect.makeSemaphore(1)
        const room = yield* Effect.makeLatch(true)
        const flush = yield* Effect.makeLatch(false)
        const due = yield* Effect.makeLatch(false)
        const capacity = points * channels.length
        const ring = new RowRing(capacity)
        const flushThreshold = Math.min(FLUSH_THRESHOLD_POINTS * channels.length, capacity / 2)
        const gone = new Map<number, "removed" | "taken over">()
        let behind: ReadonlySet<number> = new Set()
        /** Held values by session. */
        const heldOf = new Map<number, number>()
        /** All held values and, in `heldPoints`, the points among them. */
        let held = 0
        let heldPoints = 0
        /** The values, the ends of sessions and the laps in entries that were not taken yet. */
        let queued = 0
        let ending = 0
        let laps = 0
        /** The number of offers under way. */
        let waiting = 0

        const heldBehind = () => {
          let values = 0
          for (const session of behind) values += heldOf.get(session) ?? 0
          return values
        }
        /**
         * The values that take up room. Values that sessions hold beyond their share, from before they fell behind, do
         * not count.
         */
        const taking = () => held - Math.max(0, heldBehind() - capacity * SHARE_BEHIND)
        const hasRoom = (values: number, limit = capacity) =>
          values === 0 || held === 0 || taking() + values <= limit
        const count = (entry: IntakeEntry, values: number) => {
          if (values === 0) return
          held += values
          const session = sessionOf(entry)
          const left = (heldOf.get(session) ?? 0) + values
          if (left === 0) heldOf.delete(session)
          else heldOf.set(session, left)
        }
        const countQueued = (entry: IntakeEntry, sign: 1 | -1) => {
          queued += sign * valuesIn(entry)
          if (entry._tag === "End") ending += sign
          if (isOfLap(entry)) laps += sign
        }
        /**
         * Whether the entry has to wait because its session is behind, and the sessions behind have used up their
         * share.
         */
        const isHeldBack = (entry: IntakeEntry) => {
          const values = valuesIn(entry)
          if (values === 0 || !behind.has(sessionOf(entry))) return false
          const before = heldBehind()
          return before > 0 && before + values > capacity * SHARE_BEHIND
        }
        const isFlushed = () => ending > 0 || queued >= flushThreshold
        const isDue = () => laps > 0 || queued >= DUE_VALUES || isFlushed()
        const put = (entry: IntakeEntry) => {
          count(entry, valuesIn(entry))
          heldPoints += pointsIn(entry)
          intakePoints.unsafeUpdate(heldPoints, [])
          countQueued(entry, 1)
          if (isFlushed()) flush.unsafeOpen()
          if (isDue()) due.unsafeOpen()
          queue.push(kept(entry))
          filled.unsafeOpen()
          return true
        }
        const taken = (most: number): ReadonlyArray<IntakeEntry> => {
          const first = queue
          queue = first.splice(most)
          if (queue.length === 0) filled.unsafeClose()
          for (const entry of first) countQueued(entry, -1)
          if (!isFlushed()) flush.unsafeClose()
          if (!isDue()) due.unsafeClose()
          return first
        }
        const kept = (entry: IntakeEntry): IntakeEntry =>
          entry._tag === "Rows" ? { ...entry, batch: ring.keep(entry.batch) } : entry
        /** Waits until the condition is true. It is checked again after each release. */
        const waitUntil = (holds: () => boolean): Effect.Effect<void> =>
          Effect.suspend(() => {
            if (holds()) return Effect.void
            room.unsafeClose()
            return Effect.zipRight(room.await, waitUntil(holds))
          })

        return {
          offer: (entry) =>
            Effect.acquireUseRelease(
              Effect.sync(() => waiting++),
              () =>
                // It waits before the turnstile, because in the turnstile it would keep others waiting.
                Effect.zipRight(
                  waitUntil(() => !isHeldBack(entry)),
                  turnstile.withPermits(1)(
                    Effect.zipRight(
                      waitUntil(() => hasRoom(valuesIn(entry))),
                      Effect.sync(() => put(entry))
                    )
                  )
                ),
              () => Effect.sync(() => waiting--)
            ),
          isOpenTo: (values) => waiting === 0 && hasRoom(values),
          tryOffer: (entry) =>
            !isHeldBack(entry) &&
            hasRoom(valuesIn(entry), isOfSamples(entry) ? capacity * SHARE_FOR_SAMPLES : capacity) &&
            put(entry),
          take: (most) => filled.whenOpen(Effect.sync(() => taken(most))),
          awaitFlush: flush.await,
          awaitDue: due.await,
          giveUp: (sessionId, why) => void gone.set(sessionId, why),
          begin: (sessionId) => void gone.delete(sessionId),
          isGone: (sessionId) => gone.has(sessionId),
          isTakenOver: (sessionId) => gone.get(sessionId) === "taken over",
          fallBehind: (sessions) => {
            behind = sessions
            room.unsafeOpen()
          },
          release: (entries) =>
            Effect.sync(() => {
              for (const entry of entries) {
                count(entry, -valuesIn(entry))
                heldPoints -= pointsIn(entry)
                if (entry._tag === "Rows") ring.release(entry.batch)
              }
              intakePoints.unsafeUpdate(heldPoints, [])
              room.unsafeOpen()
            })
        }
      })
    )
}
