/** The watch over a link, on real sockets; the service's clock advances only when the test moves it. */
import { once } from "node:events"
import { describe, expect, it } from "@effect/vitest"
import { Effect, Fiber, Option, Stream, TestClock } from "effect"
import { driver } from "../../../src/simulators/drivers/native/NativeDriver.ts"
import { until } from "../../live/support.ts"
import { feedServer, nextEvents, WELCOME } from "./feedServer.ts"
import { packed, plainColumns, session } from "./messages.ts"
import { linkEvents } from "../sinks.ts"
import { isPoints } from "../rows.ts"

const open = (port: number) =>
  driver.open({ host: "127.0.0.1", port, appName: "x", rate: 60, options: {}, memory: new Map() })

const turn = Effect.promise(() => new Promise<void>((done) => setImmediate(done)))

/** Lets the watch begin to wait: a fiber that has not run yet does not see the clock move. */
const begun = turn.pipe(Effect.repeatN(3))

describe("the watch over a link", () => {
  it.scoped("loses a simulator that answers no ping", () =>
    Effect.gen(function* () {
      const server = yield* feedServer({ autoPong: false })
      const link = yield* open(server.port)
      const peer = yield* server.peer
      const pings: Array<unknown> = []
      peer.socket.on("ping", () => pings.push(1))
      const reading = yield* Effect.fork(Effect.flip(Stream.runDrain(linkEvents(link))))
      yield* begun
      yield* TestClock.adjust("2.5 seconds")
      yield* Effect.promise(() => until(() => pings.length > 0))
      // One look that finds nothing may come after a stall of the service itself.
      yield* TestClock.adjust("2.5 seconds")
      expect((yield* Fiber.poll(reading))._tag).toBe("None")
      yield* TestClock.adjust("2.5 seconds")
      expect((yield* Fiber.join(reading)).reason).toContain("silent")
      expect(yield* peer.closed).toBe(1006)
    })
  )

  it.scoped("keeps a silent simulator that answers pings", () =>
    Effect.gen(function* () {
      const server = yield* feedServer()
      const link = yield* open(server.port)
      const { socket } = yield* server.peer
      let pings = 0
      socket.on("ping", () => pings++)
      const reading = yield* Effect.fork(nextEvents(link, 1))
      yield* begun
      for (let i = 1; i <= 10; i++) {
        yield* TestClock.adjust("2.5 seconds")
        yield* Effect.promise(() => until(() => pings >= i))
        // The peer has answered before the test learns of the ping: the service has read that once it answers a later one.
        socket.ping()
        yield* Effect.promise(() => once(socket, "pong"))
      }
      socket.send(session())
      expect((yield* Fiber.join(reading)).map((event) => event._tag)).toEqual(["SessionStarted"])
    })
  )

  it.scoped("keeps a link that the service itself does not read", () =>
    Effect.gen(function* () {
      const server = yield* feedServer({ autoPong: false, greeting: [WELCOME] })
      const link = yield* open(server.port)
      const { socket } = yield* server.peer
      const message = packed(plainColumns(2000))
      for (let i = 0; i < 100; i++) socket.send(message)
      yield* Effect.promise(() => until(() => socket.bufferedAmount > 0))
      yield* begun
      // Paused all the while, with pings whose answers it could not receive.
      for (let i = 0; i < 20; i++) yield* TestClock.adjust("2.5 seconds")
      const read = yield* linkEvents(link).pipe(
        Stream.scan(0, (points, event) => points + (isPoints(event) ? event.batch.length : 0)),
        Stream.takeUntil((points) => points >= 100 * 2000),
        Stream.runLast
      )
      expect(read).toEqual(Option.some(100 * 2000))
    })
  )
})
