/** Connections that go from one node of a cluster to another. */
import { networkInterfaces } from "node:os"
import { Context, Effect, Option } from "effect"
import { addressKey, type KeptConnection } from "../../domain/Connection.ts"
import type { Address, StoreUnavailable } from "../../domain/errors.ts"
import type { Connections } from "../../store/Connections.ts"
import type { Drivers } from "../Driver.ts"

export class Handover extends Context.Tag("simulators/Handover")<
  Handover,
  {
    /** Of another node's connections, those that this node can have as well: see docs/scaling.md. */
    readonly possible: (
      connections: ReadonlyArray<KeptConnection>
    ) => Effect.Effect<ReadonlyArray<KeptConnection>, StoreUnavailable>
    /**
     * Opens a connection that another node had, and records into the session that it was recording into, if that is still driven. A
     * simulator that does not answer yet is tried on.
     */
    readonly open: (kept: KeptConnection, sessionId: number | undefined) => Effect.Effect<void>
    /** Ends the connections that another node has taken over. */
    readonly leave: Effect.Effect<void, StoreUnavailable>
  }
>() {}

/** The connections of this process. */
interface Own extends Pick<(typeof Connections)["Service"], "keptConnections"> {
  readonly drivers: Pick<(typeof Drivers)["Service"], "find">
  /** Those that the catalog had for this node, by `addressKey`. */
  readonly keptHere: Map<string, Address>
  readonly isOpen: (address: Address) => boolean
  readonly open: Handover["Type"]["open"]
  readonly end: (address: Address) => Effect.Effect<void>
}

/** The catalog may take so long to say whether another node has a connection. */
const ANSWERS_WITHIN = "1 second"

/**
 * Waits as long as another node has this connection: a simulator that serves one client would drop that node for this one. A connection
 * that waits is ended soon (`leave`). While the catalog is away nobody waits, and the simulator is recorded on.
 */
export const whileTaken = (
  { keptConnections, keptHere }: Pick<Own, "keptConnections" | "keptHere">,
  address: Address
): Effect.Effect<void> =>
  Effect.flatMap(Effect.option(Effect.timeout(keptConnections, ANSWERS_WITHIN)), (kept) => {
    const key = addressKey(address)
    const isTaken =
      keptHere.has(key) &&
      Option.exists(kept, (all) => all.every(({ request }) => addressKey(request) !== key))
    return isTaken ? Effect.never : Effect.void
  })

/** The addresses that this machine alone has now. */
const ownAddresses = (): ReadonlySet<string> =>
  new Set(
    Object.values(networkInterfaces()).flatMap((ones = []) =>
      ones.filter(({ internal }) => !internal).map(({ address }) => address)
    )
  )

export const make = ({ drivers, end, isOpen, keptConnections, keptHere, open }: Own): Handover["Type"] => {
  /** This node reaches the simulator, or has the address to which that sends. */
  const isPossible = Effect.fnUntraced(function* ({ request }: KeptConnection) {
    if (isOpen(request)) return false
    const driver = yield* Effect.option(drivers.find(request.simulator, request.port))
    if (Option.isNone(driver)) return false
    return driver.value.reaches || ownAddresses().has(request.host)
  })

  return {
    possible: (all) => Effect.filter(all, isPossible),
    open,
    leave: Effect.gen(function* () {
      const own = new Set((yield* keptConnections).map(({ request }) => addressKey(request)))
      const taken = [...keptHere].filter(([key]) => !own.has(key))
      for (const [key] of taken) keptHere.delete(key)
      yield* Effect.forEach(taken, ([, address]) => end(address), { concurrency: "unbounded", discard: true })
    })
  }
}
