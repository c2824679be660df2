/** What clients see of a run. */
import type { ConnectionStatus } from "../../domain/Connection.ts"
import type { ListeningPort } from "../../domain/ListeningPort.ts"
import type { ConnectionRun } from "./connectionRun.ts"

export const statusOf = ({
  forward,
  settings,
  state,
  simulator,
  recorder,
  unexpected
}: ConnectionRun): ConnectionStatus => {
  const { host, port, appName, sessionId = null } = settings.request
  const counters = recorder?.counters
  const { points, samples } = counters ?? {}
  return {
    host,
    port,
    appName,
    simulator,
    state,
    sessionId: recorder === undefined ? sessionId : recorder.sessionId(),
    pointsReceived: points?.received ?? 0,
    pointsStored: points?.stored ?? 0,
    pointsDropped: points?.dropped ?? 0,
    pointsRejected: points?.rejectedTotal ?? 0,
    pointsDead: points?.dead ?? 0,
    rejected: Object.fromEntries(points?.rejected ?? []),
    samplesReceived: samples?.received ?? 0,
    samplesStored: samples?.stored ?? 0,
    samplesDropped: samples?.dropped ?? 0,
    samplesRejected: samples?.rejectedTotal ?? 0,
    samplesDead: samples?.dead ?? 0,
    samplesMissing: samples?.missing ?? 0,
    samplesNotFinite: counters?.notFinite ?? 0,
    messagesRefused: counters?.refusedMessages ?? 0,
    notices: Array.from(counters?.notices ?? [], ([reason, count]) => ({ reason, count })),
    sessionsRefused: counters?.refusedSessions ?? 0,
    lapsRefused: counters?.refusedLaps ?? 0,
    foreignSender: counters?.foreign ?? 0,
    foreignSenders: [...(counters?.foreignSenders ?? [])],
    ...forward.counts,
    gaps: points?.gaps ?? 0,
    pointsMissing: points?.missing ?? 0,
    datagramsUnknown: unexpected.count,
    lastTelemetry: counters?.lastArrival ?? null
  }
}

/** Whether a connection is one for clients: an automatic one is while its game sends, and until its session has ended. */
export const isShown = ({ recorder, settings, state }: ConnectionRun): boolean =>
  settings.automatic === undefined ||
  (recorder !== undefined && (state === "connected" || recorder.sessionId() !== null))

const portStates = { EADDRINUSE: "taken" } as Readonly<Record<string, ListeningPort["state"]>>

/** The port of an automatic connection. */
export const portOf = (run: ConnectionRun): ListeningPort | undefined => {
  const { problem, settings, unexpected } = run
  if (settings.automatic === undefined) return undefined
  const { port } = settings.request
  const heard = unexpected.heard?.known
  const datagrams = unexpected.count
  if (isShown(run)) return { port, state: "connected", datagrams, advice: null }
  if (problem?._tag === "SimulatorRefused") {
    return { port, state: portStates[problem.reason] ?? "refused", datagrams, advice: null }
  }
  if (problem?._tag === "NotASimulator") return { port, state: "refused", datagrams, advice: problem.reason }
  return {
    port,
    state: "waiting",
    datagrams,
    advice: heard === undefined ? null : `${heard.game}: ${heard.advice}`
  }
}
