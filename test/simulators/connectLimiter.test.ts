/** The limits of connects: how many the service tries at once, and how many users may request within a minute. */
import { describe, expect, it } from "@effect/vitest"
import { Duration, Effect, Either, Fiber, Layer, TestClock } from "effect"
import { settle } from "../recording/fibers.ts"
import { MemoryStore } from "../recording/memoryStore.ts"
import { withWriter } from "../recording/rig.ts"
import { readHostList } from "../../src/platform/addresses/hostList.ts"
import { UNLIMITED } from "../../src/simulators/connection/connectionsSettings.ts"
import * as Simulators from "../../src/simulators/connection/Simulators.ts"
import { accepting, drivers, FakeDriver } from "./fakeDriver.ts"
import { connecting, request } from "./simulators.ts"

const asksFor = (simulators: typeof Simulators.Simulators.Service, ports: ReadonlyArray<number>) =>
  Effect.forEach(ports, (port) => Effect.fork(Effect.either(simulators.connect(request({ port })))))

const ports = Array.from({ length: 20 }, (_, i) => 1000 + i)

describe("several connects at once", () => {
  connecting("are tried eight at a time, each in its turn", ({ fake, simulators }) =>
    Effect.gen(function* () {
      const asking = yield* asksFor(simulators, ports)
      yield* settle
      expect([fake.dialled.length, fake.open]).toEqual([8, 8])
      yield* fake.dialled[0]!.accept
      yield* settle
      // The first is connected, and no longer an attempt.
      expect([fake.dialled.length, fake.open]).toEqual([9, 9])
      // A wait for a turn is not the simulator's silence.
      yield* TestClock.adjust("5 seconds")
      yield* settle
      expect([fake.dialled.length, fake.open]).toEqual([17, 9])
      yield* TestClock.adjust("10 seconds")
      yield* settle
      const answers = yield* Fiber.join(Fiber.all(asking))
      expect(answers.filter(Either.isRight).length).toBe(1)
      expect(fake.dialled.length).toBe(20)
    })
  )

  connecting(
    "are all tried if nothing is sent",
    ({ fake, simulators }) =>
      Effect.gen(function* () {
        yield* asksFor(simulators, ports)
        yield* settle
        expect(fake.open).toBe(20)
      }),
    () => new FakeDriver({ reaches: false })
  )

  connecting("leave their turn to others when they are ended", ({ fake, simulators }) =>
    Effect.gen(function* () {
      yield* asksFor(simulators, ports)
      yield* settle
      yield* simulators.disconnect({ host: "rig", port: 1000 })
      yield* settle
      expect([fake.dialled.length, fake.open]).toEqual([9, 8])
    })
  )

  connecting("do not delay a link that is opened again", ({ fake, simulators }) =>
    Effect.gen(function* () {
      const [first] = yield* asksFor(simulators, [999])
      yield* settle
      yield* fake.last.accept
      yield* Fiber.join(first!)
      yield* asksFor(simulators, ports)
      yield* settle
      yield* fake.dialled[0]!.lose
      yield* TestClock.adjust("1 seconds")
      yield* settle
      expect(fake.dialled.filter(({ options }) => options.port === 999).length).toBe(2)
    })
  )
})

it.effect("--connects-per-minute counts new connections, and no others", () => {
  const fake = new FakeDriver()
  fake.answer = accepting
  const limited = Simulators.layer(Duration.seconds(5), { ...UNLIMITED, perMinute: 2 }).pipe(
    Layer.provide(drivers(fake.driver)),
    Layer.provide(withWriter(new MemoryStore()))
  )
  return Effect.gen(function* () {
    const { connect } = yield* Simulators.Simulators
    yield* connect(request({ port: 1 }))
    yield* TestClock.adjust("20 seconds")
    yield* connect(request({ port: 2 }))
    // Connected already: nothing is tried.
    yield* connect(request({ port: 2 }))
    expect(yield* Effect.flip(connect(request({ port: 3 })))).toMatchObject({
      _tag: "TooManyConnects",
      limit: 2,
      seconds: 40
    })
    expect(fake.dialled.length).toBe(2)
    yield* TestClock.adjust("40 seconds")
    yield* connect(request({ port: 3 }))
  }).pipe(Effect.provide(limited))
})

describe("--simulator-hosts", () => {
  it("takes addresses, networks and names", () => {
    const allows = Either.getOrThrow(readHostList("192.168.1.20, 10.0.0.0/8,2001:db8::/32,Rig.local"))
    for (const [host, address, expected] of [
      ["192.168.1.20", "192.168.1.20", true],
      ["192.168.1.21", "192.168.1.21", false],
      ["any.example", "10.200.3.4", true],
      ["2001:db8::9", "2001:db8::9", true],
      ["2001:db9::9", "2001:db9::9", false],
      ["rig.LOCAL", "203.0.113.1", true],
      ["other.local", "203.0.113.1", false]
    ] as const) {
      expect([host, allows(host, address)]).toEqual([host, expected])
    }
    expect(Either.getOrThrow(readHostList("any"))("x", "203.0.113.1")).toBe(true)
  })

  it.each(["", "10.0.0.0/33", "10.0.0.0/", "1.2.3", "a b", "10.0.0.0/8/9", "http://rig"])(
    "refuses %j",
    (given) => {
      expect(Either.isLeft(readHostList(given))).toBe(true)
    }
  )
})
