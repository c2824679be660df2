/** A protocol for tests, whose datagrams are "P" and a time; and the sockets that send them. */
import { createSocket, type Socket } from "node:dgram"
import { Effect, Layer } from "effect"
import type { SimulatorEvent } from "../../../src/domain/SimulatorEvent.ts"
import { SharedSockets } from "../../../src/simulators/udp/SharedSockets.ts"
import { type ListenerOptions, listening } from "../../../src/simulators/udp/listening.ts"
import type { Interpreter, PushProtocol } from "../../../src/simulators/udp/Protocol.ts"
import { Drivers } from "../../../src/simulators/Driver.ts"
import { type EventBuffer, newSample } from "../../../src/simulators/EventBuffer.ts"
import { isPoints } from "../rows.ts"

/** The text of a point at `time`. */
export const pointText = (letter: string, time: number) => `${letter}${time}`

export const interpreterOf = (letter: string): Interpreter => {
  const sample = newSample()
  return {
    simulator: () => `simulator ${letter}`,
    datagram: (bytes, _arrival, events) => {
      const text = bytes.toString()
      if (text === `${letter}bug`) throw new Error("a bug of the driver")
      sample.time = Number(text.slice(1))
      events.point(sample)
    }
  }
}

/** An interpreter that also gives a point at each second of silence, at 100 s plus that silence, and one at the end, at 1000 s. */
export const reportingOf = (letter: string): Interpreter => {
  const sample = newSample()
  const pointAt = (time: number, events: EventBuffer) => {
    sample.time = time
    events.point(sample)
  }
  return {
    ...interpreterOf(letter),
    silence: (seconds, events) => pointAt(100 + seconds, events),
    end: (events) => pointAt(1000, events)
  }
}

/** A protocol of datagrams that begin with `letter`. It knows that "?" begins useless ones, and that "older" is another game's. */
export const protocolOf = (letter: string): PushProtocol => ({
  name: `driver-${letter}`,
  recognises: (bytes) => bytes.toString().startsWith(letter),
  hint: (bytes) => (bytes.toString().startsWith("?") ? "change the format" : undefined),
  otherGame: (bytes) =>
    bytes.toString() === "older" ? { game: "An older game", advice: "update it" } : undefined,
  interpreter: () => interpreterOf(letter)
})

/** A driver that was registered by its layer, and lives as long as the test. */
export const built = <R, E>(layer: Layer.Layer<never, E, Drivers | R>, name: string) =>
  Effect.gen(function* () {
    const context = yield* Layer.build(
      Layer.provideMerge(layer, Layer.mergeAll(Drivers.layer, SharedSockets.layer)) as Layer.Layer<Drivers, E>
    )
    return yield* Effect.flatMap(Drivers, (drivers) => drivers.find(name, 1)).pipe(Effect.provide(context))
  })

export const listener = (options: ListenerOptions) => built(listening(options), options.name)

/** A socket on this machine, closed with the test; bound to `address` and `port`, which others may use too if it `shares`. */
export const sender = (address = "127.0.0.1", port = 0, shares = false) =>
  Effect.acquireRelease(
    Effect.async<Socket>((resume) => {
      const socket = createSocket({ type: "udp4", reuseAddr: shares })
      socket.bind(port, address, () => resume(Effect.succeed(socket)))
    }),
    (socket) => Effect.sync(() => socket.close())
  )

export const send = (socket: Socket, port: number, text: string, to = "127.0.0.1") =>
  Effect.async<void>((resume) => {
    socket.send(text, port, to, () => resume(Effect.void))
  })

/** Ports that systems do not give out on request, that no simulator has, and no server of the tests (serverProcess.ts). */
const FIRST_PORT = 12_000
const PORTS = 4_000

/** Other processes of the run begin elsewhere. */
let nextPort = (process.pid * 97) % PORTS

/** A port on which no program listens, and which no socket of another test is given meanwhile. */
export const freePort = Effect.async<number>((resume) => {
  const attempt = () => {
    const port = FIRST_PORT + (nextPort++ % PORTS)
    const socket = createSocket("udp4")
    socket.once("error", () => socket.close(attempt))
    socket.bind(port, () => socket.close(() => resume(Effect.succeed(port))))
  }
  attempt()
})

/** Sends again and again until the effect ends, because a test cannot know when a listener begins to receive. */
export const whileSending = <A, E, R>(
  effect: Effect.Effect<A, E, R>,
  socket: Socket,
  port: number,
  text: string,
  to?: string
) =>
  Effect.raceFirst(
    effect,
    Effect.forever(
      Effect.zipRight(
        send(socket, port, text, to),
        Effect.promise(() => new Promise((done) => setTimeout(done, 5)))
      )
    )
  )

export const timesOf = (events: Iterable<SimulatorEvent>): ReadonlyArray<number> =>
  [...events].flatMap((event) => (isPoints(event) ? Array.from(event.batch.timestamps) : []))
