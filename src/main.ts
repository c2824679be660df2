#!/usr/bin/env node
/** The service: the command line, and the only place that chooses layers and runs them. */
import cluster from "node:cluster"
import { join } from "node:path"
import type { HttpServerError } from "@effect/platform"
import { NodeContext } from "@effect/platform-node"
import { Console, Duration, Effect, Layer } from "effect"
import { Analyst } from "./archive/Analyst.ts"
import { Archive } from "./archive/Archive.ts"
import { measureEnded } from "./archive/distances.ts"
import { Studies } from "./archive/Studies.ts"
import { readCommandLine } from "./commandLine.ts"
import type { StoreUnavailable } from "./domain/errors.ts"
import { FAILED, quit, reasonOf, UNUSABLE, runProgram } from "./exit.ts"
import { exportEnded } from "./export/AutoExport.ts"
import * as HttpLive from "./http/server.ts"
import { LiveHub } from "./live/LiveHub.ts"
import { LiveRate } from "./live/LiveRate.ts"
import * as Logging from "./observability/logging.ts"
import * as Tracing from "./observability/tracing.ts"
import { Intake } from "./recording/Intake.ts"
import { recover } from "./recording/recovery.ts"
import { SessionEndings } from "./recording/SessionEndings.ts"
import * as StoreWriter from "./recording/StoreWriter.ts"
import { Primary } from "./relay/Primary.ts"
import { serve, type WorkerFailed, Workers } from "./relay/Workers.ts"
import { settingsTable, type SettingsValues } from "./Settings.ts"
import { Drivers } from "./simulators/Driver.ts"
import * as AllDrivers from "./simulators/drivers/index.ts"
import * as Simulators from "./simulators/Simulators.ts"
import { Catalog } from "./store/Catalog.ts"
import { chosenStores } from "./store/chosenStores.ts"
import { tabulateEnded } from "./store/questdb/AnalystTables.ts"
import * as QuestdbStore from "./store/questdb/QuestdbStore.ts"

const USAGE = "npm start -- FLAGS: the telemetry session service"

/** Where sessions, laps and points are kept. Only the process that records writes points. */
const stores = (settings: SettingsValues) =>
  chosenStores(settings, (address) =>
    QuestdbStore.layer(settings.data, address, { writes: cluster.isPrimary })
  )

/** Stored and readable: what every process of the service needs. */
const storage = (settings: SettingsValues) =>
  Layer.merge(Archive.layer, Layer.provide(Studies.layer, Analyst.layer)).pipe(
    Layer.provideMerge(stores(settings))
  )

/** What is done with a session that has ended. */
const afterwards = ({ data, points }: SettingsValues) => {
  const exported = exportEnded(join(data, "exports"))
  const tabulated = points === "sqlite" ? () => Effect.void : tabulateEnded(points)
  return SessionEndings.layer((id) =>
    Effect.zipRight(Effect.zipRight(exported(id), measureEnded(id)), tabulated(id))
  )
}

/** From simulators to the store and the live audience. Layers end in the reverse order: links first, then the writer. */
const recording = (settings: SettingsValues) =>
  Simulators.layer(Duration.seconds(settings.connectTimeout)).pipe(
    Layer.provide(AllDrivers.layer),
    Layer.provide(Drivers.layer),
    Layer.provide(Layer.effectDiscard(recover)),
    Layer.provide(StoreWriter.layer),
    Layer.provide(afterwards(settings)),
    Layer.provide(Intake.layer())
  )

/** The live hub at the configured rate. */
const hub = Layer.effectDiscard(
  Effect.gen(function* () {
    const { telemetry_rate } = yield* (yield* Catalog).configuration
    const { setRate } = yield* LiveHub
    setRate(telemetry_rate)
  })
).pipe(Layer.provideMerge(LiveHub.layer))

const http = (settings: SettingsValues) =>
  HttpLive.layer.pipe(Layer.provideMerge(HttpLive.listening(settings.host, settings.port)))

const announce = (address: string) => Console.log(`listening on ${address}`)

/** One process that does everything. */
const alone = (settings: SettingsValues) =>
  Layer.effectDiscard(Effect.flatMap(HttpLive.address, announce)).pipe(
    Layer.provide(http(settings)),
    Layer.provide(recording(settings)),
    Layer.provide([LiveHub.feed, LiveRate.layer]),
    Layer.provide(hub)
  )

/** The process that records for the workers, which it starts. */
const primary = (settings: SettingsValues) =>
  Layer.scopedDiscard(
    Effect.flatMap(serve(settings.workers), (port) => announce(HttpLive.urlOf(settings.host, port)))
  ).pipe(Layer.provide(recording(settings)), Layer.provide(Workers.feed), Layer.provide(Workers.layer))

/** One of several processes that answer HTTP and live clients, and leave the recording to the primary. */
const worker = (settings: SettingsValues) =>
  Layer.discard(http(settings)).pipe(
    Layer.provide([Primary.simulators, Primary.rate, Primary.counts]),
    Layer.provide(Primary.layer),
    Layer.provide(hub)
  )

/** Which of the three this process is. */
const role = (
  settings: SettingsValues
): Layer.Layer<
  never,
  HttpServerError.ServeError | StoreUnavailable | WorkerFailed,
  Layer.Layer.Success<ReturnType<typeof storage>> | NodeContext.NodeContext
> => {
  if (cluster.isWorker) return worker(settings)
  return settings.workers > 1 ? primary(settings) : alone(settings)
}

const service = (settings: SettingsValues) =>
  role(settings).pipe(
    Layer.provide(storage(settings)),
    Layer.provide(NodeContext.layer),
    Layer.provide(Tracing.layer(settings.otlp)),
    Layer.provide(Logging.layer(settings.logLevel, settings.logFormat))
  )

const program = readCommandLine(USAGE, settingsTable, process.argv.slice(2), process.env).pipe(
  Effect.flatMap((settings) =>
    Effect.catchTags(Layer.launch(service(settings)), {
      ServeError: ({ cause }) =>
        quit(FAILED, `Cannot listen on ${settings.host}:${settings.port}: ${reasonOf(cause)}`),
      WorkerFailed: ({ code }) => quit(FAILED, `The workers could not start: exit status ${code}`),
      StoreUnavailable: ({ store, cause }) =>
        quit(FAILED, `Cannot open the ${store} store: ${reasonOf(cause)}`)
    })
  ),
  Effect.catchTags({
    HelpWanted: ({ text }) => Console.log(text),
    BadUsage: ({ sentence }) => quit(UNUSABLE, sentence)
  })
)

runProgram(program)
