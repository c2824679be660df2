import { expect } from "@effect/vitest"
import { Chunk, Effect, Exit, Option, Scope, Stream } from "effect"
import { POINTS } from "../../src/domain/Dictionary.ts"
import { channels, PointBatch } from "../../src/domain/PointBatch.ts"
import { justAfter } from "../../src/domain/Time.ts"
import { RowStore } from "../../src/store/RowStore.ts"
import {
  type ContractPart,
  count,
  everything,
  expectSame,
  expectStored,
  pages,
  readAll,
  write
} from "./rowStoreSupport.ts"
import { part, samplePoints } from "./samples.ts"

/** What a reader finds, of what is stored and while it is being stored. */
export const reading: ContractPart = (it, nextSession) => {
  it.effect("reads and counts half-open ranges to the point", () =>
    Effect.gen(function* () {
      const session = nextSession()
      const all = samplePoints(1.7e9, 10_000)
      const times = all.timestamps
      yield* write(session, all)
      const cases: ReadonlyArray<readonly [from: number, to: number]> = [
        [0, 10_000],
        [0, 1],
        [1, 4095],
        [4095, 4096],
        [4095, 4097],
        [4096, 8192],
        [100, 9_999],
        [8191, 9_000],
        [9_999, 10_000],
        [5000, 5000]
      ]
      for (const [from, to] of cases) {
        const start = times[from]!
        const until = to < 10_000 ? times[to]! : justAfter(times[to - 1]!)
        const found = yield* readAll(session, { from: start, until })
        expectSame(found, part(all, from, to))
        expect(yield* count(session, start, until)).toBe(to - from)
        // Between two points, the bounds are those of the points inside.
        const inside = { from: start - 0.005, until: until - 0.005 }
        expect((yield* readAll(session, inside)).length).toBe(
          yield* count(session, inside.from, inside.until)
        )
      }
      for (const [from, until] of [
        [times[9_999]! + 1, Infinity],
        [-Infinity, times[0]!],
        [times[5]!, times[2]!],
        [Infinity, -Infinity]
      ] as const) {
        expect((yield* pages(session, { from, until })).length).toBe(0)
        expect(yield* count(session, from, until)).toBe(0)
      }
    })
  )

  it.effect("finds nothing between two blocks, and in a session without points", () =>
    Effect.gen(function* () {
      const session = nextSession()
      yield* write(session, samplePoints(0, 4096))
      yield* write(session, samplePoints(1000, 4096))
      expect((yield* pages(session, { from: 500, until: 900 })).length).toBe(0)
      expect(yield* count(session, 500, 900)).toBe(0)
      expect(yield* count(session, 0, 900)).toBe(4096)
      expect((yield* pages(nextSession())).length).toBe(0)
      expect(yield* count(nextSession())).toBe(0)
    })
  )

  it.effect("gives only the channels asked for, in the order asked", () =>
    Effect.gen(function* () {
      const session = nextSession()
      const all = samplePoints(1.7e9, 6000)
      yield* write(session, all)
      const times = all.timestamps
      const wanted = ["position_y", "speed"] as const
      const found = yield* readAll(session, { from: times[10]!, until: times[5990]! }, wanted)
      expect(found.channels).toEqual(wanted)
      const expected = part(all, 10, 5990)
      for (const channel of wanted) expect(found.column(channel)).toEqual(expected.column(channel))
      expect((yield* readAll(session, everything, ["timestamp"])).data).toEqual(times)
    })
  )

  it.effect("reads a long session in pages of some thousand points", () =>
    Effect.gen(function* () {
      const session = nextSession()
      const all = samplePoints(1.7e9, 60_000)
      for (let at = 0; at < 60_000; at += 7001) {
        yield* write(session, part(all, at, Math.min(60_000, at + 7001)))
      }
      const found = yield* pages(session)
      expect(Math.max(...found.map((batch) => batch.length))).toBeLessThanOrEqual(10_000)
      expect(Math.min(...found.map((batch) => batch.length))).toBeGreaterThan(0)
      yield* expectStored(session, all)
    })
  )

  it.effect("knows the bounds", () =>
    Effect.gen(function* () {
      const store = yield* RowStore
      const session = nextSession()
      const all = samplePoints(1.7e9, 9000)
      yield* write(session, part(all, 0, 10))
      expect(yield* store.bounds({ sessionId: session, group: POINTS })).toEqual(
        Option.some({ first: all.timestamps[0], last: all.timestamps[9] })
      )
      yield* write(session, all)
      expect(yield* store.bounds({ sessionId: session, group: POINTS })).toEqual(
        Option.some({ first: all.timestamps[0], last: all.timestamps[8999] })
      )
    })
  )

  it.effect("a reader loses and doubles nothing while what it reads is compacted and added to", () =>
    Effect.gen(function* () {
      const store = yield* RowStore
      const session = nextSession()
      const all = samplePoints(1.7e9, 9000)
      for (let at = 0; at < 2000; at += 10) yield* write(session, part(all, at, at + 10))
      const scope = yield* Scope.make()
      const pull = yield* Stream.toPull(
        store.read({ sessionId: session, group: POINTS, ...everything }, channels)
      ).pipe(Scope.extend(scope))
      const found = Chunk.toReadonlyArray(yield* pull).slice()
      yield* store.seal(session)
      found.push(...(yield* Effect.orElseSucceed(pull, () => Chunk.empty<PointBatch>())))
      yield* write(session, part(all, 2000, 9000))
      const rest = Effect.map(pull, (chunk) => found.push(...chunk))
      yield* Effect.ignore(Effect.forever(rest))
      yield* Scope.close(scope, Exit.void)
      const read = PointBatch.concat(found)
      // It may end where the session did when it looked, but what it has is one stretch from the start.
      expect(read.length).toBeGreaterThanOrEqual(2000)
      expectSame(read, part(all, 0, read.length))
    })
  )

  it.effect("readers see whole commits, in order, while a session is written", () =>
    Effect.gen(function* () {
      const session = nextSession()
      const all = samplePoints(1.7e9, 20_000)
      const writing = yield* Effect.fork(
        Effect.forEach(
          Array.from({ length: 40 }, (_, i) => i * 500),
          (at) => write(session, part(all, at, at + 500))
        )
      )
      let seen = 0
      while (seen < 20_000) {
        const counted = yield* count(session)
        const read = yield* readAll(session)
        expect(counted % 500).toBe(0)
        expect(counted).toBeGreaterThanOrEqual(seen)
        expect(read.length).toBeGreaterThanOrEqual(counted)
        expectSame(read, part(all, 0, read.length))
        seen = counted
      }
      yield* writing
    })
  )
}
