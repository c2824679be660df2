/** Drivers that ask, against a server of the tests; the service's clock advances only when the test moves it. */
import type { Socket } from "node:dgram"
import { describe, expect, it } from "@effect/vitest"
import { Effect, Fiber, Stream, TestClock } from "effect"
import { linkOptions } from "../drivers/interpreting.ts"
import { until } from "../../live/support.ts"
import { driverThatAsks, protocol, server } from "./answeringServer.ts"
import type { Link } from "../../../src/simulators/Driver.ts"
import { freePort, send, sender, timesOf } from "./udp.ts"
import { linkEvents } from "../sinks.ts"

const untilReceived = (from: { readonly received: ReadonlyArray<string> }, count: number) =>
  Effect.promise(() => until(() => from.received.length >= count))

const begun = Effect.promise(() => new Promise<void>((done) => setImmediate(done))).pipe(Effect.repeatN(3))

/** The events of a link that receives P2 from its simulator, P1 from each of several strangers, and then P3 from its simulator. */
const eventsBeside = Effect.fn(function* (
  link: Link,
  simulator: Effect.Effect.Success<ReturnType<typeof server>>,
  strangers: ReadonlyArray<Socket>
) {
  const { port } = simulator.clients[0]!
  yield* simulator.sendText("P2")
  const reading = yield* Effect.fork(
    linkEvents(link).pipe(
      Stream.mapAccum(0, (foreign, event) => {
        const counted = foreign + (event._tag === "Foreign" ? event.datagrams : 0)
        return [counted, { event, counted }]
      }),
      Stream.tap(({ event, counted }) =>
        event._tag === "Foreign" && counted === strangers.length ? simulator.sendText("P3") : Effect.void
      ),
      Stream.map(({ event }) => event),
      Stream.takeUntil((event) => timesOf([event]).includes(3)),
      Stream.runCollect
    )
  )
  for (const stranger of strangers) yield* send(stranger, port, "P1")
  return yield* Fiber.join(reading)
})

describe("a driver that asks", () => {
  it.scoped("is connected when it is answered, receives, and leaves at the end", () =>
    Effect.gen(function* () {
      const simulator = yield* server(() => "yes")
      const driver = yield* driverThatAsks()
      yield* Effect.scoped(
        Effect.gen(function* () {
          const link = yield* driver.open(linkOptions({ port: simulator.port }))
          expect(link.simulator).toBe("simulator P")
          yield* simulator.sendText("P5")
          const events = yield* linkEvents(link).pipe(Stream.take(1), Stream.runCollect)
          expect(timesOf(events)).toEqual([5])
        })
      )
      yield* untilReceived(simulator, 2)
      expect(simulator.received).toEqual(["hello", "bye"])
    })
  )

  it.scoped("sends a request once a second until it is answered", () =>
    Effect.gen(function* () {
      const simulator = yield* server((count) => (count === 3 ? "yes" : undefined))
      const opening = yield* Effect.fork(
        (yield* driverThatAsks()).open(linkOptions({ port: simulator.port }))
      )
      for (let second = 1; second < 3; second++) {
        yield* untilReceived(simulator, second)
        yield* begun
        yield* TestClock.adjust("1 second")
      }
      yield* Fiber.join(opening)
      expect(simulator.received).toEqual(["hello", "hello", "hello"])
    })
  )

  it.scoped("fails with the reason if it is refused", () =>
    Effect.gen(function* () {
      const simulator = yield* server(() => "no wrong password")
      const failed = yield* Effect.flip((yield* driverThatAsks()).open(linkOptions({ port: simulator.port })))
      expect(failed).toMatchObject({ _tag: "SimulatorRefused", reason: "wrong password" })
    })
  )

  it.scoped("reports answers that it cannot read, and no others", () =>
    Effect.gen(function* () {
      const simulator = yield* server((count) => ["what?", "P1", "yes"][count - 1])
      const strange: Array<readonly [number, unknown]> = []
      const usual = protocol().conversation
      const driver = yield* driverThatAsks({
        conversation: (options) => {
          const conversation = usual(options)
          return {
            ...conversation,
            datagram: (bytes, arrival, events) =>
              bytes.toString() === "what?"
                ? events.refuse("it says what?")
                : conversation.datagram(bytes, arrival, events)
          }
        }
      })
      const opening = yield* Effect.fork(
        driver.open(
          linkOptions({
            port: simulator.port,
            onUnexpected: (bytes, known) => void strange.push([bytes, known])
          })
        )
      )
      for (let second = 1; second < 3; second++) {
        yield* untilReceived(simulator, second)
        yield* begun
        yield* TestClock.adjust("1 second")
      }
      yield* Fiber.join(opening)
      expect(strange).toEqual([[5, undefined]])
    })
  )

  it.scoped("fails if no program listens at the address", () =>
    Effect.gen(function* () {
      const driver = yield* driverThatAsks()
      const failed = yield* Effect.flip(driver.open(linkOptions({ port: yield* freePort })))
      expect(failed).toMatchObject({ _tag: "SimulatorRefused", reason: "ECONNREFUSED" })
    })
  )

  it.scoped("fails if it cannot find the host", () =>
    Effect.gen(function* () {
      const driver = yield* driverThatAsks()
      const failed = yield* Effect.flip(driver.open(linkOptions({ host: "no.such.host.invalid" })))
      expect(failed).toMatchObject({ _tag: "SimulatorRefused" })
    })
  )

  it.scoped("gives up a simulator that went silent", () =>
    Effect.gen(function* () {
      const simulator = yield* server(() => "yes")
      const link = yield* (yield* driverThatAsks()).open(linkOptions({ port: simulator.port }))
      const reading = yield* Effect.fork(Effect.flip(Stream.runDrain(linkEvents(link))))
      yield* begun
      yield* TestClock.adjust("5 seconds")
      expect(yield* Fiber.join(reading)).toMatchObject({ reason: "nothing arrived for 3 s" })
    })
  )

  it.scoped("listens on the port of the answers, if that is fixed", () =>
    Effect.gen(function* () {
      const answersTo = yield* freePort
      const simulator = yield* server(() => "yes")
      const driver = yield* driverThatAsks({ answersTo: () => answersTo })
      yield* driver.open(linkOptions({ port: simulator.port }))
      expect(simulator.clients[0]!.port).toBe(answersTo)
    })
  )

  // The port of the first is the kernel's to choose; a connected socket hears its peer alone.
  it.scoped.each([["a port of its own", false] as const, ["a fixed port", true] as const])(
    "counts datagrams of others to %s, and does not read them",
    ([, fixed]) =>
      Effect.gen(function* () {
        const answersTo = yield* freePort
        const simulator = yield* server(() => "yes")
        const driver = yield* driverThatAsks(fixed ? { answersTo: () => answersTo } : {})
        const link = yield* driver.open(linkOptions({ port: simulator.port }))
        const strangers: ReadonlyArray<Socket> = [yield* sender("127.0.0.9"), yield* sender("127.0.0.1")]
        const reported = [...(yield* eventsBeside(link, simulator, strangers))]
        expect(timesOf(reported)).toEqual([2, 3])
        const foreign = reported.flatMap((event) => (event._tag === "Foreign" ? [event] : []))
        expect(foreign.reduce((sum, { datagrams }) => sum + datagrams, 0)).toBe(2)
        const names = strangers.map((socket) => `${socket.address().address}:${socket.address().port}`)
        expect(foreign.flatMap(({ senders }) => senders).sort()).toEqual(names.sort())
      })
  )
})
