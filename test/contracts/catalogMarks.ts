/** What users say about sessions and laps, in every catalog. */
import { expect } from "@effect/vitest"
import { Effect, Option } from "effect"
import { LapNotFound, MarkChanged, SessionNotFound } from "../../src/domain/errors.ts"
import type { NewLap } from "../../src/domain/Lap.ts"
import { type AnomalyMark, noLapMark, noSessionMark } from "../../src/domain/Mark.ts"
import { sessionsWithLaps } from "./wholeCatalog.ts"
import type { CatalogService } from "./catalogService.ts"

const EPOCH = 1_770_000_000
const page = { limit: 50, offset: 0 }
const idle = { recording: false }
const raw = { circuit: "ks_nordschleife", vehicle: "ks_mazda_mx5_cup", driver: "Player" }

const newLap = (sessionId: number, start: number, lapTime: number): NewLap => ({
  sessionId,
  lapNumber: 1 + start / 100,
  lapTime,
  sector1Time: null,
  sector2Time: null,
  sector3Time: null,
  valid: true,
  startTime: EPOCH + start,
  endTime: EPOCH + start + lapTime
})

const at = (distance: number | null, dismissed = true): AnomalyMark => ({
  type: "speed_loss",
  lapNumber: 3,
  channel: "speed",
  distance,
  dismissed,
  reason: null
})

const noted = (note: string) => ({ ...noSessionMark, note })

type Test = <F>(title: string, body: (catalog: CatalogService) => Effect.Effect<void, F>) => void

export const catalogMarks = (test: Test) => {
  test("a session goes by the names that a user gave, and by the reported ones when they are taken back", (catalog) =>
    Effect.gen(function* () {
      const before = yield* catalog.createSession({ ...raw, datetime: EPOCH }, idle)
      const found = (filter: object) =>
        Effect.map(catalog.sessions({ ...page, ...filter }), ({ items, total }) => {
          expect(total).toBe(items.length)
          return items.map(({ id }) => id)
        })
      expect(yield* catalog.sessionMark(before.id)).toEqual({
        value: noSessionMark,
        revision: 0,
        changedAt: null
      })
      const mark = {
        ...noSessionMark,
        note: "Rain\nfrom lap 3",
        tags: ["Wet", "League"],
        circuit: "Nu\u0308rburgring",
        circuitLayout: "Nordschleife",
        driver: "Anna"
      }
      const marked = yield* catalog.markSession(before.id, mark)
      expect(marked).toEqual({
        ...before,
        circuit: "N\u00FCrburgring",
        driver: "Anna",
        circuitLayout: "Nordschleife",
        tags: ["Wet", "League"],
        circuitReported: "ks_nordschleife",
        driverReported: "Player"
      })
      expect(yield* catalog.session(before.id)).toEqual(marked)
      expect(yield* catalog.sessionMark(before.id)).toMatchObject({ value: mark, revision: 1 })
      expect(yield* found({ circuit: "NÜRBURGRING", tag: "wet" })).toEqual([before.id])
      expect(yield* found({ circuit: "ks_nordschleife" })).toEqual([])
      expect(yield* found({ search: "anna" })).toEqual([before.id])
      expect(yield* found({ search: "anna", tag: "league" })).toEqual([before.id])
      expect(yield* found({ tag: "dry" })).toEqual([])
      expect(yield* catalog.circuits).toEqual(["Nürburgring"])

      // The simulator's later names are kept beside the user's.
      const renamed = { ...raw, circuit: "ks_spa", vehicle: "ks_audi" }
      expect(yield* catalog.renameSession(before.id, renamed)).toEqual({
        ...marked,
        vehicle: "ks_audi",
        circuitReported: "ks_spa"
      })
      const stale = yield* Effect.flip(catalog.markSession(before.id, noSessionMark, 0))
      expect(stale).toEqual(new MarkChanged({ expected: 0, revision: 1 }))
      expect(yield* catalog.markSession(before.id, noSessionMark, 1)).toEqual({ ...before, ...renamed })
      expect(yield* catalog.sessionMark(before.id)).toMatchObject({ value: noSessionMark, revision: 2 })
      expect(yield* found({ tag: "wet" })).toEqual([])
      expect(yield* catalog.circuits).toEqual(["ks_spa"])
    }))

  test("a lap counts as a user says, and as reported when that is taken back", (catalog) =>
    Effect.gen(function* () {
      const { id } = yield* catalog.createSession({ ...raw, datetime: EPOCH }, idle)
      const [fast, slow] = yield* catalog.addLaps([newLap(id, 0, 80), newLap(id, 100, 90)])
      const best = (wanted = {}) =>
        Effect.map(catalog.bestLaps(wanted, 9), (laps) => laps.map((lap) => lap.id))
      const before = yield* sessionsWithLaps(catalog)
      expect(yield* best()).toEqual([fast!.id, slow!.id])

      const excluded = { ...noLapMark, excluded: true, reason: "A shortcut", tags: ["Wet"] }
      expect(yield* catalog.markLap(fast!.id, excluded)).toEqual({
        ...fast,
        valid: false,
        excluded: true,
        validReported: true
      })
      expect(yield* catalog.lapMark(fast!.id)).toMatchObject({ value: excluded, revision: 1 })
      expect(yield* best()).toEqual([slow!.id])
      expect((yield* catalog.session(id)).bestLapTime).toBe(90)
      expect(yield* best({ tag: "wet" })).toEqual([])
      expect(yield* catalog.markLap(fast!.id, noLapMark)).toEqual(fast)
      expect(yield* sessionsWithLaps(catalog)).toEqual(before)

      const invalid = { ...noLapMark, valid: false, tags: ["Wet"] }
      expect(yield* catalog.markLap(slow!.id, invalid)).toMatchObject({ valid: false, corrected: true })
      expect(yield* best()).toEqual([fast!.id])
      // The simulator's later word is kept, and counts once the user's is taken back.
      expect(yield* catalog.changeLap(id, slow!.startTime, { valid: false })).toMatchObject({
        valid: false,
        validReported: false
      })
      expect(yield* catalog.markLap(slow!.id, { ...invalid, valid: true })).toMatchObject({ valid: true })
      expect(yield* best({ tag: "WET" })).toEqual([slow!.id])
      expect(yield* best({ tag: "wet", circuit: raw.circuit, driver: "player" })).toEqual([slow!.id])
      expect(yield* best({ tag: "wet", driver: "anna" })).toEqual([])
      yield* catalog.markSession(id, { ...noSessionMark, tags: ["league"] })
      expect(yield* best({ tag: "league" })).toEqual([fast!.id, slow!.id])
      expect((yield* catalog.markLap(slow!.id, noLapMark)).valid).toBe(false)

      // No word makes a lap count that the simulator took back.
      yield* catalog.changeLap(id, fast!.startTime, { withdrawn: true })
      expect(yield* catalog.markLap(fast!.id, { ...noLapMark, valid: true })).toMatchObject({ valid: false })
      expect(yield* best()).toEqual([])
      const missing = yield* Effect.flip(catalog.markLap(slow!.id + 99, noLapMark))
      expect(missing).toEqual(new LapNotFound({ lapId: slow!.id + 99 }))
    }))

  test("what users said before stays, the newest 20 of it, until its session goes", (catalog) =>
    Effect.gen(function* () {
      const { id } = yield* catalog.createSession({ ...raw, datetime: EPOCH }, idle)
      const [lap] = yield* catalog.addLaps([newLap(id, 0, 80)])
      expect(yield* catalog.sessionMarkRevisions(id)).toEqual([])
      yield* catalog.markSession(id, noted("1"))
      expect(yield* catalog.sessionMarkRevisions(id)).toEqual([])
      const first = yield* catalog.sessionMark(id)
      yield* catalog.markSession(id, noSessionMark)
      expect(yield* catalog.sessionMarkRevisions(id)).toEqual([first])
      for (let revision = 3; revision <= 25; revision++)
        yield* catalog.markSession(id, noted(String(revision)))
      const kept = yield* catalog.sessionMarkRevisions(id)
      expect(kept.map(({ revision, value }) => [revision, value.note])).toEqual(
        Array.from({ length: 20 }, (_, index) => [24 - index, String(24 - index)])
      )
      yield* catalog.markLap(lap!.id, { ...noLapMark, excluded: true })
      expect(yield* catalog.lapMarkRevisions(lap!.id)).toEqual([])
      yield* catalog.markLap(lap!.id, noLapMark)
      expect(yield* catalog.lapMarkRevisions(lap!.id)).toMatchObject([
        { value: { excluded: true }, revision: 1 }
      ])
      yield* catalog.deleteSession(id)
      expect(yield* Effect.flip(catalog.sessionMarkRevisions(id))).toEqual(
        new SessionNotFound({ sessionId: id })
      )
      expect(yield* Effect.flip(catalog.lapMarkRevisions(lap!.id))).toEqual(
        new LapNotFound({ lapId: lap!.id })
      )
    }))

  test("an anomaly stays dismissed where it is found some metres away, until that is taken back", (catalog) =>
    Effect.gen(function* () {
      const { id } = yield* catalog.createSession({ ...raw, datetime: EPOCH }, idle)
      const places = Effect.map(catalog.anomalyMarks(id), (marks) => marks.map(({ distance }) => distance))
      expect(yield* catalog.markAnomaly(id, at(100))).toMatchObject({ value: at(100), revision: 1 })
      expect((yield* catalog.markAnomaly(id, at(149))).revision).toBe(2)
      expect((yield* catalog.markAnomaly(id, at(null))).revision).toBe(1)
      expect((yield* catalog.markAnomaly(id, { ...at(149), lapNumber: 4 })).revision).toBe(1)
      expect(yield* places).toEqual([149, null, 149])
      expect((yield* catalog.markAnomaly(id, at(180, false))).revision).toBe(3)
      expect(yield* places).toEqual([null, 149])
      expect((yield* catalog.markAnomaly(id, at(0, false))).revision).toBe(0)
      expect((yield* catalog.markAnomaly(id, at(180), 3)).revision).toBe(4)
      const listed = yield* catalog.marks({ sessionId: id, kind: "anomaly", after: 0, limit: 9 })
      expect(listed).toHaveLength(3)
      expect(listed[0]).toMatchObject({ ...at(180), kind: "anomaly", sessionId: id, revision: 4 })
    }))

  test("a reference lap is for names, the most special first, and keeps its session", (catalog) =>
    Effect.gen(function* () {
      const { id } = yield* catalog.createSession({ ...raw, datetime: EPOCH }, idle)
      const [lap, other] = yield* catalog.addLaps([newLap(id, 0, 80), newLap(id, 100, 90)])
      const key = { circuit: null, vehicle: null, driver: null, name: null }
      yield* catalog.putReference(lap!.id, { ...key, driver: "Player" })
      expect(yield* catalog.putReference(lap!.id, { ...key, name: "Pole" })).toMatchObject({
        circuit: raw.circuit,
        lapId: lap!.id,
        sessionId: id,
        revision: 1
      })
      yield* catalog.putReference(other!.id, { ...key, vehicle: raw.vehicle })
      const found = (wanted: object) =>
        Effect.map(catalog.references(wanted), (all) =>
          all.map(({ driver, lapId, vehicle }) => [lapId, vehicle, driver])
        )
      const [ofDriver, ofVehicle] = [
        [lap!.id, null, "Player"],
        [other!.id, raw.vehicle, null]
      ]
      const ofAll = [lap!.id, null, null]
      expect(yield* found({ ...raw, circuit: raw.circuit.toUpperCase() })).toEqual([
        ofVehicle,
        ofDriver,
        ofAll
      ])
      expect(yield* found({ circuit: raw.circuit, vehicle: "x", driver: "Anna" })).toEqual([ofAll])
      expect(yield* found({ circuit: "Spa" })).toEqual([])
      expect(yield* catalog.oldestRemovable(Infinity)).toEqual(Option.none())
      expect(yield* catalog.deleteRemovable({ id, ended: EPOCH })).toBe(false)
      for (const of of [{}, { vehicle: raw.vehicle }, { driver: "player" }]) {
        yield* catalog.deleteReference({ circuit: raw.circuit, vehicle: null, driver: null, ...of })
      }
      expect(yield* catalog.references({})).toEqual([])
      expect(yield* catalog.deleteRemovable({ id, ended: EPOCH })).toBe(true)
    }))

  test("marks are listed by kind, tag and session, in pages; readable names go by their raw ones", (catalog) =>
    Effect.gen(function* () {
      const { id } = yield* catalog.createSession({ ...raw, datetime: EPOCH }, idle)
      const [lap] = yield* catalog.addLaps([newLap(id, 0, 80)])
      yield* catalog.markSession(id, { ...noSessionMark, tags: ["Wet"] })
      yield* catalog.markLap(lap!.id, { ...noLapMark, tags: ["wet", "WET"], note: "Rain" })
      expect(yield* catalog.putName({ raw: "ks_Audi", name: "Audi" })).toMatchObject({ revision: 1 })
      expect(yield* catalog.putName({ raw: "KS_AUDI", name: "Audi R8" }, 1)).toMatchObject({ revision: 2 })
      const listed = (wanted: object) => catalog.marks({ after: 0, limit: 9, ...wanted })
      const all = yield* listed({})
      expect(all.map(({ kind }) => kind)).toEqual(["session", "lap", "name"])
      expect(yield* listed({ tag: "WET" })).toEqual(all.slice(0, 2))
      expect(yield* listed({ after: all[0]!.id, limit: 1 })).toEqual(all.slice(1, 2))
      expect(yield* listed({ kind: "lap", sessionId: id })).toMatchObject([
        { lapId: lap!.id, note: "Rain", unmatched: false }
      ])
      expect((yield* catalog.names).map(({ value }) => value)).toEqual([{ raw: "KS_AUDI", name: "Audi R8" }])
      yield* catalog.deleteName("ks_audi")
      expect(yield* catalog.names).toEqual([])
    }))

  test("a mark goes with its session", (catalog) =>
    Effect.gen(function* () {
      const { id } = yield* catalog.createSession({ ...raw, datetime: EPOCH }, idle)
      yield* catalog.markSession(id, { ...noSessionMark, tags: ["wet"] })
      yield* catalog.deleteSession(id)
      const missing = new SessionNotFound({ sessionId: id })
      expect(yield* Effect.flip(catalog.sessionMark(id))).toEqual(missing)
      expect(yield* Effect.flip(catalog.markSession(id, noSessionMark))).toEqual(missing)
      expect(yield* catalog.sessions({ ...page, tag: "wet" })).toEqual({ total: 0, items: [] })
    }))
}
