/**
 * The run between one connect and one disconnect: a link that is opened again whenever it is lost, and the
 * recorder to which it delivers its events.
 */
import { Clock, Deferred, Duration, Effect, Schedule, Scope } from "effect"
import type { ConnectionState, ConnectionStatus, ConnectRequest } from "../../domain/Connection.ts"
import type { ListeningPort } from "../../domain/ListeningPort.ts"
import {
  type Address,
  type ConnectError,
  NothingToForward,
  type OtherGame,
  SimulatorSilent
} from "../../domain/errors.ts"
import * as Recorder from "../../recording/feed/Recorder.ts"
import { RawDatagrams } from "../../recording/raw/RawDatagrams.ts"
import { listeningAgain, reconnecting } from "../../platform/retryPolicies.ts"
import { Sessions } from "../../store/Sessions.ts"
import type { ConnectLimiter } from "./connectLimiter.ts"
import type { Memory } from "../udp/memory.ts"
import type { Driver, LinkOptions } from "../Driver.ts"
import type { AllowsHost } from "../../platform/addresses/hostList.ts"
import { UnexpectedDatagrams } from "../udp/UnexpectedDatagrams.ts"

/** A connect request in which all values are set. */
export interface ConnectSettings extends ConnectLimiter {
  readonly allows: AllowsHost
  readonly request: ConnectRequest
  readonly driver: Driver
  /** The rate in Hz, for a simulator that accepts one. */
  readonly rate: number
  readonly timeout: Duration.Duration
  /** Taken over from a process that had it connected: tried until it succeeds, as a lost link is. */
  readonly restored: boolean
  /** Listens until a game sends, and is none of the connections before that; undefined for one that a client asked for. */
  readonly automatic?: { readonly afterSilence: boolean }
}

export interface ConnectionRun {
  readonly settings: ConnectSettings
  /** The result of the first handshake. */
  readonly ready: Deferred.Deferred<void, ConnectError>
  state: ConnectionState
  /** The driver's name. */
  simulator: string
  recorder: Recorder.Recorder | undefined
  /** Datagrams of others that came since the newest link began to wait. */
  unexpected: UnexpectedDatagrams
  /** Why the newest attempt to open a link failed; undefined once it waits, or is open. */
  problem: ConnectError | undefined
  readonly forward: NonNullable<LinkOptions["forward"]>
  /** Called after each change of a value that `statusOf` shows. */
  readonly changed: () => void
}

/**
 * A link that is lost sooner has not lasted, ms. A simulator may close every link, and must not be asked four times a
 * second.
 */
const LASTED_MS = 10_000

/** A port whose connection a client ended is heard again after this long without a datagram, s. */
const AFTER_SILENCE_S = 60

/** Whether another attempt can help. */
const mayPass = ({ _tag }: ConnectError) =>
  _tag !== "SessionNotFound" && _tag !== "UnknownSimulator" && _tag !== "NothingToForward"

/**
 * Runs until interrupted. Fails only while the first link has not been opened. When it ends, in whatever way,
 * the session is ended and everything received is stored.
 */
export const live = Effect.fn("ConnectionRun.live")(function* (address: Address, run: ConnectionRun) {
  const { allows, automatic, driver, inTurn, rate, request, restored, timeout } = run.settings
  const { host, port } = address
  const chosenByPort =
    request.simulator === undefined && driver.ports.includes(port) ? driver.name : undefined
  const scope = yield* Effect.scope
  if (run.forward.to.length > 0 && !driver.forwards) {
    return yield* new NothingToForward({ simulator: driver.name })
  }
  if (request.sessionId !== undefined) yield* (yield* Sessions).session(request.sessionId)

  const beginRecording = Effect.acquireRelease(
    Recorder.make({
      sessionId: request.sessionId,
      names: request,
      reliable: driver.reliable,
      changed: run.changed
    }),
    (recorder) => recorder.close
  ).pipe(Scope.extend(scope))

  const keep = yield* (yield* RawDatagrams).tape(() => run.recorder?.sessionId() ?? null)
  const memory: Memory = new Map()
  /** When the newest link was opened, ms. */
  let opened = -Infinity
  /** One link from its opening to its loss. */
  const once = Effect.gen(function* () {
    const unexpected = new UnexpectedDatagrams()
    run.unexpected = unexpected
    run.problem = undefined
    const { appName } = request
    const options = {
      host,
      port,
      appName,
      rate,
      options: request.options,
      allows,
      memory,
      onUnexpected: (bytes: number, known: OtherGame | undefined) => {
        unexpected.add(bytes, known)
        run.changed()
      },
      ...(automatic?.afterSilence === true && run.recorder === undefined
        ? { afterSilence: AFTER_SILENCE_S }
        : {}),
      ...(keep === undefined ? {} : { keep }),
      ...(run.forward.to.length > 0 ? { forward: run.forward } : {})
    }
    const waiting = driver.open(options)
    const opening = automatic
      ? waiting
      : Effect.timeoutFail(waiting, {
          duration: timeout,
          onTimeout: () =>
            new SimulatorSilent({
              address,
              seconds: Duration.toSeconds(timeout),
              chosenByPort,
              heard: unexpected.heard
            })
        })
    const isFirst = run.recorder === undefined && !restored
    const link = yield* isFirst && driver.reaches ? inTurn(opening) : opening
    const recorder = run.recorder ?? (yield* beginRecording)
    run.recorder = recorder
    opened = yield* Clock.currentTimeMillis
    run.state = "connected"
    run.unexpected = new UnexpectedDatagrams()
    run.simulator = link.driver ?? driver.name
    run.changed()
    yield* Effect.logInfo(`Connected to ${link.simulator}`)
    yield* Deferred.succeed(run.ready, undefined)
    return yield* link.deliverTo(recorder)
  }).pipe(Effect.scoped)

  const pauses = yield* Schedule.driver(driver.reaches ? reconnecting : listeningAgain)
  /** After a port that could not be opened, or whose game sends another format. */
  const afterRefusals = yield* Schedule.driver(reconnecting)
  /** Why the port could not be opened at the last attempt. */
  let refused: string | undefined
  while (true) {
    const ended = yield* Effect.flip(once)
    if (ended._tag === "LinkLost") {
      yield* Effect.logWarning(`Lost the simulator: ${ended.reason}`)
      yield* run.recorder?.linkLost ?? Effect.void
      if ((yield* Clock.currentTimeMillis) - opened >= LASTED_MS) yield* pauses.reset
    } else if (run.recorder === undefined && !(restored && mayPass(ended))) return yield* ended
    run.state = "reconnecting"
    if (automatic && ended._tag === "SimulatorRefused" && ended.reason !== refused) {
      yield* Effect.logWarning(
        `No game can be recorded on UDP port ${port} until it is free: ${ended.reason}`
      )
    }
    refused = ended._tag === "SimulatorRefused" ? ended.reason : undefined
    run.problem = ended._tag === "LinkLost" ? undefined : ended
    run.changed()
    const isRefused = ended._tag === "SimulatorRefused" || ended._tag === "NotASimulator"
    // The schedules have no end.
    yield* Effect.orDie((isRefused && !driver.reaches ? afterRefusals : pauses).next(undefined))
  }
}, Effect.scoped)

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
