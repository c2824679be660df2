/** Both sides are real stores; the server's can be away, or fail, on command. */
import { join } from "node:path"
import { describe, expect, it } from "@effect/vitest"
import { Effect, Layer, Option, Stream } from "effect"
import { POINTS } from "../../src/domain/Dictionary.ts"
import { StoreUnavailable } from "../../src/domain/errors.ts"
import { RowBatch } from "../../src/domain/RowBatch.ts"
import { justAfter } from "../../src/domain/Time.ts"
import { RowStore } from "../../src/store/RowStore.ts"
import * as SpooledRowStore from "../../src/store/spool/SpooledRowStore.ts"
import { widened } from "../../src/store/widened.ts"
import * as SqliteSpool from "../../src/store/sqlite/SqliteSpool.ts"
import * as SqliteStore from "../../src/store/sqlite/SqliteStore.ts"
import { ownerOf } from "../contracts/rowStoreOwning.ts"
import { rowStoreContract } from "../contracts/rowStoreContract.ts"
import { count, expectSame, expectStored, readAll, write } from "../contracts/rowStoreSupport.ts"
import { groupSamples, tyres } from "../contracts/groupSamples.ts"
import {
  expectEvery,
  countSamples,
  expectGroup,
  expectLast,
  writeSamples
} from "../contracts/rowStoreSamplesSupport.ts"
import { part, samplePoints } from "../contracts/samples.ts"
import { temporaryFolder } from "./sqlite/folder.ts"

type Store = RowStore["Type"]

const gone = new StoreUnavailable({ store: "server", cause: new Error("away") })

class Switch {
  away = false
  /** The next writes: "lost" fails and stores nothing, "unheard" stores and fails. */
  readonly writes: Array<"lost" | "unheard" | "good"> = []

  around(store: Store): Store {
    const unlessAway = <A, E>(effect: Effect.Effect<A, E>): Effect.Effect<A, E | StoreUnavailable> =>
      Effect.suspend((): Effect.Effect<A, E | StoreUnavailable> => (this.away ? Effect.fail(gone) : effect))
    return {
      claim: (owner) => unlessAway(store.claim(owner)),
      ownedBy: unlessAway(store.ownedBy),
      changeOwner: (catalog) => unlessAway(store.changeOwner(catalog)),
      write: (batches) =>
        unlessAway(
          Effect.suspend(() => {
            const how = this.writes.shift() ?? "good"
            if (how === "lost") return Effect.fail(gone)
            return how === "good" ? store.write(batches) : Effect.zipRight(store.write(batches), gone)
          })
        ),
      seal: (id) => unlessAway(store.seal(id)),
      read: (range, columns) => Stream.unwrap(unlessAway(Effect.sync(() => store.read(range, columns)))),
      readEvery: (range, columns, every) =>
        Stream.unwrap(unlessAway(Effect.sync(() => store.readEvery(range, columns, every)))),
      count: (range) => unlessAway(store.count(range)),
      bounds: (of) => unlessAway(store.bounds(of)),
      groups: (id) => unlessAway(store.groups(id)),
      columns: (of) => unlessAway(store.columns(of)),
      last: (of, time, columns) => unlessAway(store.last(of, time, columns)),
      remove: (id) => unlessAway(store.remove(id)),
      sessionIds: unlessAway(store.sessionIds),
      reclaim: (before) => unlessAway(store.reclaim(before)),
      bytes: unlessAway(store.bytes),
      check: unlessAway(store.check)
    }
  }
}

const storeIn = (folder: string, server: Switch, mostBytes = 1e9, owner = ownerOf("a catalog")) =>
  Layer.scoped(
    RowStore,
    Effect.gen(function* () {
      const spool = yield* SqliteSpool.make(folder, mostBytes)
      const kept = server.around(yield* RowStore)
      const store = yield* SpooledRowStore.make({ server: kept, spool, writes: true })
      yield* store.claim(owner)
      return store
    })
  ).pipe(Layer.provide(SqliteStore.layer(join(folder, "server"))))

/** The content of the server alone. */
const onServer = (folder: string, sessionId: number) =>
  readAll(sessionId).pipe(Effect.provide(SqliteStore.layer(join(folder, "server"))))

const within = <A, E>(
  title: string,
  body: (server: Switch, folder: string) => Effect.Effect<A, E, RowStore>,
  mostBytes?: number
) =>
  it.scopedLive(title, () =>
    Effect.gen(function* () {
      const folder = yield* temporaryFolder
      const server = new Switch()
      yield* Effect.provide(body(server, folder), storeIn(folder, server, mostBytes))
    })
  )

const until = <A, E, R>(
  question: Effect.Effect<A, E, R>,
  wanted: (answer: A) => boolean
): Effect.Effect<A, E, R> =>
  Effect.flatMap(question, (answer) =>
    wanted(answer) ? Effect.succeed(answer) : Effect.delay(until(question, wanted), "50 millis")
  )

/** The content of the server alone, once it has this many points. */
const moved = (folder: string, sessionId: number, length: number) =>
  until(readAll(sessionId), (points) => points.length === length).pipe(
    Effect.provide(SqliteStore.layer(join(folder, "server")))
  )

const all = samplePoints(1.7e9, 20_000)

describe("points with a spool", () => {
  within("are taken while the server is away, and are all there in order when it is back", (server, folder) =>
    Effect.gen(function* () {
      yield* write(1, part(all, 0, 5000))
      server.away = true
      for (let at = 5000; at < 15_000; at += 500) yield* write(1, part(all, at, at + 500))
      yield* write(2, part(all, 0, 300))
      server.away = false
      // Complete from the first moment, on either side.
      yield* expectStored(1, part(all, 0, 15_000))
      for (let at = 15_000; at < 20_000; at += 500) {
        yield* write(1, part(all, at, at + 500))
        yield* expectStored(1, part(all, 0, at + 500))
      }
      expectSame(yield* moved(folder, 1, 20_000), all)
      expectSame(yield* moved(folder, 2, 300), part(all, 0, 300))
      yield* expectStored(1, all)
    })
  )

  within("are never read in part: while the server is away, a read fails", (server) =>
    Effect.gen(function* () {
      yield* write(1, part(all, 0, 1000))
      server.away = true
      yield* write(1, part(all, 1000, 2000))
      const store = yield* RowStore
      expect(yield* Effect.flip(readAll(1))).toBe(gone)
      expect(yield* Effect.flip(expectEvery(1, POINTS, all, 7))).toBe(gone)
      expect(yield* Effect.flip(count(1))).toBe(gone)
      expect(yield* Effect.flip(store.bounds({ sessionId: 1, group: POINTS }))).toBe(gone)
      const { reason } = yield* Effect.flip(store.check)
      expect(reason).toMatch(/^Degraded: the server store cannot be used: .+\. New points are kept/)
    })
  )

  within("are thinned over both sides as over one", (server, folder) =>
    Effect.gen(function* () {
      const points = part(all, 0, 9001)
      yield* write(1, part(points, 0, 4001))
      // Points in the spool stay there.
      for (let n = 0; n < 10_000; n++) server.writes.push("lost")
      for (let at = 4001; at < 9001; at += 500) yield* write(1, part(points, at, at + 500))
      expect((yield* onServer(folder, 1)).length).toBe(4001)
      for (const every of [1, 2, 7, 4000, 4001, 9000, 9001]) yield* expectEvery(1, POINTS, points, every)
      for (const [from, to] of [
        [0, 4001],
        [3990, 4010],
        [4001, 9001]
      ] as const) {
        const range = { from: points.timestamps[from]!, until: justAfter(points.timestamps[to - 1]!) }
        yield* expectEvery(1, POINTS, part(points, from, to), 3, range)
      }
    })
  )

  within(
    "wait when the spool is full, and none is lost",
    (server) =>
      Effect.gen(function* () {
        server.away = true
        let taken = 0
        for (; taken < all.length; taken += 1000) {
          const written = yield* Effect.either(write(1, part(all, taken, taken + 1000)))
          if (written._tag === "Left") break
        }
        expect(taken).toBeLessThan(all.length)
        const { reason } = yield* Effect.flip(Effect.flatMap(RowStore, (store) => store.check))
        expect(reason).toMatch(/keeps no more points for it \(0\.00 of 0\.00 GiB\): recording waits$/)
        server.away = false
        yield* until(Effect.option(write(1, part(all, taken, all.length))), Option.isSome)
        yield* expectStored(1, all)
      }),
    200_000
  )

  for (const how of ["lost", "unheard"] as const) {
    within(`stay in the spool until each is acknowledged, where one is ${how} on the way`, (server, folder) =>
      Effect.scoped(
        Effect.gen(function* () {
          // Three blocks.
          const points = part(all, 0, 12_000)
          server.away = true
          yield* write(1, points)
          server.writes.push("good", how)
          server.away = false
          const spool = yield* SqliteSpool.make(folder, 1e9)
          yield* until(spool.store.sessionIds, (ids) => ids.length === 0)
          expectSame(yield* onServer(folder, 1), points)
        })
      )
    )
  }

  it.scopedLive("move on after a restart in the middle", () =>
    Effect.gen(function* () {
      const folder = yield* temporaryFolder
      const server = new Switch()
      yield* Effect.gen(function* () {
        yield* write(1, part(all, 0, 2000))
        server.away = true
        yield* write(1, part(all, 2000, 6000))
      }).pipe(Effect.provide(storeIn(folder, server)))
      yield* Effect.gen(function* () {
        yield* write(1, part(all, 6000, 7000))
        server.away = false
        yield* until(Effect.option(count(1)), Option.contains(7000))
        yield* expectStored(1, part(all, 0, 7000))
        yield* moved(folder, 1, 7000)
      }).pipe(Effect.provide(storeIn(folder, server)))
    })
  )

  it.scopedLive("of a session that another node deleted meanwhile are removed once they have moved", () =>
    Effect.gen(function* () {
      const folder = yield* temporaryFolder
      const server = new Switch()
      const deleted: Array<number> = []
      yield* Effect.gen(function* () {
        yield* write(1, part(all, 0, 2000))
        yield* write(2, part(all, 0, 2000))
        server.away = true
        yield* write(1, part(all, 2000, 4000))
        yield* write(2, part(all, 2000, 4000))
        // It removes the server's rows, and knows nothing of this spool.
        deleted.push(1)
        yield* Effect.flatMap(RowStore, (store) => store.remove(1)).pipe(
          Effect.provide(SqliteStore.layer(join(folder, "server")))
        )
        server.away = false
        yield* moved(folder, 2, 4000)
        yield* moved(folder, 1, 0)
        expect(yield* count(1)).toBe(0)
      }).pipe(Effect.provide(storeIn(folder, server, 1e9, ownerOf("a catalog", [2], deleted))))
    })
  )

  it.scopedLive("wait for the catalog that they were recorded under, and for no other", () =>
    Effect.gen(function* () {
      const folder = yield* temporaryFolder
      const server = new Switch()
      server.away = true
      yield* write(1, part(all, 0, 2000)).pipe(Effect.provide(storeIn(folder, server)))
      const other = yield* Effect.flip(Layer.build(storeIn(folder, server, 1e9, ownerOf("another", [1]))))
      expect(other).toMatchObject({ _tag: "PointsOfAnother", store: "spool" })
      server.away = false
      yield* moved(folder, 1, 2000).pipe(Effect.provide(storeIn(folder, server)))
      // An empty spool waits for no catalog.
      yield* Effect.void.pipe(Effect.provide(storeIn(join(folder, "new"), server)))
    })
  )

  within(
    "go to the spool with their samples, of all groups, and from there with all of them",
    (server, folder) =>
      Effect.gen(function* () {
        const store = yield* RowStore
        const columns = ["timestamp", "fuel", "fuel_laps"]
        const tyre = groupSamples(1.7e9, 9000)
        // One column more from the middle on.
        const fuel = [
          groupSamples(1.7e9, 100, { columns: columns.slice(0, 2) }),
          groupSamples(1.7e9, 100, { columns, first: 100 })
        ]
        const commit = (from: number, to: number, isLater: boolean) => [
          { sessionId: 1, group: POINTS, batch: part(all, from, to) },
          { sessionId: 1, group: "tyres", batch: part(tyre, from, to) },
          { sessionId: 1, group: "fuel", batch: fuel[isLater ? 1 : 0]! }
        ]
        yield* store.write(commit(0, 4000, false))
        server.away = true
        yield* store.write(commit(4000, 8000, true))
        yield* writeSamples(2, "tyres", tyre)
        // Sessions without points exist, too; and none is read in part.
        expect(yield* Effect.flip(store.last({ sessionId: 1, group: "tyres" }, 1.7e9, tyres))).toBe(gone)
        expect(yield* Effect.flip(store.bounds({ sessionId: 1, group: "tyres" }))).toBe(gone)
        expect(yield* Effect.flip(store.groups(1))).toBe(gone)
        server.away = false
        yield* store.write([{ sessionId: 1, group: "tyres", batch: part(tyre, 8000, 9000) }])
        const expectAll = Effect.gen(function* () {
          yield* expectStored(1, part(all, 0, 8000))
          yield* expectGroup(1, "tyres", tyre)
          yield* expectGroup(1, "fuel", RowBatch.concat(fuel.map((some) => widened(some, columns))))
          yield* expectGroup(2, "tyres", tyre)
          for (const end of [1, 4000, 4001, 8001, 9000])
            yield* expectLast(1, "tyres", tyre.timestamps[end - 1]! + 0.01, tyre, end)
        })
        // Read from both sides, and then from the server alone.
        yield* expectAll
        yield* moved(folder, 1, 8000)
        yield* until(
          Effect.provide(countSamples(2, "tyres"), SqliteStore.layer(join(folder, "server"))),
          (samples) => samples === 9000
        )
        yield* Effect.provide(expectAll, SqliteStore.layer(join(folder, "server")))
      })
  )

  within("are gone from both sides when removed", (server, folder) =>
    Effect.gen(function* () {
      const store = yield* RowStore
      yield* write(1, part(all, 0, 1000))
      server.writes.push("lost")
      yield* write(1, part(all, 1000, 2000))
      yield* store.remove(1)
      expect(yield* count(1)).toBe(0)
      expect((yield* onServer(folder, 1)).length).toBe(0)
      expect(yield* store.sessionIds).toEqual([])
    })
  )
})

/** Every few writes one fails on the way. */
const unsteady = () => {
  const server = new Switch()
  const plan = ["good", "lost", "good", "unheard", "good", "good"] as const
  for (let n = 0; n < 100_000; n++) server.writes.push(plan[n % plan.length]!)
  return server
}

rowStoreContract("points with a spool, behind a server that fails now and then", () =>
  Layer.unwrapScoped(Effect.map(temporaryFolder, (folder) => storeIn(folder, unsteady())))
)
