/** Drivers that listen, on real sockets; the service's clock advances only when the test moves it. */
import { describe, expect, it } from "@effect/vitest"
import { Chunk, Effect, Fiber, Layer, Stream, TestClock } from "effect"
import type { OtherGame } from "../../../src/domain/errors.ts"
import { listening } from "../../../src/simulators/udp/listening.ts"
import { systemTiming, Timing } from "../../../src/platform/Timing.ts"
import type { Driver, Link, LinkOptions } from "../../../src/simulators/Driver.ts"
import { until } from "../../live/support.ts"
import { linkOptions } from "../drivers/interpreting.ts"
import {
  built,
  freePort,
  interpreterOf,
  listener,
  pointText,
  protocolOf,
  send,
  sender,
  reportingOf,
  timesOf,
  whileSending
} from "./udp.ts"
import { collecting, linkEvents } from "../sinks.ts"
import { kindOf } from "../rows.ts"

const one = { name: "one", ports: [], protocols: [protocolOf("P")] }
const both = { name: "both", ports: [], protocols: [protocolOf("P"), protocolOf("Q")] }

/** The events of a link until `count` points have come. */
const points = (link: Link, count: number) =>
  linkEvents(link).pipe(
    Stream.mapConcat((event) => timesOf([event])),
    Stream.take(count),
    Stream.runCollect,
    Effect.map(Chunk.toReadonlyArray)
  )

const opened = Effect.fn(function* (driver: Driver, port: number, text: string, host = "127.0.0.1") {
  const socket = yield* sender()
  const link = yield* whileSending(driver.open(linkOptions({ host, port })), socket, port, text)
  return { socket, link }
})

const begun = Effect.promise(() => new Promise<void>((done) => setImmediate(done))).pipe(Effect.repeatN(3))

describe("a driver that listens", () => {
  it.scoped("is connected once a datagram of its protocol came, and loses none from then on", () =>
    Effect.gen(function* () {
      const port = yield* freePort
      const { link, socket } = yield* opened(yield* listener(one), port, pointText("P", 1))
      expect(link).toMatchObject({ simulator: "simulator P", driver: "driver-P" })
      for (let n = 2; n < 200; n++) yield* send(socket, port, pointText("P", n))
      const received = (yield* points(link, 199)).filter((time) => time > 1)
      expect(received).toEqual(Array.from({ length: received.length }, (_, n) => n + 2))
    })
  )

  it.scoped(
    "goes on with the state of the link before, for as long as the recorder may have its session",
    () =>
      Effect.gen(function* () {
        const port = yield* freePort
        let made = 0
        const counted = {
          ...protocolOf("P"),
          interpreter: () => {
            made++
            return interpreterOf("P")
          },
          outlivesLinks: true as const
        }
        const driver = yield* listener({ ...one, protocols: [counted] })
        const memory = new Map()
        /** ms that the test lets pass at once. */
        let passed = 0
        const timing = { ...systemTiming, now: () => passed + performance.now() }
        const socket = yield* sender()
        /** The kinds of the first two events of another link. */
        const received = Effect.gen(function* () {
          const link = yield* driver.open(linkOptions({ host: "127.0.0.1", port, memory }))
          const events = yield* Stream.runCollect(Stream.take(linkEvents(link), 2))
          return Chunk.toReadonlyArray(events).map(kindOf)
        }).pipe(Effect.scoped, Effect.provideService(Timing, timing), (link) =>
          whileSending(link, socket, port, pointText("P", 1))
        )
        expect(yield* received).toEqual(["Points", "Points"])
        passed = 8 * 60_000
        expect(yield* received).toEqual(["SessionContinued", "Points"])
        expect(made).toBe(1)
        passed += 9 * 60_000
        expect(yield* received).toEqual(["Points", "Points"])
        expect(made).toBe(2)
      })
  )

  it.scoped("goes on with nothing once another game has been received over the connection", () =>
    Effect.gen(function* () {
      const port = yield* freePort
      const outliving = { ...protocolOf("P"), outlivesLinks: true as const }
      const driver = yield* listener({ ...one, protocols: [outliving, protocolOf("Q")] })
      const memory = new Map()
      const socket = yield* sender()
      const received = (letter: string) =>
        Effect.gen(function* () {
          const link = yield* driver.open(linkOptions({ host: "127.0.0.1", port, memory }))
          const events = yield* Stream.runCollect(Stream.take(linkEvents(link), 1))
          return Chunk.toReadonlyArray(events).map(kindOf)
        }).pipe(Effect.scoped, (link) => whileSending(link, socket, port, pointText(letter, 1)))
      expect(yield* received("P")).toEqual(["Points"])
      expect(yield* received("P")).toEqual(["SessionContinued"])
      expect(yield* received("Q")).toEqual(["Points"])
      expect(yield* received("P")).toEqual(["Points"])
    })
  )

  it.scoped("distinguishes several protocols on one port by their bytes", () =>
    Effect.gen(function* () {
      const port = yield* freePort
      const { link } = yield* opened(yield* listener(both), port, pointText("Q", 1))
      expect(link.driver).toBe("driver-Q")
    })
  )

  it.scoped("refuses datagrams of other protocols, and goes on", () =>
    Effect.gen(function* () {
      const port = yield* freePort
      const { link, socket } = yield* opened(yield* listener(both), port, pointText("P", 1))
      yield* send(socket, port, "Q1")
      yield* send(socket, port, "?")
      yield* send(socket, port, "Pbug")
      yield* send(socket, port, pointText("P", 9))
      const events = yield* linkEvents(link).pipe(
        Stream.takeUntil((event) => timesOf([event]).includes(9)),
        Stream.runCollect
      )
      const reasons = [...events].flatMap((event) => (event._tag === "Refused" ? [event.reason] : []))
      expect(reasons).toEqual([
        "a datagram of 2 bytes that is not driver-P's, but driver-Q's",
        "change the format",
        "the driver failed on a datagram of 4 bytes: Error: a bug of the driver"
      ])
    })
  )

  it.scoped("fails with advice if it receives only useless datagrams", () =>
    Effect.gen(function* () {
      const port = yield* freePort
      const driver = yield* listener(one)
      const socket = yield* sender()
      const failed = yield* whileSending(Effect.flip(driver.open(linkOptions({ port }))), socket, port, "?")
      expect(failed).toMatchObject({ _tag: "NotASimulator", reason: "change the format" })
    })
  )

  it.scoped("reports the length and the game of datagrams that it cannot read while it waits", () =>
    Effect.gen(function* () {
      const port = yield* freePort
      const received: Array<readonly [number, OtherGame | undefined]> = []
      const onUnexpected: LinkOptions["onUnexpected"] = (bytes, known) => void received.push([bytes, known])
      // Another driver registers its protocol, so that this one recognises it.
      const other = listening({ ...both, protocols: [protocolOf("Q")] })
      const driver = yield* built(Layer.mergeAll(listening(one), other), "one")
      const socket = yield* sender()
      const opening = yield* Effect.fork(driver.open(linkOptions({ port, onUnexpected })))
      yield* whileSending(
        Effect.promise(() => until(() => received.length > 0)),
        socket,
        port,
        "abc"
      )
      yield* send(socket, port, "older")
      yield* send(socket, port, pointText("Q", 1))
      // More of the first may have been on their way.
      const others = () => received.filter(([bytes]) => bytes !== 3)
      yield* Effect.promise(() => until(() => others().length === 2))
      expect(received[0]).toEqual([3, undefined])
      expect(others()).toEqual([
        [5, { game: "An older game", advice: "update it" }],
        [2, { game: "driver-Q", advice: 'connect with "simulator": "driver-Q"' }]
      ])
      // The driver still waits for its own simulator.
      yield* whileSending(Fiber.join(opening), socket, port, pointText("P", 1))
    })
  )

  it.scoped("fails if another program has the port", () =>
    Effect.gen(function* () {
      const port = (yield* sender()).address().port
      const driver = yield* listener(one)
      const failed = yield* Effect.scoped(Effect.flip(driver.open(linkOptions({ port }))))
      expect(failed).toMatchObject({
        _tag: "SimulatorRefused",
        reason: "EADDRINUSE",
        localPort: port
      })
      // A later connect on another port succeeds.
      yield* Effect.scoped(
        Effect.gen(function* () {
          const other = yield* freePort
          yield* opened(driver, other, pointText("P", 1))
        })
      )
    })
  )

  it.scoped("gives each link on one port the datagrams of its own sender", () =>
    Effect.gen(function* () {
      const port = yield* freePort
      const driver = yield* listener(one)
      const links = yield* Effect.forEach(
        [2, 3, 4],
        (n) =>
          Effect.gen(function* () {
            const socket = yield* sender()
            const host = `127.0.0.${n}`
            const opening = driver.open(linkOptions({ host, port }))
            const sending = Effect.forever(
              Effect.zipRight(
                send(socket, port, pointText("P", n), host),
                Effect.promise(() => new Promise((done) => setTimeout(done, 5)))
              )
            )
            return yield* Effect.raceFirst(opening, sending)
          }),
        { concurrency: "unbounded" }
      )
      const received = yield* Effect.forEach(links, (link) => points(link, 1))
      expect(received).toEqual([[2], [3], [4]])
    })
  )

  it.scoped("frees its port when the scope ends", () =>
    Effect.gen(function* () {
      const port = yield* freePort
      const driver = yield* listener(one)
      yield* Effect.scoped(opened(driver, port, pointText("P", 1)))
      expect((yield* Effect.scoped(sender("127.0.0.1", port))).address).toBeTypeOf("function")
    })
  )

  it.scoped("takes silence for the end only after a minute", () =>
    Effect.gen(function* () {
      const port = yield* freePort
      const { link } = yield* opened(yield* listener(one), port, pointText("P", 1))
      const reading = yield* Effect.fork(Effect.flip(Stream.runDrain(linkEvents(link))))
      yield* begun
      yield* TestClock.adjust("59 seconds")
      yield* begun
      expect((yield* Fiber.poll(reading))._tag).toBe("None")
      yield* TestClock.adjust("5 seconds")
      expect(yield* Fiber.join(reading)).toMatchObject({ reason: "nothing arrived for 60 s" })
    })
  )

  it.scoped("calls its interpreter for silence, and for the end", () =>
    Effect.gen(function* () {
      const port = yield* freePort
      const reporting = { ...protocolOf("P"), interpreter: () => reportingOf("P") }
      const { link } = yield* opened(
        yield* listener({ ...one, protocols: [reporting] }),
        port,
        pointText("P", 1)
      )
      const received: Array<number> = []
      const reading = yield* linkEvents(link).pipe(
        Stream.runForEach((event) => Effect.sync(() => received.push(...timesOf([event])))),
        Effect.flip,
        Effect.fork
      )
      yield* begun
      for (let second = 0; second < 63; second++) {
        yield* TestClock.adjust("1 second")
        yield* begun
      }
      yield* Fiber.join(reading)
      const silence = received.filter((time) => time > 1 && time < 1000)
      expect(silence).toEqual(Array.from({ length: 60 }, (_, n) => 101 + n))
      expect(received.at(-1)).toBe(1000)
      // It ends once.
      const again = collecting()
      expect(yield* Effect.flip(link.deliverTo(again.sink))).toMatchObject({ _tag: "LinkLost" })
      expect(again.events).toEqual([])
    })
  )

  it.scoped("offers the events that it has received, and those of its end, when it is interrupted", () =>
    Effect.gen(function* () {
      const port = yield* freePort
      const reporting = { ...protocolOf("P"), interpreter: () => reportingOf("P") }
      const { link } = yield* opened(
        yield* listener({ ...one, protocols: [reporting] }),
        port,
        pointText("P", 1)
      )
      const { events, sink } = collecting()
      yield* Fiber.interrupt(Effect.runFork(link.deliverTo(sink)))
      const rest = timesOf(events)
      expect(rest[0]).toBe(1)
      expect(rest.at(-1)).toBe(1000)
    })
  )

  it.scoped("loses the link when another simulator sends during a silence", () =>
    Effect.gen(function* () {
      const port = yield* freePort
      const { link, socket } = yield* opened(yield* listener(both), port, pointText("P", 1))
      const reading = yield* Effect.fork(Effect.flip(Stream.runDrain(linkEvents(link))))
      yield* begun
      yield* TestClock.adjust("8 seconds")
      yield* send(socket, port, "Q1")
      expect(yield* Fiber.join(reading)).toMatchObject({ reason: "driver-Q sends to this port now" })
    })
  )
})
