/** Which connections of a node that has stopped another may have, and which it leaves when they were taken. */
import { networkInterfaces } from "node:os"
import { expect, it } from "@effect/vitest"
import { Effect, Fiber, Option, TestClock } from "effect"
import { addressKey, type KeptConnection } from "../../src/domain/Connection.ts"
import { type Address, StoreUnavailable, UnknownSimulator } from "../../src/domain/errors.ts"
import * as Handover from "../../src/simulators/connection/Handover.ts"
import type { Driver } from "../../src/simulators/Driver.ts"

const kept = (simulator: string, host: string, port: number): KeptConnection => ({
  request: { host, port, simulator, appName: "app", options: {} },
  enabled: true,
  run: "run"
})

/** An address of this machine that no other has; undefined in a container without a network. */
const own = Object.values(networkInterfaces())
  .flatMap((ones = []) => ones)
  .find(({ internal }) => !internal)?.address

const made = (open: ReadonlyArray<KeptConnection>, catalog: ReadonlyArray<KeptConnection> = []) => {
  const keptHere = new Map(open.map(({ request }) => [addressKey(request), request]))
  const ended: Array<string> = []
  const handover = Handover.make({
    drivers: {
      find: (simulator = "native") =>
        simulator === "other"
          ? new UnknownSimulator({ simulator, known: [] })
          : Effect.succeed({ reaches: simulator === "native" } as Driver)
    },
    keptConnections: Effect.succeed(catalog),
    keptHere,
    isOpen: (address) => open.some(({ request }) => addressKey(request) === addressKey(address)),
    open: () => Effect.void,
    end: (address) => Effect.sync(() => void ended.push(addressKey(address)))
  })
  return { ...handover, keptHere, ended }
}

it.effect("are those that it reaches, or to whose address it is sent now", () =>
  Effect.gen(function* () {
    const reached = kept("native", "rig", 1)
    const known = kept("native", "rig", 2)
    const others = [
      known,
      kept("other", "rig", 3),
      kept("f1", "0.0.0.0", 20_777),
      kept("f1", "127.0.0.1", 20_777),
      kept("f1", "192.0.2.77", 20_777)
    ]
    const moved = own === undefined ? [] : [kept("f1", own, 20_777)]
    const { possible } = made([known])
    expect(yield* possible([reached, ...others, ...moved])).toEqual([reached, ...moved])
  })
)

it.effect("are not opened again where the catalog has them for another node, and are while it is away", () =>
  Effect.gen(function* () {
    const { request } = kept("native", "rig", 1)
    const [here, nowhere] = [new Map([[addressKey(request), request]]), new Map<string, Address>()]
    /** Whether it may be opened within 2 s. */
    const opens = Effect.fnUntraced(function* (
      keptHere: Map<string, Address>,
      keptConnections: Effect.Effect<ReadonlyArray<KeptConnection>, StoreUnavailable>
    ) {
      const waiting = yield* Effect.fork(
        Effect.timeoutOption(Handover.whileTaken({ keptConnections, keptHere }, request), "2 seconds")
      )
      yield* TestClock.adjust("2 seconds")
      return Option.isSome(yield* Fiber.join(waiting))
    })
    const away = Effect.fail(new StoreUnavailable({ store: "catalog", cause: "away" }))
    expect(yield* opens(here, Effect.succeed([kept("native", "rig", 2)]))).toBe(false)
    expect(yield* opens(here, Effect.succeed([kept("native", "rig", 1)]))).toBe(true)
    // The catalog has not had it yet.
    expect(yield* opens(nowhere, Effect.succeed([]))).toBe(true)
    expect(yield* opens(here, away)).toBe(true)
    expect(yield* opens(here, Effect.never)).toBe(true)
  })
)

it.effect("are left where the catalog has them for another node, and no others", () =>
  Effect.gen(function* () {
    const stays = kept("native", "rig", 1)
    const taken = [kept("native", "rig", 2), kept("native", "rig", 3)]
    const { ended, keptHere, leave } = made([stays, ...taken], [stays])
    yield* leave
    expect(ended).toEqual(taken.map(({ request }) => addressKey(request)))
    expect([...keptHere.keys()]).toEqual([addressKey(stays.request)])
    yield* leave
    expect(ended).toHaveLength(2)
  })
)
