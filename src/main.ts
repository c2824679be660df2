#!/usr/bin/env node
/** The service: the command line, and the only place that chooses layers and runs them. */
import { join } from "node:path"
import { NodeContext, NodeRuntime } from "@effect/platform-node"
import { Console, Duration, Effect, Layer } from "effect"
import { Archive } from "./archive/Archive.ts"
import { readCommandLine } from "./commandLine.ts"
import { FAILED, quit, reasonOf, UNUSABLE } from "./exit.ts"
import * as AutoExport from "./export/AutoExport.ts"
import * as HttpLive from "./http/server.ts"
import { LiveHub } from "./live/LiveHub.ts"
import * as Logging from "./observability/logging.ts"
import * as Tracing from "./observability/tracing.ts"
import { Intake } from "./recording/Intake.ts"
import { recover } from "./recording/recovery.ts"
import * as StoreWriter from "./recording/StoreWriter.ts"
import { settingsTable, type SettingsValues } from "./Settings.ts"
import { Drivers } from "./simulators/Driver.ts"
import * as AllDrivers from "./simulators/drivers/index.ts"
import * as Simulators from "./simulators/Simulators.ts"
import { Catalog } from "./store/Catalog.ts"
import * as SqliteStore from "./store/sqlite/SqliteStore.ts"

const USAGE = "npm start -- FLAGS: the telemetry session service"

/** Stored and readable: what every process of the service needs. */
const storage = (settings: SettingsValues) =>
  Archive.layer.pipe(Layer.provideMerge(SqliteStore.layer(settings.data)))

/** From simulators to the store and the live audience. Layers end in the reverse order: links first, then the writer. */
const recording = (settings: SettingsValues) =>
  Simulators.layer(Duration.seconds(settings.connectTimeout)).pipe(
    Layer.provide(AllDrivers.layer),
    Layer.provide(Drivers.layer),
    Layer.provide(Layer.effectDiscard(recover)),
    Layer.provide(StoreWriter.layer),
    Layer.provide(AutoExport.layer(join(settings.data, "exports"))),
    Layer.provide(Intake.layer())
  )

const live = LiveHub.feed.pipe(
  Layer.provide(
    Layer.effectDiscard(
      Effect.gen(function* () {
        const { telemetry_rate } = yield* (yield* Catalog).configuration
        const hub = yield* LiveHub
        hub.setRate(telemetry_rate)
      })
    )
  ),
  Layer.provideMerge(LiveHub.layer)
)

const announced = Layer.effectDiscard(
  Effect.flatMap(HttpLive.address, (address) => Console.log(`listening on ${address}`))
)

const service = (settings: SettingsValues) =>
  announced.pipe(
    Layer.provide(HttpLive.layer),
    Layer.provide(HttpLive.listening(settings.host, settings.port)),
    Layer.provide(recording(settings)),
    Layer.provide(live),
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
      StoreUnavailable: ({ store, cause }) =>
        quit(FAILED, `Cannot open the ${store} store in ${settings.data}: ${reasonOf(cause)}`)
    })
  ),
  Effect.catchTags({
    HelpWanted: ({ text }) => Console.log(text),
    BadUsage: ({ sentence }) => quit(UNUSABLE, sentence)
  })
)

NodeRuntime.runMain(program, { disablePrettyLogger: true })
