import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { NodeContext } from "@effect/platform-node"
import { expect, it } from "@effect/vitest"
import { Context, Effect, ExecutionStrategy, Exit, Layer, Logger, Scope, Stream, TestClock } from "effect"
import { AnalysisWorkers } from "../../src/archive/AnalysisWorkers.ts"
import { Archive } from "../../src/archive/Archive.ts"
import { allChannels } from "../../src/domain/ChannelSet.ts"
import { defaultConfiguration } from "../../src/domain/Configuration.ts"
import { emptyDictionary } from "../../src/domain/Dictionary.ts"
import { StoreUnavailable } from "../../src/domain/errors.ts"
import { channels } from "../../src/domain/pointChannels.ts"
import { RowBatch } from "../../src/domain/RowBatch.ts"
import { formatDateTime } from "../../src/domain/Time.ts"
import { AutoExport } from "../../src/formats/AutoExport.ts"
import { SessionEndings } from "../../src/recording/intake/SessionEndings.ts"
import { RowStore } from "../../src/store/RowStore.ts"
import * as SqliteStore from "../../src/store/sqlite/SqliteStore.ts"
import { storeDrive } from "../api/stored.ts"
import { catalogIn, type CatalogTags } from "../contracts/catalogService.ts"
import { isClockWarning } from "../support/testClock.ts"
import { temporaryFolder } from "../store/sqlite/folder.ts"
import { parseCsv } from "./parseCsv.ts"

type RowStoreService = Context.Tag.Service<typeof RowStore>

interface Options {
  readonly wrap?: (real: RowStoreService) => RowStoreService
  /** Files that an earlier export left. */
  readonly after?: { readonly folder: string; readonly stores: Context.Context<CatalogTags | RowStore> }
}

/** Runs the automatic export beside a store; `stop` ends it, as a shutdown does. */
const exporting = Effect.fnUntraced(function* ({ after, wrap = (real) => real }: Options = {}) {
  const folder = after?.folder ?? join(yield* temporaryFolder, "data", "exports")
  const stores = after?.stores ?? (yield* Layer.build(SqliteStore.layer(yield* temporaryFolder)))
  const scope = yield* Scope.fork(yield* Effect.scope, ExecutionStrategy.sequential)
  const lines: Array<string> = []
  const afterwards = Effect.fnUntraced(function* (id: number) {
    yield* (yield* AutoExport).ended(id)
  })
  const context = yield* SessionEndings.layer(afterwards).pipe(
    Layer.provide(AutoExport.layer(folder)),
    Layer.provide(Layer.provide(Archive.layer, AnalysisWorkers.layer)),
    Layer.provide(Layer.effect(RowStore, Effect.map(RowStore, wrap))),
    Layer.provide(Layer.succeedContext(stores)),
    Layer.provide(NodeContext.layer),
    Layer.provide(
      Logger.replace(
        Logger.defaultLogger,
        Logger.make(({ logLevel, message }) => {
          if (!isClockWarning(message)) lines.push(`${logLevel.label} ${String(message)}`)
        })
      )
    ),
    Layer.buildWithScope(scope)
  )
  const catalog = catalogIn(stores)
  return {
    folder,
    stores,
    lines,
    catalog,
    points: Context.get(stores, RowStore),
    ended: Context.get(context, SessionEndings).ended,
    configure: (autoExport: boolean, exportFormat: "csv" | "json" = "csv", exportChannels = "") =>
      catalog.putConfiguration({ ...defaultConfiguration, autoExport, exportChannels, exportFormat }),
    stop: Scope.close(scope, Exit.void)
  }
})

/** A store that goes away after the first piece of each read, until it is back. */
class Leaving {
  away = true

  readonly wrap = (real: RowStoreService): RowStoreService => ({
    ...real,
    read: (range, channels) =>
      this.away
        ? Stream.concat(
            Stream.take(real.read(range, channels), 1),
            Stream.fail(new StoreUnavailable({ store: "points", cause: "pulled out" }))
          )
        : real.read(range, channels)
  })
}

const filesIn = (folder: string) => (existsSync(folder) ? readdirSync(folder).toSorted() : [])

/** Advances the test's clock until the folder has these files. */
const untilThere = Effect.fn(function* (folder: string, ...names: ReadonlyArray<string>) {
  while (filesIn(folder).join() !== names.join()) {
    yield* TestClock.adjust("1 second")
    yield* Effect.promise(() => new Promise((done) => setTimeout(done, 5)))
  }
})

it.scopedLive("AutoExport writes each session that ends, in the configured format, before it stops", () =>
  Effect.gen(function* () {
    const exports = yield* exporting()
    const one = yield* storeDrive(exports, { count: 5000, laps: 2, lapPoints: 2000 })
    const two = yield* storeDrive(exports, { count: 10 })
    yield* exports.configure(true)
    yield* exports.ended(one.session.id)
    yield* exports.ended(two.session.id)
    yield* exports.stop
    expect(readdirSync(exports.folder).toSorted()).toEqual(["session-1.csv", "session-2.csv"])
    const rows = parseCsv(readFileSync(join(exports.folder, "session-1.csv"), "utf8"))
    expect(rows).toHaveLength(5001)
    expect(rows[0]!.slice(0, 3)).toEqual(["lap_number", "timestamp", "speed"])
    expect(rows.slice(1).map(([lap]) => lap)).toEqual(
      Array.from({ length: 5000 }, (_, i) => (i < 2000 ? "1" : i < 4000 ? "2" : ""))
    )
  })
)

it.scopedLive("AutoExport writes JSON that parses, over a file of the same name", () =>
  Effect.gen(function* () {
    const exports = yield* exporting()
    const { laps, session } = yield* storeDrive(exports, { count: 100 })
    yield* exports.configure(true, "json")
    yield* exports.ended(session.id)
    // A session that is taken up again ends more than once.
    yield* exports.ended(session.id)
    yield* exports.stop
    expect(readdirSync(exports.folder)).toEqual(["session-1.json"])
    const written = JSON.parse(readFileSync(join(exports.folder, "session-1.json"), "utf8"))
    expect(Object.keys(written)).toEqual(["session", "laps"])
    const { bestLapTime, datetime, totalLaps, ...others } = session
    expect(written.session).toEqual({
      ...others,
      datetime: formatDateTime(datetime),
      total_laps: totalLaps,
      best_lap_time: bestLapTime
    })
    expect(written.laps[0].lap.id).toBe(laps[0]!.id)
    expect(written.laps[0].points).toHaveLength(100)
  })
)

it.scopedLive("AutoExport adds the configured channels, as far as the session has them", () =>
  Effect.gen(function* () {
    const exports = yield* exporting()
    const { points, session } = yield* storeDrive(exports, { count: 100 })
    const { dictionary } = emptyDictionary.withDeclared(allChannels).withGroups([
      {
        name: "fuel",
        channels: [{ name: "fuel" }, { name: "fuel_mass" }]
      }
    ])
    yield* exports.catalog.putDictionary(session.id, dictionary)
    const fuel: RowBatch = RowBatch.allocate(1, ["timestamp", "fuel", "fuel_mass"])
    fuel.data.set([points.timestamps[50]!, 31.5, 23])
    yield* exports.points.write([{ sessionId: session.id, group: "fuel", batch: fuel }])
    yield* exports.configure(true, "csv", "tyre_wear_fl, fuel,tyre_*")
    yield* exports.ended(session.id)
    yield* exports.stop
    const [header, ...rows] = parseCsv(readFileSync(join(exports.folder, "session-1.csv"), "utf8"))
    expect(header).toEqual(["lap_number", ...channels, "fuel"])
    expect(rows.map((row) => row.at(-1))).toEqual(
      Array.from({ length: 100 }, (_, i) => (i < 50 ? "" : "31.5"))
    )
  })
)

it.scopedLive("AutoExport writes nothing unless configured", () =>
  Effect.gen(function* () {
    const exports = yield* exporting()
    const { session } = yield* storeDrive(exports, { count: 10 })
    yield* exports.ended(session.id)
    yield* exports.stop
    expect(existsSync(exports.folder)).toBe(false)
    expect(exports.lines).toEqual([])
  })
)

it.scoped("AutoExport writes a session whose store was away when it is back, and others meanwhile", () =>
  Effect.gen(function* () {
    const store = new Leaving()
    const exports = yield* exporting({
      wrap: (real) => ({
        ...real,
        read: (range, channels) => (range.sessionId === 1 ? store.wrap(real) : real).read(range, channels)
      })
    })
    yield* storeDrive(exports, { count: 10_000 })
    yield* storeDrive(exports, { count: 10 })
    yield* exports.configure(true)
    for (const id of [1, 2]) yield* exports.ended(id)
    yield* untilThere(exports.folder, "session-1.part", "session-2.csv")
    store.away = false
    yield* untilThere(exports.folder, "session-1.csv", "session-2.csv")
    expect(parseCsv(readFileSync(join(exports.folder, "session-1.csv"), "utf8"))).toHaveLength(10_001)
    expect(exports.lines.filter((line) => !line.startsWith("INFO"))).toEqual([
      "WARN The points store is away: session 1 is exported when it is back"
    ])
  })
)

it.scoped("AutoExport writes pending sessions at its next start, unless it was switched off", () =>
  Effect.gen(function* () {
    const store = new Leaving()
    const first = yield* exporting(store)
    yield* storeDrive(first, { count: 10_000 })
    yield* first.configure(true)
    yield* first.ended(1)
    yield* first.stop
    expect(filesIn(first.folder)).toEqual(["session-1.part"])

    const second = yield* exporting({ ...store, after: first })
    yield* second.stop
    expect(filesIn(first.folder)).toEqual(["session-1.part"])

    yield* first.configure(false)
    const third = yield* exporting({ after: first })
    yield* untilThere(first.folder)
    yield* third.stop

    writeFileSync(join(first.folder, "session-1.part"), "half")
    yield* first.configure(true, "json")
    yield* exporting({ after: first })
    yield* untilThere(first.folder, "session-1.json")
    const written = JSON.parse(readFileSync(join(first.folder, "session-1.json"), "utf8"))
    expect(written.session.id).toBe(1)
  })
)

it.scopedLive("AutoExport leaves no file of a deleted session, logs that, and goes on with the next", () =>
  Effect.gen(function* () {
    const exports = yield* exporting()
    yield* storeDrive(exports, { count: 10 })
    yield* exports.configure(true)
    for (const id of [77, 1]) yield* exports.ended(id)
    yield* exports.stop
    expect(filesIn(exports.folder)).toEqual(["session-1.csv"])
    const errors = exports.lines.filter((line) => line.startsWith("ERROR"))
    expect(errors).toEqual(["ERROR Could not export session 77"])
  })
)

it.scopedLive("AutoExport only logs an error if its folder cannot be made", () =>
  Effect.gen(function* () {
    const exports = yield* exporting()
    writeFileSync(join(exports.folder, "..", "..", "data"), "a file where the folder should be")
    const { session } = yield* storeDrive(exports, { count: 10 })
    yield* exports.configure(true)
    yield* exports.ended(session.id)
    yield* exports.stop
    expect(exports.lines.filter((line) => line.startsWith("ERROR"))).toHaveLength(1)
  })
)
