/**
 * The run between one connect and one disconnect: a link that is opened again whenever it is lost, and the
 * recorder to which it delivers its events.
 */
import { Clock, Deferred, Duration, Effect, Schedule, Scope } from "effect"
import { addressKey, type ConnectionState, type ConnectRequest } from "../../domain/Connection.ts"
import {
  type Address,
  type ConnectError,
  NothingToForward,
  type OtherGame,
  SimulatorSilent
} from "../../domain/errors.ts"
import * as Recorder from "../../recording/feed/Recorder.ts"
import { RawDatagrams } from "../../recording/raw/RawDatagrams.ts"
import { askingStore, listeningAgain, reconnecting } from "../../platform/retryPolicies.ts"
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
  /** The session that another node was recording over this connection. */
  readonly takenOver?: number | undefined
  /** Waits as long as another node has the connection, if the catalog says so. */
  readonly whileTaken: Effect.Effect<void>
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
  const { allows, automatic, driver, inTurn, rate, request, restored, takenOver, timeout, whileTaken } =
    run.settings
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
      takenOver,
      connection: addressKey(request),
      names: request,
      reliable: driver.reliable,
      changed: run.changed
    }),
    (recorder) => recorder.close
  ).pipe(Scope.extend(scope))

  if (takenOver !== undefined) {
    // It is open before there is a link, as after a lost one.
    run.recorder = yield* Effect.retry(beginRecording, {
      while: ({ _tag }) => _tag === "StoreUnavailable",
      schedule: askingStore
    }).pipe(Effect.catchTag("SessionNotFound", () => Effect.succeed(undefined)))
    yield* run.recorder?.linkLost ?? Effect.void
    run.changed()
  }
  const keep = yield* (yield* RawDatagrams).capture(() => run.recorder?.sessionId() ?? null)
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
    // A simulator that serves one client would drop the node that has taken it over.
    yield* whileTaken
  }
}, Effect.scoped)
