/** Datagrams of a protocol of the tests' own: "P" and a time; and the sockets that send them. */
import { createSocket, type Socket } from "node:dgram"
import { Effect, Layer } from "effect"
import type { SimulatorEvent } from "../../../src/domain/SimulatorEvent.ts"
import { SharedSockets } from "../../../src/simulators/datagrams/SharedSockets.ts"
import { type ListenerOptions, listening } from "../../../src/simulators/datagrams/listening.ts"
import type { Interpreter, PushProtocol } from "../../../src/simulators/datagrams/Protocol.ts"
import { Drivers } from "../../../src/simulators/Driver.ts"
import { type EventBuffer, newSample } from "../../../src/simulators/EventBuffer.ts"

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

/** One that also tells, as points: 100 s and as much as nothing was heard for, and 1000 s at the end. */
export const tellingOf = (letter: string): Interpreter => {
  const sample = newSample()
  const tell = (time: number, events: EventBuffer) => {
    sample.time = time
    events.point(sample)
  }
  return {
    ...interpreterOf(letter),
    silence: (seconds, events) => tell(100 + seconds, events),
    end: (events) => tell(1000, events)
  }
}

/** Reads datagrams that begin with `letter`; one that begins with "?" it knows to be of no use, "older" to be another game's. */
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

/** A socket on this machine, closed with the test; bound to an address of its own where one is given. */
export const sender = (address = "127.0.0.1", port = 0) =>
  Effect.acquireRelease(
    Effect.async<Socket>((resume) => {
      const socket = createSocket("udp4")
      socket.bind(port, address, () => resume(Effect.succeed(socket)))
    }),
    (socket) => Effect.sync(() => socket.close())
  )

export const send = (socket: Socket, port: number, text: string, to = "127.0.0.1") =>
  Effect.async<void>((resume) => {
    socket.send(text, port, to, () => resume(Effect.void))
  })

/** A port that nobody listened to a moment ago. */
export const freePort = Effect.scoped(Effect.map(sender(), (socket) => socket.address().port))

/** Sends again and again until the effect ends: nobody knows when a listener begins to hear. */
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
  [...events].flatMap((event) => (event._tag === "Points" ? Array.from(event.batch.timestamps) : []))
