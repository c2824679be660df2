/**
 * Nodes of every catalog, and the sessions that each records. `open` gives openings of one and the same empty
 * catalog, each as a node (undefined: as none); `isShared`: whether several nodes can have such a catalog.
 */
import { describe, expect, it } from "@effect/vitest"
import * as SqlClient from "@effect/sql/SqlClient"
import { Context, Effect, type Layer, Layer as Layers, type Scope } from "effect"
import { NodeInUse, PointsNotShared } from "../../src/domain/errors.ts"
import { LEASE_SECONDS, type NodeHolder, Nodes } from "../../src/store/Nodes.ts"
import type { CatalogPorts } from "../../src/store/sql/SqlCatalog.ts"
import { ThisNode } from "../../src/store/ThisNode.ts"
import { catalogIn } from "./catalogService.ts"

export interface NodesOpening<E> {
  readonly catalog: Layer.Layer<CatalogPorts, E>
  /** The same database, whose stored times the test moves in place of the clock. */
  readonly sql: Layer.Layer<SqlClient.SqlClient, E>
}

const names = { circuit: "Spa", vehicle: "GT3", driver: "Anna", datetime: 1.7e9 }

const holderOf = (node: string, holder: string, ended?: string): NodeHolder => ({
  node,
  holder,
  described: `process of ${holder}`,
  ended
})

export const nodesContract = <E>(
  name: string,
  isShared: boolean,
  open: Effect.Effect<NodesOpening<E>, never, Scope.Scope>
) => {
  const opened = Effect.gen(function* () {
    const { catalog, sql } = yield* open
    const context = yield* Layers.build(sql)
    const as = (node?: string) =>
      Effect.map(
        Layers.build(
          Layers.fresh(node === undefined ? catalog : Layers.provide(catalog, Layers.succeed(ThisNode, node)))
        ),
        (built) => ({ ...catalogIn(built), nodes: Context.get(built, Nodes) })
      )
    /** Lets so many seconds pass for all leases. */
    const pass = (seconds: number) =>
      Effect.provide(
        Effect.flatMap(SqlClient.SqlClient, (sql) => sql`UPDATE nodes SET expires = expires - ${seconds}`),
        context
      )
    return { as, pass }
  })
  type Opened = Effect.Effect.Success<typeof opened>

  const test = <F>(title: string, body: (opened: Opened) => Effect.Effect<void, F, Scope.Scope>) =>
    it.scopedLive(title, () => Effect.flatMap(opened, body))

  describe(`nodes: ${name}`, () => {
    test("a node with points that others cannot find excludes them, until given up", ({ as, pass }) =>
      Effect.gen(function* () {
        const { nodes } = yield* as()
        const [a, b] = [holderOf("a", "first"), holderOf("b", "second")]
        const refused = (
          holder: NodeHolder,
          shares: boolean,
          by: Pick<PointsNotShared, "node" | "described" | "shares">
        ) =>
          Effect.map(Effect.flip(nodes.take(holder, shares)), (failure) =>
            expect(failure).toEqual(new PointsNotShared(by))
          )
        yield* nodes.take(a, true)
        yield* refused(b, false, { node: "a", described: "process of first", shares: true })
        // A refused node leaves no trace, which would be another node.
        yield* nodes.take(a, false)
        yield* refused(b, true, { node: "a", described: "process of first", shares: false })
        // Its sessions are in the catalog, whether it runs or not.
        yield* nodes.release(a)
        yield* refused(b, true, { node: "a", described: "process of first", shares: false })
        yield* pass(LEASE_SECONDS)
        yield* nodes.giveUp("a")
        yield* nodes.take(b, false)
        yield* refused(a, true, { node: "b", described: "process of second", shares: false })
        // Its points were moved to a store that all nodes find.
        yield* nodes.take(b, true)
        yield* nodes.take(a, true)
      }))

    test("a node is one process at a time, for as long as the process renews its lease", ({ as, pass }) =>
      Effect.gen(function* () {
        const { nodes } = yield* as()
        const [one, two] = [holderOf("a", "one"), holderOf("a", "two")]
        yield* nodes.take(one, true)
        yield* nodes.take(one, true)
        const refused = yield* Effect.flip(nodes.take(two, true))
        expect(refused).toBeInstanceOf(NodeInUse)
        expect(refused).toMatchObject({ node: "a", described: "process of one" })
        expect(yield* nodes.renew(two)).toBe(false)
        // Other nodes are not in its way.
        yield* nodes.take(holderOf("b", "two"), true)

        yield* pass(LEASE_SECONDS / 2)
        expect(yield* nodes.renew(one)).toBe(true)
        yield* pass(LEASE_SECONDS / 2)
        const { seconds } = (yield* Effect.flip(nodes.take(two, true))) as NodeInUse
        expect(seconds).toBeGreaterThan(0)
        expect(seconds).toBeLessThanOrEqual(LEASE_SECONDS / 2)

        yield* pass(LEASE_SECONDS)
        yield* nodes.take(two, true)
        expect(yield* nodes.renew(one)).toBe(false)
        yield* nodes.release(one)
        expect(yield* nodes.renew(two)).toBe(true)
        yield* nodes.release(two)
        yield* nodes.take(one, true)
      }))

    test("only a holder that is known to have ended does not stand in the way", ({ as }) =>
      Effect.gen(function* () {
        const { nodes } = yield* as()
        yield* nodes.take(holderOf("a", "one"), true)
        expect(yield* Effect.flip(nodes.take(holderOf("a", "two", "another"), true))).toBeInstanceOf(
          NodeInUse
        )
        yield* nodes.take(holderOf("a", "two", "one"), true)
        expect(yield* nodes.renew(holderOf("a", "one"))).toBe(false)
      }))

    test("of several processes that claim a node at once one gets it", ({ as }) =>
      Effect.gen(function* () {
        const openings = yield* Effect.forEach([1, 2, 3, 4], () => as())
        const attempts = yield* Effect.forEach(
          Array.from({ length: 12 }, (_, n) => n),
          (n) => Effect.either(openings[n % 4]!.nodes.take(holderOf("a", `holder ${n}`), true)),
          { concurrency: "unbounded" }
        )
        expect(attempts.filter(({ _tag }) => _tag === "Right")).toHaveLength(1)
      }))

    test("only the node that records a session ends it", ({ as }) =>
      Effect.gen(function* () {
        const nobody = yield* as()
        const [a, b] = [yield* as("a"), yield* as("b")]
        const record = (by: typeof a) =>
          Effect.map(by.createSession(names, { recording: true }), ({ id }) => id)
        const [ofNobody, ofA, ofB] = [yield* record(nobody), yield* record(a), yield* record(b)]
        const idle = yield* a.createSession(names, { recording: false })
        expect(yield* b.unendedSessions).toEqual([ofNobody, ofA, ofB])
        expect(yield* a.ownUnendedSessions).toEqual(isShared ? [ofNobody, ofA] : [ofNobody, ofA, ofB])
        expect(yield* b.ownUnendedSessions).toEqual(isShared ? [ofNobody, ofB] : [ofNobody, ofA, ofB])
        // A node that records on in a session owns it from then on.
        yield* b.claimSession(idle.id)
        for (const id of [ofNobody, ofA]) yield* a.endSession(id)
        expect(yield* a.ownUnendedSessions).toEqual(isShared ? [] : [ofB, idle.id])
        expect(yield* b.ownUnendedSessions).toEqual([ofB, idle.id])
      }))

    test("a node that does not come back is listed, and its sessions are given up by hand", ({ as, pass }) =>
      Effect.gen(function* () {
        const { nodes, ...other } = yield* as("other")
        const lost = yield* as("lost")
        yield* nodes.take(holderOf("lost", "one"), true)
        yield* nodes.take(holderOf("other", "two"), true)
        const ids = [1, 2].map(() => lost.createSession(names, { recording: true }))
        const [first, second] = (yield* Effect.all(ids)).map(({ id }) => id)
        yield* other.createSession(names, { recording: true })
        expect(yield* nodes.lost).toEqual([])
        expect(yield* Effect.flip(nodes.giveUp("lost"))).toBeInstanceOf(NodeInUse)

        yield* pass(LEASE_SECONDS + 1)
        expect(yield* nodes.renew(holderOf("other", "two"))).toBe(true)
        expect(yield* nodes.lost).toEqual([
          { node: "lost", described: "process of one", sessions: [first, second] }
        ])
        expect(yield* nodes.giveUp("lost")).toEqual([first, second])
        expect(yield* nodes.lost).toEqual([])
        expect(yield* other.ownUnendedSessions).toEqual([first, second, second! + 1])
        expect(yield* nodes.giveUp("lost")).toEqual([])
      }))
  })
}
