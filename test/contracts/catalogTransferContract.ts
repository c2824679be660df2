/** The behaviour of every CatalogTransfer. `makeLayer` gives an empty catalog at each call. */
import { describe, expect, it } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { defaultConfiguration } from "../../src/domain/Configuration.ts"
import { SessionBeingRecorded, SessionIdsGiven, SessionNotFound } from "../../src/domain/errors.ts"
import type { NewLap } from "../../src/domain/Lap.ts"
import { noLapMark, noSessionMark } from "../../src/domain/Mark.ts"
import { CatalogTransfer } from "../../src/store/CatalogTransfer.ts"
import { migrationNode, Nodes } from "../../src/store/Nodes.ts"
import type { CatalogPorts } from "../../src/store/sql/SqlCatalog.ts"
import { wholeCatalog } from "./wholeCatalog.ts"
import { catalogIn } from "./catalogService.ts"

const EPOCH = 1_770_000_000.123456
const idle = { recording: false }

const newLap = (sessionId: number, start: number): NewLap => ({
  sessionId,
  lapNumber: start,
  lapTime: 90.1 + start / 3,
  sector1Time: 30.1,
  sector2Time: null,
  sector3Time: 29.9,
  valid: true,
  startTime: EPOCH + start,
  endTime: EPOCH + start + 1
})

const names = { circuit: "Nürburgring", vehicle: "GT3", driver: "ÅSA" }

export const catalogTransferContract = <E>(name: string, makeLayer: () => Layer.Layer<CatalogPorts, E>) => {
  const opened = Effect.gen(function* () {
    const context = yield* Layer.build(makeLayer())
    return {
      catalog: catalogIn(context),
      transfer: Context.get(context, CatalogTransfer),
      nodes: Context.get(context, Nodes)
    }
  })
  type Opened = Effect.Effect.Success<typeof opened>

  /** Two sessions of the same names and start, their laps' ids in turns, and one that is gone. */
  const filled = Effect.fn(function* ({ catalog }: Opened) {
    const one = yield* catalog.createSession({ ...names, datetime: EPOCH }, idle)
    const gone = yield* catalog.createSession({ ...names, datetime: EPOCH }, idle)
    const two = yield* catalog.createSession({ ...names, datetime: EPOCH }, idle)
    yield* catalog.deleteSession(gone.id)
    for (let start = 0; start < 3; start++) {
      yield* catalog.addLaps([newLap(one.id, start), newLap(two.id, start)])
    }
    yield* catalog.extendSessions(new Map([[one.id, { first: EPOCH, last: EPOCH + 200.1 }]]))
    yield* catalog.keepDistance(one.id, { metres: 5000.5, until: EPOCH + 200.1 })
    yield* catalog.pinSession(one.id, true)
    yield* catalog.markSession(two.id, {
      ...noSessionMark,
      vehicle: "GT3 Evo",
      note: "wet",
      tags: ["league"]
    })
    const [first] = yield* catalog.laps(two.id)
    yield* catalog.markLap(first!.id, { ...noLapMark, excluded: true, reason: "rain" })
    yield* catalog.putReference(first!.id, { circuit: null, vehicle: null, driver: null, name: "Pole" })
    yield* catalog.markAnomaly(two.id, {
      type: "slow_lap",
      lapNumber: 1,
      channel: "speed",
      distance: null,
      dismissed: true,
      reason: null
    })
    return [one.id, two.id] as const
  })

  const carried = Effect.fn(function* (from: Opened, to: Opened, ids: ReadonlyArray<number>) {
    const identity = yield* from.transfer.identity
    yield* to.transfer.reserve(identity)
    const kept: Array<number> = []
    for (const id of ids) {
      const record = yield* from.transfer.record(id)
      kept.push(yield* to.transfer.place(identity.origin, record))
      yield* to.transfer.complete(identity.origin, record)
    }
    return kept
  })

  const test = <F>(title: string, body: (from: Opened, to: Opened) => Effect.Effect<void, F>) =>
    it.scopedLive(title, () => Effect.flatMap(Effect.all([opened, opened]), ([from, to]) => body(from, to)))

  describe(`transfers: ${name}`, () => {
    test("an empty target gets everything unchanged, with its ids", (from, to) =>
      Effect.gen(function* () {
        const ids = yield* filled(from)
        expect(yield* carried(from, to, ids)).toEqual(ids)
        expect(yield* wholeCatalog(to.catalog)).toEqual(yield* wholeCatalog(from.catalog))
        for (const id of ids) {
          expect(yield* to.catalog.sessionMark(id)).toEqual(yield* from.catalog.sessionMark(id))
        }
        for (const id of ids) expect(yield* to.transfer.record(id)).toEqual(yield* from.transfer.record(id))
        expect(yield* to.catalog.unendedSessions).toEqual([])
        // Its own new ids are above the transferred ones, and above deleted ones of the source.
        const next = yield* to.catalog.createSession({ ...names, datetime: EPOCH }, idle)
        expect(next.id).toBeGreaterThan((yield* from.transfer.identity).sessions)
        const [lap] = yield* to.catalog.addLaps([newLap(next.id, 0)])
        expect(lap!.id).toBeGreaterThan((yield* from.transfer.identity).laps)
      }))

    test("a catalog knows whether it was ever configured", (from) =>
      Effect.gen(function* () {
        expect(yield* from.transfer.configured).toBe(false)
        yield* from.catalog.putConfiguration(defaultConfiguration)
        expect(yield* from.transfer.configured).toBe(true)
      }))

    test("a repeated transfer changes nothing, and brings newer sessions and laps", (from, to) =>
      Effect.gen(function* () {
        const ids = yield* filled(from)
        yield* carried(from, to, [ids[1]])
        const before = yield* wholeCatalog(to.catalog)
        yield* carried(from, to, [ids[1]])
        expect(yield* wholeCatalog(to.catalog)).toEqual(before)
        // The target's users decide whether a transferred session is pinned.
        yield* to.catalog.pinSession(ids[1], true)
        yield* carried(from, to, [ids[1]])
        expect(yield* to.catalog.pinSession(ids[1], false)).toMatchObject({ pinned: false })
        yield* from.catalog.addLaps([newLap(ids[0], 7)])
        const late = yield* from.catalog.createSession({ ...names, datetime: EPOCH }, idle)
        expect(yield* carried(from, to, [...ids, late.id])).toEqual([...ids, late.id])
        expect(yield* wholeCatalog(to.catalog)).toEqual(yield* wholeCatalog(from.catalog))
      }))

    test("a target with sessions of its own gives transferred ones new ids, and remembers them", (from, to) =>
      Effect.gen(function* () {
        const own = yield* to.catalog.createSession({ ...names, circuit: "Own", datetime: 1 }, idle)
        yield* to.catalog.addLaps([newLap(own.id, 0)])
        const ids = yield* filled(from)
        const kept = yield* carried(from, to, ids)
        expect(new Set([own.id, ...kept]).size).toBe(3)
        expect(yield* carried(from, to, ids)).toEqual(kept)
        expect(yield* to.catalog.counts).toEqual({ sessions: 3, laps: 7 })
        expect((yield* to.catalog.laps(kept[0]!)).map((lap) => lap.startTime)).toEqual(
          (yield* from.catalog.laps(ids[0])).map((lap) => lap.startTime)
        )
        expect((yield* to.catalog.session(own.id)).circuit).toBe("Own")
      }))

    test("a session under transfer counts as recorded, and has no laps", (from, to) =>
      Effect.gen(function* () {
        const [id] = yield* filled(from)
        const identity = yield* from.transfer.identity
        yield* to.transfer.reserve(identity)
        const record = yield* from.transfer.record(id)
        expect(yield* to.transfer.place(identity.origin, record)).toBe(id)
        expect(yield* to.catalog.unendedSessions).toEqual([id])
        // No running node owns it, and none ends it if several share the catalog.
        expect(yield* to.nodes.lost).toEqual([
          { node: migrationNode(identity.origin), described: "a migration", sessions: [id] }
        ])
        expect(yield* to.catalog.laps(id)).toEqual([])
        // An interrupted run goes on.
        expect(yield* to.transfer.place(identity.origin, record)).toBe(id)
        yield* to.transfer.complete(identity.origin, record)
        expect(yield* to.catalog.unendedSessions).toEqual([])
        expect(yield* to.nodes.lost).toEqual([])
        expect(yield* to.catalog.laps(id)).toHaveLength(3)
        // A client that follows the target gets it once.
        const changed = yield* to.catalog.sessionsAfter(0, 10)
        expect(changed.map(({ session }) => session.id)).toEqual([id])
        yield* to.transfer.complete(identity.origin, record)
        expect(yield* to.catalog.sessionsAfter(changed[0]!.change, 10)).toEqual([])
        yield* to.catalog.claimSession(id)
        expect(yield* Effect.flip(to.transfer.place(identity.origin, record))).toEqual(
          new SessionBeingRecorded({ sessionId: id })
        )
      }))

    test("a session whose deletion is pending in the target gets another id", (from, to) =>
      Effect.gen(function* () {
        const [id] = yield* filled(from)
        yield* carried(from, to, [id])
        yield* to.catalog.deleteSession(id)
        const [anew] = yield* carried(from, to, [id])
        expect(anew).not.toBe(id)
        expect(yield* to.catalog.pendingRemovals).toEqual([id])
        // It does not count as deleted under the new id.
        yield* to.catalog.deleteSession(anew!)
        for (const gone of [id, anew!]) yield* to.catalog.removalDone(gone)
        expect(yield* carried(from, to, [id])).toEqual([id])
        expect(yield* to.catalog.deleted([id, anew!])).toEqual([anew])
      }))

    test("a session that a service ended meanwhile gets its laps, and not the one cut from it", (from, to) =>
      Effect.gen(function* () {
        const [id] = yield* filled(from)
        const identity = yield* from.transfer.identity
        yield* to.transfer.reserve(identity)
        const record = yield* from.transfer.record(id)
        yield* to.transfer.place(identity.origin, record)
        // As recovery does: it cuts the stored points into a lap under way.
        yield* to.catalog.addLaps([{ ...newLap(id, 0), lapTime: null, valid: false, endTime: EPOCH + 150 }])
        yield* to.catalog.endSession(id)
        yield* to.transfer.complete(identity.origin, record)
        expect(yield* to.catalog.laps(id)).toEqual(yield* from.catalog.laps(id))
      }))

    test("sessions without their catalog are adopted under their ids, all or none", (from, to) =>
      Effect.gen(function* () {
        const ids = yield* filled(from)
        const records = yield* Effect.forEach(ids, (id) => from.transfer.record(id))
        const whole = records.map((record) => ({ ...record, distance: null }))
        yield* to.transfer.adopt("lost", whole)
        yield* to.transfer.adopt("lost", whole)
        for (const record of whole) expect(yield* to.transfer.record(record.id)).toEqual(record)
        expect(yield* to.catalog.unendedSessions).toEqual([])
        // The catalog does not give these ids again.
        const own = yield* to.catalog.createSession({ ...names, datetime: EPOCH }, idle)
        expect(own.id).toBe(ids[1] + 1)
        const [lap] = yield* to.catalog.addLaps([newLap(own.id, 0)])
        const lapIds = records.flatMap(({ laps }) => laps.map(({ id }) => id))
        expect(lap!.id).toBe(Math.max(...lapIds) + 1)

        // More of them may come, with ids above its own; laps whose ids are taken get others.
        const later = { ...whole[0]!, id: own.id + 2 }
        yield* to.transfer.adopt("lost", [...whole, later])
        expect((yield* to.catalog.laps(later.id)).map(({ startTime }) => startTime)).toEqual(
          later.laps.map(({ startTime }) => startTime)
        )
        expect(yield* to.catalog.counts).toEqual({ sessions: 4, laps: 10 })
        const refused = yield* Effect.flip(
          to.transfer.adopt("lost", [
            { ...later, id: own.id + 3 },
            { ...later, id: own.id }
          ])
        )
        expect(refused).toEqual(new SessionIdsGiven({ sessionIds: [own.id] }))
        // Of another origin the same ids are other sessions.
        expect(yield* Effect.flip(to.transfer.adopt("other", whole))).toEqual(
          new SessionIdsGiven({ sessionIds: [...ids] })
        )
        expect(yield* to.catalog.counts).toEqual({ sessions: 4, laps: 10 })
        yield* to.transfer.adopt("lost", [])
        expect((yield* to.transfer.identity).sessions).toBe(later.id)
      }))

    test("sessions that the target recorded into stay, and one deleted there comes again", (from, to) =>
      Effect.gen(function* () {
        const [id] = yield* filled(from)
        yield* carried(from, to, [id])
        yield* to.catalog.extendSessions(new Map([[id, { first: EPOCH, last: EPOCH + 500 }]]))
        yield* carried(from, to, [id])
        expect((yield* to.catalog.session(id)).duration).toBe(500)
        yield* to.catalog.deleteSession(id)
        yield* to.catalog.removalDone(id)
        const missing = Effect.flip(from.transfer.record(99))
        expect(yield* missing).toEqual(new SessionNotFound({ sessionId: 99 }))
        expect(yield* carried(from, to, [id])).toEqual([id])
        expect(yield* to.catalog.session(id)).toEqual(yield* from.catalog.session(id))
      }))
  })
}
