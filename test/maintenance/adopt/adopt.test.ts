/** Sessions rebuilt from points whose catalog is lost. */
import { copyFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "@effect/vitest"
import { Context, Effect, Layer, Option } from "effect"
import { adopt, type Adopted } from "../../../src/maintenance/adopt/adopt.ts"
import { POINTS } from "../../../src/domain/Dictionary.ts"
import { allChannels } from "../../../src/domain/ChannelSet.ts"
import { PointsOfAnother, SessionIdsGiven, StoreUnavailable } from "../../../src/domain/errors.ts"
import { ABSENT } from "../../../src/domain/RowBatch.ts"
import type { CatalogTransfer } from "../../../src/store/CatalogTransfer.ts"
import { Dictionaries } from "../../../src/store/Dictionaries.ts"
import { claimPoints } from "../../../src/store/ownership.ts"
import { RowStore } from "../../../src/store/RowStore.ts"
import type { QuestdbAddress } from "../../../src/platform/addresses/questdb.ts"
import { tabulate } from "../../../src/store/questdb/AnalystTables.ts"
import * as QuestdbStore from "../../../src/store/questdb/QuestdbStore.ts"
import { Tabulated } from "../../../src/store/questdb/tabulated.ts"
import * as SqliteStore from "../../../src/store/sqlite/SqliteStore.ts"
import { expectStored } from "../../contracts/rowStoreSupport.ts"
import { groupSamples } from "../../contracts/groupSamples.ts"
import { expectGroup } from "../../contracts/rowStoreSamplesSupport.ts"
import { part, samplePoints } from "../../contracts/samples.ts"
import { questdbHere, sharedQuestdb } from "../../support/servers/questdb.ts"
import { needing } from "../../support/needing.ts"
import { temporaryFolder } from "../../store/sqlite/folder.ts"
import {
  catalogIn,
  catalogService,
  type CatalogService,
  type CatalogTags
} from "../../contracts/catalogService.ts"

type Stores = Context.Context<CatalogTags | CatalogTransfer | RowStore | Tabulated>

/** Times that no decimal of few digits equals. */
const START = 1.7e9 + 1 / 3
const names = { circuit: "Nürburgring", vehicle: "GT3", driver: "Åsa O'Neil" }
const all = samplePoints(START, 5000)

const lapsOf = (sessionId: number, count: number) =>
  Array.from({ length: count }, (_, lap) => ({
    sessionId,
    lapNumber: lap + 1,
    lapTime: lap === 1 ? null : 20 + lap / 3,
    sector1Time: 10.1,
    sector2Time: null,
    sector3Time: 1 / 3,
    valid: lap !== 1,
    ...(lap === 1 ? { withdrawn: true, sectorSource: "derived" as const } : {}),
    ...(lap === 2 ? { driver: "Jörg ‘Jo’ Müller", sectorSource: "simulator" as const } : {}),
    startTime: START + (lap * 20) / 3,
    endTime: START + ((lap + 1) * 20) / 3
  }))

/** Stores an ended session of so many points and laps; returns its id. */
const recorded = Effect.fn(function* (points: number, laps: number) {
  const catalog = yield* catalogService
  const store = yield* RowStore
  const { id } = yield* catalog.createSession({ ...names, datetime: START }, { recording: true })
  const batch = part(all, 0, points)
  yield* store.write([{ sessionId: id, group: POINTS, batch }])
  yield* store.seal(id)
  yield* catalog.extendSessions(
    new Map([[id, { first: batch.timestamps[0]!, last: batch.timestamps[points - 1]! }]])
  )
  yield* catalog.addLaps(lapsOf(id, laps))
  yield* catalog.endSession(id)
  return id
})

/** Points in QuestDB, with a catalog in the folder. */
const open = (folder: string, address: QuestdbAddress) =>
  Layer.build(
    Layer.fresh(
      Layer.mergeAll(
        SqliteStore.catalogLayer(folder),
        QuestdbStore.layer(folder, address, { writes: true }),
        Tabulated.layer(address)
      )
    )
  )

/** Points in SQLite's file in one folder, with a catalog in another. */
const openApart = (folder: string, catalogFolder: string) =>
  Layer.build(
    Layer.fresh(
      Layer.mergeAll(SqliteStore.catalogLayer(catalogFolder), SqliteStore.pointsLayer(folder), Tabulated.none)
    )
  )

const adopting = (stores: Stores) =>
  Effect.suspend(() => {
    const reported: Array<Adopted> = []
    return Effect.map(
      Effect.provide(
        adopt((adopted) => Effect.sync(() => void reported.push(adopted))),
        stores
      ),
      (outcome) => ({ ...outcome, reported })
    )
  })

const tyres = groupSamples(START, 300)
const status = groupSamples(START + 1, 20, { columns: ["timestamp", "f1_drs_mode", "never_declared"] })
status.column("never_declared").fill(ABSENT)

/** Stores a session with samples of two groups and nothing else, whose channels the catalog has; returns its id. */
const sampled = Effect.gen(function* () {
  const catalog = yield* catalogService
  const store = yield* RowStore
  const { id } = yield* catalog.createSession({ ...names, datetime: START }, { recording: true })
  yield* store.write([
    { sessionId: id, group: "tyres", batch: tyres },
    { sessionId: id, group: "f1_status", batch: status }
  ])
  yield* store.seal(id)
  yield* catalog.endSession(id)
  return id
})

/** The channels of those samples: units and kinds are the vocabulary's, written out. */
const expectRebuilt = Effect.fn(function* (catalog: CatalogService, id: number) {
  const dictionary = (yield* catalog.dictionary(id))!
  expect(dictionary.declared).toBe(allChannels)
  expect(dictionary.groups.map(({ name }) => name).sort()).toEqual(["f1_status", "tyres"])
  const declared = tyres.channels.slice(1).filter((name) => name !== "tyre_pressure_fr")
  expect(dictionary.group("tyres")!.columns).toEqual(expect.arrayContaining(["timestamp", ...declared]))
  expect(dictionary.channel("tyre_pressure_fl")!.channel).toMatchObject({ unit: "kPa", kind: "continuous" })
  expect(dictionary.channel("f1_drs_mode")).toMatchObject({
    group: { name: "f1_status" },
    channel: { unit: "", kind: "continuous", description: "", labels: {} }
  })
})

describe("adopting from QuestDB", needing(questdbHere), () => {
  it.scopedLive("rebuilds sessions and laps as they were, reports the others, and then owns the points", () =>
    Effect.gen(function* () {
      const { address } = yield* sharedQuestdb
      const first = yield* open(yield* temporaryFolder, address)
      yield* Effect.provide(claimPoints, first)
      const [one, gone, bare] = yield* Effect.all([
        recorded(5000, 3),
        recorded(10, 0),
        recorded(300, 0)
      ]).pipe(Effect.provide(first))
      // As at the end of a session; the last session was not copied to QuestDB's tables.
      yield* Effect.provide(tabulate(address)(one), first)
      yield* Context.get(first, RowStore).remove(gone)
      const lost = catalogIn(first)

      const folder = yield* temporaryFolder
      const next = yield* open(folder, address)
      const catalog = catalogIn(next)
      expect(yield* Effect.flip(Effect.provide(claimPoints, next))).toBeInstanceOf(PointsOfAnother)

      const outcome = yield* adopting(next)
      expect(
        outcome.reported.map(({ isTabulated, points, record }) => [record.id, points, isTabulated])
      ).toEqual([
        [one, 5000, true],
        [bare, 300, false]
      ])
      expect(outcome).toMatchObject({ leftAlone: [], wasOwner: false })
      // To the last bit: a lap's points are found by its times.
      expect(yield* catalog.laps(one)).toEqual(yield* lost.laps(one))
      const known = yield* lost.session(one)
      const datetime = Math.round(known.datetime * 1000) / 1000
      expect(yield* catalog.session(one)).toEqual({ ...known, datetime })
      expect(yield* catalog.session(bare)).toMatchObject({
        circuit: "Unknown",
        vehicle: "Unknown",
        driver: "Unknown",
        duration: 4,
        totalLaps: 0
      })
      yield* Effect.provide(expectStored(one, all), next)

      yield* Effect.provide(claimPoints, next)
      expect(yield* Effect.provide(recorded(20, 1), next)).toBe(bare + 1)
      expect(yield* Effect.flip(Effect.provide(claimPoints, first))).toBeInstanceOf(PointsOfAnother)
      // A second run has nothing to do.
      expect(yield* adopting(next)).toMatchObject({ adopted: [], leftAlone: [], wasOwner: true })
    })
  )

  it.scopedLive("keeps sessions of the catalog apart, and goes on where it was interrupted", () =>
    Effect.gen(function* () {
      const { address } = yield* sharedQuestdb
      const first = yield* open(yield* temporaryFolder, address)
      yield* Effect.provide(claimPoints, first)
      for (let n = 0; n < 3; n++) yield* Effect.provide(recorded(100, 0), first)
      const owner = yield* Context.get(first, RowStore).ownedBy

      const other = yield* open(yield* temporaryFolder, address)
      yield* catalogIn(other).createSession({ ...names, datetime: 5 }, { recording: false })
      expect(yield* Effect.flip(adopting(other))).toEqual(new SessionIdsGiven({ sessionIds: [1] }))
      expect(yield* Context.get(first, RowStore).ownedBy).toEqual(owner)
      expect((yield* catalogIn(other).counts).sessions).toBe(1)

      const folder = yield* temporaryFolder
      const next = yield* open(folder, address)
      const points = Context.get(next, RowStore)
      const broken = new StoreUnavailable({ store: "questdb", cause: "broken off" })
      yield* Effect.flip(adopting(Context.add(next, RowStore, { ...points, changeOwner: () => broken })))
      // No other catalog can claim the points in between.
      expect(yield* Effect.flip(Effect.provide(claimPoints, next))).toBeInstanceOf(PointsOfAnother)
      expect(yield* adopting(next)).toMatchObject({ wasOwner: false })
      yield* Effect.provide(claimPoints, next)
      expect(yield* catalogIn(next).sessionIds).toEqual([1, 2, 3])
    })
  )

  it.scopedLive(
    "adds newer sessions to a catalog that was restored from a backup, and none that it deleted",
    () =>
      Effect.gen(function* () {
        const { address } = yield* sharedQuestdb
        const [folder, backup] = [yield* temporaryFolder, yield* temporaryFolder]
        yield* Effect.gen(function* () {
          const stores = yield* open(folder, address)
          yield* Effect.provide(claimPoints, stores)
          for (let n = 0; n < 2; n++) yield* Effect.provide(recorded(100, 2), stores)
          // Its points stay, as if it had been deleted a moment before.
          yield* catalogIn(stores).deleteSession(1)
        }).pipe(Effect.scoped)
        copyFileSync(SqliteStore.databaseFile(folder), join(backup, "telemetry.sqlite"))
        yield* Effect.scoped(
          Effect.flatMap(open(folder, address), (stores) => Effect.provide(recorded(200, 1), stores))
        )
        // The catalog owns the points, and would give the third session's id again: no service starts with it.
        const refused = yield* Effect.scoped(
          Effect.flatMap(open(backup, address), (stores) => Effect.flip(Effect.provide(claimPoints, stores)))
        )
        expect(refused).toMatchObject({ _tag: "PointsOfAnother", unknown: [3] })
        const restored = yield* open(backup, address)
        const outcome = yield* adopting(restored)
        yield* Effect.provide(claimPoints, restored)
        expect(outcome.reported.map(({ record }) => record.id)).toEqual([3])
        expect(outcome).toMatchObject({ leftAlone: [], wasOwner: true })
        const catalog = catalogIn(restored)
        expect(yield* catalog.sessionIds).toEqual([2, 3])
        expect(yield* catalog.laps(2)).toHaveLength(2)
        expect(yield* Effect.provide(recorded(20, 0), restored)).toBe(4)
      })
  )
})

describe("adopting channels and samples", needing(questdbHere), () => {
  it.scopedLive("rebuilds all that can be inferred from the samples, also after an interrupted run", () =>
    Effect.gen(function* () {
      const { address } = yield* sharedQuestdb
      const first = yield* open(yield* temporaryFolder, address)
      yield* Effect.provide(claimPoints, first)
      const plain = yield* Effect.provide(recorded(100, 0), first)
      const id = yield* Effect.provide(sampled, first)

      const next = yield* open(yield* temporaryFolder, address)
      const catalog = catalogIn(next)
      const broken = new StoreUnavailable({ store: "catalog", cause: "broken off" })
      const breaking = Context.add(next, Dictionaries, { ...catalog, putDictionary: () => broken })
      expect(yield* Effect.flip(adopting(breaking))).toMatchObject({
        store: "catalog",
        cause: "broken off"
      })
      expect(yield* Effect.flip(Effect.provide(claimPoints, next))).toBeInstanceOf(PointsOfAnother)
      const outcome = yield* adopting(next)
      expect(outcome.reported.map(({ points, record, samples }) => [record.id, points, samples])).toEqual([
        [plain, 100, 0],
        [id, 0, 320]
      ])
      expect(yield* catalog.session(id)).toMatchObject({ duration: 0, totalLaps: 0 })
      yield* expectRebuilt(catalog, id)
      expect(yield* catalog.dictionary(plain)).toBeUndefined()
      yield* Effect.provide(expectGroup(id, "tyres", tyres), next)
    })
  )
})

describe("adopting from SQLite", () => {
  it.scopedLive("rebuilds channels from the samples in the file", () =>
    Effect.gen(function* () {
      const folder = yield* temporaryFolder
      const id = yield* Effect.scoped(
        Effect.flatMap(
          Effect.flatMap(temporaryFolder, (other) => openApart(folder, other)),
          (lost) => Effect.provide(sampled, lost)
        )
      )
      const stores = yield* openApart(folder, yield* temporaryFolder)
      expect((yield* adopting(stores)).reported.map(({ samples }) => samples)).toEqual([320])
      yield* expectRebuilt(catalogIn(stores), id)
      yield* Effect.provide(expectGroup(id, "f1_status", status), stores)
    })
  )

  it.scopedLive("rebuilds unknown sessions from the points alone, and no known or deleted ones", () =>
    Effect.gen(function* () {
      const folder = yield* temporaryFolder
      const elsewhere = yield* temporaryFolder
      const stores = yield* openApart(folder, elsewhere)
      const catalog = catalogIn(stores)
      const points = Context.get(stores, RowStore)
      const { id } = yield* catalog.createSession({ ...names, datetime: 5 }, { recording: false })
      yield* catalog.createSession({ ...names, datetime: 5 }, { recording: false })
      yield* catalog.deleteSession(2)
      yield* catalog.removalDone(2)
      const batch = part(all, 0, 100)
      // No catalog claimed them: sessions that the catalog has, has deleted, and does not know.
      yield* points.write([id, 2, 7].map((sessionId) => ({ sessionId, group: POINTS, batch })))
      expect(yield* Effect.flip(Effect.provide(claimPoints, stores))).toMatchObject({ unknown: [7] })
      const outcome = yield* adopting(stores)
      expect(outcome.reported.map(({ isTabulated, record }) => [record.id, isTabulated])).toEqual([
        [7, false]
      ])
      expect(outcome.leftAlone).toEqual([])
      expect(yield* catalog.sessionIds).toEqual([1, 7])
      expect(Option.isSome(yield* points.ownedBy)).toBe(true)
      yield* Effect.provide(claimPoints, stores)
    })
  )
})
