/**
 * The actor that owns the connection to one simulator address.
 *
 * Commands arrive in a mailbox and are handled one at a time, so a connect that follows a disconnect finds
 * the old session stored and closed. The engagement (link and recorder) lives in a child fiber, which a
 * disconnect interrupts in whatever state it is, even in a handshake that hangs.
 *
 * Hard cases: a connect with the same settings joins the one under way, other settings are turned down; a
 * connect that fails leaves nothing behind; a connect that a disconnect overtakes is told so.
 */
import { Cause, Data, Deferred, Effect, Exit, FiberHandle, FiberRef, HashMap, Mailbox, Stream } from "effect"
import { type Connected, type ConnectionStatus, type ConnectRequest, extras } from "../domain/Connection.ts"
import { type Address, AlreadyConnected, type ConnectError, ConnectInterrupted } from "../domain/errors.ts"
import { type Engagement, live, type Settled, statusOf } from "./engagement.ts"

export interface SimulatorConnection {
  /** Answers when the handshake has succeeded or failed. */
  readonly connect: (settled: Settled) => Effect.Effect<Connected, ConnectError>
  /** Answers when everything received is stored. */
  readonly disconnect: Effect.Effect<void>
  /** Undefined while nothing is connected. */
  readonly status: () => ConnectionStatus | undefined
  /** When telemetry last arrived, epoch seconds. */
  readonly lastArrival: () => number | undefined
  /** What was asked for; undefined until the handshake has succeeded, and while nothing is connected. */
  readonly standing: () => ConnectRequest | undefined
}

type Command = Data.TaggedEnum<{
  Connect: { readonly settled: Settled; readonly reply: Deferred.Deferred<Connected, ConnectError> }
  Disconnect: { readonly reply: Deferred.Deferred<void> }
}>
const Command = Data.taggedEnum<Command>()

const sameSettings = (a: Settled, b: Settled) =>
  a.driver.name === b.driver.name &&
  (["app_name", "session_id", "circuit", "vehicle", "driver", ...extras] as const).every(
    (key) => JSON.stringify(a.request[key]) === JSON.stringify(b.request[key])
  )

const connectedAs = (engagement: Engagement): Connected => {
  const { host, port, app_name, simulator, session_id } = statusOf(engagement)
  return { host, port, app_name, simulator, session_id }
}

export const make = Effect.fn("SimulatorConnection.make")(function* (address: Address) {
  const mailbox = yield* Mailbox.make<Command>()
  const child = yield* FiberHandle.make<void>()
  let current: Engagement | undefined
  let lastArrival: number | undefined

  const engage = (engagement: Engagement) =>
    live(address, engagement).pipe(
      Effect.onExit((exit) => {
        lastArrival = engagement.recorder?.counters.lastArrival ?? lastArrival
        current = undefined
        return Exit.isFailure(exit) && !Cause.isInterruptedOnly(exit.cause)
          ? Deferred.failCause(engagement.ready, exit.cause)
          : Deferred.fail(engagement.ready, new ConnectInterrupted({ address }))
      }),
      Effect.tapError((error) =>
        engagement.settled.takenUp
          ? Effect.logWarning("What was connected cannot be connected again", error)
          : Effect.void
      ),
      // Its failure is the answer of those who wait for `ready`; a defect after that is a bug, and is logged.
      Effect.tapErrorCause((cause) =>
        Cause.isDie(cause) ? Effect.logError("A connection failed", cause) : Effect.void
      ),
      Effect.ignore
    )

  const connect = Effect.fnUntraced(function* (
    settled: Settled,
    reply: Deferred.Deferred<Connected, ConnectError>
  ) {
    if (current !== undefined && !sameSettings(current.settled, settled)) {
      return yield* Deferred.fail(reply, new AlreadyConnected({ address }))
    }
    const engagement: Engagement = current ?? {
      settled,
      ready: yield* Deferred.make<void, ConnectError>(),
      state: settled.takenUp ? "reconnecting" : "connecting",
      simulator: settled.driver.name,
      recorder: undefined
    }
    if (current === undefined) {
      if (settled.takenUp) yield* Deferred.succeed(engagement.ready, undefined)
      current = engagement
      yield* FiberHandle.run(child, engage(engagement))
    }
    // Answered beside the mailbox: a handshake that hangs must not keep a disconnect from being heard.
    return yield* Deferred.await(engagement.ready).pipe(
      Effect.map(() => connectedAs(engagement)),
      Effect.intoDeferred(reply),
      Effect.forkScoped
    )
  })

  yield* Mailbox.toStream(mailbox).pipe(
    Stream.runForEach((command) =>
      Command.$match(command, {
        Connect: ({ settled, reply }) => connect(settled, reply),
        Disconnect: ({ reply }) => Effect.intoDeferred(FiberHandle.clear(child), reply)
      })
    ),
    // The actor outlives who made it: neither that one's uninterruptible region nor its log lines are its own.
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
    connect: (settled) => ask<Connected, ConnectError>((reply) => Command.Connect({ settled, reply })),
    disconnect: ask<void, never>((reply) => Command.Disconnect({ reply })),
    status: () => (current === undefined ? undefined : statusOf(current)),
    lastArrival: () => current?.recorder?.counters.lastArrival ?? lastArrival,
    standing: () =>
      current === undefined || current.state === "connecting" ? undefined : current.settled.request
  } satisfies SimulatorConnection
})
