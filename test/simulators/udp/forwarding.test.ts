/** Datagrams that a link sends on to other programs, on real sockets of this machine. */
import type { Socket } from "node:dgram"
import { describe, expect, it } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import type { Address } from "../../../src/domain/errors.ts"
import { listening } from "../../../src/simulators/udp/listening.ts"
import { SharedSockets } from "../../../src/simulators/udp/SharedSockets.ts"
import { type Driver, Drivers, type ForwardCounts } from "../../../src/simulators/Driver.ts"
import { until } from "../../live/support.ts"
import { linkOptions } from "../drivers/interpreting.ts"
import { driverThatAsks, server } from "./answeringServer.ts"
import { freePort, listener, pointText, protocolOf, send, sender, whileSending } from "./udp.ts"

const one = { name: "one", ports: [], protocols: [protocolOf("P")] }

/** A program that listens, and the datagrams that it received. */
const program = Effect.gen(function* () {
  const socket = yield* sender()
  const received: Array<string> = []
  socket.on("message", (bytes) => received.push(bytes.toString()))
  return { received, address: { host: "127.0.0.1", port: socket.address().port } }
})

const forwardTo = (...to: ReadonlyArray<Address>) => ({
  to,
  counts: { forwarded: 0, notForwarded: 0 } satisfies ForwardCounts
})

const opened = (driver: Driver, port: number, forward: ReturnType<typeof forwardTo>) =>
  Effect.gen(function* () {
    const socket = yield* sender()
    yield* whileSending(driver.open(linkOptions({ port, forward })), socket, port, pointText("P", 1))
    return socket
  })

const untilReceived = (one: { readonly received: ReadonlyArray<string> }, last: string) =>
  Effect.promise(() => until(() => one.received.includes(last)))

const sendAll = (socket: Socket, port: number, texts: ReadonlyArray<string>) =>
  Effect.forEach(texts, (text) => send(socket, port, text), { discard: true })

const at = (port: number): Address => ({ host: "127.0.0.1", port })
const own = (of: Address) => ({ _tag: "TargetNotAllowed", kind: "own", field: "forward", address: of })

describe("a link that forwards", () => {
  it.scoped(
    "sends each datagram of its sender on, unchanged, also useless ones, to all programs of its options",
    () =>
      Effect.gen(function* () {
        const [first, second] = [yield* program, yield* program]
        const port = yield* freePort
        const forward = forwardTo(first.address, second.address)
        const socket = yield* opened(yield* listener(one), port, forward)
        yield* sendAll(socket, port, ["P2", "a new kind of packet", "Pbug", "P9"])
        for (const { received } of [first, second]) {
          yield* untilReceived({ received }, "P9")
          expect(received[0]).toBe("P1")
          expect(received.filter((text) => text !== "P1")).toEqual([
            "P2",
            "a new kind of packet",
            "Pbug",
            "P9"
          ])
        }
        yield* Effect.promise(() => until(() => forward.counts.forwarded === 2 * first.received.length))
        expect(forward.counts.notForwarded).toBe(0)
      })
  )

  it.scoped("sends on no datagram of another sender", () =>
    Effect.gen(function* () {
      const other = yield* program
      const port = yield* freePort
      const socket = yield* opened(yield* listener(one), port, forwardTo(other.address))
      const stranger = yield* sender()
      yield* sendAll(stranger, port, ["P5", "anything"])
      yield* send(socket, port, "P9")
      yield* untilReceived(other, "P9")
      expect(other.received.filter((text) => text !== "P1")).toEqual(["P9"])
    })
  )

  it.scoped("goes on if no program listens", () =>
    Effect.gen(function* () {
      const other = yield* program
      const port = yield* freePort
      const nobody = { host: "127.0.0.1", port: yield* freePort }
      const socket = yield* opened(yield* listener(one), port, forwardTo(nobody, other.address))
      for (let n = 2; n < 50; n++) yield* send(socket, port, pointText("P", n))
      yield* untilReceived(other, "P49")
      expect(other.received.filter((text) => text !== "P1")).toHaveLength(48)
    })
  )

  it.scoped("sends on the answers of a simulator that is asked", () =>
    Effect.gen(function* () {
      const other = yield* program
      const simulator = yield* server(() => "yes")
      const forward = forwardTo(other.address)
      yield* (yield* driverThatAsks()).open(linkOptions({ port: simulator.port, forward }))
      yield* simulator.sendText("P1")
      yield* simulator.sendText("what?")
      yield* untilReceived(other, "what?")
      expect(other.received).toEqual(["yes", "P1", "what?"])
    })
  )

  it.scoped("is refused to a port on which the service listens, or would listen then", () =>
    Effect.gen(function* () {
      const context = yield* Layer.build(
        Layer.provideMerge(listening(one), Layer.mergeAll(Drivers.layer, SharedSockets.layer))
      )
      const driver = yield* Context.get(context, Drivers).find("one", 1)
      const [port, elsewhere] = [yield* freePort, yield* freePort]
      const refused = (on: number, ...to: ReadonlyArray<Address>) =>
        Effect.flip(Effect.scoped(driver.open(linkOptions({ port: on, forward: forwardTo(...to) }))))
      expect(yield* refused(port, at(port))).toMatchObject(own(at(port)))
      expect(yield* refused(port, { host: "localhost", port })).toMatchObject(
        own({ host: "localhost", port })
      )
      yield* opened(driver, port, forwardTo(at(elsewhere)))
      expect(yield* refused(yield* freePort, at(port))).toMatchObject(own(at(port)))
      const reason = "datagrams are forwarded to this port"
      expect(yield* Effect.flip(Effect.scoped(driver.open(linkOptions({ port: elsewhere }))))).toMatchObject({
        _tag: "SimulatorRefused",
        reason
      })
    })
  )

  it.scoped("is refused to a forbidden target before anything is sent", () =>
    Effect.gen(function* () {
      const driver = yield* listener(one)
      const refused = (host: string, allows?: (host: string, address: string) => boolean) =>
        Effect.flip(
          Effect.scoped(
            driver.open({
              ...linkOptions({ port: 9, forward: forwardTo({ host, port: 20_778 }) }),
              ...(allows === undefined ? {} : { allows })
            })
          )
        )
      const kinds: ReadonlyArray<readonly [string, string]> = [
        ["169.254.1.1", "link-local"],
        ["169.254.169.254", "link-local"],
        ["239.1.1.1", "multicast"],
        ["255.255.255.255", "broadcast"],
        ["0.0.0.0", "unspecified"],
        ["::ffff:224.0.0.1", "multicast"]
      ]
      for (const [host, kind] of kinds) {
        expect(yield* refused(host)).toMatchObject({ _tag: "TargetNotAllowed", kind, field: "forward" })
      }
      expect(yield* refused("127.0.0.1", () => false)).toMatchObject({ kind: "unlisted", field: "forward" })
      expect(yield* refused("no.such.host.invalid")).toMatchObject({
        _tag: "SimulatorRefused",
        address: { host: "no.such.host.invalid", port: 20_778 }
      })
    })
  )
})
