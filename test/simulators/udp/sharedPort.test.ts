/** A port on which another program of this machine listens, and which it shares. */
import { expect, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { linkOptions } from "../drivers/interpreting.ts"
import { freePort, listener, pointText, protocolOf, send, sender, whileSending } from "./udp.ts"

const shared = { name: "broadcast", ports: [], protocols: [protocolOf("P")], shared: true }

/** Another program: the datagrams that it receives, and the next of them. */
const program = Effect.fn(function* (address: string, port: number) {
  const socket = yield* sender(address, port, true)
  const received = () =>
    Effect.fork(
      Effect.async<string>((resume) => {
        socket.once("message", (bytes) => resume(Effect.succeed(bytes.toString())))
      })
    )
  return { received }
})

it.scopedLive("datagrams to one address are not taken from a program that listens there", () =>
  Effect.gen(function* () {
    const port = yield* freePort
    const other = yield* program("127.0.0.1", port)
    const driver = yield* listener(shared)
    const refused = yield* Effect.flip(driver.open(linkOptions({ host: "127.0.0.1", port })))
    expect(refused).toMatchObject({ _tag: "SimulatorRefused", reason: "EADDRINUSE" })
    const received = yield* other.received()
    yield* send(yield* sender(), port, "for the other")
    expect(yield* Fiber.join(received)).toBe("for the other")
  })
)

// Elsewhere the loopback has no broadcasts.
it.skipIf(process.platform !== "linux")("broadcasts are received by both", () =>
  Effect.gen(function* () {
    const port = yield* freePort
    const other = yield* program("0.0.0.0", port)
    const game = yield* sender()
    game.setBroadcast(true)
    const driver = yield* listener(shared)
    const received = yield* other.received()
    const opening = driver.open(linkOptions({ host: "0.0.0.0", port }))
    const link = yield* whileSending(opening, game, port, pointText("P", 1), "127.255.255.255")
    expect(link.simulator).toBe("simulator P")
    expect(yield* Fiber.join(received)).toBe("P1")
  }).pipe(Effect.scoped, Effect.runPromise)
)
