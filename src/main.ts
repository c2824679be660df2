#!/usr/bin/env node
/** The service: the command line, and which of its processes this one is. Each loads only what it is made of. */
import cluster from "node:cluster"
import { Console, Effect, Layer } from "effect"
import { readCommandLine } from "./commandLine.ts"
import { FAILED, quit, UNUSABLE, runProgram } from "./exit.ts"
import * as Logging from "./observability/logging.ts"
import { ProcessName } from "./observability/process.ts"
import * as Tracing from "./observability/tracing.ts"
import { givenName, RECORDER } from "./processes.ts"
import { settingsTable, type SettingsValues } from "./Settings.ts"
import type { StartFailure } from "./startFailures.ts"

const USAGE = `npm start -- FLAGS: the telemetry session service
telemetry migrate --from PLACE --to PLACE: copies between stores (telemetry migrate --help)
telemetry adopt FLAGS: rebuilds sessions from their points when their catalog is lost (telemetry adopt --help)`

/** Of several processes a supervisor starts one that records, and workers that serve; else one does everything. */
const load = async (settings: SettingsValues): Promise<Layer.Layer<never, StartFailure>> => {
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
      Effect.catchAll(Layer.launch(service(settings)), (failure) =>
        Effect.flatMap(
          Effect.promise(() => import("./startFailures.ts")),
          ({ startSentence }) => quit(FAILED, startSentence(failure, settings))
        )
      )
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

const adopt = (argv: ReadonlyArray<string>) =>
  Effect.flatMap(
    Effect.promise(() => import("./adopt/command.ts")),
    ({ adoption }) => adoption(argv)
  )

const [word, ...others] = process.argv.slice(2)
const commands = new Map([
  ["migrate", migrate],
  ["adopt", adopt]
])
const command = commands.get(word ?? "")

runProgram(command === undefined ? serve(process.argv.slice(2)) : command(others))
