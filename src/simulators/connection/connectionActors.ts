/**
 * The actors of this process's connections, one for each address. An actor is made when it is first asked, and released when it has
 * neither a connection nor a caller.
 */
import { Effect, ExecutionStrategy, Exit, Fiber, Scope } from "effect"
import { addressKey } from "../../domain/Connection.ts"
import type { Address } from "../../domain/errors.ts"
import { Turns } from "../../platform/Turns.ts"
import { addressesOf } from "../targets.ts"
import * as SimulatorConnection from "./SimulatorConnection.ts"
import { observable, type SimulatorsStatus } from "./SimulatorsStatus.ts"

interface Actor {
  readonly address: Address
  readonly connection: SimulatorConnection.SimulatorConnection
}

interface Entry extends Actor {
  readonly scope: Scope.CloseableScope
  /** The number of its callers. */
  asking: number
}

type ActorNeeds = Effect.Effect.Context<ReturnType<typeof SimulatorConnection.make>>

const latest = (times: ReadonlyArray<number | undefined>): number | undefined =>
  times.reduce(
    (later, time) => (later === undefined || (time ?? -Infinity) > later ? time : later),
    undefined
  )

/** When the scope ends, each connection is ended, and what it received is stored. */
export const make = Effect.gen(function* () {
  const context = yield* Effect.context<Exclude<ActorNeeds, Scope.Scope>>()
  const parent = yield* Effect.scope
  const oneByOne = new Turns(1)
  const entries = new Map<string, Entry>()
  let departed: number | undefined

  const status = (): SimulatorsStatus => {
    const actors = [...entries.values()].map((entry) => entry.connection)
    return {
      connections: actors.flatMap((actor) => actor.status() ?? []),
      listening: actors.flatMap((actor) => actor.listening() ?? []).sort((a, b) => a.port - b.port),
      lastArrival: latest([departed, ...actors.map((actor) => actor.lastArrival())]) ?? null
    }
  }
  const { changed, changes } = yield* observable(status)

  const enter = Effect.fnUntraced(function* (address: Address) {
    const known = entries.get(addressKey(address))
    if (known !== undefined) return known
    const scope = yield* Scope.fork(parent, ExecutionStrategy.sequential)
    // In this order: the context has a scope too, that of the layer, in which actors would accumulate.
    const made = SimulatorConnection.make(address, changed).pipe(Scope.extend(scope), Effect.provide(context))
    const entry: Entry = { address, connection: yield* made, scope, asking: 0 }
    entries.set(addressKey(address), entry)
    return entry
  })

  /**
   * The address under which this host is already connected, or else this address. A host has many names, and must
   * not be recorded twice. Names are looked up only if another connection has the same port.
   */
  const knownAs = Effect.fnUntraced(function* (address: Address) {
    if (entries.has(addressKey(address))) return address
    const others = [...entries.values()].filter((entry) => entry.address.port === address.port)
    if (others.length === 0) return address
    const own = yield* addressesOf(address)
    for (const other of others) {
      for (const one of yield* addressesOf(other.address)) if (own.has(one)) return other.address
    }
    return address
  })

  const release = (entry: Entry) =>
    Effect.suspend(() => {
      entry.asking--
      if (entry.asking > 0 || entry.connection.isBusy()) return Effect.void
      departed = latest([departed, entry.connection.lastArrival()])
      entries.delete(addressKey(entry.address))
      return Scope.close(entry.scope, Exit.void)
    })

  return {
    status,
    /** The newest status, and then each different one, at most four a second. */
    changes,
    all: (): ReadonlyArray<Actor> => [...entries.values()],
    at: (address: Address) => entries.get(addressKey(address))?.connection,
    knownAs: (address: Address) => oneByOne.run(knownAs(address)),
    /** Waits for the actor's reply even when the caller gives up: only then is it known whether the actor can end. */
    ask: <A, E>(
      address: Address,
      question: (connection: SimulatorConnection.SimulatorConnection) => Effect.Effect<A, E>
    ) =>
      Effect.acquireUseRelease(
        oneByOne.run(
          Effect.tap(Effect.flatMap(knownAs(address), enter), (entry) => Effect.sync(() => entry.asking++))
        ),
        ({ connection }) => question(connection),
        release
      ).pipe(Effect.interruptible, Effect.forkIn(parent), Effect.flatMap(Fiber.join))
  }
})
