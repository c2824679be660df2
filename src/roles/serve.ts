/** The service: its settings, and which of its processes this one is. Each loads only what it is made of. */
import cluster from "node:cluster"
import { Effect, Layer } from "effect"
import { readCommandLine } from "../commandLine.ts"
import { FAILED, quit } from "../exit.ts"
import * as Logging from "../observability/logging.ts"
import { ProcessName } from "../observability/process.ts"
import * as Tracing from "../observability/tracing.ts"
import { givenName, RECORDER } from "../processes.ts"
import { settingsTable, type SettingsValues } from "../Settings.ts"
import type { StartFailure } from "../startFailures.ts"

/** Of several processes a supervisor starts one that records, and workers that serve; else one does everything. */
const load = async (settings: SettingsValues): Promise<Layer.Layer<never, StartFailure>> => {
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
    Effect.catchAll(Layer.launch(service(settings)), (failure) =>
      Effect.flatMap(
        Effect.promise(() => import("../startFailures.ts")),
        ({ startSentence }) => quit(FAILED, startSentence(failure, settings))
      )
    )
  )
