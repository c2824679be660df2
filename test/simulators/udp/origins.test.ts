/** Broadcasts to a machine that listens by one of its own addresses, and datagrams of several networks at one port. */
import { networkInterfaces } from "node:os"
import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { exactness, networkOf } from "../../../src/simulators/udp/origins.ts"
import { linkOptions } from "../drivers/interpreting.ts"
import { freePort, listener, pointText, protocolOf, sender, whileSending } from "./udp.ts"

const own = Object.values(networkInterfaces())
  .flatMap((ones = []) => ones)
  .find(({ family, internal }) => family === "IPv4" && !internal)

/** The last address of the network: a broadcast. */
const broadcastOf = ({ address, netmask }: { readonly address: string; readonly netmask: string }) => {
  const mask = netmask.split(".").map(Number)
  return address
    .split(".")
    .map((part, n) => (Number(part) & mask[n]!) | (~mask[n]! & 255))
    .join(".")
}

it.skipIf(own === undefined)(
  "a broadcast is received by a program that listens on the address of its network",
  () =>
    Effect.gen(function* () {
      const port = yield* freePort
      const game = yield* sender(own!.address)
      game.setBroadcast(true)
      const driver = yield* listener({
        name: "broadcast",
        ports: [],
        protocols: [protocolOf("P")],
        shared: true
      })
      const opening = driver.open(linkOptions({ host: own!.address, port }))
      const link = yield* whileSending(opening, game, port, pointText("P", 1), broadcastOf(own!))
      expect(link.simulator).toBe("simulator P")
    }).pipe(Effect.scoped, Effect.runPromise)
)

describe("the listener of an own address", () => {
  const network = networkOf("127.0.0.1")

  it("reads senders of its network before others, those behind a router as others do, and none of another interface", () => {
    expect(exactness(network, "127.3.4.5")).toBeGreaterThan(exactness("everywhere", "127.3.4.5"))
    expect(exactness(network, "198.51.100.7")).toBe(exactness("everywhere", "198.51.100.7"))
    expect(exactness(networkOf("203.0.113.1"), "127.3.4.5")).toBe(0)
    expect(exactness("127.3.4.5", "127.3.4.5")).toBeGreaterThan(exactness(network, "127.3.4.5"))
    expect(exactness("127.3.4.5", "127.3.4.6")).toBe(0)
  })
})
