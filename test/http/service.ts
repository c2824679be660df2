/** The whole service in the test's own process: a real port, a real store in a folder of its own. */
import { NodeContext } from "@effect/platform-node"
import { Cause, Context, Duration, Effect, Layer, Logger, LogLevel, type Scope } from "effect"
import { Analyst } from "../../src/archive/Analyst.ts"
import { Archive } from "../../src/archive/Archive.ts"
import { Studies } from "../../src/archive/Studies.ts"
import * as HttpLive from "../../src/http/server.ts"
import type { Hub } from "../../src/live/Hub.ts"
import { LiveHub } from "../../src/live/LiveHub.ts"
import { LiveRate } from "../../src/live/LiveRate.ts"
import { Intake } from "../../src/recording/Intake.ts"
import { SessionEndings } from "../../src/recording/SessionEndings.ts"
import * as StoreWriter from "../../src/recording/StoreWriter.ts"
import { Drivers } from "../../src/simulators/Driver.ts"
import * as NativeDriver from "../../src/simulators/drivers/native/NativeDriver.ts"
import * as Simulators from "../../src/simulators/Simulators.ts"
import { Catalog } from "../../src/store/Catalog.ts"
import { PointStore } from "../../src/store/PointStore.ts"
import * as SqliteStore from "../../src/store/sqlite/SqliteStore.ts"
import { temporaryFolder } from "../store/sqlite/folder.ts"

type CatalogService = Context.Tag.Service<typeof Catalog>
type PointStoreService = Context.Tag.Service<typeof PointStore>

export interface ServiceOptions {
  /** What the service is given in the stores' place: to break them, or to watch them. */
  readonly catalog?: (real: CatalogService) => CatalogService
  readonly points?: (real: PointStoreService) => PointStoreService
  /** Who computes, in the place of the threads. */
  readonly analyst?: Layer.Layer<Analyst>
  readonly connectTimeout?: Duration.DurationInput
}

export interface LogLine {
  readonly level: string
  readonly text: string
  /** The id of the request that it belongs to. */
  readonly request: unknown
}

export interface Service {
  /** `http://127.0.0.1:PORT` */
  readonly url: string
  readonly port: number
  /** The real stores. */
  readonly catalog: CatalogService
  readonly points: PointStoreService
  readonly hub: Hub
  readonly logged: ReadonlyArray<LogLine>
  /** The answer to a request of `path`, which begins with /. */
  readonly fetch: (path: string, init?: RequestInit) => Effect.Effect<Response>
  readonly json: (path: string, init?: RequestInit) => Effect.Effect<Answer>
}

export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly body: unknown
}

const observed = <I, S>(tag: Context.Tag<I, S>, wrap: ((real: S) => S) | undefined) =>
  Layer.effect(tag, Effect.map(tag, wrap ?? ((real) => real)))

const live = Layer.mergeAll(LiveHub.feed, LiveRate.layer).pipe(Layer.provideMerge(LiveHub.layer))

const recording = (timeout: Duration.DurationInput) =>
  Simulators.layer(Duration.decode(timeout)).pipe(
    Layer.provide(NativeDriver.layer),
    Layer.provide(Drivers.layer),
    Layer.provide(StoreWriter.layer),
    Layer.provide(SessionEndings.ignored),
    Layer.provide(Intake.layer())
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

/** Runs the service for the scope's life. */
export const service = (options: ServiceOptions = {}): Effect.Effect<Service, never, Scope.Scope> =>
  Effect.gen(function* () {
    const folder = yield* temporaryFolder
    const stores = yield* Layer.build(SqliteStore.layer(folder))
    const logged: Array<LogLine> = []
    const given = Layer.merge(observed(Catalog, options.catalog), observed(PointStore, options.points)).pipe(
      Layer.provide(Layer.succeedContext(stores))
    )
    const context = yield* Layer.build(
      HttpLive.layer.pipe(
        Layer.provideMerge(HttpLive.listening("127.0.0.1", 0)),
        Layer.provide(recording(options.connectTimeout ?? "5 seconds")),
        Layer.provideMerge(live),
        Layer.provide([Archive.layer, Layer.provide(Studies.layer, options.analyst ?? Analyst.layer)]),
        Layer.provide(given),
        Layer.provide(NodeContext.layer),
        Layer.provide(Layer.setTracerEnabled(false)),
        Layer.provide([collecting(logged), Logger.minimumLogLevel(LogLevel.Debug)])
      )
    )
    const url = yield* Effect.provide(HttpLive.address, context)
    const request = (path: string, init?: RequestInit) => Effect.promise(() => fetch(url + path, init))
    return {
      url,
      port: Number(new URL(url).port),
      catalog: Context.get(stores, Catalog),
      points: Context.get(stores, PointStore),
      hub: Context.get(context, LiveHub),
      logged,
      fetch: request,
      json: (path, init) =>
        Effect.gen(function* () {
          const response = yield* request(path, init)
          const text = yield* Effect.promise(() => response.text())
          return {
            status: response.status,
            headers: response.headers,
            body: text === "" ? undefined : JSON.parse(text)
          }
        })
    } satisfies Service
  }).pipe(Effect.orDie)

/** A request with a JSON body. */
export const sending = (method: string, body: unknown): RequestInit => ({
  method,
  headers: { "content-type": "application/json" },
  body: typeof body === "string" ? body : JSON.stringify(body)
})
