/** A multicast group to which a simulator sends: a connect to it joins it on every interface of this machine. */
import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { isMulticast } from "../../../src/simulators/udp/UdpSocket.ts"
import { linkOptions } from "../drivers/interpreting.ts"
import { freePort, listener, pointText, protocolOf, sender, whileSending } from "./udp.ts"

const GROUP = "224.0.0.150"

it("recognises the addresses of groups", () => {
  expect(["224.0.0.0", GROUP, "239.255.255.255"].map(isMulticast)).toEqual([true, true, true])
  const others = ["223.0.0.1", "240.0.0.1", "0.0.0.0", "2240.0.0.1", "::", "game.local"]
  expect(others.filter(isMulticast)).toEqual([])
})

it.scoped("several programs of this machine receive a group's datagrams at a time", () =>
  Effect.gen(function* () {
    const port = yield* freePort
    const game = yield* sender()
    game.setMulticastInterface("127.0.0.1")
    for (const name of ["one", "another"]) {
      // Each driver has its own socket until the test ends, as if it were in its own program.
      const driver = yield* listener({ name, ports: [], protocols: [protocolOf("P")] })
      const opening = driver.open(linkOptions({ host: GROUP, port }))
      const link = yield* whileSending(opening, game, port, pointText("P", 1), GROUP)
      expect(link.simulator).toBe("simulator P")
    }
  })
)
