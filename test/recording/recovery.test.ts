import { describe, expect, it } from "@effect/vitest"
import { Effect, Fiber, TestClock } from "effect"
import { justAfter } from "../../src/domain/Time.ts"
import { recover } from "../../src/recording/intake/recovery.ts"
import { range } from "./events.ts"
import { MemoryStore } from "./memoryStore.ts"
import { withWriter } from "./rig.ts"

const times = { lapTime: 5, sector1Time: null, sector2Time: null, sector3Time: null }

/** A crash left session 1 open, with points from 1000 to 1009 and these laps. */
const crashed = (...laps: ReadonlyArray<readonly [number: number, start: number, end: number]>) => {
  const store = new MemoryStore()
  const id = store.add({}, true)
  store.rows.set(id, range(1000, 1010))
  for (const [lapNumber, startTime, endTime] of laps) {
    store.laps.push({
      id: store.laps.length + 1,
      sessionId: id,
      lapNumber,
      ...times,
      valid: true,
      startTime,
      endTime
    })
  }
  return store
}

const recovered = (store: MemoryStore, ended: Array<number> = []) =>
  Effect.scoped(recover).pipe(Effect.provide(withWriter(store, undefined, ended)))

describe("recovery", () => {
  it.effect("ends the sessions that were being recorded, with the bounds of their points", () =>
    Effect.gen(function* () {
      const store = crashed()
      const empty = store.add({}, true)
      const done = store.add({}, false)
      const ended: Array<number> = []
      yield* recovered(store, ended)
      expect(ended).toEqual([1, empty])
      expect([...store.sessions.values()].map((kept) => kept.recording)).toEqual([false, false, false])
      expect(store.sessions.get(1)!.bounds).toEqual({ first: 1000, last: 1009 })
      expect(store.sessions.get(empty)!.bounds).toBeUndefined()
      expect(store.lapsOf(empty)).toEqual([])
      expect(store.lapsOf(done)).toEqual([])
    })
  )

  it.effect("keeps the lap that was under way, which is never valid", () =>
    Effect.gen(function* () {
      const store = crashed([1, 1000, 1002], [2, 1002, 1007.5])
      yield* recovered(store)
      expect(store.lapsOf(1).at(-1)).toMatchObject({
        lapNumber: 3,
        lapTime: null,
        valid: false,
        startTime: 1007.5,
        endTime: justAfter(1009)
      })
      const lapless = crashed()
      yield* recovered(lapless)
      expect(lapless.laps).toMatchObject([
        { lapNumber: 1, valid: false, startTime: 1000, endTime: justAfter(1009) }
      ])
    })
  )

  it.effect("adds no lap if the last one has all the points", () =>
    Effect.gen(function* () {
      const store = crashed([7, 1000, 1009.5])
      yield* recovered(store)
      expect(store.laps.length).toBe(1)
    })
  )

  it.effect("changes nothing the second time", () =>
    Effect.gen(function* () {
      const store = crashed([1, 1000, 1002])
      yield* recovered(store)
      const laps = [...store.laps]
      store.sessions.get(1)!.recording = true
      yield* recovered(store)
      expect(store.laps).toEqual(laps)
    })
  )

  it.effect("finishes the deletions that were cut short, and removes no other points", () =>
    Effect.gen(function* () {
      const store = crashed()
      const gone = store.add()
      for (const id of [gone, 98, 99]) store.rows.set(id, [1, 2, 3])
      store.delete(gone)
      // A deletion that was finished: the points that are there now came from elsewhere.
      store.deleted.set(98, false)
      yield* recovered(store)
      expect(store.rows.sessionIds()).toEqual([1, 98, 99])
      expect(store.timesOf(1).length).toBe(10)
      expect([...store.deleted]).toEqual([
        [gone, false],
        [98, false]
      ])
    })
  )

  it.effect("leaves alone sessions that another node records", () =>
    Effect.gen(function* () {
      const store = crashed()
      const theirs = store.add({}, true)
      store.elsewhere.add(theirs)
      yield* recovered(store)
      expect([1, theirs].map((id) => store.sessions.get(id)!.recording)).toEqual([false, true])
      expect(store.lapsOf(theirs)).toEqual([])
    })
  )

  it.scoped("records others at once if the points are not available, and goes on when they are", () =>
    Effect.gen(function* () {
      const store = crashed()
      const other = store.add({}, true)
      store.rows.set(99, [1, 2, 3])
      store.deleted.set(99, true)
      store.fail("remove", 3)
      store.fail("bounds", 2)
      yield* Effect.gen(function* () {
        yield* recover
        expect([store.sessions.get(1)!.recording, store.sessions.get(other)!.recording]).toEqual([true, true])
        // A session begun since, with points by the time the others are ended: neither broken off nor orphaned.
        const later = store.add({}, true)
        store.rows.set(later, [5, 6])
        yield* TestClock.adjust("1 minute")
        expect([1, other, later].map((id) => store.sessions.get(id)!.recording)).toEqual([false, false, true])
        expect(store.rows.sessionIds()).toEqual([1, later])
        expect(store.sessions.get(1)!.bounds).toEqual({ first: 1000, last: 1009 })
        expect(store.lapsOf(1).length).toBe(1)
      }).pipe(Effect.provide(withWriter(store)))
    })
  )

  it.effect("waits for the store if it fails in between", () =>
    Effect.gen(function* () {
      const store = crashed()
      store.fail("endSession", 3)
      store.fail("addLaps", 3)
      const recovering = yield* Effect.fork(recovered(store))
      yield* TestClock.adjust("1 minute")
      yield* Fiber.join(recovering)
      expect(store.laps.length).toBe(1)
      expect(store.sessions.get(1)!.recording).toBe(false)
    })
  )
})
