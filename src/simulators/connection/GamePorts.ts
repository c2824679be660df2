/**
 * The ports on which the service listens for any game without a connect (`games: auto`): an automatic connection for
 * each, which waits until a game sends.
 *
 * A connection that a client asks for has the port for as long as it is open, and while it is being opened. The
 * automatic one ends before it, and comes back after it. A port whose connection a client ended is heard again once
 * nothing came for a minute: else the game that still sends would begin another session at once.
 */
import { Effect } from "effect"
import type { Games } from "../../domain/ListeningPort.ts"
import { Turns } from "../../platform/Turns.ts"

/** The default ports of the games that send unasked; 5607 is the one that docs/simulators/forza.md advises. */
export const USUAL_PORTS: ReadonlyArray<number> = [20777, 5607, 5606, 4444, 6776, 7576]

export const AUTOMATIC_HOST = "0.0.0.0"
export const AUTOMATIC_DRIVER = "any"

interface Hooks<E> {
  readonly ports: ReadonlyArray<number>
  /** Whether this port has an automatic connection, or one that a client asked for. */
  readonly holder: (port: number) => "automatic" | "client" | undefined
  /** Opens the automatic connection. */
  readonly open: (port: number, afterSilence: boolean) => Effect.Effect<void, E>
  /** Ends the automatic connection; succeeds when all of it is stored. */
  readonly close: (port: number) => Effect.Effect<void>
}

export interface GamePorts<E> {
  /** Listens on the ports from now on, or no longer. */
  readonly listenFor: (games: Games) => Effect.Effect<void, E>
  /** Brings the automatic connections in line with those of clients, in the background. */
  readonly again: Effect.Effect<void>
  /** Keeps a port free while a client's connection is being opened. */
  readonly yielding: <A, F, R>(port: number, opening: Effect.Effect<A, F, R>) => Effect.Effect<A, F, R>
  /** A client ended the connection on this port. */
  readonly ended: (port: number) => void
}

/** `resume` settles as soon as it can, in the background. */
export const make = <E>(
  { close, holder, open, ports }: Hooks<E>,
  resume: (settle: Effect.Effect<void, E>) => Effect.Effect<void>
): GamePorts<E> => {
  const oneByOne = new Turns(1)
  /** The clients' connections that are being opened, by port. */
  const opening = new Map<number, number>()
  const ended = new Set<number>()
  let games: Games = "none"

  const settlePort = (port: number) =>
    Effect.suspend((): Effect.Effect<void, E> => {
      const holds = holder(port)
      const isWanted = games === "auto" && holds !== "client" && !opening.has(port)
      if (isWanted && holds === undefined) {
        const afterSilence = ended.delete(port)
        return open(port, afterSilence)
      }
      return !isWanted && holds === "automatic" ? close(port) : Effect.void
    })

  const settle = oneByOne.run(Effect.forEach(ports, settlePort, { concurrency: "unbounded", discard: true }))

  const add = (port: number, count: number) => {
    const now = (opening.get(port) ?? 0) + count
    if (now === 0) opening.delete(port)
    else opening.set(port, now)
  }

  return {
    listenFor: (wanted) =>
      Effect.suspend(() => {
        // Switched on anew, every port is heard at once.
        if (wanted !== games) ended.clear()
        games = wanted
        return settle
      }),
    again: resume(settle),
    yielding: (port, effect) =>
      ports.includes(port)
        ? Effect.acquireUseRelease(
            Effect.sync(() => add(port, 1)),
            () => Effect.zipRight(Effect.ignore(oneByOne.run(settlePort(port))), effect),
            () => Effect.suspend(() => (add(port, -1), resume(settle)))
          )
        : effect,
    ended: (port) => void (ports.includes(port) && ended.add(port))
  }
}
