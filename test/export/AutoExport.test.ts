import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { NodeContext } from "@effect/platform-node"
import { expect, it } from "@effect/vitest"
import { Context, Effect, ExecutionStrategy, Exit, Layer, Logger, Scope, Stream } from "effect"
import { Archive } from "../../src/archive/Archive.ts"
import { defaultConfiguration } from "../../src/domain/Configuration.ts"
import { StoreUnavailable } from "../../src/domain/errors.ts"
import { exportEnded } from "../../src/export/AutoExport.ts"
import { SessionEndings } from "../../src/recording/SessionEndings.ts"
import { Catalog } from "../../src/store/Catalog.ts"
import { PointStore } from "../../src/store/PointStore.ts"
import * as SqliteStore from "../../src/store/sqlite/SqliteStore.ts"
import { storeDrive } from "../http/stored.ts"
import { temporaryFolder } from "../store/sqlite/folder.ts"
import { parseCsv } from "./parseCsv.ts"

type PointStoreService = Context.Tag.Service<typeof PointStore>

/** The automatic export beside a store; `stop` ends it, as a shutdown does. */
const exporting = Effect.fnUntraced(function* (
  wrap: (real: PointStoreService) => PointStoreService = (real) => real
) {
  const folder = join(yield* temporaryFolder, "data", "exports")
  const stores = yield* Layer.build(SqliteStore.layer(yield* temporaryFolder))
  const scope = yield* Scope.fork(yield* Effect.scope, ExecutionStrategy.sequential)
  const lines: Array<string> = []
  const context = yield* SessionEndings.layer(exportEnded(folder)).pipe(
    Layer.provide(Archive.layer),
    Layer.provide(Layer.effect(PointStore, Effect.map(PointStore, wrap))),
    Layer.provide(Layer.succeedContext(stores)),
    Layer.provide(NodeContext.layer),
    Layer.provide(
      Logger.replace(
        Logger.defaultLogger,
        Logger.make(({ logLevel, message }) => void lines.push(`${logLevel.label} ${String(message)}`))
      )
    ),
    Layer.buildWithScope(scope)
  )
  const catalog = Context.get(stores, Catalog)
  return {
    folder,
    lines,
    catalog,
    points: Context.get(stores, PointStore),
    ended: Context.get(context, SessionEndings).ended,
    configure: (auto_export: boolean, export_format: "csv" | "json" = "csv") =>
      catalog.putConfiguration({ ...defaultConfiguration, auto_export, export_format }),
    stop: Scope.close(scope, Exit.void)
  }
})

it.scopedLive("writes each session that ends, in the configured format, before it stops", () =>
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

it.scopedLive("writes JSON that parses, over a file of the same name", () =>
  Effect.gen(function* () {
    const exports = yield* exporting()
    const { laps, session } = yield* storeDrive(exports, { count: 100 })
    yield* exports.configure(true, "json")
    yield* exports.ended(session.id)
    // Taken up again, a session ends more than once.
    yield* exports.ended(session.id)
    yield* exports.stop
    expect(readdirSync(exports.folder)).toEqual(["session-1.json"])
    const written = JSON.parse(readFileSync(join(exports.folder, "session-1.json"), "utf8"))
    expect(Object.keys(written)).toEqual(["session", "laps"])
    expect(written.session).toEqual(session)
    expect(written.laps[0].lap.id).toBe(laps[0]!.id)
    expect(written.laps[0].points).toHaveLength(100)
  })
)

it.scopedLive("writes nothing where the configuration does not say so", () =>
  Effect.gen(function* () {
    const exports = yield* exporting()
    const { session } = yield* storeDrive(exports, { count: 10 })
    yield* exports.ended(session.id)
    yield* exports.stop
    expect(existsSync(exports.folder)).toBe(false)
    expect(exports.lines).toEqual([])
  })
)

it.scopedLive("leaves no half a file, says what failed, and goes on with the next session", () =>
  Effect.gen(function* () {
    const failure = new StoreUnavailable({ store: "points", cause: "pulled out" })
    const exports = yield* exporting((real) => ({
      ...real,
      read: (range, channels) =>
        range.sessionId === 1
          ? Stream.concat(Stream.take(real.read(range, channels), 1), Stream.fail(failure))
          : real.read(range, channels)
    }))
    yield* storeDrive(exports, { count: 10_000 })
    yield* storeDrive(exports, { count: 10 })
    yield* exports.configure(true)
    for (const id of [1, 77, 2]) yield* exports.ended(id)
    yield* exports.stop
    expect(readdirSync(exports.folder)).toEqual(["session-2.csv"])
    const errors = exports.lines.filter((line) => line.startsWith("ERROR"))
    expect(errors).toEqual(["ERROR Could not export session 1", "ERROR Could not export session 77"])
  })
)

it.scopedLive("a folder that cannot be made is an error in the log, and no more", () =>
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
