#!/usr/bin/env node
/** The service: the command line, and which of its processes this one is. Each loads only what it is made of. */
import cluster from "node:cluster"
import type { ServeError } from "@effect/platform/HttpServerError"
import { Console, Effect, Layer } from "effect"
import { readCommandLine } from "./commandLine.ts"
import type { StoreUnavailable } from "./domain/errors.ts"
import { FAILED, quit, reasonOf, UNUSABLE, runProgram } from "./exit.ts"
import * as Logging from "./observability/logging.ts"
import { ProcessName } from "./observability/process.ts"
import * as Tracing from "./observability/tracing.ts"
import { givenName, RECORDER } from "./processes.ts"
import type { ProcessFailed } from "./relay/supervise.ts"
import { settingsTable, type SettingsValues } from "./Settings.ts"

const USAGE = `npm start -- FLAGS: the telemetry session service
telemetry migrate --from PLACE --to PLACE: copies between stores (telemetry migrate --help)`

/** Of several processes a supervisor starts one that records, and workers that serve; else one does everything. */
const load = async (
  settings: SettingsValues
): Promise<Layer.Layer<never, ServeError | StoreUnavailable | ProcessFailed>> => {
  if (givenName === RECORDER) return (await import("./roles/recorder.ts")).role(settings)
  if (cluster.isWorker) return (await import("./roles/worker.ts")).role(settings)
  if (settings.workers > 1) return (await import("./roles/supervisor.ts")).role(settings)
  return (await import("./roles/alone.ts")).role(settings)
}

const service = (settings: SettingsValues) =>
  Layer.unwrapEffect(Effect.promise(() => load(settings))).pipe(
    Layer.provide(Layer.succeed(ProcessName, givenName)),
    Layer.provide(Tracing.layer(settings.otlp)),
    Layer.provide(Logging.layer(settings.logLevel, settings.logFormat))
  )

const serve = (argv: ReadonlyArray<string>) =>
  readCommandLine(USAGE, settingsTable, argv, process.env).pipe(
    Effect.flatMap((settings) =>
      Effect.catchTags(Layer.launch(service(settings)), {
        ServeError: ({ cause }) =>
          quit(FAILED, `Cannot listen on ${settings.host}:${settings.port}: ${reasonOf(cause)}`),
        ProcessFailed: ({ name, status }) =>
          quit(FAILED, `The process ${name} could not start: it ended (${status})`),
        StoreUnavailable: ({ store, cause, reason }) =>
          quit(FAILED, `Cannot open the ${store} store: ${reason ?? reasonOf(cause)}`)
      })
    ),
    Effect.catchTags({
      HelpWanted: ({ text }) => Console.log(text),
      BadUsage: ({ sentence }) => quit(UNUSABLE, sentence)
    })
  )

const migrate = (argv: ReadonlyArray<string>) =>
  Effect.flatMap(
    Effect.promise(() => import("./migrate/command.ts")),
    ({ migration }) => migration(argv)
  )

const [word, ...others] = process.argv.slice(2)

runProgram(word === "migrate" ? migrate(others) : serve(process.argv.slice(2)))
