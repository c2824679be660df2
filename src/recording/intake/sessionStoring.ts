/**
 * Stores entries of one session, in this order: the channels that it has declared; its points and samples; its bounds; its
 * laps, whose points are now readable; its end. Points count as stored, and free their room in the intake, only after the laps
 * of the same entries are stored. So no point counts as stored while a lap before it may be lost.
 *
 * A store operation that fails is tried again for as long as it takes. Data that the store refuses (`Refused`) is set
 * aside alone: if the store refuses several batches or laps together, each is tried separately. Refused data is logged,
 * its points count as dead, and the rest goes on.
 *
 * After each write, and before each lap and end, this module asks the catalog whether this node still records the session. If not,
 * its points count as refused, whatever the RowStore answered, and the recorder is notified. If it was deleted, the points are removed
 * again. So whatever counts as stored was stored before another node took the session over.
 */
import { Cause, Clock, Deferred, Effect, type Exit } from "effect"
import { POINTS } from "../../domain/Dictionary.ts"
import type { SessionNotFound, StoreUnavailable } from "../../domain/errors.ts"
import { Deletions } from "../../store/Deletions.ts"
import { Dictionaries } from "../../store/Dictionaries.ts"
import { RowStore } from "../../store/RowStore.ts"
import { Sessions } from "../../store/Sessions.ts"
import { finishRemoval } from "../../store/removals.ts"
import * as BoundsKeeping from "./boundsKeeping.ts"
import * as LapStoring from "./lapStoring.ts"
import { type IntakeEntry, Intake } from "./Intake.ts"
import { joinSmall } from "./joinSmall.ts"
import { storeWriteSeconds } from "../metrics.ts"
import { SessionEndings } from "./SessionEndings.ts"
import { logRefusal, orWithout, untilStored } from "./untilStored.ts"

export type RowEntry = Extract<IntakeEntry, { readonly _tag: "Rows" }>

const isRows = (entry: IntakeEntry): entry is RowEntry => entry._tag === "Rows"

/** The entries with rows to write. */
export const rowsIn = (entries: ReadonlyArray<IntakeEntry>): ReadonlyArray<RowEntry> =>
  entries.filter(isRows).filter(({ batch }) => batch.length > 0)

/** The result that an attempt for several sessions together has had for one of them. */
export type Attempted =
  | { readonly write: Exit.Exit<void, StoreUnavailable> }
  /** The write has succeeded. */
  | { readonly look: Exit.Exit<ReadonlyArray<number>, StoreUnavailable> }

/**
 * Happens only if something other than the service removed the session: the service does not delete a session that is
 * being recorded.
 */
const orphaned = ({ sessionId }: SessionNotFound) =>
  Effect.logError(`Session ${sessionId} vanished while it was being recorded`)

export const make = Effect.gen(function* () {
  const intake = yield* Intake
  const points = yield* RowStore
  const deletions = yield* Deletions
  const dictionaries = yield* Dictionaries
  const sessions = yield* Sessions
  const endings = yield* SessionEndings
  const bounds = yield* BoundsKeeping.make
  const { announce, storeLapsOf } = yield* LapStoring.make
  const stores = yield* Effect.context<Deletions | RowStore>()

  /** Rows that the store refused. */
  const dead = new WeakSet<IntakeEntry>()

  const storeDictionary = Effect.fnUntraced(function* (
    sessionId: number,
    entries: ReadonlyArray<IntakeEntry>
  ) {
    // The newest one includes everything of the earlier ones.
    const newest = entries.findLast((entry) => entry._tag === "Dictionary")
    if (newest === undefined) return
    yield* untilStored("keep the channels", dictionaries.putDictionary(sessionId, newest.dictionary)).pipe(
      orWithout(sessionId, "they have no names and units")
    )
  })

  /** One write, whose time is measured however it ends. */
  const write = (rows: ReadonlyArray<RowEntry>) => {
    const writing = points.write(joinSmall(rows))
    return Effect.flatMap(Clock.currentTimeMillis, (started) =>
      Effect.ensuring(
        writing,
        Effect.map(Clock.currentTimeMillis, (ended) =>
          storeWriteSeconds.unsafeUpdate((ended - started) / 1000, [])
        )
      )
    )
  }

  const writeRows = (
    sessionId: number,
    rows: ReadonlyArray<RowEntry>,
    first?: Exit.Exit<void, StoreUnavailable>
  ): Effect.Effect<void> =>
    untilStored("write points", write(rows), first).pipe(
      Effect.catchTag("Refused", (refused) => {
        if (rows.length > 1)
          return Effect.forEach(rows, (row) => writeRows(sessionId, [row]), { discard: true })
        const [entry] = rows
        if (entry === undefined) return Effect.void
        dead.add(entry)
        const what = entry.group === POINTS ? "points" : `samples of ${entry.group}`
        const [from, to] = [entry.batch.timestamps[0], entry.batch.timestamps.at(-1)]
        return logRefusal(
          sessionId,
          `${entry.batch.length} ${what} from ${from} to ${to} s are lost`,
          refused
        )
      })
    )

  /**
   * To be run when the session was deleted, or another node has taken it over. A deletion removed the rows stored before; this
   * removes those stored since. Rows of a session that was taken over are not read (Takeovers.ts).
   */
  const giveUp = Effect.fn("StoreWriter.giveUp")(function* (sessionId: number) {
    bounds.forget(sessionId)
    const missing = yield* untilStored("look for the session", deletions.missing([sessionId])).pipe(
      orWithout(sessionId, "it counts as gone")
    )
    if (missing?.length === 0) {
      intake.giveUp(sessionId, "taken over")
      yield* untilStored("seal the points", points.seal(sessionId)).pipe(
        orWithout(sessionId, "they take more space")
      )
      return yield* Effect.logWarning(
        `Session ${sessionId} is recorded by another node by now, which took it over while this one did not renew its lease`
      )
    }
    intake.giveUp(sessionId, "removed")
    const removed = untilStored("remove the points", deletions.removeAgain(sessionId)).pipe(
      orWithout(sessionId, "they are kept")
    )
    if (!(yield* removed)) {
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

  /** Gives the session up if this node does not record it any more. */
  const look = (sessionId: number, first?: Exit.Exit<ReadonlyArray<number>, StoreUnavailable>) =>
    untilStored("look for the session", deletions.lost([sessionId]), first).pipe(
      orWithout(sessionId, "it counts as there"),
      Effect.flatMap((lost = []) => (lost.includes(sessionId) ? giveUp(sessionId) : Effect.void))
    )

  const end = Effect.fn("StoreWriter.end")(function* (sessionId: number) {
    yield* untilStored("seal the points", points.seal(sessionId)).pipe(
      orWithout(sessionId, "they take more space")
    )
    yield* untilStored("end the recording", sessions.endSession(sessionId)).pipe(
      orWithout(sessionId, "the next start ends it")
    )
    const session = yield* untilStored("read the names", sessions.session(sessionId)).pipe(
      orWithout(sessionId, "live clients do not hear of its end")
    )
    if (session !== undefined) yield* announce({ type: "session", sessionId, data: session })
    bounds.forget(sessionId)
    yield* endings.ended(sessionId)
  })

  const countRows = (sessionId: number, entries: ReadonlyArray<IntakeEntry>) => {
    for (const entry of entries) {
      if (!isRows(entry)) continue
      const { batch, counters } = entry
      if (dead.has(entry)) counters.countDead(batch.length)
      else if (intake.isGone(sessionId)) counters.countRejected("session_gone", batch.length)
      else counters.countStored(batch.length)
    }
  }

  /**
   * Ensures, whatever happens, that no caller waits for the session's end any longer, and that the room of the entries
   * is freed.
   */
  const finishing =
    (entries: ReadonlyArray<IntakeEntry>) =>
    <A, E, R>(work: Effect.Effect<A, E, R>) =>
      Effect.ensuring(
        work,
        Effect.suspend(() => {
          for (const entry of entries) if (entry._tag === "End") Deferred.unsafeDone(entry.done, Effect.void)
          return intake.release(entries)
        })
      )

  const storeRest = Effect.fnUntraced(function* (sessionId: number, entries: ReadonlyArray<IntakeEntry>) {
    const isEnd = entries.some(({ _tag }) => _tag === "End")
    if (isEnd || entries.some(({ _tag }) => _tag === "Lap")) yield* bounds.store(sessionId)
    if (!intake.isGone(sessionId)) {
      yield* Effect.catchTag(storeLapsOf(sessionId, entries), "SessionNotFound", orphaned)
    }
    countRows(sessionId, entries)
    if (isEnd && !intake.isGone(sessionId)) {
      yield* Effect.catchTag(end(sessionId), "SessionNotFound", orphaned)
    }
  })

  const storeAll = Effect.fnUntraced(function* (
    sessionId: number,
    entries: ReadonlyArray<IntakeEntry>,
    attempted?: Attempted
  ) {
    const rows = intake.isGone(sessionId) ? [] : rowsIn(entries)
    if (attempted === undefined) yield* storeDictionary(sessionId, entries)
    const isWritten = attempted !== undefined && "look" in attempted
    if (rows.length > 0 && !isWritten) yield* writeRows(sessionId, rows, attempted?.write)
    if (!intake.isGone(sessionId)) yield* look(sessionId, isWritten ? attempted.look : undefined)
    if (!intake.isGone(sessionId)) {
      bounds.note(
        sessionId,
        rows.filter((row) => !dead.has(row))
      )
    }
    yield* storeRest(sessionId, entries)
  })

  return {
    write,
    giveUp,
    noteBounds: bounds.note,
    keepBounds: bounds.keep,
    /** Stores the entries, or the rest of them after an attempt for several sessions. */
    store: (sessionId: number, entries: ReadonlyArray<IntakeEntry>, attempted?: Attempted) =>
      finishing(entries)(storeAll(sessionId, entries, attempted)),
    /** Stores everything that comes after the rows, which are already written. */
    storeRest: (sessionId: number, entries: ReadonlyArray<IntakeEntry>) =>
      finishing(entries)(storeRest(sessionId, entries))
  }
})
