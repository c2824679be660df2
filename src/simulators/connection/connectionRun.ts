/**
 * The run between one connect and one disconnect: a link that is opened again whenever it is lost, and the
 * recorder to which it delivers its events.
 */
import { Clock, Deferred, Duration, Effect, Schedule, Scope } from "effect"
import type { ConnectionState, ConnectionStatus, ConnectRequest } from "../../domain/Connection.ts"
import { type Address, type ConnectError, NothingToForward, SimulatorSilent } from "../../domain/errors.ts"
import * as Recorder from "../../recording/feed/Recorder.ts"
import { reconnecting } from "../../platform/retryPolicies.ts"
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
}

export interface ConnectionRun {
  readonly settings: ConnectSettings
  /** The result of the first handshake. */
  readonly ready: Deferred.Deferred<void, ConnectError>
  state: ConnectionState
  /** The driver's name. */
  simulator: string
  recorder: Recorder.Recorder | undefined
  readonly forward: NonNullable<LinkOptions["forward"]>
  /** Called after each change of a value that `statusOf` shows. */
  readonly changed: () => void
}

/**
 * A link that is lost sooner has not lasted, ms. A simulator may close every link, and must not be asked four times a
 * second.
 */
const LASTED_MS = 10_000

/** Whether another attempt can help. */
const mayPass = ({ _tag }: ConnectError) =>
  _tag !== "SessionNotFound" && _tag !== "UnknownSimulator" && _tag !== "NothingToForward"

/**
 * Runs until interrupted. Fails only while the first link has not been opened. When it ends, in whatever way,
 * the session is ended and everything received is stored.
 */
export const live = Effect.fn("ConnectionRun.live")(function* (address: Address, run: ConnectionRun) {
  const { allows, driver, inTurn, rate, request, restored, timeout } = run.settings
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

  const memory: Memory = new Map()
  /** When the newest link was opened, ms. */
  let opened = -Infinity
  /** One link from its opening to its loss. */
  const once = Effect.gen(function* () {
    const unexpected = new UnexpectedDatagrams()
    const { appName } = request
    const options = {
      host,
      port,
      appName,
      rate,
      options: request.options,
      allows,
      memory,
      onUnexpected: unexpected.add,
      ...(run.forward.to.length > 0 ? { forward: run.forward } : {})
    }
    const opening = driver.open(options).pipe(
      Effect.timeoutFail({
        duration: timeout,
        onTimeout: () =>
          new SimulatorSilent({
            address,
            seconds: Duration.toSeconds(timeout),
            chosenByPort,
            heard: unexpected.heard
          })
      })
    )
    const isFirst = run.recorder === undefined && !restored
    const link = yield* isFirst && driver.reaches ? inTurn(opening) : opening
    const recorder = run.recorder ?? (yield* beginRecording)
    run.recorder = recorder
    opened = yield* Clock.currentTimeMillis
    run.state = "connected"
    run.simulator = link.driver ?? driver.name
    run.changed()
    yield* Effect.logInfo(`Connected to ${link.simulator}`)
    yield* Deferred.succeed(run.ready, undefined)
    return yield* link.deliverTo(recorder)
  }).pipe(Effect.scoped)

  const pauses = yield* Schedule.driver(reconnecting(driver.maxPauseMs))
  while (true) {
    const ended = yield* Effect.flip(once)
    if (ended._tag === "LinkLost") {
      yield* Effect.logWarning(`Lost the simulator: ${ended.reason}`)
      yield* run.recorder?.linkLost ?? Effect.void
      if ((yield* Clock.currentTimeMillis) - opened >= LASTED_MS) yield* pauses.reset
    } else if (run.recorder === undefined && !(restored && mayPass(ended))) return yield* ended
    run.state = "reconnecting"
    run.changed()
    // The schedule has no end.
    yield* Effect.orDie(pauses.next(undefined))
  }
}, Effect.scoped)

export const statusOf = ({
  forward,
  settings,
  state,
  simulator,
  recorder
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
    lastTelemetry: counters?.lastArrival ?? null
  }
}
