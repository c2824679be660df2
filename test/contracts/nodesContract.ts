/**
 * Nodes of every catalog, and the sessions that each records. `open` gives openings of one and the same empty
 * catalog, each as a node (undefined: as none); `isShared`: whether several nodes can have such a catalog.
 */
import { describe, expect, it } from "@effect/vitest"
import * as SqlClient from "@effect/sql/SqlClient"
import { Context, Effect, type Layer, Layer as Layers, type Scope } from "effect"
import { ConnectedElsewhere, NodeInUse, PointsNotShared } from "../../src/domain/errors.ts"
import { isAlive, LEASE_SECONDS, type NodeHolder, Nodes, type NodeState } from "../../src/store/Nodes.ts"
import type { CatalogPorts } from "../../src/store/sql/SqlCatalog.ts"
import { ThisNode } from "../../src/store/ThisNode.ts"
import { catalogIn } from "./catalogService.ts"

export interface NodesOpening<E> {
  readonly catalog: Layer.Layer<CatalogPorts, E>
  /** The same database, whose stored times the test moves in place of the clock. */
  readonly sql: Layer.Layer<SqlClient.SqlClient, E>
}

const names = { circuit: "Spa", vehicle: "GT3", driver: "Anna", datetime: 1.7e9 }

const connection = (port: number, node?: string) => ({
  request: { host: "rig", port, appName: node ?? "app", options: {} },
  enabled: true,
  run: "run",
  onlyHere: true
})
const stateOf = (all: ReadonlyArray<NodeState>, node: string) => all.find((one) => one.node === node)!

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

    if (!isShared) return

    const onRig = { ...names, connection: "rig 1" }

    test("what a node records that has not renewed its lease is taken, each connection by one other", ({
      as
    }) =>
      Effect.gen(function* () {
        const [dead, b, c] = [yield* as("dead"), yield* as("b"), yield* as("c")]
        const holders = { dead: holderOf("dead", "1"), b: holderOf("b", "2"), c: holderOf("c", "3") }
        for (const holder of Object.values(holders)) yield* b.nodes.take(holder, true)
        const kept = connection(1)
        yield* dead.keepConnection(kept)
        yield* dead.keepConnection(connection(2))
        const over = yield* dead.createSession(onRig, { recording: true })
        const other = yield* dead.createSession({ ...names, connection: "rig 2" }, { recording: true })
        const before = yield* dead.createSession(onRig, { recording: true })
        const wanted = { connections: [kept], allSessions: false, run: "new" }
        const seen = stateOf(yield* b.nodes.all, "dead")
        // Until it is taken over it may go on.
        expect(yield* dead.nodes.renew(holders.dead)).toBe(true)
        expect(yield* b.take(seen, holders.b, wanted)).toBeUndefined()
        expect(yield* dead.lost([over.id, 999])).toEqual([999])
        const now = stateOf(yield* b.nodes.all, "dead")
        expect(now.beat).toBe(seen.beat + 1)
        const taken = yield* Effect.all([b.take(now, holders.b, wanted), c.take(now, holders.c, wanted)], {
          concurrency: "unbounded"
        })
        const winner = taken[0]!.connections.length === 0 ? c : b
        const ofWinner = {
          // The newest session of a connection is driven; an older one only has to be ended.
          connections: [{ kept: expect.objectContaining({ run: "run" }), sessionId: before.id }],
          sessions: [over.id]
        }
        expect(taken).toEqual(expect.arrayContaining([ofWinner, { connections: [], sessions: [] }]))
        const held = (yield* b.held).get("dead")!
        expect([held.connections.map(({ request }) => request.port), held.sessions]).toEqual([[2], 1])
        expect((yield* winner.keptConnections).map(({ request }) => request.port)).toEqual([1])

        // Its old owner finds out whatever it does, and changes nothing.
        expect(yield* dead.nodes.renew(holders.dead)).toBe(false)
        expect(yield* dead.lost([over.id, before.id, other.id])).toEqual([over.id, before.id])
        yield* dead.endSession(before.id)
        expect(yield* winner.unendedSessions).toContain(before.id)
        expect(stateOf(yield* b.nodes.all, "dead")).toMatchObject({ taken: 2, silent: null })
        // Until it is back the others may take more of it, whatever they have seen of it before.
        const rest = { connections: [connection(3)], allSessions: false, run: "new" }
        yield* dead.keepConnection(connection(3))
        expect((yield* c.take(now, holders.c, rest))?.connections).toHaveLength(1)
        // The node is free: it takes part again.
        yield* dead.nodes.take(holders.dead, true)
        expect(yield* dead.ownUnendedSessions).toEqual([other.id])
        const again = stateOf(yield* b.nodes.all, "dead")
        expect(isAlive(again)).toBe(true)
        expect(yield* b.take(now, holders.b, rest)).toBeUndefined()
        expect(yield* c.take(again, holders.c, { connections: [], allSessions: true, run: "new" })).toEqual({
          connections: [],
          sessions: [other.id]
        })
      }))

    test("a session has a part for each node that recorded it, and their keys are never given twice", ({
      as
    }) =>
      Effect.gen(function* () {
        const [a, b] = [yield* as("a"), yield* as("b")]
        const { id } = yield* a.createSession(names, { recording: true })
        expect(yield* a.tenures(id)).toEqual([])
        yield* b.continueSession(id, -Infinity)
        const own = yield* b.tenures(id)
        expect(own.map(({ isOwn, until }) => [until, isOwn])).toEqual([
          [-1, false],
          [Infinity, true]
        ])
        expect([own[0]!.key, own[1]!.key]).toEqual([undefined, expect.stringMatching(`^${id}~[0-9a-f]{10}$`)])
        expect((yield* a.tenures(id)).map(({ isOwn }) => isOwn)).toEqual([true, false])
        yield* a.continueSession(id, 1.7e9)
        const last = yield* a.tenures(id)
        expect(last.map(({ isOwn, until }) => [until, isOwn])).toEqual([
          [-1, false],
          [1.7e9, false],
          [Infinity, true]
        ])
        expect(new Set(last.map(({ key }) => key)).size).toBe(3)
        expect(yield* a.unendedSessions).toContain(id)
      }))

    test("rows that waited at a node which was taken over count once the session has ended", ({ as }) =>
      Effect.gen(function* () {
        const [a, b] = [yield* as("a"), yield* as("b")]
        const { id } = yield* a.createSession(names, { recording: true })
        const untils = Effect.map(b.tenures(id), (all) => all.map(({ until }) => until))
        yield* a.extendSessions(new Map([[id, { first: 1e9, last: 2e9 }]]))
        yield* b.continueSession(id, 1e9)
        // Nobody knows yet when the other node begins.
        expect(yield* a.admit(id, 2e9, false)).toBe(false)
        expect(yield* a.admit(id, 2e9, true)).toBe(true)
        expect(yield* untils).toEqual([1e9, Infinity])
        yield* b.endSession(id)
        // Only its node ends it.
        expect(yield* untils).toEqual([1e9, Infinity])
        yield* a.endSession(id)
        expect(yield* untils).toEqual([2e9, Infinity])
        // The node comes back long after: it needs no followers, and its rows may be the last.
        expect(yield* a.admit(id, 3e9, false)).toBe(true)
        expect(yield* untils).toEqual([3e9, Infinity])
        const { datetime, duration } = yield* a.session(id)
        expect([datetime, duration]).toEqual([names.datetime, 2e9])
      }))

    test("an address that one node may have is kept by one of those that want it", ({ as }) =>
      Effect.gen(function* () {
        const openings = yield* Effect.forEach(["a", "b", "c"], as)
        const kept = yield* Effect.forEach(
          openings,
          (opening, n) => Effect.either(opening.keepConnection(connection(1, `app ${n}`))),
          { concurrency: "unbounded" }
        )
        const winner = kept.findIndex(({ _tag }) => _tag === "Right")
        expect(kept.filter(({ _tag }) => _tag === "Right")).toHaveLength(1)
        expect(kept.flatMap((one) => (one._tag === "Left" ? [one.left] : []))).toEqual([
          new ConnectedElsewhere({ node: "abc"[winner]! }),
          new ConnectedElsewhere({ node: "abc"[winner]! })
        ])
        // It changes its own, and others may have it once it has ended it.
        yield* openings[winner]!.keepConnection({ ...connection(1), enabled: false })
        const [one] = yield* openings[winner]!.keptConnections
        expect(one).toMatchObject({ enabled: false, request: { appName: "app" } })
        yield* openings[winner]!.forgetConnection({ host: "rig", port: 1 })
        yield* openings[(winner + 1) % 3]!.keepConnection(connection(1))
        // Others listen at the same address, each on its own machine.
        for (const opening of openings) yield* opening.keepConnection({ ...connection(5), onlyHere: false })
      }))
  })
}
