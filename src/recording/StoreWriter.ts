/**
 * The one fiber that moves entries from the intake to the stores.
 *
 * It groups commits. After a commit it waits `GROUP_COMMIT_MS` for more entries to commit together, or less if many points
 * are held or a session ends. If only a few rows have come by then, it waits up to `MAX_COMMIT_MS`. Then it takes all
 * entries. It stores a group of entries in this order: the channels that sessions have declared; all points and samples in
 * one durable write; then the laps, whose points are now readable; then the ends of sessions. Points count as stored, and
 * free their room in the intake, only after the stores have acknowledged them and the laps of their group. So no point counts
 * as stored while a lap before it may be lost.
 *
 * After each write the writer asks the catalog whether it still has the sessions. If a session is gone, its points count as
 * refused, whatever the PointStore answered. If the session was deleted, the points are removed again and its recorder is
 * told.
 *
 * The writer never gives up: it retries a store that fails, with growing pauses, for as long as it takes. Meanwhile the
 * intake fills and the feeds wait. Points are written again only after a failed write. The store keeps `(session, timestamp)`
 * unique, so a write that failed after its commit does no harm.
 */
import { Array, Cause, Clock, Deferred, Effect, Layer } from "effect"
import { Catalog } from "../store/Catalog.ts"
import { PointStore } from "../store/PointStore.ts"
import { finishRemoval } from "../store/removals.ts"
import { LivePublisher } from "../live/LivePublisher.ts"
import type { SessionNotFound } from "../domain/errors.ts"
import type { Dictionary } from "../domain/Dictionary.ts"
import type { NewLap } from "../domain/Lap.ts"
import type { SessionBounds } from "../domain/Session.ts"
import { type IntakeEntry, Intake } from "./Intake.ts"
import { joinSmall } from "./joinSmall.ts"
import { GROUP_COMMIT_MS, MAX_COMMIT_MS } from "./intakeLimits.ts"
import { breathe } from "../threads/breathe.ts"
import { SessionEndings } from "./SessionEndings.ts"
import { lapsRecorded, storeWriteSeconds } from "./metrics.ts"
import { untilStored } from "./untilStored.ts"

/** Entries of one group. The intake bounds the points; this bounds the laps and ends. */
const MAX_ENTRIES = 65_536
/**
 * How soon a session that is being recorded gets its bounds, and so its duration. Each update is a commit, and blocks the
 * event loop until the disk has it.
 */
const BOUNDS_SOON_MS = 1000
/** How often the bounds are updated afterwards. A crash loses nothing: recovery derives the bounds from the points. */
const BOUNDS_EVERY_MS = 5000

/** Laps that are inserted together; then the event loop has a turn. */
const LAPS_AT_ONCE = 256

const bySession = (laps: ReadonlyArray<NewLap>): Iterable<ReadonlyArray<NewLap>> =>
  Object.values(Array.groupBy(laps, (lap) => String(lap.sessionId))).flatMap((ofOne) =>
    Array.chunksOf(ofOne, LAPS_AT_ONCE)
  )

/**
 * Happens only to a session that was removed by other means than the service, which does not delete a session that is
 * recorded.
 */
const orphaned = ({ sessionId }: SessionNotFound) =>
  Effect.logError(`Session ${sessionId} vanished while it was being recorded`)

type LiveEvent = Parameters<(typeof LivePublisher.Service)["announce"]>[0]

const writeLoop = Effect.gen(function* () {
  const intake = yield* Intake
  const points = yield* PointStore
  const catalog = yield* Catalog
  const live = yield* LivePublisher
  const endings = yield* SessionEndings
  const stores = yield* Effect.context<Catalog | PointStore>()

  const bounds = new Map<number, SessionBounds>()
  const boundsWait = yield* Effect.makeLatch(false)
  /** Sessions that have bounds in the catalog; the latch is open while a session has none. */
  const bounded = new Set<number>()
  const unboundedWait = yield* Effect.makeLatch(false)
  const oneByOne = yield* Effect.makeSemaphore(1)

  /** A bug on the live side must not end the writing. */
  const announce = (event: LiveEvent) =>
    Effect.sync(() => live.announce(event)).pipe(
      Effect.catchAllDefect((defect) => Effect.logError("Could not announce what was stored", defect))
    )

  /** When it returns, the catalog has the bounds of all points that were stored when it was called. */
  const storeBounds = oneByOne.withPermits(1)(
    Effect.suspend(() => {
      const pending = new Map(bounds)
      bounds.clear()
      for (const sessionId of pending.keys()) bounded.add(sessionId)
      boundsWait.unsafeClose()
      unboundedWait.unsafeClose()
      return pending.size === 0
        ? Effect.void
        : untilStored("extend sessions", catalog.extendSessions(pending))
    })
  )

  /** The session was deleted. The deletion removes the rows stored before; this removes those stored since. */
  const giveUp = Effect.fn("StoreWriter.giveUp")(function* (sessionId: number) {
    intake.giveUp(sessionId)
    bounds.delete(sessionId)
    bounded.delete(sessionId)
    if (!(yield* untilStored("remove points again", catalog.removeAgain(sessionId)))) {
      return yield* Effect.logError(
        `Session ${sessionId} vanished from the catalog while it was being recorded. Its points are kept; recording goes on in a new session`
      )
    }
    yield* Effect.logError(
      `Session ${sessionId} was deleted while it was being recorded; recording goes on in a new one`
    )
    yield* Effect.catchAll(Effect.provide(finishRemoval(sessionId), stores), ({ cause }) =>
      Effect.logWarning(`The points of session ${sessionId} are removed at the next start`, Cause.fail(cause))
    )
  })

  /** Stores the newest dictionary of each session. It includes everything of the earlier ones. */
  const storeDictionaries = (entries: ReadonlyArray<IntakeEntry>) => {
    const newest = new Map<number, Dictionary>()
    for (const entry of entries)
      if (entry._tag === "Dictionary") newest.set(entry.sessionId, entry.dictionary)
    return Effect.forEach(
      newest,
      ([sessionId, dictionary]) =>
        untilStored("keep a session's channels", catalog.putDictionary(sessionId, dictionary)),
      { discard: true }
    )
  }

  const storeRows = Effect.fnUntraced(function* (entries: ReadonlyArray<IntakeEntry>) {
    const offered = entries
      .filter((entry) => entry._tag === "Points" || entry._tag === "Samples")
      .filter(({ batch }) => batch.length > 0)
    const batches = offered.filter(({ sessionId }) => !intake.isGone(sessionId))
    if (batches.length > 0) {
      const started = yield* Clock.currentTimeMillis
      yield* untilStored("write points", points.write(joinSmall(batches)))
      storeWriteSeconds.unsafeUpdate(((yield* Clock.currentTimeMillis) - started) / 1000, [])
      const written = [...new Set(batches.map(({ sessionId }) => sessionId))]
      const gone = yield* untilStored("look for sessions", catalog.missing(written))
      yield* Effect.forEach(gone, giveUp, { discard: true })
    }
    for (const { _tag, sessionId, batch } of offered) {
      if (_tag !== "Points" || intake.isGone(sessionId)) continue
      const times = batch.timestamps
      const first = bounds.get(sessionId)?.first ?? times[0]!
      bounds.set(sessionId, { first, last: times[times.length - 1]! })
      if (!bounded.has(sessionId)) unboundedWait.unsafeOpen()
    }
    boundsWait.unsafeOpen()
  })

  const countRows = (entries: ReadonlyArray<IntakeEntry>) => {
    for (const entry of entries) {
      if (entry._tag !== "Points" && entry._tag !== "Samples") continue
      const { sessionId, batch, counters } = entry
      const rows = entry._tag === "Points" ? counters : counters.samples
      if (intake.isGone(sessionId)) rows.countRejected("session_gone", batch.length)
      else rows.countStored(batch.length)
    }
  }

  const storeLaps = Effect.fn("StoreWriter.storeLaps")(function* (laps: ReadonlyArray<NewLap>) {
    const stored = yield* untilStored("write laps", catalog.addLaps(laps))
    lapsRecorded.unsafeUpdate(stored.length, [])
    for (const lap of stored) yield* announce({ type: "lap", sessionId: lap.sessionId, data: lap })
    if (laps.length === LAPS_AT_ONCE) yield* breathe
  })

  const end = Effect.fn("StoreWriter.end")(function* (sessionId: number) {
    bounded.delete(sessionId)
    yield* untilStored("seal a session", points.seal(sessionId))
    yield* untilStored("end a session", catalog.endSession(sessionId))
    const session = yield* untilStored("read a session", catalog.session(sessionId))
    yield* announce({ type: "session", sessionId, data: session })
    yield* endings.ended(sessionId)
  })

  const store = Effect.fn("StoreWriter.store")(function* (entries: ReadonlyArray<IntakeEntry>) {
    yield* storeDictionaries(entries)
    yield* storeRows(entries)
    const laps = entries.flatMap((entry) =>
      entry._tag === "Lap" && !intake.isGone(entry.lap.sessionId) ? [entry.lap] : []
    )
    const ends = entries.filter((entry) => entry._tag === "End")
    if (laps.length > 0 || ends.length > 0) yield* storeBounds
    for (const ofOne of bySession(laps)) yield* Effect.catchTag(storeLaps(ofOne), "SessionNotFound", orphaned)
    countRows(entries)
    for (const { sessionId, done } of ends) {
      if (!intake.isGone(sessionId)) yield* Effect.catchTag(end(sessionId), "SessionNotFound", orphaned)
      yield* Deferred.succeed(done, undefined)
    }
    yield* intake.release(entries)
  })

  // Runs separately, because a session whose feed is silent must get its bounds too.
  const boundsDue = Effect.raceFirst(
    Effect.sleep(BOUNDS_EVERY_MS),
    Effect.zipRight(unboundedWait.await, Effect.sleep(BOUNDS_SOON_MS))
  )
  yield* boundsWait.await.pipe(
    Effect.zipRight(boundsDue),
    Effect.zipRight(Effect.uninterruptible(storeBounds)),
    Effect.forever,
    Effect.forkScoped
  )

  const untilDue = Effect.raceFirst(Effect.sleep(MAX_COMMIT_MS - GROUP_COMMIT_MS), intake.awaitDue)
  const untilNext = Effect.raceFirst(
    Effect.zipRight(Effect.sleep(GROUP_COMMIT_MS), untilDue),
    intake.awaitFlush
  )

  return yield* intake.take(MAX_ENTRIES).pipe(
    // The writer stores the entries that it has taken, even while it is being stopped.
    Effect.flatMap((entries) => Effect.uninterruptible(store(entries))),
    Effect.zipRight(untilNext),
    Effect.forever,
    Effect.tapErrorCause((cause) =>
      Cause.isInterruptedOnly(cause) ? Effect.void : Effect.logFatal("The store's writer ended", cause)
    )
  )
})

/** Runs the writer as long as the layer lives. Recorders end their sessions before that, and so drain it. */
export const layer = Layer.scopedDiscard(Effect.forkScoped(writeLoop))
