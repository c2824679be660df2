/** The role of this process. A supervisor passes it to the processes that it starts, in their environment. */
import { randomUUID } from "node:crypto"
import { performance } from "node:perf_hooks"

const NAME = "TELEMETRY_PROCESS"
const STARTED = "TELEMETRY_STARTED"
const RUN = "TELEMETRY_RUN"

/** Environment variables that our processes pass to each other. */
export const processVariables: ReadonlyArray<string> = [NAME, STARTED, RUN]

export const RECORDER = "recorder"
export const SUPERVISOR = "supervisor"
export const workerName = (number: number) => `worker-${number}`

/** The name that a supervisor gave this process; undefined for the process that the user started. */
export const givenName: string | undefined = process.env[NAME]

/** When the service started, that is, the process that the user started, ms since the epoch. */
const started = Number(process.env[STARTED] ?? performance.timeOrigin)

/** One run of the service, from its start to its end: all its processes have the same, also those that replace others. */
export const run = process.env[RUN] ?? randomUUID()

/** How long the service has been running, s. */
export const uptime = () => (performance.timeOrigin + performance.now() - started) / 1000

/** The environment of a process with this name. */
export const environmentOf = (name: string) => ({ [NAME]: name, [STARTED]: String(started), [RUN]: run })

/** The supervisor's last message to a process: end, in good order. */
export interface Stop {
  readonly type: "stop"
}

/** Calls `stop` when the supervisor sends `Stop`, or is gone: no other process would end this one. */
export const onStopMessage = (stop: () => void): void => {
  process.once("disconnect", stop)
  process.on("message", (message: { readonly type?: unknown }) => {
    if (message.type === "stop") stop()
  })
}
