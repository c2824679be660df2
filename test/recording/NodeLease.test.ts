/** How a lease is held, with a clock turned by hand; test/contracts/nodesContract has the leases themselves. */
import { describe, expect, it } from "@effect/vitest"
import { Effect, Layer, Logger, TestClock } from "effect"
import { NodeInUse, PointsNotShared, StoreUnavailable } from "../../src/domain/errors.ts"
import * as NodeLease from "../../src/cluster/NodeLease.ts"
import { LEASE_SECONDS, type NodeHolder, Nodes, RENEW_EVERY_SECONDS } from "../../src/store/Nodes.ts"

const holder: NodeHolder = { node: "a", holder: "me", described: "this process", ended: "before" }
const other = new NodeInUse({ node: "a", described: "the other process", seconds: 7 })

/** One lease, by the test's clock. */
const leases = (first: string | undefined) => {
  const state = { by: first, expires: LEASE_SECONDS, away: false, apart: false, calls: [] as Array<string> }
  const now = Effect.map(TestClock.currentTimeMillis, (millis) => millis / 1000)
  const unlessAway = <A, E>(name: string, effect: Effect.Effect<A, E>) =>
    Effect.suspend((): Effect.Effect<A, E | StoreUnavailable> => {
      state.calls.push(name)
      return state.away ? new StoreUnavailable({ store: "catalog", cause: "away" }) : effect
    })
  const nodes = Nodes.of({
    take: ({ ended, holder: by }, shares) =>
      unlessAway(
        "take",
        Effect.flatMap(now, (at): Effect.Effect<void, NodeInUse | PointsNotShared> => {
          if (state.apart)
            return new PointsNotShared({ node: "b", described: "another node", shares: !shares })
          if (state.by !== undefined && state.by !== ended && at < state.expires) return other
          state.by = by
          state.expires = at + LEASE_SECONDS
          return Effect.void
        })
      ),
    renew: ({ holder: by }) =>
      unlessAway(
        "renew",
        Effect.map(now, (at) => {
          if (state.by !== by) return false
          state.expires = at + LEASE_SECONDS
          return true
        })
      ),
    release: () =>
      unlessAway(
        "release",
        Effect.sync(() => void (state.by = undefined))
      ),
    all: Effect.succeed([]),
    lost: unlessAway("lost", Effect.succeed([])),
    giveUp: () => Effect.succeed([])
  })
  return { state, layer: Layer.succeed(Nodes, nodes) }
}

describe("a node's lease", () => {
  it.scoped("is renewed in time, also after the catalog was away, and given back", () =>
    Effect.gen(function* () {
      const { layer, state } = leases("before")
      yield* Effect.gen(function* () {
        yield* NodeLease.hold(holder, true)
        expect(state.by).toBe("me")
        yield* TestClock.adjust("1 minute")
        expect(state.calls.filter((call) => call === "renew")).toHaveLength(60 / RENEW_EVERY_SECONDS)
        // A late renewal counts.
        expect(state.expires).toBe(60 + LEASE_SECONDS)
        state.away = true
        yield* TestClock.adjust("1 minute")
        state.away = false
        yield* TestClock.adjust(`${RENEW_EVERY_SECONDS} seconds`)
        expect(state).toMatchObject({ by: "me", expires: 120 + RENEW_EVERY_SECONDS + LEASE_SECONDS })
      }).pipe(Effect.scoped, Effect.provide(layer))
      expect(state.by).toBeUndefined()
    })
  )

  it.scoped("is refused while another process holds it", () =>
    Effect.gen(function* () {
      const { layer, state } = leases("the other")
      const refused = yield* Effect.flip(Effect.provide(NodeLease.hold(holder, true), layer))
      expect(refused).toMatchObject({ _tag: "NodeInUse", described: "the other process" })
      expect(state.calls).toEqual(["take"])
    })
  )

  it.scoped("is taken again when the other process that got it meanwhile ends, and not before", () =>
    Effect.gen(function* () {
      const { layer, state } = leases(undefined)
      yield* Effect.gen(function* () {
        yield* NodeLease.hold(holder, true)
        state.by = "the other"
        state.expires = 60
        yield* TestClock.adjust("59 seconds")
        expect(state.by).toBe("the other")
        yield* TestClock.adjust(`${RENEW_EVERY_SECONDS} seconds`)
        expect(state.by).toBe("me")
      }).pipe(Effect.scoped, Effect.provide(layer))
    })
  )

  it.scoped(
    "is not taken again if another node with its points elsewhere has come, and this is logged once",
    () =>
      Effect.gen(function* () {
        const { layer, state } = leases(undefined)
        const logged: Array<string> = []
        const log = Logger.replace(
          Logger.defaultLogger,
          Logger.make(({ message }) => void logged.push(String(message)))
        )
        yield* Effect.gen(function* () {
          yield* NodeLease.hold(holder, false)
          // This process stood still, lost the lease, and another node came.
          state.by = undefined
          state.apart = true
          yield* TestClock.adjust("1 minute")
          expect(logged).toEqual([expect.stringContaining("also that of another node")])
          state.apart = false
          yield* TestClock.adjust(`${RENEW_EVERY_SECONDS} seconds`)
          expect(state.by).toBe("me")
        }).pipe(Effect.scoped, Effect.provide(Layer.merge(layer, log)))
      })
  )
})
