import { expect } from "@effect/vitest"
import { Chunk, Effect, Option, Stream } from "effect"
import { POINTS } from "../../src/domain/Dictionary.ts"
import { ABSENT, type Channel, channels, PointBatch } from "../../src/domain/PointBatch.ts"
import { RowStore } from "../../src/store/RowStore.ts"
import {
  type ContractPart,
  count,
  everything,
  expectSame,
  expectStored,
  pages,
  write
} from "./rowStoreSupport.ts"
import { absentBits, awkwardDoubles, bitsOf, part, samplePoints } from "./samples.ts"

/** What is kept of writes, however they come, and what seal and remove do to it. */
export const writing: ContractPart = (it, nextSession) => {
  it.effect("gives back what was written, by time, also from another batch's view", () =>
    Effect.gen(function* () {
      const session = nextSession()
      const all = samplePoints(1.7e9, 300)
      const shared = new Float64Array(5000)
      shared.set(all.data, 1000)
      const view = new PointBatch(300, shared.subarray(1000, 1000 + all.data.length))
      yield* write(session, view)
      yield* expectStored(session, all)
      // Written, the batch is still the caller's.
      expectSame(view, all)
    })
  )

  it.effect("keeps every bit of awkward values, raw, sealed and in full blocks", () =>
    Effect.gen(function* () {
      // Besides these the recorder lets only absent values through.
      const values = Float64Array.from(awkwardDoubles.filter(Number.isFinite))
      for (const length of [awkwardDoubles.length, 5000]) {
        const session = nextSession()
        const all = samplePoints(0, length)
        for (const channel of all.channels) {
          if (channel === "timestamp") continue
          const column = all.column(channel)
          for (let i = 0; i < length; i++) column.set(values.subarray(i % values.length).subarray(0, 1), i)
        }
        yield* write(session, all)
        yield* expectStored(session, all)
        yield* Effect.flatMap(RowStore, (store) => store.seal(session))
        yield* expectStored(session, all)
      }
    })
  )

  it.effect("keeps what is absent as absent: each channel in turn, mixtures, all but the time", () =>
    Effect.gen(function* () {
      const store = yield* RowStore
      const untimed = channels.filter((channel) => channel !== "timestamp")
      const cases: ReadonlyArray<ReadonlyArray<Channel>> = [
        ...untimed.map((channel) => [channel]),
        ["rpm", "throttle", "brake", "steering", "position_z"],
        untimed
      ]
      for (const [n, untold] of cases.entries()) {
        const session = nextSession()
        // Some in the tail of small blocks, and more than a full one.
        const all = samplePoints(1.7e9, n % 2 === 0 ? 300 : 4500)
        for (const channel of untold) all.column(channel).fill(ABSENT)
        yield* write(session, part(all, 0, 100))
        yield* write(session, part(all, 100, all.length))
        yield* expectStored(session, all)
        yield* store.seal(session)
        yield* expectStored(session, all)
        for (const channel of untold) {
          const found = PointBatch.concat(yield* pages(session, everything, [channel]))
          expect(bitsOf(found).equals(absentBits(all.length))).toBe(true)
        }
        const thinned = yield* Stream.runCollect(
          store.readEvery({ sessionId: session, group: POINTS, ...everything }, channels, 7)
        )
        const kept = PointBatch.concat(Chunk.toReadonlyArray(thinned))
        for (const channel of untold) expect(kept.column(channel).every(Number.isNaN)).toBe(true)
        for (const channel of untimed.filter((channel) => !untold.includes(channel))) {
          expect(kept.column(channel).some(Number.isNaN)).toBe(false)
        }
      }
    })
  )

  it.effect("keeps values that come and go, in every channel by itself", () =>
    Effect.gen(function* () {
      const store = yield* RowStore
      const session = nextSession()
      const all = samplePoints(1.7e9, 5000)
      for (const [c, channel] of channels.entries()) {
        if (channel === "timestamp") continue
        const column = all.column(channel)
        for (let i = 0; i < all.length; i++) if (Math.floor(i / c) % (c + 1) === 0) column[i] = ABSENT
      }
      for (let at = 0; at < 500; at += 50) yield* write(session, part(all, at, at + 50))
      yield* write(session, part(all, 500, 5000))
      yield* expectStored(session, all)
      yield* store.seal(session)
      yield* expectStored(session, all)
    })
  )

  it.effect("stores once what is written twice", () =>
    Effect.gen(function* () {
      const session = nextSession()
      const all = samplePoints(100, 500)
      yield* write(session, all)
      yield* write(session, all)
      yield* write(session, part(all, 0, 200), part(all, 200, 500))
      yield* expectStored(session, all)
    })
  )

  it.effect("takes of a retry that overlaps only what is new, within one call as well", () =>
    Effect.gen(function* () {
      const session = nextSession()
      const all = samplePoints(100, 1000)
      yield* write(session, part(all, 0, 400))
      yield* write(session, part(all, 300, 600))
      yield* write(session, part(all, 550, 800), part(all, 700, 1000), part(all, 0, 50))
      yield* expectStored(session, all)
    })
  )

  it.effect("keeps all sessions of one write, and apart", () =>
    Effect.gen(function* () {
      const store = yield* RowStore
      const one = nextSession()
      const two = nextSession()
      const first = samplePoints(50, 700)
      const second = samplePoints(20, 300)
      yield* store.write([
        { sessionId: one, group: POINTS, batch: part(first, 0, 350) },
        { sessionId: two, group: POINTS, batch: second },
        { sessionId: one, group: POINTS, batch: part(first, 350, 700) }
      ])
      yield* expectStored(one, first)
      yield* expectStored(two, second)
      const ids = yield* store.sessionIds
      expect(ids).toContain(one)
      expect(ids).toContain(two)
      expect(ids).toEqual([...ids].sort((a, b) => a - b))
    })
  )

  it.effect("writing nothing is no error and makes no session", () =>
    Effect.gen(function* () {
      const store = yield* RowStore
      const session = nextSession()
      yield* store.write([])
      yield* write(session, PointBatch.allocate(0))
      expect(yield* store.sessionIds).not.toContain(session)
      expect(yield* store.bounds({ sessionId: session, group: POINTS })).toEqual(Option.none())
      yield* store.check
    })
  )

  it.effect("a seal changes nothing that can be read, and writing goes on after it", () =>
    Effect.gen(function* () {
      const store = yield* RowStore
      const session = nextSession()
      const all = samplePoints(1.7e9, 3000)
      for (let at = 0; at < 2000; at += 100) yield* write(session, part(all, at, at + 100))
      yield* store.seal(session)
      yield* store.seal(session)
      yield* expectStored(session, part(all, 0, 2000))
      yield* write(session, part(all, 1900, 3000))
      yield* expectStored(session, all)
      yield* store.seal(nextSession())
    })
  )

  it.effect("removes a session and no other; written again, it starts anew", () =>
    Effect.gen(function* () {
      const store = yield* RowStore
      const session = nextSession()
      const other = nextSession()
      const all = samplePoints(1.7e9, 9000)
      yield* store.write([
        { sessionId: session, group: POINTS, batch: all },
        { sessionId: other, group: POINTS, batch: all }
      ])
      yield* store.remove(session)
      yield* store.remove(session)
      expect(yield* count(session)).toBe(0)
      expect((yield* pages(session)).length).toBe(0)
      expect(yield* store.bounds({ sessionId: session, group: POINTS })).toEqual(Option.none())
      expect(yield* store.sessionIds).not.toContain(session)
      yield* expectStored(other, all)
      // Earlier than what was removed: nothing of it is remembered.
      const earlier = samplePoints(1000, 50)
      yield* write(session, earlier)
      yield* expectStored(session, earlier)
    })
  )

  it.effect("says what is in use where it keeps points", () =>
    Effect.gen(function* () {
      const store = yield* RowStore
      yield* write(nextSession(), samplePoints(1.7e9, 5000))
      // Sines pack badly.
      expect(yield* store.bytes).toBeGreaterThan(80_000)
    })
  )

  it.effect("does writes, seals and removes in the order they were asked for", () =>
    Effect.gen(function* () {
      const store = yield* RowStore
      const session = nextSession()
      const before = samplePoints(5000, 9000)
      const after = samplePoints(10, 5000)
      const requests = [
        write(session, part(before, 0, 4500)),
        write(session, part(before, 4500, 9000)),
        store.seal(session),
        store.remove(session),
        write(session, part(after, 0, 2500)),
        write(session, part(after, 2500, 5000))
      ]
      yield* Effect.all(requests, { concurrency: "unbounded" })
      yield* expectStored(session, after)
    })
  )

  it.effect("stores hundreds of tiny writes as one stream of points", () =>
    Effect.gen(function* () {
      const session = nextSession()
      // More than a tail has pieces, and more than a block has points.
      const all = samplePoints(1.7e9, 6000)
      for (let at = 0; at < 6000; at += 15) {
        yield* write(session, part(all, at, at + 15))
        if (at % 1500 === 0) expect(yield* count(session)).toBe(at + 15)
      }
      yield* expectStored(session, all)
      yield* Effect.flatMap(RowStore, (store) => store.seal(session))
      yield* expectStored(session, all)
    })
  )
}
