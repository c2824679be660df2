/** The whole service in the test's own process: a real port, a real store in a folder of its own, open to the test. */
import { it } from "@effect/vitest"
import { NodeContext } from "@effect/platform-node"
import { Cause, Context, Duration, Effect, Layer, Logger, LogLevel, type Scope } from "effect"
import type { Socket } from "node:net"
import { AnalysisWorkers } from "../../src/archive/AnalysisWorkers.ts"
import { Archive } from "../../src/archive/Archive.ts"
import { AnalysisService } from "../../src/archive/AnalysisService.ts"
import { Access, EVERYBODY, type AccessRules } from "../../src/api/Access.ts"
import { type OpenAnswers, OpenAnswersHere } from "../../src/api/OpenAnswers.ts"
import * as HttpLive from "../../src/api/server.ts"
import type { StoreUnavailable } from "../../src/domain/errors.ts"
import type { Hub } from "../../src/live/hub/Hub.ts"
import { UploadFolder } from "../../src/imports/uploads/UploadFolder.ts"
import { LiveHub } from "../../src/live/hub/LiveHub.ts"
import { Intake } from "../../src/recording/intake/Intake.ts"
import { SessionEndings } from "../../src/recording/intake/SessionEndings.ts"
import * as StoreWriter from "../../src/recording/intake/StoreWriter.ts"
import * as RecordingSide from "../../src/cluster/recordingSide.ts"
import { inProcess } from "../../src/cluster/Relay.ts"
import * as ServingSide from "../../src/cluster/servingSide.ts"
import { Drivers } from "../../src/simulators/Driver.ts"
import * as NativeDriver from "../../src/simulators/drivers/native/NativeDriver.ts"
import * as Simulators from "../../src/simulators/connection/Simulators.ts"
import { Nodes } from "../../src/store/Nodes.ts"
import { RowStore } from "../../src/store/RowStore.ts"
import * as SqliteStore from "../../src/store/sqlite/SqliteStore.ts"
import { MaxSubscriptions } from "../../src/api/trpc/MaxSubscriptions.ts"
import { NEVER_MS } from "./never.ts"
import { temporaryFolder } from "../store/sqlite/folder.ts"
import { asking, kind, type LogLine, type RowStoreService, type Service } from "./asking.ts"
import { catalogBy, catalogIn, type CatalogService } from "../contracts/catalogService.ts"

export interface ServiceOptions {
  /** Replace the stores, so that a test breaks or watches them. */
  readonly catalog?: (real: CatalogService) => CatalogService
  readonly points?: (real: RowStoreService) => RowStoreService
  /** Replace the computing threads. */
  readonly workers?: Layer.Layer<AnalysisWorkers>
  readonly connectTimeout?: Duration.DurationInput
  readonly maxSubscriptions?: number
  /** The limit of an uploaded file, bytes. */
  readonly importMax?: number
  readonly access?: AccessRules
  /** Limits open answers. */
  readonly answers?: OpenAnswers
  /** The simulators that it knows; only native by default. */
  readonly drivers?: Layer.Layer<never, never, Drivers>
}

export interface Inside extends Service {
  readonly hub: Hub
  /** Bytes that wait for each connected client, beyond those that the system has taken. */
  readonly heldBytes: () => ReadonlyArray<number>
}

const recording = (timeout: Duration.DurationInput, drivers: Layer.Layer<never, never, Drivers>) =>
  RecordingSide.answering.pipe(
    Layer.provide(Simulators.layer(Duration.decode(timeout))),
    Layer.provide(RecordingSide.imports(1)),
    Layer.provide(drivers),
    Layer.provide(Drivers.layer),
    Layer.provide(StoreWriter.layer),
    Layer.provideMerge(SessionEndings.ignored),
    Layer.provide(Intake.layer()),
    Layer.provide(RecordingSide.publisher)
  )

const collecting = (lines: Array<LogLine>) =>
  Logger.replace(
    Logger.defaultLogger,
    Logger.make(({ annotations, cause, logLevel, message }) => {
      const causeText = Cause.isEmpty(cause) ? "" : ` ${Cause.pretty(cause)}`
      lines.push({
        level: logLevel.label,
        text: String(Array.isArray(message) ? message.join(" ") : message) + causeText,
        request: [...annotations].find(([key]) => key === "request")?.[1]
      })
    })
  )

/** A catalog whose every operation ends with `error`. */
export const failingCatalog =
  (error: Effect.Effect<never, StoreUnavailable>): NonNullable<ServiceOptions["catalog"]> =>
  (real) =>
    Object.fromEntries(
      Object.entries(real).map(([name, member]) => [name, typeof member === "function" ? () => error : error])
    ) as unknown as CatalogService

/** A test that looks into the service, or breaks it; left out if the service runs in processes of its own. */
export const inside = it.scopedLive.skipIf(kind !== "inside")

/** Runs the service for the scope's life. */
export const serviceInside = (options: ServiceOptions = {}): Effect.Effect<Inside, never, Scope.Scope> =>
  Effect.gen(function* () {
    const folder = yield* temporaryFolder
    const stores = yield* Layer.build(SqliteStore.layer(folder))
    const points = Context.get(stores, RowStore)
    const logged: Array<LogLine> = []
    const catalog = catalogIn(stores)
    const given = Layer.mergeAll(
      catalogBy(options.catalog?.(catalog) ?? catalog),
      Layer.succeed(Nodes, Context.get(stores, Nodes)),
      Layer.succeed(RowStore, options.points?.(points) ?? points)
    )
    const context = yield* Layer.build(
      HttpLive.layer.pipe(
        Layer.provide(Layer.succeed(MaxSubscriptions, options.maxSubscriptions ?? 2000)),
        Layer.provide(Layer.succeed(Access, options.access ?? EVERYBODY)),
        Layer.provide(
          options.answers === undefined ? Layer.empty : Layer.succeed(OpenAnswersHere, options.answers)
        ),
        Layer.provideMerge(HttpLive.listening("127.0.0.1", 0)),
        // A test's own store may fail from the start.
        Layer.provideMerge(Layer.provide(ServingSide.layer, Layer.succeedContext(stores))),
        Layer.provide(
          recording(
            options.connectTimeout ?? Duration.millis(NEVER_MS),
            options.drivers ?? NativeDriver.layer
          )
        ),
        Layer.provide(inProcess),
        Layer.provide([Archive.layer, AnalysisService.layer]),
        Layer.provide(UploadFolder.layer(folder, { keeps: false, max: options.importMax ?? 2 ** 32 })),
        Layer.provide(options.workers ?? AnalysisWorkers.layer),
        Layer.provide(given),
        Layer.provide(NodeContext.layer),
        Layer.provide(Layer.setTracerEnabled(false)),
        Layer.provide([collecting(logged), Logger.minimumLogLevel(LogLevel.Debug)])
      )
    )
    const url = yield* Effect.provide(HttpLive.address, context)
    const hub = Context.get(context, LiveHub)
    const sockets: Array<Socket> = []
    Context.get(context, HttpLive.BoundServer).on("connection", (socket: Socket) => sockets.push(socket))
    return {
      ...asking(url),
      catalog,
      points,
      hub,
      heldBytes: () => sockets.map(({ writableLength }) => writableLength),
      logged,
      subscribers: Effect.sync(() => hub.stats().subscribers)
    } satisfies Inside
  }).pipe(Effect.orDie)
