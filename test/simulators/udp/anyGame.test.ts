/** The driver of all games that send, on real sockets; datagrams of real games. */
import { describe, expect, it } from "@effect/vitest"
import { Effect, Fiber, Stream, TestClock } from "effect"
import { systemTiming, Timing } from "../../../src/platform/Timing.ts"
import { layer, protocols } from "../../../src/simulators/drivers/any/AnyDriver.ts"
import { SharedSockets } from "../../../src/simulators/udp/SharedSockets.ts"
import { readCapture } from "../captures/captures.ts"
import { pushed } from "../cases/readers.ts"
import { linkOptions } from "../drivers/interpreting.ts"
import { linkEvents } from "../sinks.ts"
import { needing } from "../../support/needing.ts"
import { capturesHere } from "../../support/sharedData.ts"
import { built, freePort, sender } from "./udp.ts"
import type { Socket } from "node:dgram"

const driver = built(layer, "any")

const first = (name: string) => readCapture(name)[0]!.bytes
const f1 = () => first("f1-2025-datagrams")
const dirt = () => first("dirt-rally-2-noorinbee")

const sendBytes = (socket: Socket, port: number, bytes: Buffer) =>
  Effect.async<void>((resume) => {
    socket.send(bytes, port, "127.0.0.1", () => resume(Effect.void))
  })

const pause = Effect.promise(() => new Promise((done) => setTimeout(done, 5)))

const whileSending = <A, E, R>(effect: Effect.Effect<A, E, R>, socket: Socket, port: number, bytes: Buffer) =>
  Effect.raceFirst(effect, Effect.forever(Effect.zipRight(sendBytes(socket, port, bytes), pause)))

it("reads every game that sends unasked, Codemasters' 264 bytes once", () => {
  const known = new Set(protocols.map(({ name }) => name))
  expect(pushed.filter(({ name }) => !known.has(name)).map(({ name }) => name)).toEqual(["dirt-rally"])
  expect(protocols).toHaveLength(pushed.length - 1)
})

describe("any game", needing(capturesHere), () => {
  it.scoped("is recognised by its datagrams, and another is after it, on the same port", () =>
    Effect.gen(function* () {
      const any = yield* Effect.provide(driver, SharedSockets.layer)
      const port = yield* freePort
      const socket = yield* sender()
      const options = linkOptions({ host: "0.0.0.0", port })
      const lost = yield* Effect.gen(function* () {
        const link = yield* whileSending(any.open(options), socket, port, f1())
        expect(link.driver).toBe("f1")
        const ending = yield* Effect.fork(Effect.exit(Stream.runDrain(linkEvents(link))))
        // F1 is silent, and DiRT Rally sends.
        yield* TestClock.adjust("6 seconds")
        return yield* whileSending(Fiber.join(ending), socket, port, dirt())
      }).pipe(Effect.scoped)
      expect(String(lost)).toContain("dirt-rally-2 sends to this port now")
      const next = yield* whileSending(any.open(options), socket, port, dirt())
      expect(next.driver).toBe("dirt-rally-2")
    })
  )

  it.scoped("is not heard after its connection was ended, until it was silent", () =>
    Effect.gen(function* () {
      let passed = 0
      const timing = { ...systemTiming, now: () => passed + performance.now() }
      const any = yield* driver
      const port = yield* freePort
      const socket = yield* sender()
      let opened = 0
      const opening = yield* any.open(linkOptions({ host: "0.0.0.0", port, afterSilence: 60 })).pipe(
        Effect.tap(() => opened++),
        Effect.provideService(Timing, timing),
        Effect.fork
      )
      for (let n = 0; n < 20; n++) {
        passed += 10_000
        yield* sendBytes(socket, port, f1())
        yield* pause
      }
      expect(opened).toBe(0)
      passed += 61_000
      yield* whileSending(Fiber.join(opening), socket, port, f1())
      expect(opened).toBe(1)
    })
  )
})
