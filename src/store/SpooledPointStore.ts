/**
 * Points on a server that may be away, with a spool on this machine's disk for that time.
 *
 * Order: while a session has points in the spool, its new ones go there too, behind them; they move to the server by
 * time, and the session goes back to the server when the spool has no more of it. So of a session the server has a
 * beginning and the spool the rest: a read takes the server's points before the spool's first, then the spool's.
 *
 * Hard cases: a write that failed may have been stored; the spool gets it all the same, and what is on both sides is
 * read once. What moves is removed from the spool only after the server has acknowledged it, so a crash in between moves it
 * again, and storing twice is storing once. A reader for whom the spool empties midway goes on with the server.
 * Several processes may read; only the one that records writes and moves. Nothing moves before the store was claimed. A
 * session whose points wait here may be deleted by another node, which knows nothing of them: they are asked for when they
 * have moved, and removed.
 */
import { Cause, Chunk, Effect, Metric, Option, Stream } from "effect"
import { StoreUnavailable } from "../domain/errors.ts"
import type { Channel, PointBatch } from "../domain/PointBatch.ts"
import { channels } from "../domain/PointBatch.ts"
import { justAfter } from "../domain/Time.ts"
import { interruptibleWithin } from "./interruptibleWithin.ts"
import type { Owner, PointRange, PointStore, SessionPoints } from "./PointStore.ts"
import { untilBack } from "./retries.ts"
import { thin } from "./thinning.ts"

type Store = PointStore["Type"]

/** Of one that was away a moment ago no more is waited for. */
const AWAY_ANSWERS_WITHIN = "1 second"

const spooledSessions = Metric.gauge("telemetry_spool_sessions", {
  description: "Sessions with points that wait on disk for the server"
})

export interface Spool {
  readonly store: Store
  /** From here on writes fail, and the feeds wait. */
  readonly mostBytes: number
}

export interface SpooledOptions {
  readonly server: Store
  readonly spool: Spool
  /** Whether this process writes and moves; the others only read. */
  readonly writes: boolean
}

const gibibytes = (bytes: number): string => (bytes / 2 ** 30).toFixed(2)

/** What is the matter while the server is away, and what goes on all the same. */
const awayReason = (store: string, bytes: number, mostBytes: number): string => {
  const used = `${gibibytes(bytes)} of ${gibibytes(mostBytes)} GiB`
  return bytes < mostBytes
    ? `Degraded: the ${store} store does not answer. New points are kept on this machine's disk until it does (${used}); stored ones cannot be read`
    : `The ${store} store does not answer, and this machine's disk keeps no more points for it (${used}): recording waits`
}

const timesOf = (range: PointRange, part: Partial<Pick<PointRange, "from" | "until">>): PointRange => ({
  ...range,
  ...part
})

/** The first batch of a range; none where it is empty. */
const head = (store: Store, range: PointRange, wanted: ReadonlyArray<Channel>) =>
  range.from < range.until
    ? Stream.runHead(store.read(range, wanted))
    : Effect.succeed(Option.none<PointBatch>())

export const make = Effect.fn("SpooledPointStore.make")(function* ({
  server,
  spool,
  writes
}: SpooledOptions) {
  const turn = yield* Effect.makeSemaphore(1)
  const waiting = yield* Effect.makeLatch(false)
  const claimed = yield* Effect.makeLatch(false)
  let owner: Owner | undefined
  const inSpool = new Set<number>(writes ? yield* spool.store.sessionIds : [])
  let away = false
  /** Counts removals: what was read of the spool before one may not be moved after it. */
  let removals = 0

  const tell = () => {
    spooledSessions.unsafeUpdate(inSpool.size, [])
    if (inSpool.size > 0) waiting.unsafeOpen()
    else waiting.unsafeClose()
  }
  tell()

  const intoSpool = Effect.fn("SpooledPointStore.intoSpool")(function* (
    batches: ReadonlyArray<SessionPoints>
  ) {
    const bytes = yield* spool.store.bytes
    if (bytes >= spool.mostBytes) {
      const full = `the server is away and the spool is full: ${bytes} of ${spool.mostBytes} bytes`
      return yield* new StoreUnavailable({ store: "spool", cause: new Error(full) })
    }
    yield* spool.store.write(batches)
    for (const { batch, sessionId } of batches) if (batch.length > 0) inSpool.add(sessionId)
    tell()
  })

  const toServer = (batches: ReadonlyArray<SessionPoints>) =>
    away
      ? Effect.fail(new StoreUnavailable({ store: "server", cause: new Error("it was away a moment ago") }))
      : Effect.tapError(server.write(batches), ({ cause, reason }) => {
          away = true
          const why = reason === undefined ? "is away" : "cannot be used"
          return Effect.logWarning(`The server of the points ${why}: they wait on disk`, Cause.fail(cause))
        })

  const write = Effect.fn("SpooledPointStore.write")(function* (batches: ReadonlyArray<SessionPoints>) {
    const direct = batches.filter(({ sessionId }) => !inSpool.has(sessionId))
    const behind = batches.filter(({ sessionId }) => inSpool.has(sessionId))
    if (direct.length > 0) yield* Effect.catchAll(toServer(direct), () => intoSpool(direct))
    if (behind.length > 0) yield* intoSpool(behind)
  })

  /** Moves what the spool has of a session after what the server has; each batch by `one`. */
  const moveRest = Effect.fnUntraced(function* (
    sessionId: number,
    one: (write: Effect.Effect<void, StoreUnavailable>) => Effect.Effect<void, StoreUnavailable>
  ) {
    const bounds = yield* server.bounds(sessionId)
    const from = Option.match(bounds, { onNone: () => -Infinity, onSome: ({ last }) => justAfter(last) })
    yield* Stream.runForEach(spool.store.read({ sessionId, from, until: Infinity }), (batch) =>
      one(server.write([{ sessionId, batch }]))
    )
  })

  /** Asked after the move: whoever deletes the session has removed from the server what came before. */
  const removeDeleted = Effect.fnUntraced(function* (sessionId: number) {
    if (owner === undefined || (yield* owner.deleted([sessionId])).length === 0) return
    yield* Effect.logInfo(
      `Session ${sessionId} was deleted while its points waited on disk: they are removed`
    )
    yield* server.remove(sessionId)
  })

  const move = Effect.fn("SpooledPointStore.move")(function* (sessionId: number) {
    const since = removals
    // Most of it between the writes, which go on into the spool; the end of it in one turn.
    yield* moveRest(sessionId, (write) =>
      turn.withPermits(1)(Effect.suspend(() => (removals === since ? write : Effect.void)))
    )
    yield* moveRest(sessionId, (write) => write).pipe(
      Effect.zipRight(server.seal(sessionId)),
      Effect.zipRight(removeDeleted(sessionId)),
      Effect.zipRight(spool.store.remove(sessionId)),
      Effect.andThen(() => {
        inSpool.delete(sessionId)
        tell()
      }),
      turn.withPermits(1)
    )
  })

  const moveAll = Effect.gen(function* () {
    yield* server.check
    if (away) yield* Effect.logInfo("The server of the points is back")
    away = false
    // What is damaged stays, and what is behind it with it; whoever read it has told.
    for (const sessionId of inSpool)
      yield* Effect.catchTag(move(sessionId), "PointsDamaged", () => Effect.void)
    if (inSpool.size === 0) yield* Effect.logInfo("The spool is empty")
  })

  if (writes) {
    yield* Effect.zipRight(claimed.await, waiting.await).pipe(
      Effect.zipRight(
        Effect.catchAll(moveAll, ({ cause }) =>
          Effect.sync(() => {
            away = true
          }).pipe(
            Effect.zipRight(Effect.logDebug("The server of the points is still away", Cause.fail(cause)))
          )
        )
      ),
      Effect.repeat(untilBack),
      Effect.forkScoped
    )
  }

  /** What is asked of the server; of one that is known to be away no more is waited for than it takes one that is back. */
  const asked = <A, E>(question: Effect.Effect<A, E>): Effect.Effect<A, E | StoreUnavailable> =>
    Effect.suspend(() =>
      away
        ? interruptibleWithin(
            Effect.timeoutFail(question, {
              duration: AWAY_ANSWERS_WITHIN,
              onTimeout: () =>
                new StoreUnavailable({ store: "questdb", cause: new Error("it was away a moment ago") })
            })
          )
        : question
    )

  /** The spool's part of a session begins here. */
  const spoolBegin = (sessionId: number) =>
    Effect.map(
      spool.store.bounds(sessionId),
      Option.map(({ first }) => first)
    )

  /** The batch at `cursor` or after, from whichever side has it; undefined at the end. */
  const batchAt = Effect.fnUntraced(function* (range: PointRange, wanted: ReadonlyArray<Channel>) {
    for (;;) {
      const begin = yield* spoolBegin(range.sessionId)
      const until = Math.min(
        range.until,
        Option.getOrElse(begin, () => Infinity)
      )
      const before = yield* asked(head(server, timesOf(range, { until }), wanted))
      if (Option.isSome(before)) return before
      if (Option.isNone(begin)) return Option.none()
      const after = yield* head(
        spool.store,
        timesOf(range, { from: Math.max(range.from, begin.value) }),
        wanted
      )
      if (Option.isSome(after)) return after
      // Nothing there: the end, unless the spool was emptied in between.
      if (Option.isSome(yield* spoolBegin(range.sessionId))) return Option.none()
    }
  })

  /** Batch by batch, because the border between the two sides moves. */
  const readBoth = (range: PointRange, wanted: ReadonlyArray<Channel>) => {
    // The cursor is a time, which the answer need not have.
    const asked = wanted.includes("timestamp") ? wanted : [...wanted, "timestamp" as const]
    return Stream.paginateChunkEffect(range.from, (from) =>
      Effect.map(batchAt(timesOf(range, { from }), asked), (found) =>
        Option.match(found, {
          onNone: () => [Chunk.empty<PointBatch>(), Option.none<number>()] as const,
          onSome: (batch) => {
            const last = batch.timestamps[batch.length - 1]!
            return [Chunk.of(batch.only(wanted)), Option.some(justAfter(last))] as const
          }
        })
      )
    )
  }

  /** What waits in an empty spool is nobody's; the folder is this process's. */
  const claimSpool = Effect.fnUntraced(function* (by: Owner) {
    const isEmpty = (yield* spool.store.sessionIds).length === 0
    yield* writes && isEmpty ? spool.store.handOver(by.catalog) : spool.store.claim(by)
  })

  const store: Store = {
    claim: Effect.fn("SpooledPointStore.claim")(function* (by) {
      yield* claimSpool(by)
      // A server that is away asks by itself, before it does anything.
      yield* Effect.catchTag(server.claim(by), "StoreUnavailable", ({ cause }) =>
        Effect.logDebug("The server of the points cannot be claimed now", Cause.fail(cause))
      )
      owner = by
      yield* claimed.open
    }),
    ownedBy: server.ownedBy,
    handOver: (catalog) => Effect.zipRight(spool.store.handOver(catalog), server.handOver(catalog)),
    write: (batches) => turn.withPermits(1)(write(batches)),
    seal: (sessionId) =>
      turn.withPermits(1)(
        Effect.suspend(() => (inSpool.has(sessionId) ? spool.store.seal(sessionId) : Effect.void)).pipe(
          Effect.zipRight(away ? Effect.void : server.seal(sessionId))
        )
      ),
    read: (range, wanted = channels) =>
      Stream.unwrap(
        Effect.map(spoolBegin(range.sessionId), (begin) =>
          Option.isNone(begin) ? server.read(range, wanted) : readBoth(range, wanted)
        )
      ),
    readEvery: (range, every) =>
      Stream.unwrap(
        Effect.map(spoolBegin(range.sessionId), (begin) =>
          Option.isNone(begin) ? server.readEvery(range, every) : thin(every)(readBoth(range, channels))
        )
      ),
    count: (range) =>
      Effect.gen(function* () {
        for (;;) {
          const begin = yield* spoolBegin(range.sessionId)
          if (Option.isNone(begin)) return yield* server.count(range)
          const before = yield* asked(
            server.count(timesOf(range, { until: Math.min(range.until, begin.value) }))
          )
          const after = yield* spool.store.count(timesOf(range, { from: Math.max(range.from, begin.value) }))
          // Not, if what was counted here moved there meanwhile.
          if (Option.contains(yield* spoolBegin(range.sessionId), begin.value)) return before + after
        }
      }),
    bounds: (sessionId) =>
      Effect.gen(function* () {
        const spooled = yield* spool.store.bounds(sessionId)
        const kept = yield* asked(server.bounds(sessionId))
        if (Option.isNone(spooled)) return kept
        const first = Option.match(kept, { onNone: () => Infinity, onSome: (bounds) => bounds.first })
        const last = Option.match(kept, { onNone: () => -Infinity, onSome: (bounds) => bounds.last })
        return Option.some({
          first: Math.min(first, spooled.value.first),
          last: Math.max(last, spooled.value.last)
        })
      }),
    remove: (sessionId) =>
      turn.withPermits(1)(
        server.remove(sessionId).pipe(
          Effect.zipRight(spool.store.remove(sessionId)),
          Effect.andThen(() => {
            removals++
            inSpool.delete(sessionId)
            tell()
          })
        )
      ),
    sessionIds: Effect.zipWith(server.sessionIds, spool.store.sessionIds, (kept, spooled) =>
      [...new Set([...kept, ...spooled])].sort((a, b) => a - b)
    ),
    // What waits here moves to where the session's other points are: not while that is looked through.
    reclaim: (before) =>
      turn.withPermits(1)(
        Effect.suspend(() => (inSpool.size === 0 && !away ? server.reclaim(before) : Effect.void))
      ),
    bytes: Effect.zipWith(asked(server.bytes), spool.store.bytes, (kept, spooled) => kept + spooled),
    check: Effect.catchAll(
      Effect.zipRight(spool.store.check, asked(server.check)),
      ({ cause, reason, store }) =>
        Effect.flatMap(
          spool.store.bytes,
          (bytes) =>
            new StoreUnavailable({
              store,
              cause,
              reason: reason ?? awayReason(store, bytes, spool.mostBytes)
            })
        )
    )
  }
  return store
})
