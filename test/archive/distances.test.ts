/** How far sessions were driven: measured when they end or on request, and kept. */
import { expect, it } from "@effect/vitest"
import { Context, Effect, ExecutionStrategy, Exit, Layer, Scope } from "effect"
import { metresOf } from "../../src/analysis/place/odometer.ts"
import { AnalysisWorkers } from "../../src/archive/AnalysisWorkers.ts"
import { measureEnded } from "../../src/archive/distances.ts"
import { AnalysisService } from "../../src/archive/AnalysisService.ts"
import { POINTS } from "../../src/domain/Dictionary.ts"
import { StoreUnavailable } from "../../src/domain/errors.ts"
import { SessionEndings } from "../../src/recording/intake/SessionEndings.ts"
import { CatalogTransfer } from "../../src/store/CatalogTransfer.ts"
import { RowStore } from "../../src/store/RowStore.ts"
import * as SqliteStore from "../../src/store/sqlite/SqliteStore.ts"
import { drivenPoints, names, START, storeDrive } from "../api/stored.ts"
import { temporaryFolder } from "../store/sqlite/folder.ts"
import { catalogBy, catalogIn, type CatalogService } from "../contracts/catalogService.ts"

type RowStoreService = Context.Tag.Service<typeof RowStore>

/** AnalysisService over stores whose reads of points are counted. */
const analysing = Effect.fnUntraced(function* (
  wrap: (real: CatalogService) => CatalogService = (real) => real
) {
  const stores = yield* Layer.build(SqliteStore.layer(yield* temporaryFolder))
  let reads = 0
  const counted = (real: RowStoreService): RowStoreService => ({
    ...real,
    read: (range, channels) => {
      reads++
      return real.read(range, channels)
    }
  })
  const catalog = catalogIn(stores)
  const given = Layer.merge(
    Layer.succeed(RowStore, counted(Context.get(stores, RowStore))),
    catalogBy(wrap(catalog))
  )
  const scope = yield* Scope.fork(yield* Effect.scope, ExecutionStrategy.sequential)
  const context = yield* Layer.merge(AnalysisService.layer, SessionEndings.layer(measureEnded)).pipe(
    Layer.provide(AnalysisWorkers.layer),
    Layer.provide(given),
    Layer.buildWithScope(scope)
  )
  const transfer = Context.get(stores, CatalogTransfer)
  const analysis = Context.get(context, AnalysisService)
  return {
    catalog,
    points: Context.get(stores, RowStore),
    reads: () => reads,
    ended: Context.get(context, SessionEndings).ended,
    /** Ends the service, which has then measured the sessions that ended. */
    stop: Scope.close(scope, Exit.void),
    kept: Effect.flatMap(
      catalog.sessionIds,
      Effect.forEach((id) => Effect.map(transfer.record(id), ({ distance }) => distance))
    ),
    kilometres: Effect.map(analysis.driver(names.driver), ({ totalDistance }) => totalDistance)
  }
})

const COUNT = 9000
const metres = metresOf(drivenPoints(START, COUNT))

it.scopedLive("a session that ends is measured, and not read again", () =>
  Effect.gen(function* () {
    const service = yield* analysing()
    const { session } = yield* storeDrive(service, { count: COUNT })
    yield* service.ended(session.id)
    yield* service.ended(77)
    yield* service.stop
    expect(yield* service.kept).toEqual([metres])
    const reads = service.reads()
    expect(yield* service.kilometres).toBeCloseTo(metres / 1000, 6)
    expect(service.reads()).toBe(reads)
  })
)

it.scopedLive("a session that was not measured is measured once, on request", () =>
  Effect.gen(function* () {
    const service = yield* analysing()
    yield* storeDrive(service, { count: COUNT })
    // A session without points has no distance to keep.
    yield* service.catalog.createSession({ ...names, datetime: START }, { recording: false })
    expect(yield* service.kept).toEqual([null, null])
    expect(yield* service.kilometres).toBeCloseTo(metres / 1000, 6)
    expect(yield* service.kept).toEqual([metres, null])
    const reads = service.reads()
    expect(yield* service.kilometres).toBeCloseTo(metres / 1000, 6)
    expect(service.reads()).toBe(reads)
  })
)

it.scopedLive("a session that is recorded into again is measured again", () =>
  Effect.gen(function* () {
    const service = yield* analysing()
    const { session } = yield* storeDrive(service, { count: COUNT })
    const first = yield* service.kilometres
    yield* service.catalog.claimSession(session.id)
    const more = drivenPoints(START + COUNT / 60, COUNT)
    yield* service.points.write([{ sessionId: session.id, group: POINTS, batch: more }])
    // While it is being recorded, the distance so far is given and not kept.
    const both = yield* service.kilometres
    expect(both).toBeGreaterThan(first * 1.5)
    expect(yield* service.kept).toEqual([null])
    yield* service.catalog.extendSessions(
      new Map([[session.id, { first: START, last: more.timestamps.at(-1)! }]])
    )
    yield* service.catalog.endSession(session.id)
    yield* service.ended(session.id)
    yield* service.stop
    const [kept] = yield* service.kept
    expect(kept! / 1000).toBeCloseTo(both, 6)
  })
)

it.scopedLive("a distance that cannot be kept is still given", () =>
  Effect.gen(function* () {
    const full = new StoreUnavailable({ store: "catalog", cause: "the disk is full" })
    const service = yield* analysing((real) => ({ ...real, keepDistance: () => full }))
    yield* storeDrive(service, { count: COUNT })
    expect(yield* service.kilometres).toBeCloseTo(metres / 1000, 6)
    expect(yield* service.kept).toEqual([null])
  })
)
