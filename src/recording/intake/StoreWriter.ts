/**
 * Moves entries from the intake to the stores.
 *
 * One fiber groups commits. After a commit it waits `GROUP_COMMIT_MS` for more entries to commit together, or less if many
 * points are held or a session ends. If only a few rows have come by then, it waits up to `MAX_COMMIT_MS`. Then it takes all
 * entries, and writes the points and samples of all sessions in one durable write.
 *
 * All other work is done for each session in a fiber of its own (`sessionStoring`): the work that must come before the
 * rows or after them, and the whole session if the common write fails. While such a fiber is at work, it also stores
 * the entries that arrive for its session. So the entries of a session keep their order, and no session waits for
 * another whose entries the store cannot take.
 *
 * The writer never gives up an entry that the store may take later: it tries again, with growing pauses. Meanwhile the
 * intake fills and the feeds wait. The store keeps `(session, group, timestamp)` unique, so a write that failed after
 * its commit does no harm.
 */
import { Cause, Effect, Exit, Layer } from "effect"
import { Deletions } from "../../store/Deletions.ts"
import { type IntakeEntry, Intake, sessionOf } from "./Intake.ts"
import { GROUP_COMMIT_MS, MAX_COMMIT_MS } from "./intakeLimits.ts"
import * as SessionStoring from "./sessionStoring.ts"
import { attempted } from "./untilStored.ts"

/** The maximum number of entries in one commit. The intake limits the points; this limits the laps and ends. */
const MAX_ENTRIES = 65_536
type Entries = ReadonlyArray<IntakeEntry>

const bySession = (entries: Entries): Map<number, Array<IntakeEntry>> => {
  const sessions = new Map<number, Array<IntakeEntry>>()
  for (const entry of entries) {
    const id = sessionOf(entry)
    const own = sessions.get(id)
    if (own === undefined) sessions.set(id, [entry])
    else own.push(entry)
  }
  return sessions
}

const writeLoop = Effect.gen(function* () {
  const intake = yield* Intake
  const deletions = yield* Deletions
  const scope = yield* Effect.scope
  const storing = yield* SessionStoring.make

  /** The sessions that have a fiber of their own, each with the entries that have come for it meanwhile. */
  const waiting = new Map<number, Entries>()

  /** Stores the entries that have come meanwhile, until there are none. */
  const storeWaiting = (id: number): Effect.Effect<void> =>
    Effect.suspend(() => {
      const entries = waiting.get(id) ?? []
      if (entries.length > 0) {
        waiting.set(id, [])
        return Effect.zipRight(storing.store(id, entries), storeWaiting(id))
      }
      waiting.delete(id)
      intake.fallBehind(new Set(waiting.keys()))
      return Effect.void
    })

  /** Does the work for a session in a fiber of its own. Entries that were taken are stored even while the writer is stopped. */
  const apart = (id: number, work: Effect.Effect<unknown>) => {
    waiting.set(id, [])
    intake.fallBehind(new Set(waiting.keys()))
    return Effect.forkIn(
      Effect.uninterruptible(
        Effect.zipRight(
          Effect.catchAllCause(work, (cause) => Effect.logFatal(`Session ${id} could not be stored`, cause)),
          storeWaiting(id)
        )
      ),
      scope
    )
  }

  /** Writes the rows of several sessions in one commit. Sessions for which this fails go on in fibers of their own. */
  const storeTogether = Effect.fnUntraced(function* (sessions: ReadonlyMap<number, Entries>) {
    const rows = [...sessions].flatMap(([id, entries]) =>
      intake.isGone(id) ? [] : SessionStoring.rowsIn(entries)
    )
    const ids = [...sessions.keys()].filter((id) => !intake.isGone(id))
    let failed: SessionStoring.Attempted | undefined
    let lost: ReadonlySet<number> = new Set()
    if (ids.length > 0) {
      const written = rows.length === 0 ? Exit.void : yield* attempted("write points", storing.write(rows))
      const look = Exit.isSuccess(written)
        ? yield* attempted("look for the sessions", deletions.lost(ids))
        : undefined
      if (look === undefined) failed = { write: written }
      else if (Exit.isFailure(look)) failed = { look }
      else lost = new Set(look.value)
    }
    for (const [id, entries] of sessions) {
      if (failed !== undefined && ids.includes(id)) {
        yield* apart(id, storing.store(id, entries, failed))
      } else if (lost.has(id)) {
        yield* apart(id, Effect.zipRight(storing.giveUp(id), storing.storeRest(id, entries)))
      } else {
        if (!intake.isGone(id)) storing.noteBounds(id, SessionStoring.rowsIn(entries))
        const rest = storing.storeRest(id, entries)
        yield* entries.every(({ _tag }) => _tag === "Rows") ? rest : apart(id, rest)
      }
    }
  })

  const store = Effect.fn("StoreWriter.store")(function* (entries: Entries) {
    const together = new Map<number, Entries>()
    for (const [id, own] of bySession(entries)) {
      const before = waiting.get(id)
      if (before !== undefined) waiting.set(id, [...before, ...own])
      else if (own.some(({ _tag }) => _tag === "Dictionary")) {
        yield* apart(id, storing.store(id, own))
      } else together.set(id, own)
    }
    yield* storeTogether(together)
  })

  yield* Effect.forkScoped(storing.keepBounds)

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
