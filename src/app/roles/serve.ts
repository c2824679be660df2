/** The service: reads its settings, and decides the role of this process. Each process loads only its own parts. */
import cluster from "node:cluster"
import { Effect, Either, Layer } from "effect"
import { readCommandLine, unknownVariables } from "../../platform/commandLine.ts"
import { FAILED, giveUpStopping, quit } from "../../platform/exit.ts"
import * as Logging from "../../observability/logging.ts"
import { ProcessName } from "../../observability/process.ts"
import * as Tracing from "../../observability/tracing.ts"
import { givenName, processVariables, RECORDER } from "../../platform/processes.ts"
import { pointsUnderWay } from "../../recording/metrics.ts"
import { DEFAULT_DATA, settingsTable, type SettingsValues, together } from "../Settings.ts"
import type { StartFailure } from "../startFailures.ts"

/**
 * With several processes, a supervisor starts one that records and workers that serve; otherwise one process does everything.
 */
const load = async (settings: SettingsValues): Promise<Layer.Layer<never, StartFailure>> => {
  if (givenName === RECORDER) return (await import("./recorder.ts")).role(settings)
  if (cluster.isWorker) return (await import("./worker.ts")).role(settings)
  if (settings.workers > 1) return (await import("./supervisor.ts")).role(settings)
  return (await import("./alone.ts")).role(settings)
}

/** Warnings that only the process that the user started logs, so that each appears once. */
const warnings = Layer.effectDiscard(
  Effect.forEach(
    givenName === undefined
      ? unknownVariables(settingsTable, process.env, [...processVariables, DEFAULT_DATA])
      : [],
    (sentence) => Effect.logWarning(sentence)
  )
)

const service = (settings: SettingsValues) =>
  Layer.merge(warnings, Layer.unwrapEffect(Effect.promise(() => load(settings)))).pipe(
    Layer.provide(Layer.succeed(ProcessName, givenName)),
    Layer.provide(Tracing.layer(settings.otlp)),
    Layer.provide(Logging.layer(settings.logLevel, settings.logFormat))
  )

/**
 * How much longer than --stop-within a supervisor may take: its workers may take ten seconds (supervise.ts), and it ends the
 * others.
 */
const SUPERVISOR_LATER_S = 15

/** A supervisor ends after the others: first the workers, which close their clients, then the recorder. */
const stopsWithinMs = ({ stopWithin, workers }: SettingsValues): number =>
  (stopWithin + (workers > 1 && givenName === undefined ? SUPERVISOR_LATER_S : 0)) * 1000

/**
 * A sentence about points that would be lost if this process ended now. A process that only serves, or supervises,
 * stores nothing.
 */
const notStored =
  ({ workers }: SettingsValues) =>
  (): string => {
    if (givenName === undefined ? workers > 1 : givenName !== RECORDER) return ""
    const points = Effect.runSync(pointsUnderWay)
    return points === 0
      ? "All points that were received are stored; sessions that did not end are ended by the next start"
      : `Not stored: ${points} points that were received. The next start ends the sessions that they are of`
  }

export const serve = (usage: string, argv: ReadonlyArray<string>) =>
  Effect.flatMap(
    Either.flatMap(readCommandLine(usage, settingsTable, argv, process.env), together),
    (settings) => {
      giveUpStopping({ withinMs: stopsWithinMs(settings), lost: notStored(settings) })
      return Effect.catchAll(Layer.launch(service(settings)), (failure) =>
        Effect.flatMap(
          Effect.promise(() => import("../startFailures.ts")),
          ({ startSentence }) => quit(FAILED, startSentence(failure, settings))
        )
      )
    }
  )
