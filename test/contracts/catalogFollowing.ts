/** How clients follow the changes of every catalog. `makeLayer` gives an empty catalog at each call. */
import { describe, expect, it } from "@effect/vitest"
import { Effect, type Layer } from "effect"
import { catalogService, type CatalogService, type CatalogTags } from "./catalogService.ts"

const EPOCH = 1_770_000_000
const idle = { recording: false }
const recording = { recording: true }
const names = { circuit: "Spa", vehicle: "GT3", driver: "Anna", datetime: EPOCH }
const all = { sessionId: undefined, most: 100 }

const newLap = (sessionId: number, start: number) => ({
  sessionId,
  lapNumber: start,
  lapTime: 90.5,
  sector1Time: null,
  sector2Time: null,
  sector3Time: null,
  valid: true,
  startTime: EPOCH + start,
  endTime: EPOCH + start + 1
})

export const catalogFollowing = <E>(name: string, makeLayer: () => Layer.Layer<CatalogTags, E>) => {
  const test = <F>(title: string, body: (catalog: CatalogService) => Effect.Effect<void, F>) =>
    it.live(title, () => Effect.flatMap(catalogService, body).pipe(Effect.provide(makeLayer())))

  describe(`${name}, followed`, () => {
    test("gives the laps after an id, of one session or of all, in pages", (catalog) =>
      Effect.gen(function* () {
        expect(yield* catalog.newest).toEqual({ lapId: 0, change: 0 })
        expect(yield* catalog.lapsAfter(0, all)).toEqual([])
        const one = yield* catalog.createSession(names, idle)
        const two = yield* catalog.createSession(names, idle)
        // Later on the track, and stored before.
        const stored = yield* catalog.addLaps([newLap(one.id, 9), newLap(two.id, 1), newLap(one.id, 2)])
        const ids = stored.map(({ id }) => id)
        expect((yield* catalog.newest).lapId).toBe(ids[2])
        expect(yield* catalog.lapsAfter(0, all)).toEqual(stored)
        expect(yield* catalog.lapsAfter(ids[0]!, all)).toEqual(stored.slice(1))
        expect(yield* catalog.lapsAfter(0, { ...all, most: 2 })).toEqual(stored.slice(0, 2))
        expect(yield* catalog.lapsAfter(0, { ...all, sessionId: one.id })).toEqual([stored[0], stored[2]])
        expect(yield* catalog.lapsAfter(ids[2]!, all)).toEqual([])
      }))

    test("gives the sessions that began or ended since a change, each once, as it is now", (catalog) =>
      Effect.gen(function* () {
        yield* catalog.createSession(names, idle)
        expect(yield* catalog.newest).toEqual({ lapId: 0, change: 0 })
        const first = yield* catalog.createSession(names, recording)
        const began = yield* catalog.newest
        expect(yield* catalog.sessionsAfter(0, 10)).toEqual([
          { change: began.change, session: first, isRecorded: true }
        ])
        expect(yield* catalog.sessionsAfter(began.change, 10)).toEqual([])
        const second = yield* catalog.createSession(names, recording)
        yield* catalog.extendSessions(new Map([[first.id, { first: EPOCH, last: EPOCH + 90 }]]))
        yield* catalog.endSession(first.id)
        const changed = yield* catalog.sessionsAfter(0, 10)
        expect(changed.map(({ session }) => session)).toEqual([second, { ...first, duration: 90 }])
        expect(changed.map(({ isRecorded }) => isRecorded)).toEqual([true, false])
        const [beginning, end] = changed.map(({ change }) => change)
        expect(beginning).toBeGreaterThan(began.change)
        expect(end).toBeGreaterThan(beginning!)
        expect((yield* catalog.newest).change).toBe(end)
        expect(yield* catalog.sessionsAfter(0, 1)).toEqual(changed.slice(0, 1))
        expect(yield* catalog.sessionsAfter(beginning!, 10)).toEqual(changed.slice(1))
        // It has already ended: nothing changes.
        yield* catalog.endSession(first.id)
        expect(yield* catalog.sessionsAfter(beginning!, 10)).toEqual(changed.slice(1))
      }))

    test("gives simultaneous changes consecutive numbers", (catalog) =>
      Effect.gen(function* () {
        const sessions = yield* Effect.all(
          Array.from({ length: 20 }, () => catalog.createSession(names, recording)),
          { concurrency: "unbounded" }
        )
        yield* Effect.forEach(sessions, ({ id }) => catalog.endSession(id), { concurrency: "unbounded" })
        const changes = (yield* catalog.sessionsAfter(0, 100)).map(({ change }) => change)
        expect(new Set(changes).size).toBe(20)
        expect(changes).toEqual(changes.toSorted((a, b) => a - b))
      }))
  })
}
