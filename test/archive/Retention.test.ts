import { describe, expect, it } from "@effect/vitest"
import { type Clock, Effect, FastCheck, Layer, Logger, TestClock } from "effect"
import * as Retention from "../../src/archive/Retention.ts"
import { settle } from "../recording/fibers.ts"
import { MemoryStore } from "../recording/memoryStore.ts"
import { isClockWarning } from "../support/testClock.ts"

const DAY_S = 86_400
const DAY_MS = DAY_S * 1000
/** The size of a point in the store in memory, GiB. */
const POINT_GIB = 80 / 2 ** 30

/** Runs retention beside a store, on the test's clock, until the scope ends; returns the lines that it logs. */
const retaining = Effect.fn(function* (store: MemoryStore, limits: Partial<Retention.Limits>) {
  const lines: Array<string> = []
  const logger = Logger.make(({ logLevel, message }) => {
    if (!isClockWarning(message)) lines.push(`${logLevel.label} ${String(message)}`)
  })
  yield* Retention.layer({
    days: undefined,
    gibibytes: undefined,
    removed: () => Effect.void,
    ...limits
  }).pipe(
    Layer.provide(store.layer),
    Layer.provide(Logger.replace(Logger.defaultLogger, logger)),
    Layer.build
  )
  yield* settle
  return lines
})

interface Kept {
  readonly ended: number
  readonly points: number
  readonly pinned: boolean
  readonly recording: boolean
}

const keep = (store: MemoryStore, { ended, pinned, points, recording }: Kept) => {
  const id = store.add({ datetime: ended - points }, recording)
  const session = store.sessions.get(id)!
  session.pinned = pinned
  session.bounds = { first: ended - points, last: ended }
  store.rows.set(
    id,
    Array.from({ length: points }, (_, n) => ended - points + n + 1)
  )
  return id
}

const left = (store: MemoryStore) => [...store.sessions.keys()]

const session = FastCheck.record({
  ended: FastCheck.integer({ min: 0, max: 100 * DAY_S }),
  points: FastCheck.integer({ min: 1, max: 20 }),
  pinned: FastCheck.boolean(),
  recording: FastCheck.boolean()
})

const limits = FastCheck.record({
  days: FastCheck.option(FastCheck.integer({ min: 1, max: 100 }), { nil: undefined }),
  points: FastCheck.option(FastCheck.integer({ min: 0, max: 100 }), { nil: undefined })
})

/** The sessions that must stay of those at the start, found only by trying how many of the oldest must go. */
const mustStay = (
  sessions: ReadonlyArray<Kept & { readonly id: number }>,
  { days = Infinity, points: most = Infinity }: { readonly days?: number; readonly points?: number }
) => {
  const mayGo = sessions
    .filter((one) => !one.pinned && !one.recording)
    .toSorted((a, b) => a.ended - b.ended || a.id - b.id)
  const now = Math.min(100 * DAY_S, Math.max(...sessions.map(({ ended }) => ended)))
  for (let goes = 0; ; goes++) {
    const gone = new Set(mayGo.slice(0, goes).map(({ id }) => id))
    const stays = sessions.filter(({ id }) => !gone.has(id))
    const points = stays.reduce((sum, one) => sum + one.points, 0)
    const isOld = stays.some(
      ({ ended, id }) => ended < now - days * DAY_S && mayGo.some((one) => one.id === id)
    )
    if (goes === mayGo.length || (points <= most && !isOld)) return stays.map(({ id }) => id)
  }
}

describe("retention", () => {
  it.effect.prop(
    "removes the oldest that it must, and none that is pinned or recorded",
    [FastCheck.array(session, { maxLength: 12 }), limits],
    ([kept, { days, points }]) =>
      Effect.gen(function* () {
        yield* TestClock.setTime(100 * DAY_MS)
        const store = new MemoryStore()
        const sessions = kept.map((one) => ({ ...one, id: keep(store, one) }))
        const expected = mustStay(sessions, {
          ...(days === undefined ? {} : { days }),
          ...(points === undefined ? {} : { points })
        })
        const lines = yield* retaining(store, {
          days,
          gibibytes: points === undefined ? undefined : points * POINT_GIB
        })
        expect(left(store)).toEqual(expected)
        expect(store.rows.sessionIds()).toEqual(expected)
        // Each is logged once, and its removal is completed.
        const removed = lines.flatMap((line) => /Removed session (\d+), /.exec(line)?.[1] ?? [])
        expect(removed.map(Number).toSorted((a, b) => a - b)).toEqual(
          [...store.deleted.keys()].toSorted((a, b) => a - b)
        )
        expect([...store.deleted.values()]).not.toContain(true)
      }).pipe(Effect.scoped)
  )

  it.scoped("removes more as time passes, points arrive, sessions end and are unpinned", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(100 * DAY_MS)
      const store = new MemoryStore()
      const points = 10
      const [one, pinned, open] = [
        keep(store, { ended: 97 * DAY_S + 150, points, pinned: false, recording: false }),
        keep(store, { ended: 90 * DAY_S, points, pinned: true, recording: false }),
        keep(store, { ended: 101 * DAY_S, points, pinned: false, recording: true })
      ]
      const lines = yield* retaining(store, { days: 3, gibibytes: 35 * POINT_GIB })
      expect(left(store)).toEqual([one, pinned, open])
      yield* TestClock.adjust("2 minutes")
      expect(left(store)).toEqual([one, pinned, open])
      yield* TestClock.adjust("1 minute")
      expect(left(store)).toEqual([pinned, open])
      expect(lines.splice(0)).toEqual([
        "INFO Removed session 1, ended 1970-04-08T00:02:30, 1 KiB: it is 3.0 days old (--keep 3)"
      ])

      // More is in use than allowed, and nothing may be removed: logged once.
      store.rows.set(
        open,
        Array.from({ length: 30 }, (_, n) => n)
      )
      yield* TestClock.adjust("5 minutes")
      expect(left(store)).toEqual([pinned, open])
      expect(lines.splice(0)).toEqual([
        "WARN 0.000 GiB are in use (--keep-size 0.00000260770320892334), and only sessions that are being recorded or pinned are left"
      ])
      const young = keep(store, { ended: 100.9 * DAY_S, points, pinned: false, recording: false })
      store.sessions.get(open)!.recording = false
      store.sessions.get(open)!.bounds = { first: 0, last: 100.5 * DAY_S }
      yield* TestClock.adjust("1 minute")
      expect(left(store)).toEqual([pinned, young])
      store.sessions.get(pinned)!.pinned = false
      yield* TestClock.adjust("1 minute")
      expect(left(store)).toEqual([young])
    })
  )

  it.scoped("completes removals that an absent store interrupted, and logs once that it waits", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(100 * DAY_MS)
      const store = new MemoryStore()
      for (let n = 0; n < 3; n++) keep(store, { ended: n, points: 5, pinned: false, recording: false })
      const newest = keep(store, { ended: 100 * DAY_S, points: 5, pinned: true, recording: false })
      store.fail("remove", 3)
      const lines = yield* retaining(store, { days: 1 })
      expect([left(store), [...store.deleted]]).toEqual([[2, 3, newest], [[1, true]]])
      yield* TestClock.adjust("2 minutes")
      expect(left(store)).toEqual([2, 3, newest])
      store.fail("oldestRemovable", 1, { isBug: true })
      yield* TestClock.adjust("2 minutes")
      expect(left(store)).toEqual([newest])
      expect([...store.deleted.values()]).toEqual([false, false, false])
      expect(store.rows.sessionIds()).toEqual([newest])
      expect(lines.map((line) => line.slice(0, 60))).toEqual([
        "WARN The memory store is away: old sessions are removed when",
        // Tried again: two attempts fail.
        ...Array<string>(3).fill("INFO Removing the points of session 1, which was deleted"),
        "ERROR Could not look for old sessions",
        ...[2, 3].map((id) => expect.stringContaining(`INFO Removed session ${id}, ended 1970`) as string)
      ])
    })
  )

  it.scoped("gives space back where no session is kept and no point can arrive, when there may be some", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(100 * DAY_MS)
      const store = new MemoryStore()
      const some = { points: 3, pinned: false, recording: false }
      keep(store, { ...some, ended: 97 * DAY_S + 90 })
      const open = keep(store, { ...some, ended: 101 * DAY_S, recording: true })
      const pinned = [50, 60].map(() => keep(store, { ...some, ended: 0, pinned: true }))
      yield* retaining(store, { days: 3 })
      // Once at the start, for earlier removals; then after each removal.
      expect(store.reclaimed.splice(0)).toEqual([97 * DAY_S])
      yield* TestClock.adjust("1 minute")
      expect(store.reclaimed).toEqual([])
      yield* TestClock.adjust("1 minute")
      expect(store.reclaimed.splice(0)).toEqual([97 * DAY_S + 120])
      // A recorded session may get points later than its last one; if it has none, any points.
      for (const [n, points] of [[50], []].entries()) {
        store.rows.set(open, points)
        store.sessions.get(pinned[n]!)!.pinned = false
        yield* TestClock.adjust("1 minute")
      }
      expect(store.reclaimed).toEqual([50])
    })
  )

  it.scoped("does not trust a single reading of a clock", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(100 * DAY_MS)
      let ahead = 0
      const clock = yield* Effect.clock
      const stepping = Object.assign(Object.create(clock) as Clock.Clock, {
        currentTimeMillis: Effect.map(clock.currentTimeMillis, (millis) => millis + ahead * DAY_MS)
      })
      const store = new MemoryStore()
      const some = { points: 3, pinned: false, recording: false }
      const HOUR_S = 3600
      const old = keep(store, { ...some, ended: 100 * DAY_S - 10 * HOUR_S })
      const newest = keep(store, { ...some, ended: 100 * DAY_S - 5 * HOUR_S })
      yield* Effect.withClock(retaining(store, { days: 6 / 24 }), stepping)
      // The clock is ahead of all stored points, which makes none of them old.
      ahead = 400
      yield* TestClock.adjust("2 hours")
      expect(left(store)).toEqual([old, newest])
      // A session is recorded with a clock that stepped.
      const recorded = keep(store, { ...some, ended: 500 * DAY_S })
      ahead = 401
      yield* TestClock.adjust("59 minutes")
      expect(left(store)).toEqual([old, newest, recorded])
      ahead = 0
      yield* TestClock.adjust("59 minutes")
      expect(left(store)).toEqual([old, newest, recorded])
      yield* TestClock.adjust("3 minutes")
      expect(left(store)).toEqual([recorded])
      // This one was recorded while the clock was behind: the process's own clock gives its age.
      const behind = keep(store, { ...some, ended: 10 * DAY_S })
      yield* TestClock.adjust("5 hours")
      expect(left(store)).toEqual([recorded, behind])
      yield* TestClock.adjust("3 hours")
      expect(left(store)).toEqual([recorded])
    })
  )
})
