/**
 * What one connect starts and one disconnect ends: a link that is opened again whenever it is lost, and the
 * recorder that takes what it says.
 */
import { Deferred, Duration, Effect, Random, Scope } from "effect"
import type { ConnectionState, ConnectionStatus, ConnectRequest } from "../domain/Connection.ts"
import { type Address, type ConnectError, SimulatorSilent } from "../domain/errors.ts"
import { formatDateTime } from "../domain/Time.ts"
import * as Recorder from "../recording/Recorder.ts"
import { Catalog } from "../store/Catalog.ts"
import type { Attempts } from "./attempts.ts"
import type { Driver } from "./Driver.ts"
import type { AllowsHost } from "./hostList.ts"
import { Strangers } from "./Strangers.ts"

/** A connect request with everything decided that the user left open. */
export interface Settled extends Attempts {
  readonly allows: AllowsHost
  readonly request: ConnectRequest
  readonly driver: Driver
  /** Hz asked of a simulator that lets one ask. */
  readonly rate: number
  readonly timeout: Duration.Duration
  /** Taken over from a process that had it connected: tried until it succeeds, as a link that was lost. */
  readonly takenUp: boolean
}

export interface Engagement {
  readonly settled: Settled
  /** The first handshake's outcome. */
  readonly ready: Deferred.Deferred<void, ConnectError>
  state: ConnectionState
  /** The driver's name. */
  simulator: string
  recorder: Recorder.Recorder | undefined
}

const FIRST_PAUSE_MS = 250

/** Doubling from 250 ms, each up to a fifth shorter or longer, so that many services do not return at once. */
const pauseBefore = (attempt: number, longest: number) =>
  Effect.flatMap(Random.nextRange(0.8, 1.2), (jitter) =>
    Effect.sleep(Math.min(FIRST_PAUSE_MS * 2 ** attempt, longest) * jitter)
  )

/** Whether trying again can help. */
const mayPass = ({ _tag }: ConnectError) => _tag !== "SessionNotFound" && _tag !== "UnknownSimulator"

/**
 * Runs until interrupted. Fails only while the first link has not been opened. When it ends, in whatever way,
 * the session is ended and everything received is stored.
 */
export const live = Effect.fn("engagement.live")(function* (address: Address, engagement: Engagement) {
  const { allows, driver, inTurn, rate, request, takenUp, timeout } = engagement.settled
  const { host, port } = address
  const chosenByPort =
    request.simulator === undefined && driver.ports.includes(port) ? driver.name : undefined
  const scope = yield* Effect.scope
  if (request.session_id !== undefined) yield* (yield* Catalog).session(request.session_id)

  const beginRecording = Effect.acquireRelease(
    Recorder.make({ sessionId: request.session_id, names: request, reliable: driver.reliable }),
    (recorder) => recorder.close
  ).pipe(Scope.extend(scope))

  /** One link from its opening to its loss. */
  const once = Effect.gen(function* () {
    const strangers = new Strangers()
    const { app_name: appName } = request
    const options = { host, port, appName, rate, extras: request, allows, strange: strangers.hear }
    const opening = driver.open(options).pipe(
      Effect.timeoutFail({
        duration: timeout,
        onTimeout: () =>
          new SimulatorSilent({
            address,
            seconds: Duration.toSeconds(timeout),
            chosenByPort,
            heard: strangers.heard
          })
      })
    )
    const isFirst = engagement.recorder === undefined && !takenUp
    const link = yield* isFirst && driver.reaches ? inTurn(opening) : opening
    const recorder = engagement.recorder ?? (yield* beginRecording)
    engagement.recorder = recorder
    engagement.state = "connected"
    engagement.simulator = link.driver ?? driver.name
    yield* Effect.logInfo(`Connected to ${link.simulator}`)
    yield* Deferred.succeed(engagement.ready, undefined)
    return yield* link.deliverTo(recorder)
  }).pipe(Effect.scoped)

  let attempt = 0
  while (true) {
    const ended = yield* Effect.flip(once)
    if (ended._tag === "LinkLost") {
      yield* Effect.logWarning(`Lost the simulator: ${ended.reason}`)
      yield* engagement.recorder?.linkLost ?? Effect.void
      attempt = 0
    } else if (engagement.recorder === undefined && !(takenUp && mayPass(ended))) return yield* ended
    engagement.state = "reconnecting"
    yield* pauseBefore(attempt++, driver.longestPause)
  }
}, Effect.scoped)

export const statusOf = ({ settled, state, simulator, recorder }: Engagement): ConnectionStatus => {
  const { host, port, app_name, session_id = null } = settled.request
  const counters = recorder?.counters
  return {
    host,
    port,
    app_name,
    simulator,
    state,
    session_id: recorder === undefined ? session_id : recorder.sessionId(),
    points_received: counters?.received ?? 0,
    points_stored: counters?.stored ?? 0,
    points_dropped: counters?.dropped ?? 0,
    points_rejected: counters?.rejectedTotal ?? 0,
    rejected: Object.fromEntries(counters?.rejected ?? []),
    messages_refused: counters?.refusedMessages ?? 0,
    sessions_refused: counters?.refusedSessions ?? 0,
    laps_refused: counters?.refusedLaps ?? 0,
    foreign_sender: counters?.foreign ?? 0,
    foreign_senders: [...(counters?.foreignSenders ?? [])],
    gaps: counters?.gaps ?? 0,
    points_missing: counters?.missing ?? 0,
    last_telemetry: counters?.lastArrival === undefined ? null : formatDateTime(counters.lastArrival)
  }
}
