import { expect } from "@effect/vitest"
import { Chunk, Effect, FastCheck, Stream } from "effect"
import { POINTS } from "../../src/domain/Dictionary.ts"
import { channels, PointBatch } from "../../src/domain/PointBatch.ts"
import { justAfter } from "../../src/domain/Time.ts"
import { RowStore } from "../../src/store/RowStore.ts"
import { type ContractPart, everything, expectSame, write } from "./rowStoreSupport.ts"
import { part, samplePoints } from "./samples.ts"

const pagesOfEvery = (sessionId: number, every: number, range = everything) =>
  Effect.flatMap(RowStore, (store) =>
    Stream.runCollect(store.readEvery({ sessionId, group: POINTS, ...range }, channels, every))
  ).pipe(Effect.map(Chunk.toReadonlyArray))

/** By the contract's words: every Nth point, the first and the last always kept. */
const everyNth = (batch: PointBatch, every: number): PointBatch =>
  batch.pick(
    Array.from({ length: batch.length }, (_, i) => i).filter((i) => i % every === 0 || i === batch.length - 1)
  )

/** The session has these points, and thinned they are every Nth of them. */
export const expectEvery = Effect.fnUntraced(function* (
  sessionId: number,
  expected: PointBatch,
  every: number,
  range = everything
) {
  const found = yield* pagesOfEvery(sessionId, every, range)
  expectSame(PointBatch.concat(found), everyNth(expected, every))
  return found
})

const LENGTH = 10_000
const rates = FastCheck.oneof(
  FastCheck.integer({ min: 1, max: 20 }),
  FastCheck.integer({ min: 1, max: LENGTH + 2 }),
  FastCheck.constantFrom(4095, 4096, 4097, Number.MAX_SAFE_INTEGER)
)
const index = FastCheck.integer({ min: 0, max: LENGTH })

/** Every Nth point, whoever counts: the store where it can, we elsewhere. */
export const thinning: ContractPart = (it, nextSession) => {
  it.effect("thins any range by any number to the same points, bit by bit", () =>
    Effect.gen(function* () {
      const session = nextSession()
      const all = samplePoints(1.7e9, LENGTH)
      yield* write(session, all)
      const limit = (i: number) => (i < LENGTH ? all.timestamps[i]! : justAfter(all.timestamps[LENGTH - 1]!))
      for (const [a, b, every] of FastCheck.sample(FastCheck.tuple(index, index, rates), 40)) {
        const [from, to] = [Math.min(a, b), Math.max(a, b)]
        const range = { from: limit(from), until: limit(to) }
        yield* expectEvery(session, part(all, from, to), every, range)
      }
    })
  )

  it.effect("thins in pages of some thousand points, the last point in none twice", () =>
    Effect.gen(function* () {
      const session = nextSession()
      const all = samplePoints(1.7e9, 40_001)
      yield* write(session, all)
      for (const every of [2, 3]) {
        const found = yield* expectEvery(session, all, every)
        expect(Math.max(...found.map((batch) => batch.length))).toBeLessThanOrEqual(10_000)
        expect(Math.min(...found.map((batch) => batch.length))).toBeGreaterThan(0)
      }
    })
  )

  it.effect("finds none to thin where there are none, and one where there is one", () =>
    Effect.gen(function* () {
      const session = nextSession()
      expect(yield* pagesOfEvery(session, 5)).toEqual([])
      const all = samplePoints(1.7e9, 1)
      yield* write(session, all)
      for (const every of [1, 2, 1000]) yield* expectEvery(session, all, every)
      expect(yield* pagesOfEvery(session, 5, { from: 0, until: all.timestamps[0]! })).toEqual([])
    })
  )
}
