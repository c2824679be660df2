/**
 * The actor that owns the connection to one simulator address.
 *
 * Commands arrive in a mailbox and are handled one at a time, so a connect that follows a disconnect finds
 * the old session stored and closed. The run (link and recorder) lives in a child fiber, which a
 * disconnect interrupts in whatever state it is, even in a handshake that hangs.
 *
 * Hard cases: a connect with the same settings joins the current one, other settings are refused; a
 * connect that fails leaves nothing behind; a connect that a disconnect overtakes is reported as such.
 */
import { Cause, Data, Deferred, Effect, Exit, FiberHandle, FiberRef, HashMap, Mailbox, Stream } from "effect"
import {
  addressIn,
  type Connected,
  type ConnectionStatus,
  type ConnectRequest
} from "../../domain/Connection.ts"
import { type Address, AlreadyConnected, type ConnectError, ConnectInterrupted } from "../../domain/errors.ts"
import type { ListeningPort } from "../../domain/ListeningPort.ts"
import { UnexpectedDatagrams } from "../udp/UnexpectedDatagrams.ts"
import { type ConnectionRun, type ConnectSettings, live } from "./connectionRun.ts"
import { isShown, portOf, statusOf } from "./runStatus.ts"

export interface SimulatorConnection {
  /** Answers when the handshake has succeeded or failed. */
  readonly connect: (settings: ConnectSettings) => Effect.Effect<Connected, ConnectError>
  /** Answers when everything received is stored. */
  readonly disconnect: Effect.Effect<void>
  /** Undefined while nothing is connected, and for an automatic connection that waits for a game. */
  readonly status: () => ConnectionStatus | undefined
  /** The port of an automatic connection; undefined for any other. */
  readonly listening: () => ListeningPort | undefined
  /** Whether a run is under way, shown or not. */
  readonly isBusy: () => boolean
  /** When telemetry last arrived, epoch seconds. */
  readonly lastArrival: () => number | undefined
  /** The client's request; undefined until the handshake has succeeded, and while nothing is connected. */
  readonly active: () => ConnectRequest | undefined
}

type Command = Data.TaggedEnum<{
  Connect: { readonly settings: ConnectSettings; readonly reply: Deferred.Deferred<Connected, ConnectError> }
  Disconnect: { readonly reply: Deferred.Deferred<void> }
}>
const Command = Data.taggedEnum<Command>()

const sameSettings = (a: ConnectSettings, b: ConnectSettings) =>
  a.driver.name === b.driver.name &&
  (["appName", "sessionId", "circuit", "vehicle", "driver", "forward", "options"] as const).every(
    (key) => JSON.stringify(a.request[key]) === JSON.stringify(b.request[key])
  )

const connectedAs = (run: ConnectionRun): Connected => {
  const { host, port, appName, simulator, sessionId } = statusOf(run)
  return { host, port, appName, simulator, sessionId }
}

/** Calls `changed` after each change of a value that `status` shows. */
export const make = Effect.fn("SimulatorConnection.make")(function* (address: Address, changed: () => void) {
  const mailbox = yield* Mailbox.make<Command>()
  const child = yield* FiberHandle.make<void>()
  let current: ConnectionRun | undefined
  let lastArrival: number | undefined

  const engage = (run: ConnectionRun) =>
    live(address, run).pipe(
      Effect.onExit((exit) => {
        lastArrival = run.recorder?.counters.lastArrival ?? lastArrival
        current = undefined
        changed()
        return Exit.isFailure(exit) && !Cause.isInterruptedOnly(exit.cause)
          ? Deferred.failCause(run.ready, exit.cause)
          : Deferred.fail(run.ready, new ConnectInterrupted({ address }))
      }),
      Effect.tapError((error) =>
        run.settings.restored
          ? Effect.logWarning("A connection from before the restart cannot be restored", error)
          : Effect.void
      ),
      // Callers that wait for `ready` get its failure; a later defect is a bug, and is logged.
      Effect.tapErrorCause((cause) =>
        Cause.isDie(cause) ? Effect.logError("A connection failed", cause) : Effect.void
      ),
      Effect.ignore
    )

  const connect = Effect.fnUntraced(function* (
    settings: ConnectSettings,
    reply: Deferred.Deferred<Connected, ConnectError>
  ) {
    if (current !== undefined && !sameSettings(current.settings, settings)) {
      return yield* Deferred.fail(reply, new AlreadyConnected({ address }))
    }
    const run: ConnectionRun = current ?? {
      settings,
      ready: yield* Deferred.make<void, ConnectError>(),
      state: settings.restored ? "reconnecting" : "connecting",
      simulator: settings.driver.name,
      recorder: undefined,
      unexpected: new UnexpectedDatagrams(),
      problem: undefined,
      forward: {
        to: (settings.request.forward ?? []).map((text) => addressIn(text)!),
        counts: { forwarded: 0, notForwarded: 0 }
      },
      changed
    }
    if (current === undefined) {
      if (settings.restored) yield* Deferred.succeed(run.ready, undefined)
      current = run
      changed()
      yield* FiberHandle.run(child, engage(run))
    }
    // Handled beside the mailbox: a handshake that hangs must not delay a disconnect.
    return yield* Deferred.await(run.ready).pipe(
      Effect.map(() => connectedAs(run)),
      Effect.intoDeferred(reply),
      Effect.forkScoped
    )
  })

  yield* Mailbox.toStream(mailbox).pipe(
    Stream.runForEach((command) =>
      Command.$match(command, {
        Connect: ({ settings, reply }) => connect(settings, reply),
        Disconnect: ({ reply }) => Effect.intoDeferred(FiberHandle.clear(child), reply)
      })
    ),
    // The actor outlives its creator: it does not inherit the creator's uninterruptible region or its log annotations.
    Effect.interruptible,
    Effect.locally(
      FiberRef.currentLogAnnotations,
      HashMap.make(["simulator", `${address.host}:${address.port}`])
    ),
    Effect.forkScoped
  )

  const ask = <A, E>(command: (reply: Deferred.Deferred<A, E>) => Command) =>
    Deferred.make<A, E>().pipe(
      Effect.tap((reply) => mailbox.offer(command(reply))),
      Effect.flatMap(Deferred.await)
    )

  return {
    connect: (settings) => ask<Connected, ConnectError>((reply) => Command.Connect({ settings, reply })),
    disconnect: ask<void, never>((reply) => Command.Disconnect({ reply })),
    status: () => (current !== undefined && isShown(current) ? statusOf(current) : undefined),
    listening: () => current && portOf(current),
    isBusy: () => current !== undefined,
    lastArrival: () => current?.recorder?.counters.lastArrival ?? lastArrival,
    active: () =>
      current === undefined || current.state === "connecting" || current.settings.automatic !== undefined
        ? undefined
        : current.settings.request
  } satisfies SimulatorConnection
})
