/** Which of several senders to one port is read, also over real sockets. */
import { describe, expect, it } from "@effect/vitest"
import { Effect, Fiber, FiberId, Stream, TestClock } from "effect"
import { MAX_FOREIGNERS, type SimulatorEvent } from "../../../src/domain/SimulatorEvent.ts"
import { systemTiming } from "../../../src/platform/Timing.ts"
import { Receiver } from "../../../src/simulators/udp/Receiver.ts"
import { layer as beamng } from "../../../src/simulators/drivers/beamng/BeamNgDriver.ts"
import {
  built,
  freePort,
  interpreterOf,
  listener,
  pointText,
  protocolOf,
  send,
  sender,
  timesOf,
  whileSending
} from "./udp.ts"
import { collecting, linkEvents } from "../sinks.ts"

const options = (port: number) => ({
  host: "127.0.0.1",
  port,
  appName: "test",
  rate: 60,
  options: {},
  memory: new Map()
})

/** The events of a receiver so far. */
const eventsOf = (receiver: Receiver) => {
  const { events, sink } = collecting()
  Effect.runFork(receiver.deliverTo(sink)).unsafeInterruptAsFork(FiberId.none)
  return events
}

const foreignOf = (events: ReadonlyArray<SimulatorEvent>) =>
  events.flatMap((event) => (event._tag === "Foreign" ? [event] : []))

describe("a receiver of datagrams", () => {
  it("keeps to the first sender that could be read, and counts the others", () => {
    const receiver = new Receiver(interpreterOf("P"), systemTiming)
    receiver.hearFrom("10.0.0.9:1", Buffer.from("Pbug"))
    receiver.hearFrom("10.0.0.1:5", Buffer.from("P1"))
    receiver.hearFrom("10.0.0.1:6", Buffer.from("P100"))
    for (let n = 0; n < 20; n++) receiver.hearFrom(`10.0.0.2:${n}`, Buffer.from("P200"))
    receiver.hearFrom("10.0.0.1:5", Buffer.from("P2"))
    const events = eventsOf(receiver)
    expect(timesOf(events)).toEqual([1, 2])
    const [foreign] = foreignOf(events)
    expect(foreign).toMatchObject({ datagrams: 21 })
    expect(foreign!.senders).toHaveLength(MAX_FOREIGNERS)
    expect(foreign!.senders.slice(0, 2)).toEqual(["10.0.0.1:6", "10.0.0.2:0"])
  })

  it("reads another one after five seconds of silence, and then only that one", () => {
    const receiver = new Receiver(interpreterOf("P"), systemTiming)
    receiver.hearFrom("a:1", Buffer.from("P1"))
    for (let second = 0; second < 4; second++) receiver.passSecond(60)
    receiver.hearFrom("b:1", Buffer.from("P2"))
    receiver.passSecond(60)
    receiver.hearFrom("b:1", Buffer.from("P3"))
    receiver.hearFrom("a:1", Buffer.from("P4"))
    const events = eventsOf(receiver)
    expect(timesOf(events)).toEqual([1, 3])
    expect(foreignOf(events)).toMatchObject([{ datagrams: 2, senders: ["b:1", "a:1"] }])
  })

  it("has one sender for each kind", () => {
    const receiver = new Receiver(interpreterOf("P"), systemTiming)
    receiver.hearFrom("a:1", Buffer.from("P1"), "one")
    receiver.hearFrom("a:2", Buffer.from("P2"), "other")
    receiver.hearFrom("a:2", Buffer.from("P3"), "one")
    receiver.hearFrom("a:1", Buffer.from("P4"), "one")
    expect(timesOf(eventsOf(receiver))).toEqual([1, 2, 4])
  })
})

describe("a driver that listens", () => {
  it.scoped("reads one of two sockets of one address, and the other when the first has gone", () =>
    Effect.gen(function* () {
      const port = yield* freePort
      const driver = yield* listener({ name: "driver-P", ports: [], protocols: [protocolOf("P")] })
      const [good, foreign] = [yield* sender(), yield* sender()]
      const link = yield* whileSending(driver.open(options(port)), good, port, pointText("P", 1))
      const events: Array<SimulatorEvent> = []
      const reading = yield* Effect.fork(
        Stream.runForEach(linkEvents(link), (event) => Effect.sync(() => void events.push(event)))
      )
      const until = (isThere: () => boolean, again: Effect.Effect<void>): Effect.Effect<void> =>
        Effect.suspend(() =>
          isThere()
            ? Effect.void
            : Effect.zipRight(
                Effect.zipRight(
                  again,
                  Effect.promise(() => new Promise((done) => setTimeout(done, 5)))
                ),
                until(isThere, again)
              )
        )
      const named = () => foreignOf(events).flatMap(({ senders }) => senders)
      yield* until(() => named().length > 0, send(foreign, port, pointText("P", 2)))
      expect(new Set(named())).toEqual(new Set([`127.0.0.1:${foreign.address().port}`]))
      expect(timesOf(events)).not.toContain(2)
      // Seconds without a datagram.
      for (let second = 0; second < 6; second++) yield* TestClock.adjust("1 second")
      yield* until(() => timesOf(events).includes(3), send(foreign, port, pointText("P", 3)))
      yield* Fiber.interrupt(reading)
    })
  )

  it.scoped("reads BeamNG's OutGauge and MotionSim, each from a socket of its own", () =>
    Effect.gen(function* () {
      const driver = yield* built(beamng, "beamng")
      expect(driver.name).toBe("beamng")
      const port = yield* freePort
      const [one, two] = [yield* sender(), yield* sender()]
      const gauge = Buffer.alloc(96)
      gauge.write("beam", 4)
      const motion = Buffer.alloc(88)
      motion.write("BNG1", 0)
      const sendBytes = (socket: typeof one, bytes: Buffer) =>
        Effect.async<void>((resume) => socket.send(bytes, port, "127.0.0.1", () => resume(Effect.void)))
      const ticking = Effect.forever(
        Effect.zipRight(
          Effect.zipRight(sendBytes(one, gauge), sendBytes(two, motion)),
          Effect.promise(() => new Promise((done) => setTimeout(done, 5)))
        )
      )
      const link = yield* Effect.raceFirst(driver.open(options(port)), ticking)
      const events: Array<SimulatorEvent> = []
      const allReported = Stream.runForEachWhile(linkEvents(link), (event) =>
        Effect.sync(() => {
          events.push(event)
          return event._tag !== "SessionStarted"
        })
      )
      yield* Effect.raceFirst(allReported, ticking)
      expect(foreignOf(events)).toEqual([])
      // The session starts at once if both have come.
      expect(events.at(-1)).toMatchObject({ _tag: "SessionStarted" })
    })
  )
})
