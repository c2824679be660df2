import { expect } from "@effect/vitest"
import { Chunk, Effect, Stream } from "effect"
import { POINTS } from "../../src/domain/Dictionary.ts"
import { type Channel, channels } from "../../src/domain/pointChannels.ts"
import { ABSENT, RowBatch } from "../../src/domain/RowBatch.ts"
import { RowStore } from "../../src/store/RowStore.ts"
import { type ContractPart, everything, expectStored, pages, write } from "./rowStoreSupport.ts"
import { absentBits, awkwardDoubles, bitsOf, part, samplePoints } from "./samples.ts"

/** Every value of a point is kept to the last bit, and what is absent as absent. */
export const values: ContractPart = (it, nextSession) => {
  it.effect("keeps every bit of awkward values, raw, sealed and in full blocks", () =>
    Effect.gen(function* () {
      // Apart from these the recorder lets only absent values through.
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
      for (const [n, undeclared] of cases.entries()) {
        const session = nextSession()
        // Some in the tail of small blocks, and more than a full block.
        const all = samplePoints(1.7e9, n % 2 === 0 ? 300 : 4500)
        for (const channel of undeclared) all.column(channel).fill(ABSENT)
        yield* write(session, part(all, 0, 100))
        yield* write(session, part(all, 100, all.length))
        yield* expectStored(session, all)
        yield* store.seal(session)
        yield* expectStored(session, all)
        for (const channel of undeclared) {
          const found = RowBatch.concat(yield* pages(session, everything, [channel]))
          expect(bitsOf(found).equals(absentBits(all.length))).toBe(true)
        }
        const thinned = yield* Stream.runCollect(
          store.readEvery({ sessionId: session, group: POINTS, ...everything }, channels, 7)
        )
        const kept = RowBatch.concat(Chunk.toReadonlyArray(thinned))
        for (const channel of undeclared) expect(kept.column(channel).every(Number.isNaN)).toBe(true)
        for (const channel of untimed.filter((channel) => !undeclared.includes(channel))) {
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

  it.effect("keeps all sessions of one write, each apart", () =>
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

  it.effect("gives the number of bytes in use", () =>
    Effect.gen(function* () {
      const store = yield* RowStore
      yield* write(nextSession(), samplePoints(1.7e9, 5000))
      // Sines pack badly.
      expect(yield* store.bytes).toBeGreaterThan(80_000)
    })
  )
}
