/** Ownership of a store's points. `open` gives openings of one and the same empty store. */
import { describe, expect, it } from "@effect/vitest"
import { Context, Effect, Layer, Option, type Scope } from "effect"
import { PointsOfAnother } from "../../src/domain/errors.ts"
import { type Owner, RowStore } from "../../src/store/RowStore.ts"
import { expectStored, write } from "./rowStoreSupport.ts"
import { samplePoints } from "./samples.ts"

/** A catalog that has these sessions, and has deleted those. */
export const ownerOf = (
  catalog: string,
  sessions: ReadonlyArray<number> = [],
  deleted: ReadonlyArray<number> = [],
  given = 1000
): Owner => ({
  catalog,
  tenures: () => Effect.succeed([]),
  admit: () => Effect.succeed(true),
  given: Effect.succeed(given),
  missing: (ids) => Effect.succeed(ids.filter((id) => !sessions.includes(id))),
  deleted: (ids) => Effect.succeed(ids.filter((id) => deleted.includes(id)))
})

const points = samplePoints(1.7e9, 100)

const fill = (store: RowStore["Type"], ...ids: ReadonlyArray<number>) =>
  Effect.forEach(ids, (id) => write(id, points), { discard: true }).pipe(
    Effect.provideService(RowStore, store)
  )

export const rowStoreOwning = <E>(
  name: string,
  open: Effect.Effect<Effect.Effect<Layer.Layer<RowStore, E>, never, Scope.Scope>, never, Scope.Scope>
) => {
  const test = <F>(
    title: string,
    body: (opening: Effect.Effect<RowStore["Type"], E, Scope.Scope>) => Effect.Effect<void, F, Scope.Scope>
  ) =>
    it.scopedLive(title, () =>
      Effect.flatMap(open, (openings) =>
        body(
          Effect.flatMap(openings, (layer) =>
            Effect.map(Layer.build(Layer.fresh(layer)), Context.get(RowStore))
          )
        )
      )
    )

  describe(`${name}: the points of a store belong to`, () => {
    test("the first catalog that claims them, and to no other", (opening) =>
      Effect.gen(function* () {
        const store = yield* opening
        expect(yield* store.ownedBy).toEqual(Option.none())
        yield* store.claim(ownerOf("one"))
        yield* store.claim(ownerOf("one"))
        expect(yield* store.ownedBy).toEqual(Option.some("one"))
        yield* fill(store, 1)

        const again = yield* opening
        // The owner itself need not know all sessions: a catalog may have been restored for that.
        yield* again.claim(ownerOf("one"))
        expect(yield* Effect.flip((yield* opening).claim(ownerOf("two", [1])))).toMatchObject({
          _tag: "PointsOfAnother",
          unknown: []
        })
        expect(yield* again.ownedBy).toEqual(Option.some("one"))
        yield* Effect.provideService(expectStored(1, points), RowStore, again)
      }))

    test("a catalog that knows all their sessions, if none has claimed them", (opening) =>
      Effect.gen(function* () {
        const store = yield* opening
        yield* fill(store, 1, 2, 3)
        const refused = yield* Effect.flip((yield* opening).claim(ownerOf("two", [2])))
        expect(refused).toBeInstanceOf(PointsOfAnother)
        expect(refused).toMatchObject({ unknown: [1, 3] })
        expect(yield* store.ownedBy).toEqual(Option.none())
        // A deleted session counts as known; a session that the store lacks does not matter.
        yield* (yield* opening).claim(ownerOf("one", [1, 2, 4], [3]))
        expect(yield* store.ownedBy).toEqual(Option.some("one"))
        yield* Effect.provideService(expectStored(1, points), RowStore, store)
      }))

    test("no older copy of their catalog, which would give their ids to other sessions", (opening) =>
      Effect.gen(function* () {
        const store = yield* opening
        yield* store.claim(ownerOf("one", [1, 2, 3], [], 3))
        yield* fill(store, 1, 2, 3)
        // The restored copy knows only the first session.
        const refused = yield* Effect.flip((yield* opening).claim(ownerOf("one", [1], [], 1)))
        expect(refused).toBeInstanceOf(PointsOfAnother)
        expect(refused).toMatchObject({ unknown: [2, 3] })
        // A catalog that lost sessions later does not give their ids away.
        yield* (yield* opening).claim(ownerOf("one", [1], [], 3))
      }))

    test("one of several catalogs that claim them at once", (opening) =>
      Effect.gen(function* () {
        const openings = yield* Effect.all([opening, opening, opening, opening])
        const claims = yield* Effect.forEach(
          Array.from({ length: 12 }, (_, n) => n),
          (n) =>
            Effect.either(
              openings[n % 4]!.claim(ownerOf(`catalog ${n % 6}`)).pipe(Effect.as(`catalog ${n % 6}`))
            ),
          { concurrency: "unbounded" }
        )
        const winners = new Set(claims.flatMap((claim) => (claim._tag === "Right" ? [claim.right] : [])))
        expect(winners.size).toBe(1)
        for (const store of openings) {
          expect(yield* store.ownedBy).toEqual(Option.some([...winners][0]))
        }
        for (const claim of claims)
          if (claim._tag === "Left") expect(claim.left).toBeInstanceOf(PointsOfAnother)
      }))

    test("a catalog that they are handed over to", (opening) =>
      Effect.gen(function* () {
        const store = yield* opening
        yield* store.claim(ownerOf("one"))
        yield* fill(store, 1)
        const other = yield* opening
        for (const catalog of ["two", "two", "three", "one", "two"]) {
          yield* other.changeOwner(catalog)
          expect(yield* other.ownedBy).toEqual(Option.some(catalog))
        }
        yield* (yield* opening).claim(ownerOf("two"))
        expect(yield* Effect.flip((yield* opening).claim(ownerOf("one", [1])))).toBeInstanceOf(
          PointsOfAnother
        )
        // An unclaimed store as well.
        const unclaimed = yield* opening
        yield* Effect.provideService(expectStored(1, points), RowStore, unclaimed)
      }))
  })
}
