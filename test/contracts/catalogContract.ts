/** The behaviour of every catalog, in any database. `makeLayer` gives an empty catalog at each call. */
import { describe, expect, it } from "@effect/vitest"
import { Clock, Effect, type Layer, Option, Tracer } from "effect"
import type { CircuitDetails } from "../../src/domain/Circuit.ts"
import type { CircuitLayout } from "../../src/domain/CircuitLayout.ts"
import { type Configuration, defaultConfiguration } from "../../src/domain/Configuration.ts"
import type { KeptConnection } from "../../src/domain/Connection.ts"
import { LapNotFound, SessionBeingRecorded, SessionNotFound } from "../../src/domain/errors.ts"
import type { NewLap } from "../../src/domain/Lap.ts"
import { noLapMark } from "../../src/domain/Mark.ts"
import { type NewSession, Session, type SessionFilter } from "../../src/domain/Session.ts"
import { catalogDictionaries } from "./catalogDictionaries.ts"
import { catalogFileImports } from "./catalogFileImports.ts"
import { catalogMarks } from "./catalogMarks.ts"
import { keptDistance, sessionsWithLaps } from "./wholeCatalog.ts"
import { catalogService, type CatalogService, type CatalogTags } from "./catalogService.ts"

const EPOCH = Date.UTC(2026, 1, 13, 9, 30) / 1000
const page: SessionFilter = { limit: 50, offset: 0 }
const idle = { recording: false }
const recording = { recording: true }

const newSession = (over: Partial<NewSession> = {}): NewSession => ({
  circuit: "Spa",
  vehicle: "GT3",
  driver: "Anna",
  datetime: EPOCH,
  ...over
})

const newLap = (sessionId: number, over: Partial<NewLap> = {}): NewLap => ({
  sessionId,
  lapNumber: 1,
  lapTime: 90.123456,
  sector1Time: 30.1,
  sector2Time: null,
  sector3Time: 29.9,
  valid: true,
  startTime: EPOCH + 0.1,
  endTime: EPOCH + 90.223456,
  ...over
})

/** The statements that an Effect runs, by the spans of the SQL client. */
const countingStatements = Effect.map(Effect.tracer, (native) => {
  let count = 0
  const tracer = Tracer.make({
    span: (name, parent, context, links, startTime, kind) => {
      if (name === "sql.execute") count++
      return native.span(name, parent, context, links, startTime, kind)
    },
    context: (run) => run()
  })
  return {
    statements: () => count,
    traced: <A, E>(effect: Effect.Effect<A, E>) =>
      effect.pipe(Effect.withSpan("counted"), Effect.withTracer(tracer), Effect.withTracerEnabled(true))
  }
})

/** A second each. */
const lapsOf = ({ id }: Session, from: number, to: number) =>
  Array.from({ length: to - from }, (_, n) =>
    newLap(id, { lapNumber: from + n, startTime: EPOCH + from + n, endTime: EPOCH + from + n + 1 })
  )

export const catalogContract = <E>(name: string, makeLayer: () => Layer.Layer<CatalogTags, E>) => {
  const test = <F>(title: string, body: (catalog: CatalogService) => Effect.Effect<void, F>) =>
    it.live(title, () => Effect.flatMap(catalogService, body).pipe(Effect.provide(makeLayer())))

  describe(`${name}`, () => {
    catalogDictionaries(test)
    catalogFileImports(test)
    catalogMarks(test)

    test("numbers sessions and returns them", (catalog) =>
      Effect.gen(function* () {
        const created = yield* catalog.createSession(newSession({ datetime: EPOCH + 0.25 }), idle)
        expect(created).toEqual({
          id: created.id,
          circuit: "Spa",
          vehicle: "GT3",
          driver: "Anna",
          datetime: EPOCH + 0.25,
          duration: 0,
          totalLaps: 0,
          bestLapTime: null,
          source: "live",
          pinned: false
        })
        expect(created.id).toBeGreaterThan(0)
        expect(yield* catalog.session(created.id)).toEqual(created)
        const missing = yield* Effect.flip(catalog.session(created.id + 1))
        expect(missing).toEqual(new SessionNotFound({ sessionId: created.id + 1 }))
        yield* catalog.check
      }))

    test("pins and unpins a session, recorded or not", (catalog) =>
      Effect.gen(function* () {
        const one = yield* catalog.createSession(newSession(), idle)
        const other = yield* catalog.createSession(newSession(), recording)
        const pinned = { ...one, pinned: true }
        expect(yield* catalog.pinSession(one.id, true)).toEqual(pinned)
        expect(yield* catalog.session(one.id)).toEqual(pinned)
        expect((yield* catalog.sessions(page)).items).toEqual([other, pinned])
        expect(yield* catalog.pinSession(one.id, false)).toEqual(one)
        expect((yield* catalog.pinSession(other.id, true)).pinned).toBe(true)
        yield* catalog.endSession(other.id)
        // A requested deletion ignores the pin.
        yield* catalog.deleteSession(other.id)
        const missing = yield* Effect.flip(catalog.pinSession(other.id, true))
        expect(missing).toEqual(new SessionNotFound({ sessionId: other.id }))
      }))

    test("names the removable session that ended first, and removes it unless it has changed", (catalog) =>
      Effect.gen(function* () {
        expect(yield* catalog.oldestRemovable(Infinity)).toEqual(Option.none())
        const open = yield* catalog.createSession(newSession({ datetime: EPOCH - 100 }), recording)
        const pinned = yield* catalog.createSession(newSession({ datetime: EPOCH - 99 }), idle)
        yield* catalog.pinSession(pinned.id, true)
        const late = yield* catalog.createSession(newSession({ datetime: EPOCH }), idle)
        const long = yield* catalog.createSession(newSession({ datetime: EPOCH - 50 }), idle)
        yield* catalog.extendSessions(new Map([[long.id, { first: EPOCH - 50, last: EPOCH + 0.123456 }]]))
        const first = { id: late.id, ended: EPOCH }
        const second = { id: long.id, ended: EPOCH + 0.123456 }
        expect(yield* catalog.oldestRemovable(Infinity)).toEqual(Option.some(first))

        // It stays if it was pinned, is recorded or has got more points since it was named.
        expect(yield* catalog.deleteRemovable({ ...second, ended: EPOCH })).toBe(false)
        yield* catalog.claimSession(late.id)
        expect(yield* catalog.deleteRemovable(first)).toBe(false)
        expect(yield* catalog.oldestRemovable(Infinity)).toEqual(Option.some(second))
        yield* catalog.endSession(late.id)
        // Now it has ended.
        expect(yield* catalog.deleteRemovable(first)).toBe(false)
        yield* catalog.pinSession(long.id, true)
        expect(yield* catalog.deleteRemovable(second)).toBe(false)
        yield* catalog.pinSession(long.id, false)

        expect(yield* catalog.deleteRemovable(second)).toBe(true)
        expect(yield* catalog.deleteRemovable(second)).toBe(false)
        expect(yield* catalog.pendingRemovals).toEqual([long.id])
        const last = Option.getOrThrow(yield* catalog.oldestRemovable(Infinity))
        expect(last.id).toBe(late.id)
        expect(yield* catalog.deleteRemovable(last)).toBe(true)
        expect(yield* catalog.oldestRemovable(Infinity)).toEqual(Option.none())
        expect(yield* catalog.sessionIds).toEqual([open.id, pinned.id])
      }))

    test("ends a session at its source's time or the machine's, whichever is later", (catalog) =>
      Effect.gen(function* () {
        expect(yield* catalog.newestSession).toEqual(Option.none())
        const now = (yield* Clock.currentTimeMillis) / 1000
        const past = yield* catalog.createSession(newSession({ datetime: now - 1e6 }), recording)
        const ahead = yield* catalog.createSession(newSession({ datetime: now + 1e6 }), recording)
        for (const { id } of [past, ahead]) yield* catalog.endSession(id)
        const oldest = Option.getOrThrow(yield* catalog.oldestRemovable(Infinity))
        expect(oldest.id).toBe(past.id)
        expect(oldest.ended).toBeGreaterThanOrEqual(now)
        expect(oldest.ended).toBeLessThan(now + 1e6)
        expect(yield* catalog.newestSession).toEqual(Option.some({ id: ahead.id, ended: now + 1e6 }))
        // A request up to an id finds no later one.
        const older = yield* catalog.createSession(newSession({ datetime: now - 2e6 }), idle)
        expect(yield* catalog.oldestRemovable(ahead.id)).toEqual(Option.some(oldest))
        expect(Option.getOrThrow(yield* catalog.oldestRemovable(older.id)).id).toBe(older.id)
        expect(yield* catalog.oldestRemovable(past.id - 1)).toEqual(Option.none())
      }))

    test("lists newest first, in pages, with the number of all", (catalog) =>
      Effect.gen(function* () {
        const ids: Array<number> = []
        for (const offset of [100, 300, 200, 300]) {
          ids.push((yield* catalog.createSession(newSession({ datetime: EPOCH + offset }), idle)).id)
        }
        const [a, b, c, d] = ids
        const listed = yield* catalog.sessions(page)
        expect(listed.total).toBe(4)
        expect(listed.items.map((session) => session.id)).toEqual([d, b, c, a])
        const middle = yield* catalog.sessions({ limit: 2, offset: 1 })
        expect(middle.total).toBe(4)
        expect(middle.items.map((session) => session.id)).toEqual([b, c])
        expect(yield* catalog.sessions({ limit: 2, offset: 9 })).toEqual({ total: 4, items: [] })
        expect(yield* catalog.sessionIds).toEqual(ids)
      }))

    test("matches a name whether its letters are composed or decomposed", (catalog) =>
      Effect.gen(function* () {
        const apart = { circuit: "Nu\u0308rburgring", driver: "A\u030Asa" }
        const whole = { circuit: "N\u00FCrburgring", driver: "\u00C5sa" }
        const one = yield* catalog.createSession(newSession(apart), idle)
        const other = yield* catalog.createSession(newSession(whole), idle)
        expect(one).toMatchObject(whole)
        for (const names of [apart, whole]) {
          const { items } = yield* catalog.sessions({ ...names, limit: 9, offset: 0 })
          expect(items.map(({ id }) => id).sort()).toEqual([one.id, other.id])
          const { total } = yield* catalog.sessions({ search: names.driver, limit: 9, offset: 0 })
          expect(total).toBe(2)
          expect(yield* catalog.totalsByCircuit(names)).toMatchObject([
            { circuit: whole.circuit, totals: { sessions: 2 } }
          ])
        }
        expect(yield* catalog.circuits).toEqual([whole.circuit])
      }))

    test("filters by whole names, ignoring case in any script", (catalog) =>
      Effect.gen(function* () {
        const spa = yield* catalog.createSession(newSession(), idle)
        const ring = yield* catalog.createSession(
          newSession({ circuit: "Nürburgring", vehicle: "Škoda R5", driver: "ÉMILE Ørsted" }),
          idle
        )
        const found = (filter: Partial<SessionFilter>) =>
          Effect.map(catalog.sessions({ ...page, ...filter }), ({ items, total }) => {
            expect(total).toBe(items.length)
            return items.map((session) => session.id)
          })
        expect(yield* found({ circuit: "SPA" })).toEqual([spa.id])
        expect(yield* found({ circuit: "NÜRBURGRING" })).toEqual([ring.id])
        expect(yield* found({ vehicle: "škoda r5" })).toEqual([ring.id])
        expect(yield* found({ driver: "émile ørsted", circuit: "nürburgring" })).toEqual([ring.id])
        expect(yield* found({ driver: "Anna", circuit: "nürburgring" })).toEqual([])
        expect(yield* found({ circuit: "Sp" })).toEqual([])
        expect(yield* found({ circuit: "%" })).toEqual([])
        expect(yield* found({ driver: "x' OR '1'='1" })).toEqual([])
        expect(yield* found({ driver: undefined })).toEqual([ring.id, spa.id])
      }))

    test("finds sessions by words in any of the names, ignoring case in any script", (catalog) =>
      Effect.gen(function* () {
        const spa = yield* catalog.createSession(newSession({ vehicle: "50% off_road" }), idle)
        const ring = yield* catalog.createSession(
          newSession({ circuit: "Nürburgring", driver: "ÉMILE Ørsted" }),
          idle
        )
        const found = (filter: Partial<SessionFilter>) =>
          Effect.map(catalog.sessions({ ...page, ...filter }), ({ items, total }) => {
            expect(total).toBe(items.length)
            return items.map((session) => session.id)
          })
        expect(yield* found({ search: "BURG" })).toEqual([ring.id])
        expect(yield* found({ search: " ørst  nür " })).toEqual([ring.id])
        expect(yield* found({ search: "ørst spa" })).toEqual([])
        expect(yield* found({ search: "gt3" })).toEqual([ring.id])
        expect(yield* found({ search: "" })).toEqual([ring.id, spa.id])
        // Combined with filters by whole names, which work as before.
        expect(yield* found({ search: "a", circuit: "spa" })).toEqual([spa.id])
        expect(yield* found({ search: "a", circuit: "sp" })).toEqual([])
        // None of these characters is a wildcard.
        expect(yield* found({ search: "0%" })).toEqual([spa.id])
        expect(yield* found({ search: "f_r" })).toEqual([spa.id])
        for (const search of ["n%ring", "g_3", "\\", "' OR '1'='1"])
          expect(yield* found({ search })).toEqual([])
      }))

    test("lists in the requested order, without gaps between pages", (catalog) =>
      Effect.gen(function* () {
        const at = Effect.fn(function* (circuit: string, driver: string, offset: number, lapTime?: number) {
          const session = newSession({ circuit, driver, vehicle: driver, datetime: EPOCH + offset })
          const { id } = yield* catalog.createSession(session, idle)
          if (lapTime !== undefined) yield* catalog.addLaps([newLap(id, { lapTime })])
          return id
        })
        const a = yield* at("Spa", "Zoe", 0, 91)
        const b = yield* at("monza", "Ann", 100)
        const c = yield* at("Spa", "bob", 200, 89)
        const d = yield* at("Monza", "Ann", 300, 90)
        const e = yield* at("Spa", "Ann", 50)
        const listed = Effect.fn(function* (filter: Partial<SessionFilter>) {
          const ids: Array<number> = []
          // Pages of two, which end between sessions of equal sort keys.
          for (let offset = 0; offset < 6; offset += 2) {
            const { items } = yield* catalog.sessions({ ...filter, limit: 2, offset })
            ids.push(...items.map(({ id }) => id))
          }
          return ids
        })
        expect(yield* listed({})).toEqual([d, c, b, e, a])
        expect(yield* listed({ sort: "newest" })).toEqual([d, c, b, e, a])
        expect(yield* listed({ sort: "oldest" })).toEqual([a, e, b, c, d])
        expect(yield* listed({ sort: "fastest" })).toEqual([c, d, a, b, e])
        expect(yield* listed({ sort: "circuit" })).toEqual([d, b, c, e, a])
        expect(yield* listed({ sort: "driver" })).toEqual([d, b, e, c, a])
        expect(yield* listed({ sort: "vehicle" })).toEqual([d, b, e, c, a])
        expect(yield* listed({ sort: "fastest", search: "spa" })).toEqual([c, a, e])
        expect(yield* listed({ sort: "fastest", circuit: "monza" })).toEqual([d, b])
      }))

    test("deletes a session with its laps, and never gives its ids again", (catalog) =>
      Effect.gen(function* () {
        const kept = yield* catalog.createSession(newSession(), idle)
        const gone = yield* catalog.createSession(newSession(), idle)
        const [keptLap] = yield* catalog.addLaps([newLap(kept.id)])
        const [goneLap] = yield* catalog.addLaps([newLap(gone.id)])
        yield* catalog.deleteSession(gone.id)
        expect(yield* Effect.flip(catalog.session(gone.id))).toEqual(
          new SessionNotFound({ sessionId: gone.id })
        )
        expect(yield* Effect.flip(catalog.laps(gone.id))).toEqual(new SessionNotFound({ sessionId: gone.id }))
        expect(yield* Effect.flip(catalog.lap(goneLap!.id))).toEqual(new LapNotFound({ lapId: goneLap!.id }))
        expect(yield* Effect.flip(catalog.deleteSession(gone.id))).toEqual(
          new SessionNotFound({ sessionId: gone.id })
        )
        expect(yield* catalog.lap(keptLap!.id)).toEqual(keptLap)
        expect(yield* catalog.counts).toEqual({ sessions: 1, laps: 1 })
        const next = yield* catalog.createSession(newSession(), idle)
        const [nextLap] = yield* catalog.addLaps([newLap(next.id)])
        expect(next.id).toBeGreaterThan(gone.id)
        expect(nextLap!.id).toBeGreaterThan(goneLap!.id)
      }))

    test("tells sessions that were deleted to make room from those that a user deleted", (catalog) =>
      Effect.gen(function* () {
        const ids: Array<number> = []
        for (let n = 0; n < 3; n++) ids.push((yield* catalog.createSession(newSession(), idle)).id)
        const [kept, wanted, old] = ids as [number, number, number]
        yield* catalog.deleteSession(wanted)
        expect(yield* catalog.deleteRemovable({ id: old, ended: EPOCH })).toBe(true)
        expect(yield* catalog.deleted([old, kept, wanted])).toEqual([old, wanted])
        expect(yield* catalog.removedForRoom([wanted, old, kept, 77])).toEqual([old])
        yield* catalog.removalDone(old)
        expect(yield* catalog.removedForRoom([old])).toEqual([old])
        expect(yield* catalog.removedForRoom([])).toEqual([])
      }))

    test("knows the deleted sessions, and those whose points are still to be removed", (catalog) =>
      Effect.gen(function* () {
        const ids: Array<number> = []
        for (let n = 0; n < 4; n++) ids.push((yield* catalog.createSession(newSession(), idle)).id)
        const [kept, first, second, third] = ids as [number, number, number, number]
        const never = third + 1
        for (const id of [third, first, second]) yield* catalog.deleteSession(id)
        expect(yield* catalog.pendingRemovals).toEqual([first, second, third])
        yield* catalog.removalDone(second)
        yield* catalog.removalDone(second)
        yield* catalog.removalDone(kept)
        expect(yield* catalog.pendingRemovals).toEqual([first, third])
        expect(yield* catalog.removeAgain(second)).toBe(true)
        expect(yield* catalog.removeAgain(kept)).toBe(false)
        expect(yield* catalog.removeAgain(never)).toBe(false)
        expect(yield* catalog.pendingRemovals).toEqual([first, second, third])
        for (const id of ids) yield* catalog.removalDone(id)
        expect(yield* catalog.pendingRemovals).toEqual([])

        const requested = [never, third, kept, first]
        expect(yield* catalog.deleted(requested)).toEqual([third, first])
        expect(yield* catalog.missing(requested)).toEqual([never, third, first])
        expect(yield* catalog.deleted([])).toEqual([])
        expect(yield* catalog.missing([])).toEqual([])
        const many = Array.from({ length: 70_000 }, (_, n) => n + 1)
        expect((yield* catalog.missing(many)).length).toBe(70_000 - 1)
        expect(yield* catalog.deleted(many)).toEqual([first, second, third])
      }))

    test("does not take a session that cannot be deleted for deleted", (catalog) =>
      Effect.gen(function* () {
        const { id } = yield* catalog.createSession(newSession(), recording)
        yield* Effect.flip(catalog.deleteSession(id))
        yield* Effect.flip(catalog.deleteSession(id + 1))
        expect(yield* catalog.pendingRemovals).toEqual([])
        expect(yield* catalog.deleted([id, id + 1])).toEqual([])
      }))

    test("refuses a second recorder and a deletion for a session that is recorded", (catalog) =>
      Effect.gen(function* () {
        const { id } = yield* catalog.createSession(newSession(), recording)
        const beingRecorded = new SessionBeingRecorded({ sessionId: id })
        expect(yield* catalog.unendedSessions).toEqual([id])
        expect(yield* Effect.flip(catalog.claimSession(id))).toEqual(beingRecorded)
        expect(yield* Effect.flip(catalog.deleteSession(id))).toEqual(beingRecorded)
        yield* catalog.endSession(id)
        yield* catalog.endSession(id)
        expect(yield* catalog.unendedSessions).toEqual([])
        expect((yield* catalog.claimSession(id)).id).toBe(id)
        expect(yield* Effect.flip(catalog.deleteSession(id))).toEqual(beingRecorded)
        yield* catalog.endSession(id)
        yield* catalog.deleteSession(id)
        expect(yield* Effect.flip(catalog.claimSession(id))).toEqual(new SessionNotFound({ sessionId: id }))
        yield* catalog.endSession(id)
      }))

    test("lets one succeed of several that claim or delete a session at once", (catalog) =>
      Effect.gen(function* () {
        const { id } = yield* catalog.createSession(newSession(), idle)
        const claims = yield* Effect.all(
          Array.from({ length: 8 }, () => Effect.either(catalog.claimSession(id))),
          { concurrency: "unbounded" }
        )
        expect(claims.filter((claim) => claim._tag === "Right").length).toBe(1)
        yield* catalog.endSession(id)
        const mixed = yield* Effect.all(
          [Effect.either(catalog.deleteSession(id)), Effect.either(catalog.claimSession(id))],
          { concurrency: "unbounded" }
        )
        expect(mixed.filter((result) => result._tag === "Right").length).toBe(1)
      }))

    test("widens a session's bounds and never narrows them", (catalog) =>
      Effect.gen(function* () {
        const { id } = yield* catalog.createSession(newSession(), recording)
        const duration = Effect.map(catalog.session(id), (session) => session.duration)
        yield* catalog.extendSessions(new Map([[id, { first: EPOCH + 10, last: EPOCH + 20.9 }]]))
        expect(yield* duration).toBe(10)
        yield* catalog.extendSessions(new Map([[id, { first: EPOCH + 12, last: EPOCH + 15 }]]))
        expect(yield* duration).toBe(10)
        yield* catalog.extendSessions(new Map([[id, { first: EPOCH + 12, last: EPOCH + 40 }]]))
        expect(yield* duration).toBe(30)
        yield* catalog.extendSessions(new Map([[id, { first: EPOCH, last: EPOCH + 15 }]]))
        expect(yield* duration).toBe(40)
        // Without the session nothing is widened: the recorder learns of a lost session when it adds to it.
        yield* catalog.extendSessions(new Map([[id + 1, { first: 0, last: 1 }]]))
      }))

    test("widens the bounds of many sessions at once, each by its own", (catalog) =>
      Effect.gen(function* () {
        const created = yield* Effect.forEach(Array.from({ length: 3 }), () =>
          catalog.createSession(newSession(), recording)
        )
        const ids = created.map(({ id }) => id)
        const durations = Effect.map(Effect.forEach(ids, catalog.session), (all) =>
          all.map(({ duration }) => duration)
        )
        // A fraction that text or a 32-bit float would change; later than the sessions' own times.
        const first = 2 ** 32 + 0.123457
        const spans = (ends: ReadonlyArray<number>) =>
          new Map(ends.map((end, n) => [ids[n] ?? 1e9 + n, { first, last: first + end }]))
        yield* catalog.extendSessions(spans([10, 20, 30, 40]))
        expect(yield* durations).toEqual([10, 20, 30])
        yield* catalog.extendSessions(spans([15, 5]))
        expect(yield* durations).toEqual([15, 20, 30])
        // More than fit into one statement.
        yield* catalog.extendSessions(spans(Array.from({ length: 2500 }, (_, n) => 100 + n)))
        expect(yield* durations).toEqual([100, 101, 102])
        yield* catalog.extendSessions(new Map())
        for (const id of ids) yield* catalog.endSession(id)
        const removable = yield* catalog.oldestRemovable(Infinity)
        expect(removable).toEqual(Option.some({ id: ids[0], ended: first + 100 }))
      }))

    test("keeps a session's distance until the session is recorded into again", (catalog) =>
      Effect.gen(function* () {
        const { id } = yield* catalog.createSession(newSession(), recording)
        const distance = keptDistance(catalog)
        const whole = { metres: 5354.0625, until: EPOCH + 90.1 }
        yield* catalog.extendSessions(new Map([[id, { first: EPOCH, last: whole.until }]]))
        expect(yield* distance).toBe(null)
        // Still being recorded: more will come.
        yield* catalog.keepDistance(id, whole)
        expect(yield* distance).toBe(null)
        yield* catalog.endSession(id)
        expect(yield* distance).toBe(null)
        yield* catalog.keepDistance(id, { ...whole, until: EPOCH + 80 })
        expect(yield* distance).toBe(null)
        yield* catalog.keepDistance(id, whole)
        expect(yield* distance).toBe(whole.metres)

        yield* catalog.claimSession(id)
        expect(yield* distance).toBe(null)
        yield* catalog.extendSessions(new Map([[id, { first: EPOCH + 100, last: EPOCH + 120 }]]))
        yield* catalog.endSession(id)
        // A late measurement from before the session was taken up again.
        yield* catalog.keepDistance(id, whole)
        expect(yield* distance).toBe(null)
        yield* catalog.keepDistance(id, { metres: 0, until: EPOCH + 120 })
        expect(yield* distance).toBe(0)
        expect(yield* catalog.session(id)).not.toHaveProperty("distance")

        yield* catalog.deleteSession(id)
        yield* catalog.keepDistance(id, whole)
        expect(yield* distance).toBe(undefined)
      }))

    test("keeps a whole number of seconds whole, though epoch doubles are not exact", (catalog) =>
      Effect.gen(function* () {
        for (const fraction of [0.1, 0.2, 0.3, 0.7]) {
          const { id } = yield* catalog.createSession(newSession(), idle)
          yield* catalog.extendSessions(
            new Map([[id, { first: EPOCH + fraction, last: EPOCH + fraction + 90 }]])
          )
          expect((yield* catalog.session(id)).duration).toBe(90)
        }
      }))

    test("numbers laps, and computes the session's totals from them", (catalog) =>
      Effect.gen(function* () {
        const { id } = yield* catalog.createSession(newSession(), recording)
        const added = yield* catalog.addLaps([
          newLap(id, { lapNumber: 2, startTime: EPOCH + 100, lapTime: 89.5, sectorSource: "derived" }),
          newLap(id, { lapNumber: 1, startTime: EPOCH, lapTime: 91 }),
          newLap(id, { lapNumber: 3, startTime: EPOCH + 200, lapTime: 80, valid: false }),
          newLap(id, { lapNumber: 4, startTime: EPOCH + 300, lapTime: null })
        ])
        expect(added.map((lap) => lap.lapNumber)).toEqual([2, 1, 3, 4])
        expect(new Set(added.map((lap) => lap.id)).size).toBe(4)
        expect(added[0]).toEqual({
          id: added[0]!.id,
          ...newLap(id, { lapNumber: 2, startTime: EPOCH + 100, lapTime: 89.5, sectorSource: "derived" })
        })
        expect(yield* catalog.session(id)).toMatchObject({ totalLaps: 4, bestLapTime: 89.5 })
        expect((yield* catalog.sessions(page)).items[0]).toMatchObject({ totalLaps: 4, bestLapTime: 89.5 })
        expect(yield* catalog.laps(id)).toEqual([added[1], added[0], added[2], added[3]])
        expect(yield* catalog.lap(added[2]!.id)).toEqual(added[2])
        expect(yield* catalog.addLaps([])).toEqual([])
      }))

    test("sorts laps of one number by their start, and has no lap of a session that only began", (catalog) =>
      Effect.gen(function* () {
        const { id } = yield* catalog.createSession(newSession(), recording)
        expect(yield* catalog.laps(id)).toEqual([])
        yield* catalog.addLaps([
          newLap(id, { startTime: EPOCH + 2 }),
          newLap(id, { startTime: EPOCH + 1 }),
          newLap(id, { lapNumber: 0, startTime: EPOCH + 3 })
        ])
        expect((yield* catalog.laps(id)).map((lap) => lap.startTime - EPOCH)).toEqual([3, 1, 2])
      }))

    test("takes a lap with the start of another for that lap", (catalog) =>
      Effect.gen(function* () {
        const { id } = yield* catalog.createSession(newSession(), recording)
        const other = yield* catalog.createSession(newSession(), recording)
        const first = yield* catalog.addLaps([
          newLap(id),
          newLap(id, { lapNumber: 2, startTime: EPOCH + 90 })
        ])
        const again = yield* catalog.addLaps([
          newLap(id, { lapNumber: 2, startTime: EPOCH + 90 }),
          newLap(id, { lapNumber: 9, lapTime: 1 }),
          newLap(id, { lapNumber: 3, startTime: EPOCH + 180 })
        ])
        expect(again.slice(0, 2)).toEqual([first[1], first[0]])
        expect((yield* catalog.laps(id)).map((lap) => lap.lapNumber)).toEqual([1, 2, 3])
        const [elsewhere] = yield* catalog.addLaps([newLap(other.id)])
        expect(elsewhere!.sessionId).toBe(other.id)
        expect(elsewhere!.id).not.toBe(first[0]!.id)
      }))

    test("adds many laps by few statements, and returns each in its place, known ones too", (catalog) =>
      Effect.gen(function* () {
        const [one, two] = [
          yield* catalog.createSession(newSession(), recording),
          yield* catalog.createSession(newSession(), recording)
        ]
        const known = yield* catalog.addLaps(lapsOf(one, 600, 602))
        const { statements, traced } = yield* countingStatements
        const laps = [...lapsOf(one, 0, 1100), ...lapsOf(two, 0, 3), ...lapsOf(one, 599, 601)]
        const added = yield* traced(catalog.addLaps(laps))
        expect(added.map(({ lapNumber, sessionId }) => [sessionId, lapNumber])).toEqual(
          laps.map(({ lapNumber, sessionId }) => [sessionId, lapNumber])
        )
        expect(added.slice(600, 602)).toEqual(known)
        expect(new Set(added.map(({ id }) => id)).size).toBe(1103)
        expect(statements()).toBeLessThan(25)
      }))

    test("replaces the laps of a session that is not recorded; a lap that stays keeps its id and its mark", (catalog) =>
      Effect.gen(function* () {
        const { id } = yield* catalog.createSession(newSession(), idle)
        const at = (lapNumber: number, start: number, lapTime: number | null) =>
          newLap(id, { lapNumber, lapTime, startTime: EPOCH + start, endTime: EPOCH + start + 50 })
        const [first, second] = yield* catalog.addLaps([at(1, 0, 50), at(2, 50, 40), at(3, 100, 60)])
        yield* catalog.markLap(first!.id, { ...noLapMark, note: "clean" })
        yield* catalog.markLap(second!.id, { ...noLapMark, note: "slide" })
        const replaced = yield* catalog.replaceLaps(id, [at(1, 0, 50), at(2, 60, 45), at(3, 100, null)])
        expect(replaced.map(({ lapNumber, lapTime }) => [lapNumber, lapTime])).toEqual([
          [1, 50],
          [2, 45],
          [3, null]
        ])
        expect(replaced[0]!.id).toBe(first!.id)
        expect(yield* catalog.laps(id)).toEqual(replaced)
        expect(yield* catalog.session(id)).toMatchObject({ totalLaps: 3, bestLapTime: 45 })
        expect(yield* catalog.counts).toEqual({ sessions: 1, laps: 3 })
        const marks = yield* catalog.marks({ sessionId: id, kind: "lap", after: 0, limit: 9 })
        expect(marks).toMatchObject([
          { lapId: first!.id, note: "clean", unmatched: false },
          { lapId: second!.id, note: "slide", unmatched: true }
        ])
        expect(yield* catalog.replaceLaps(id, [])).toEqual([])
        expect(yield* catalog.session(id)).toMatchObject({ totalLaps: 0, bestLapTime: null })
        const other = yield* catalog.createSession(newSession(), recording)
        expect(yield* Effect.flip(catalog.replaceLaps(other.id, []))).toEqual(
          new SessionBeingRecorded({ sessionId: other.id })
        )
        expect(yield* Effect.flip(catalog.replaceLaps(77, []))).toEqual(
          new SessionNotFound({ sessionId: 77 })
        )
      }))

    test("adds all laps or, if a session is gone, none", (catalog) =>
      Effect.gen(function* () {
        const { id } = yield* catalog.createSession(newSession(), idle)
        const gone = new SessionNotFound({ sessionId: id + 1 })
        expect(yield* Effect.flip(catalog.addLaps([newLap(id), newLap(id + 1)]))).toEqual(gone)
        expect(yield* catalog.laps(id)).toEqual([])
        expect(yield* catalog.counts).toEqual({ sessions: 1, laps: 0 })
      }))

    test("gives the sessions with exactly these names, oldest first, each with its own laps", (catalog) =>
      Effect.gen(function* () {
        const late = yield* catalog.createSession(newSession({ datetime: EPOCH + 60 }), idle)
        const early = yield* catalog.createSession(newSession({ driver: "ÅSA" }), idle)
        yield* catalog.createSession(newSession({ circuit: "Spa-Short" }), idle)
        const [second, first] = yield* catalog.addLaps([
          newLap(late.id, { lapNumber: 2, startTime: EPOCH + 91 }),
          newLap(late.id)
        ])
        const found = yield* sessionsWithLaps(catalog, { circuit: "SPA" })
        expect(found.map(({ session }) => session.id)).toEqual([early.id, late.id])
        expect(found.map(({ laps }) => laps)).toEqual([[], [first, second]])
        expect(found[1]!.session).toEqual(yield* catalog.session(late.id))
        const hers = yield* sessionsWithLaps(catalog, { circuit: "spa", driver: "åsa" })
        expect(hers.map(({ session }) => session.id)).toEqual([early.id])
        expect(yield* sessionsWithLaps(catalog, { vehicle: "GT" })).toEqual([])
        expect(yield* sessionsWithLaps(catalog)).toHaveLength(3)
      }))

    test("names the circuits and vehicles that have a session, sorted", (catalog) =>
      Effect.gen(function* () {
        expect(yield* catalog.circuits).toEqual([])
        yield* catalog.createSession(newSession({ circuit: "Spa", vehicle: "b" }), idle)
        yield* catalog.createSession(newSession({ circuit: "Monza", vehicle: "b" }), idle)
        const { id } = yield* catalog.createSession(newSession({ circuit: "Zolder", vehicle: "a" }), idle)
        expect(yield* catalog.circuits).toEqual(["Monza", "Spa", "Zolder"])
        expect(yield* catalog.vehicles).toEqual(["a", "b"])
        yield* catalog.deleteSession(id)
        expect(yield* catalog.circuits).toEqual(["Monza", "Spa"])
        expect(yield* catalog.vehicles).toEqual(["b"])
      }))

    test("refuses lines that are not numbers at every attempt, and keeps nothing of them", (catalog) =>
      Effect.gen(function* () {
        const { id } = yield* catalog.createSession(newSession(), recording)
        const nowhere = { x1: Infinity, y1: Number.NaN, x2: 0, y2: 0 }
        const sectorLines = { length: 1000, first: nowhere, second: nowhere }
        const refused = yield* Effect.flip(catalog.addLaps([newLap(id, { sectorLines })]))
        expect(refused).toMatchObject({ _tag: "StoreUnavailable", refusal: "refused" })
        expect(yield* catalog.laps(id)).toEqual([])
        expect((yield* catalog.addLaps([newLap(id)])).length).toBe(1)
      }))

    test("refuses a lap whose number it cannot keep", (catalog) =>
      Effect.gen(function* () {
        const { id } = yield* catalog.createSession(newSession(), recording)
        const lapNumber = null as unknown as number
        const refused = yield* Effect.flip(catalog.addLaps([newLap(id, { lapNumber })]))
        expect(refused).toMatchObject({ _tag: "StoreUnavailable", refusal: "refused" })
      }))

    test("keeps the lines of laps once, by circuit and in their order", (catalog) =>
      Effect.gen(function* () {
        expect(yield* catalog.sectorLines("Spa")).toEqual([])
        const { id } = yield* catalog.createSession(newSession({ circuit: "Österreichring" }), idle)
        const line = { x1: 0.1, y1: -2, x2: 3e5, y2: 4 }
        const one = { length: 7004.25, first: line, second: { ...line, x1: 7 } }
        const other = { ...one, length: 5000 }
        const laps = [
          newLap(id, { sectorSource: "derived", sectorLines: one }),
          newLap(id, { startTime: EPOCH + 100, endTime: EPOCH + 190, sectorSource: "simulator" }),
          newLap(id, { startTime: EPOCH + 200, endTime: EPOCH + 290, sectorLines: other })
        ]
        const stored = yield* catalog.addLaps(laps)
        // Added again, as after a time-out.
        expect(yield* catalog.addLaps(laps)).toEqual(stored)
        expect(stored.map(({ sectorSource }) => sectorSource)).toEqual(["derived", "simulator", null])
        expect((yield* catalog.laps(id)).map((lap) => "sector_lines" in lap)).toEqual([false, false, false])
        expect(yield* catalog.sectorLines("ÖSTERREICHRING")).toEqual([one, other])
        expect(yield* catalog.sectorLines("Spa")).toEqual([])
      }))

    test("keeps users' details of circuits by name, ignoring case in any script", (catalog) =>
      Effect.gen(function* () {
        expect(yield* catalog.circuitDetails("Österreichring")).toBeUndefined()
        expect(yield* catalog.allCircuitDetails).toEqual([])
        const ring: CircuitDetails = {
          displayName: "Österreichring, alt",
          corners: [
            { number: 2, name: "Hella Licht", direction: "right", distance: 1234.5 },
            { number: 1, name: null, direction: "left", distance: 0 }
          ]
        }
        yield* catalog.putCircuitDetails("Österreichring", ring)
        expect(yield* catalog.circuitDetails("ÖSTERREICHRING")).toEqual(ring)
        const renamed = { displayName: "x' OR '1'='1", corners: [] }
        yield* catalog.putCircuitDetails("ÖsterreichRing", renamed)
        yield* catalog.putCircuitDetails("A", ring)
        expect(yield* catalog.circuitDetails("österreichring")).toEqual(renamed)
        expect(yield* catalog.allCircuitDetails).toEqual([
          ["A", ring],
          ["ÖsterreichRing", renamed]
        ])
      }))

    test("keeps a circuit's layouts, and refuses to replace layouts that changed meanwhile", (catalog) =>
      Effect.gen(function* () {
        expect(yield* catalog.circuitLayouts("Österreichring")).toEqual({ version: 0, layouts: [] })
        expect(yield* catalog.allCircuitLayouts).toEqual([])
        const long: CircuitLayout = {
          length: 5941.25,
          laps: 3,
          official: null,
          corners: [
            {
              number: 1,
              label: "1",
              name: "Hella Licht",
              direction: "right",
              distance: 650.5,
              foundBy: "positions"
            },
            { number: null, label: "1a", name: null, direction: null, distance: 0.1, foundBy: "speed" },
            { number: 2, label: "2", name: null, direction: "left", distance: 900, foundBy: null }
          ]
        }
        const short: CircuitLayout = {
          length: 4318,
          laps: 1,
          official: { name: "Red Bull Ring", score: 0.97, margin: 0.2 },
          corners: []
        }
        expect(yield* catalog.putCircuitLayouts("Österreichring", { version: 1, layouts: [long] })).toBe(
          false
        )
        expect(yield* catalog.putCircuitLayouts("Österreichring", { version: 0, layouts: [long] })).toBe(true)
        expect(yield* catalog.putCircuitLayouts("ÖsterreichRing", { version: 0, layouts: [short] })).toBe(
          false
        )
        expect(yield* catalog.circuitLayouts("ÖSTERREICHRING")).toEqual({ version: 1, layouts: [long] })
        // Of many that replace the same version, one does.
        const both = { version: 1, layouts: [long, short] }
        const replaced = yield* Effect.all(
          Array.from({ length: 8 }, () => catalog.putCircuitLayouts("österreichring", both)),
          { concurrency: 8 }
        )
        expect(replaced.filter((done) => done)).toHaveLength(1)
        expect(yield* catalog.circuitLayouts("Österreichring")).toEqual({ ...both, version: 2 })
        expect(yield* catalog.putCircuitLayouts("A", { version: 0, layouts: [] })).toBe(true)
        expect(yield* catalog.allCircuitLayouts).toEqual([
          ["a", { version: 1, layouts: [] }],
          ["österreichring", { ...both, version: 2 }]
        ])
      }))

    test("keeps connections by address, with their passwords, until they are forgotten", (catalog) =>
      Effect.gen(function* () {
        expect(yield* catalog.keptConnections).toEqual([])
        const rig: KeptConnection = {
          request: {
            host: "Rig.local",
            port: 9000,
            appName: "Prüfstand",
            simulator: "acc",
            circuit: "Spa",
            forward: ["127.0.0.1:20778"],
            options: { password: "x' OR '1'='1", startLine: [0, 1.5, 2, 3] }
          },
          enabled: true,
          run: "one"
        }
        const other: KeptConnection = {
          request: { host: "127.0.0.1", port: 20777, appName: "f1", options: {} },
          enabled: true,
          run: "one"
        }
        yield* catalog.keepConnection(rig)
        yield* catalog.keepConnection(other)
        expect(yield* catalog.keptConnections).toEqual([other, rig])
        const off = { ...rig, request: { ...rig.request, host: "RIG.local" }, enabled: false, run: "two" }
        yield* catalog.keepConnection(off)
        expect(yield* catalog.keptConnections).toEqual([other, off])
        yield* catalog.forgetConnection({ host: "rig.local", port: 9001 })
        yield* catalog.forgetConnection({ host: "rig.LOCAL", port: 9000 })
        expect(yield* catalog.keptConnections).toEqual([other])
      }))

    test("gives the default configuration until one is put, then the last one", (catalog) =>
      Effect.gen(function* () {
        expect(yield* catalog.configuration).toEqual(defaultConfiguration)
        const put: Configuration = {
          connection: { host: "sim.local", port: 9000, appName: "Prüfstand" },
          telemetryRate: 360,
          autoExport: true,
          exportFormat: "json",
          exportChannels: "fuel, tyre_*",
          games: "auto"
        }
        yield* catalog.putConfiguration(put)
        expect(yield* catalog.configuration).toEqual(put)
        yield* catalog.putConfiguration(defaultConfiguration)
        expect(yield* catalog.configuration).toEqual(defaultConfiguration)
      }))
  })
}
