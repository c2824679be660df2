/** Migration from store to store: complete, and resumed after an interruption anywhere. */
import { describe, expect, it } from "@effect/vitest"
import { Context, Deferred, Effect, Fiber, Layer, Option } from "effect"
import { defaultConfiguration } from "../../../src/domain/Configuration.ts"
import { PointsOfAnother } from "../../../src/domain/errors.ts"
import { channelSet } from "../../../src/domain/ChannelSet.ts"
import type { CircuitLayouts } from "../../../src/domain/CircuitLayout.ts"
import { noSessionMark } from "../../../src/domain/Mark.ts"
import { POINTS, emptyDictionary } from "../../../src/domain/Dictionary.ts"
import { ABSENT, type PointBatch, type RowBatch } from "../../../src/domain/RowBatch.ts"
import { CatalogTransfer } from "../../../src/store/CatalogTransfer.ts"
import { claimPoints } from "../../../src/store/ownership.ts"
import { RowStore, type SessionRows } from "../../../src/store/RowStore.ts"
import {
  CopiedCatalog,
  IdsTaken,
  migrate,
  type MigrateOptions
} from "../../../src/maintenance/migrate/migrate.ts"
import { readPlace, sourceStores, targetStores } from "../../../src/maintenance/migrate/Place.ts"
import type { StoresWanted } from "../../../src/store/chosenStores.ts"
import { expectStored } from "../../contracts/rowStoreSupport.ts"
import { groupSamples } from "../../contracts/groupSamples.ts"
import { expectGroup } from "../../contracts/rowStoreSamplesSupport.ts"
import { part, samplePoints } from "../../contracts/samples.ts"
import { wholeCatalog } from "../../contracts/wholeCatalog.ts"
import { postgresHere, sharedPostgres } from "../../support/servers/postgres.ts"
import { questdbHere, sharedQuestdb } from "../../support/servers/questdb.ts"
import { temporaryFolder } from "../../store/sqlite/folder.ts"
import { needing } from "../../support/needing.ts"
import { catalogIn, catalogService, type CatalogTags } from "../../contracts/catalogService.ts"

type Stores = Context.Context<CatalogTags | CatalogTransfer | RowStore>

const named = (displayName: string) => ({ displayName, corners: [] })
const layoutOf = (length: number): CircuitLayouts => ({
  version: 0,
  layouts: [{ length, laps: 3, official: null, corners: [] }]
})

const START = 1.7e9
const names = { circuit: "Spa", vehicle: "GT3", driver: "Anna" }
const idle = { recording: false }
/** Absent values must equal bit by bit, like the others. */
const pointsOf = (length: number) => {
  const points = samplePoints(START, length, 60)
  points.column("rpm").fill(ABSENT)
  points.column("speed").fill(ABSENT, Math.round(length * 0.45), Math.round(length * 0.6))
  return points
}
/** More points than one write copies, from SQLite and from QuestDB. */
const [long, longest] = [pointsOf(40_000), pointsOf(90_000)]
/** More than a block: for tests that are not about how a copy is divided. */
const some = pointsOf(9000)
const short = samplePoints(START, 10)

const tyres = groupSamples(START + 0.05, 9000)
const fuel = groupSamples(START, 50, { columns: ["timestamp", "fuel"], rate: 1 })
const declared = emptyDictionary.withDeclared(channelSet("speed")).withGroups([
  { name: "tyres", channels: tyres.channels.slice(1).map((name) => ({ name })) },
  // The second of these channels was never declared.
  { name: "fuel", channels: [{ name: "fuel" }, { name: "fuel_mass" }] }
]).dictionary

const placed = (text: string) => readPlace(text)
/** A store that was used before: a missing one is not a valid source. */
const source = (place: StoresWanted) =>
  Effect.zipRight(
    Effect.scoped(Layer.build(targetStores(place))),
    Effect.map(Layer.build(sourceStores(place)), (stores): Stores => stores)
  )
const target = (place: StoresWanted) =>
  Effect.map(Layer.build(targetStores(place)), (stores): Stores => stores)

/** Stores that have these rows before any copy: copied rows of the same times are skipped. */
const having = (stores: Stores, rows: SessionRows): Stores => {
  const points = Context.get(stores, RowStore)
  const write: typeof points.write = (batches) => Effect.zipRight(points.write([rows]), points.write(batches))
  return Context.add(stores, RowStore, { ...points, write })
}

/**
 * A long session with laps and samples of two groups, a short one of the same names and start, and one without points, but with
 * samples of a group.
 */
const fill = Effect.fn(function* (first = some) {
  const catalog = yield* catalogService
  const points = yield* RowStore
  for (const batch of [first, short, undefined]) {
    const { id } = yield* catalog.createSession(
      { ...names, datetime: START + 0.0001234 },
      { recording: true }
    )
    if (batch === undefined) continue
    yield* points.write([{ sessionId: id, group: POINTS, batch }])
    yield* points.seal(id)
    yield* catalog.extendSessions(
      new Map([[id, { first: START, last: batch.timestamps[batch.length - 1]! }]])
    )
    yield* catalog.addLaps(
      [1, 2].map((lapNumber) => ({
        sessionId: id,
        lapNumber,
        lapTime: 90.25,
        sector1Time: null,
        sector2Time: null,
        sector3Time: null,
        valid: true,
        startTime: START + lapNumber * 100,
        endTime: START + lapNumber * 100 + 90.25
      }))
    )
    yield* catalog.endSession(id)
  }
  yield* points.write([
    { sessionId: 1, group: "fuel", batch: fuel },
    { sessionId: 1, group: "tyres", batch: part(tyres, 0, 8000) },
    { sessionId: 1, group: "tyres", batch: part(tyres, 8000, 9000) },
    { sessionId: 3, group: "fuel", batch: fuel }
  ])
  yield* points.seal(3)
  yield* catalog.putDictionary(1, declared)
  yield* catalog.putDictionary(3, declared)
  yield* catalog.endSession(3)
})

const allSamples = tyres.length + 2 * fuel.length

const carry = (from: Stores, to: Stores, more: Partial<MigrateOptions> = {}) =>
  migrate({ from, to, oneCatalog: false, onePoints: false, report: () => undefined, ...more })

const expectAll = Effect.fn(function* (from: Stores, to: Stores, first = some) {
  const theirs = yield* wholeCatalog(catalogIn(from))
  expect(yield* wholeCatalog(catalogIn(to))).toEqual(theirs)
  expect(theirs.sessions.map(({ laps }) => laps.length)).toEqual([2, 2, 0])
  yield* Effect.provide(expectStored(1, first), to)
  yield* Effect.provide(expectStored(2, short), to)
  yield* Effect.provide(expectGroup(1, "tyres", tyres), to)
  yield* Effect.provide(expectGroup(1, "fuel", fuel), to)
  yield* Effect.provide(expectGroup(3, "fuel", fuel), to)
  for (const id of [1, 2, 3]) {
    const [dictionary, known] = yield* Effect.all([
      catalogIn(from).dictionary(id),
      catalogIn(to).dictionary(id)
    ])
    expect(known).toEqual(dictionary)
    expect(known).toEqual(id === 2 ? undefined : declared)
  }
  expect(yield* catalogIn(to).unendedSessions).toEqual([])
})

const originOf = (stores: Stores) =>
  Effect.map(Context.get(stores, CatalogTransfer).identity, ({ origin }) => Option.some(origin))

/** Interrupts the migration during the first write after a third of the points. */
const brokenOff = Effect.fn(function* (from: Stores, place: StoresWanted, first: PointBatch) {
  const reached = yield* Deferred.make<void>()
  const running = yield* Effect.gen(function* () {
    const to = yield* target(place)
    const points = Context.get(to, RowStore)
    let written = 0
    const write: typeof points.write = (batches) => {
      if (written > first.length / 3)
        return Effect.zipRight(Deferred.succeed(reached, undefined), Effect.never)
      for (const { batch } of batches) written += batch.length
      return points.write(batches)
    }
    return yield* carry(from, Context.add(to, RowStore, { ...points, write }))
  }).pipe(Effect.scoped, Effect.fork)
  yield* Deferred.await(reached)
  yield* Fiber.interrupt(running)
})

const there = Effect.fn(function* (from: Stores, place: StoresWanted, first: PointBatch) {
  yield* brokenOff(from, place, first)
  const to = yield* target(place)
  const before = yield* Context.get(to, RowStore).count({
    sessionId: 1,
    group: POINTS,
    from: -Infinity,
    until: Infinity
  })
  expect(before).toBeGreaterThan(0)
  expect(before).toBeLessThan(first.length)
  // During its copy no other process can take the session, and it has no laps yet.
  expect(yield* catalogIn(to).unendedSessions).toEqual([1])
  expect((yield* catalogIn(to).counts).laps).toBe(0)
  const outcome = yield* carry(from, to)
  expect(outcome).toEqual({
    sessions: 3,
    points: { all: first.length + short.length, copied: first.length + short.length - before },
    samples: { all: allSamples, copied: allSamples },
    configuration: "none",
    renumbered: new Map(),
    mismatches: [],
    ownerChanged: false,
    leftOut: []
  })
  yield* expectAll(from, to, first)
  // A second run compares, and writes nothing.
  expect(yield* carry(from, to)).toMatchObject({
    points: { copied: 0 },
    samples: { copied: 0 },
    mismatches: []
  })
  return to
})

const inFolder = Effect.flatMap(temporaryFolder, (folder) => placed(folder))

describe("migrate", () => {
  it.scopedLive("copies from SQLite to SQLite, and goes on where it was interrupted", () =>
    Effect.gen(function* () {
      const from = yield* source(yield* inFolder)
      yield* Effect.provide(fill(long), from)
      yield* there(from, yield* inFolder, long)
    })
  )

  it.scopedLive("copies newly recorded sessions, and leaves out those that are being recorded", () =>
    Effect.gen(function* () {
      const from = yield* source(yield* inFolder)
      const to = yield* target(yield* inFolder)
      const catalog = catalogIn(from)
      const points = Context.get(from, RowStore)
      const { id } = yield* catalog.createSession({ ...names, datetime: START }, { recording: true })
      yield* points.write([{ sessionId: id, group: POINTS, batch: part(some, 0, 5000) }])
      expect((yield* carry(from, to)).leftOut).toEqual([id])
      yield* catalog.endSession(id)
      expect((yield* carry(from, to)).points.copied).toBe(5000)
      yield* catalog.claimSession(id)
      yield* points.write([{ sessionId: id, group: POINTS, batch: part(some, 5000, 9000) }])
      yield* catalog.endSession(id)
      expect((yield* carry(from, to)).points.copied).toBe(4000)
      yield* Effect.provide(expectStored(id, part(some, 0, 9000)), to)
    })
  )

  it.scopedLive("copies the configuration to the target, unless that is configured", () =>
    Effect.gen(function* () {
      const stores = yield* source(yield* inFolder)
      const configured = { ...defaultConfiguration, telemetryRate: 1000, autoExport: true }
      const outcome = (to: Stores) => Effect.map(carry(stores, to), ({ configuration }) => configuration)
      const to = yield* target(yield* inFolder)
      const there = catalogIn(to)
      expect(yield* outcome(to)).toBe("none")
      yield* catalogIn(stores).putConfiguration(configured)
      expect(yield* outcome(to)).toBe("same")
      expect(yield* there.configuration).toEqual(configured)
      expect(yield* outcome(to)).toBe("same")
      yield* there.putConfiguration(defaultConfiguration)
      expect(yield* outcome(to)).toBe("other")
      expect(yield* there.configuration).toEqual(defaultConfiguration)
    })
  )

  it.scopedLive("copies circuits' details and layouts, unless the target has its own", () =>
    Effect.gen(function* () {
      const stores = yield* source(yield* inFolder)
      const to = yield* target(yield* inFolder)
      const [here, there] = [catalogIn(stores), catalogIn(to)]
      yield* here.putCircuitDetails("Spa", named("Spa-Francorchamps"))
      yield* here.putCircuitDetails("Monza", named("Autodromo"))
      yield* there.putCircuitDetails("monza", named("Monza"))
      yield* here.putCircuitLayouts("Spa", layoutOf(7004))
      yield* here.putCircuitLayouts("Monza", layoutOf(5793))
      yield* there.putCircuitLayouts("monza", layoutOf(5800))
      yield* carry(stores, to)
      expect(yield* there.allCircuitDetails).toEqual([
        ["Spa", named("Spa-Francorchamps")],
        ["monza", named("Monza")]
      ])
      expect(yield* there.allCircuitLayouts).toEqual([
        ["monza", { ...layoutOf(5800), version: 1 }],
        ["spa", { ...layoutOf(7004), version: 1 }]
      ])
    })
  )

  it.scopedLive("copies users' marks, and readable names unless the target has its own", () =>
    Effect.gen(function* () {
      const stores = yield* source(yield* inFolder)
      const to = yield* target(yield* inFolder)
      const [here, there] = [catalogIn(stores), catalogIn(to)]
      const { id } = yield* here.createSession({ ...names, datetime: START }, idle)
      yield* here.markSession(id, { ...noSessionMark, driver: "Zoe", tags: ["wet"] })
      yield* here.putName({ raw: "ks_a", name: "A" })
      yield* here.putName({ raw: "ks_b", name: "B" })
      yield* there.putName({ raw: "KS_B", name: "Own" })
      yield* carry(stores, to)
      expect(yield* there.session(id)).toEqual(yield* here.session(id))
      expect(yield* there.sessionMark(id)).toEqual(yield* here.sessionMark(id))
      expect((yield* there.names).map(({ value }) => value)).toEqual([
        { raw: "KS_B", name: "Own" },
        { raw: "ks_a", name: "A" }
      ])
      // What users of the target say afterwards stays.
      yield* there.markSession(id, noSessionMark)
      yield* carry(stores, to)
      expect((yield* there.session(id)).driver).toBe(names.driver)
    })
  )

  it.scopedLive("copies new channels and samples, beside those that the target has of its own", () =>
    Effect.gen(function* () {
      const from = yield* source(yield* inFolder)
      const to = yield* target(yield* inFolder)
      const [here, there] = [catalogIn(from), catalogIn(to)]
      const points = Context.get(from, RowStore)
      const { id } = yield* here.createSession({ ...names, datetime: START }, idle)
      yield* points.write([{ sessionId: id, group: "tyres", batch: part(tyres, 0, 5000) }])
      yield* here.putDictionary(id, declared)
      expect((yield* carry(from, to)).samples).toEqual({ all: 5000, copied: 5000 })
      const wheel = { name: "f1_status", channels: [{ name: "f1_drs_mode" }] }
      const more = { name: "weather", channels: [{ name: "rain" }] }
      yield* there.putDictionary(id, declared.withGroups([wheel]).dictionary)
      yield* here.putDictionary(id, declared.withDeclared(channelSet("rpm")).withGroups([more]).dictionary)
      yield* points.write([{ sessionId: id, group: "tyres", batch: part(tyres, 4900, 9000) }])
      const rain = groupSamples(START, 3, { columns: ["timestamp", "rain"] })
      yield* points.write([{ sessionId: id, group: "weather", batch: rain }])
      expect((yield* carry(from, to)).samples).toEqual({ all: 9003, copied: 4003 })
      yield* Effect.provide(expectGroup(id, "tyres", tyres), to)
      yield* Effect.provide(expectGroup(id, "weather", rain), to)
      expect(yield* there.dictionary(id)).toEqual(
        declared.withGroups([wheel, more]).dictionary.withDeclared(channelSet("rpm"))
      )
    })
  )

  // Rows of the same times, under the id that the session will have, with one different bit.
  for (const [group, sessionId, rows, channel] of [
    ["tyres", 1, tyres, "tyre_grip_fr"],
    [POINTS, 2, short, "speed"]
  ] as ReadonlyArray<readonly [group: string, sessionId: number, rows: RowBatch, channel: string]>) {
    it.scopedLive(`reports ${group} of a session that differ, and does not complete the session`, () =>
      Effect.gen(function* () {
        const from = yield* source(yield* inFolder)
        const to = yield* target(yield* inFolder)
        yield* Effect.provide(fill(), from)
        const batch = part(rows, 0, rows.length)
        const bits = new BigUint64Array(batch.data.buffer, batch.column(channel).byteOffset, rows.length)
        bits[rows.length - 1]! ^= 1n
        const { mismatches } = yield* carry(from, having(to, { sessionId, group, batch }))
        expect(
          mismatches.map(({ source, target, ...of }) => [of.sessionId, of.group, source.rows, target.rows])
        ).toEqual([[sessionId, group, rows.length, rows.length]])
        expect(mismatches[0]!.source.digest).not.toBe(mismatches[0]!.target.digest)
        expect(yield* catalogIn(to).unendedSessions).toEqual([sessionId])
      })
    )
  }

  it.scopedLive("moves the points alone, or the catalog alone", () =>
    Effect.gen(function* () {
      const place = yield* inFolder
      const from = yield* source(place)
      yield* Effect.provide(fill(), from)
      const other = yield* target(yield* inFolder)
      const points = Context.add(from, RowStore, Context.get(other, RowStore))
      expect((yield* carry(from, points, { oneCatalog: true })).points.copied).toBe(
        some.length + short.length
      )
      yield* expectAll(from, points)
      const catalog = Context.add(other, RowStore, Context.get(from, RowStore))
      expect((yield* carry(from, catalog, { onePoints: true })).points.copied).toBe(0)
      yield* expectAll(from, catalog)
    })
  )

  it.scopedLive(
    "makes the points belong to the catalog beside them, and moves nothing of another catalog",
    () =>
      Effect.gen(function* () {
        const from = yield* source(yield* inFolder)
        yield* Effect.provide(fill(), from)
        yield* Effect.provide(claimPoints, from)
        const to = yield* target(yield* inFolder)
        yield* carry(from, to)
        const [here, there] = [Context.get(from, RowStore), Context.get(to, RowStore)]
        expect(yield* here.ownedBy).toEqual(yield* originOf(from))
        expect(yield* there.ownedBy).toEqual(yield* originOf(to))

        // It moves neither into points of another catalog, nor out of them.
        const stranger = yield* target(yield* inFolder)
        const foreign = Context.add(stranger, RowStore, there)
        expect(yield* Effect.flip(carry(from, foreign))).toBeInstanceOf(PointsOfAnother)
        expect(yield* Effect.flip(carry(foreign, yield* target(yield* inFolder)))).toBeInstanceOf(
          PointsOfAnother
        )
        expect((yield* catalogIn(stranger).counts).sessions).toBe(0)

        // If the catalog moves alone, the points belong to the source until everything is copied.
        const moved = Context.add(yield* target(yield* inFolder), RowStore, here)
        const catalog = catalogIn(from)
        yield* catalog.claimSession(2)
        expect(yield* carry(from, moved, { onePoints: true })).toMatchObject({
          leftOut: [2],
          ownerChanged: false
        })
        expect(yield* here.ownedBy).toEqual(yield* originOf(from))
        yield* catalog.endSession(2)
        expect(yield* carry(from, moved, { onePoints: true })).toMatchObject({
          leftOut: [],
          ownerChanged: true
        })
        expect(yield* here.ownedBy).toEqual(yield* originOf(moved))
        expect(yield* Effect.flip(Effect.provide(claimPoints, from))).toBeInstanceOf(PointsOfAnother)
        expect((yield* carry(from, moved, { onePoints: true })).mismatches).toEqual([])
      })
  )

  it.scopedLive("completes interrupted deletions, whose points would otherwise be left over", () =>
    Effect.gen(function* () {
      const from = yield* source(yield* inFolder)
      yield* Effect.provide(fill(), from)
      const to = yield* target(yield* inFolder)
      yield* carry(from, to)
      // The points still exist on both sides.
      yield* catalogIn(from).deleteSession(2)
      yield* catalogIn(to).deleteSession(1)
      const other = Context.add(yield* target(yield* inFolder), RowStore, Context.get(from, RowStore))
      yield* carry(from, other, { onePoints: true })
      expect(yield* Context.get(from, RowStore).sessionIds).toEqual([1, 3])
      expect(yield* catalogIn(from).pendingRemovals).toEqual([])

      const { renumbered } = yield* carry(other, to)
      expect(renumbered.size).toBe(2)
      expect(yield* Context.get(to, RowStore).sessionIds).not.toContain(1)
    })
  )

  it.scopedLive("refuses a copy of the same catalog, and taken ids if the points stay in place", () =>
    Effect.gen(function* () {
      const place = yield* inFolder
      const from = yield* source(place)
      yield* Effect.provide(fill(), from)
      expect(yield* Effect.flip(carry(from, from))).toEqual(new CopiedCatalog())
      const other = yield* target(yield* inFolder)
      yield* catalogIn(other).createSession({ ...names, datetime: 5 }, idle)
      const taken = Context.add(other, RowStore, Context.get(from, RowStore))
      const refused = yield* Effect.flip(carry(from, taken, { onePoints: true }))
      expect(refused).toEqual(new IdsTaken({ sessionIds: [1, 2, 3] }))
    })
  )
})

describe("migrate with real servers", needing(questdbHere, postgresHere), () => {
  it.scopedLive("copies from SQLite to QuestDB and PostgreSQL with an interruption, and back", () =>
    Effect.gen(function* () {
      const from = yield* source(yield* inFolder)
      yield* Effect.provide(fill(longest), from)
      const questdb = yield* sharedQuestdb
      const postgres = yield* sharedPostgres
      const servers = yield* placed(`points=${questdb.url},catalog=${postgres.url}`)
      yield* there(from, servers, longest)
      const back = yield* source(servers)
      const again = yield* there(back, yield* inFolder, longest)
      yield* expectAll(from, again, longest)
    })
  )
})
