/** The service: its settings, and which of its processes this one is. Each loads only what it is made of. */
import cluster from "node:cluster"
import type { ServeError } from "@effect/platform/HttpServerError"
import { Effect, Layer } from "effect"
import { readCommandLine } from "../commandLine.ts"
import type { StoreUnavailable } from "../domain/errors.ts"
import { FAILED, quit, reasonOf } from "../exit.ts"
import * as Logging from "../observability/logging.ts"
import { ProcessName } from "../observability/process.ts"
import * as Tracing from "../observability/tracing.ts"
import { givenName, RECORDER } from "../processes.ts"
import type { ProcessFailed } from "../relay/supervise.ts"
import { settingsTable, type SettingsValues } from "../Settings.ts"

/** Of several processes a supervisor starts one that records, and workers that serve; else one does everything. */
const load = async (
  settings: SettingsValues
): Promise<Layer.Layer<never, ServeError | StoreUnavailable | ProcessFailed>> => {
  if (givenName === RECORDER) return (await import("./recorder.ts")).role(settings)
  if (cluster.isWorker) return (await import("./worker.ts")).role(settings)
  if (settings.workers > 1) return (await import("./supervisor.ts")).role(settings)
  return (await import("./alone.ts")).role(settings)
}

const service = (settings: SettingsValues) =>
  Layer.unwrapEffect(Effect.promise(() => load(settings))).pipe(
    Layer.provide(Layer.succeed(ProcessName, givenName)),
    Layer.provide(Tracing.layer(settings.otlp)),
    Layer.provide(Logging.layer(settings.logLevel, settings.logFormat))
  )

export const serve = (usage: string, argv: ReadonlyArray<string>) =>
  Effect.flatMap(readCommandLine(usage, settingsTable, argv, process.env), (settings) =>
    Effect.catchTags(Layer.launch(service(settings)), {
      ServeError: ({ cause }) =>
        quit(FAILED, `Cannot listen on ${settings.host}:${settings.port}: ${reasonOf(cause)}`),
      ProcessFailed: ({ name, status }) =>
        quit(FAILED, `The process ${name} could not start: it ended (${status})`),
      StoreUnavailable: ({ store, cause, reason }) =>
        quit(FAILED, `Cannot open the ${store} store: ${reason ?? reasonOf(cause)}`)
    })
  )
