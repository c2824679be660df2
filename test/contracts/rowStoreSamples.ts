import { expect } from "@effect/vitest"
import { Effect, Option } from "effect"
import { POINTS } from "../../src/domain/Dictionary.ts"
import { RowBatch } from "../../src/domain/RowBatch.ts"
import { RowStore } from "../../src/store/RowStore.ts"
import { widened } from "../../src/store/widened.ts"
import { groupSamples } from "./groupSamples.ts"
import { expectGroup, expectLast, samplePages, writeSamples } from "./rowStoreSamplesSupport.ts"
import { type ContractPart, count, expectStored, pages } from "./rowStoreSupport.ts"
import { part, samplePoints } from "./samples.ts"

const fuelColumns = ["timestamp", "fuel", "fuel_laps"]
const START = 1.7e9

/** How a store keeps groups other than the points. */
export const samples: ContractPart = (it, nextSession) => {
  it.effect("keeps points, groups and sessions of one write apart", () =>
    Effect.gen(function* () {
      const store = yield* RowStore
      const [one, two] = [nextSession(), nextSession()]
      const points = samplePoints(START, 700)
      const [warm, cold] = [groupSamples(START, 90), groupSamples(START + 5, 40, { rate: 7 })]
      const fuel = groupSamples(START + 0.25, 30, { columns: fuelColumns, rate: 1 })
      yield* store.write([
        { sessionId: two, group: "tyres", batch: cold },
        { sessionId: one, group: POINTS, batch: part(points, 0, 350) },
        { sessionId: one, group: "tyres", batch: part(warm, 0, 45) },
        { sessionId: one, group: "fuel", batch: fuel },
        { sessionId: one, group: POINTS, batch: part(points, 350, 700) },
        { sessionId: one, group: "tyres", batch: part(warm, 45, 90) }
      ])
      yield* expectStored(one, points)
      yield* expectGroup(one, "tyres", warm)
      yield* expectGroup(one, "fuel", fuel)
      yield* expectGroup(two, "tyres", cold)
      yield* expectGroup(two, "fuel", part(fuel, 0, 0))
      expect(yield* store.groups(one)).toEqual(["fuel", POINTS, "tyres"])
      expect(yield* store.groups(two)).toEqual(["tyres"])
      expect(yield* store.groups(nextSession())).toEqual([])
    })
  )

  it.effect("lists sessions with samples and no points, without bounds", () =>
    Effect.gen(function* () {
      const store = yield* RowStore
      const [only, plain, both] = [nextSession(), nextSession(), nextSession()]
      const all = groupSamples(START, 20)
      yield* writeSamples(only, "tyres", all)
      yield* store.write([{ sessionId: plain, group: POINTS, batch: samplePoints(START, 20) }])
      yield* writeSamples(both, "tyres", all)
      yield* store.write([{ sessionId: both, group: POINTS, batch: samplePoints(START, 20) }])
      const ids = yield* store.sessionIds
      expect(ids.filter((id) => id >= only)).toEqual([only, plain, both])
      expect(ids).toEqual([...new Set(ids)].sort((a, b) => a - b))
      expect(yield* store.bounds({ sessionId: only, group: POINTS })).toEqual(Option.none())
      expect(yield* count(only)).toBe(0)
      expect((yield* pages(only)).length).toBe(0)
      yield* store.seal(only)
      yield* expectGroup(only, "tyres", all)
      yield* store.write([{ sessionId: only, group: POINTS, batch: samplePoints(START + 1, 20) }])
      yield* expectStored(only, samplePoints(START + 1, 20))
      yield* expectGroup(only, "tyres", all)
    })
  )

  it.effect(
    "takes channels that come later, leave, and come in another order; values that a sample lacks are absent",
    () =>
      Effect.gen(function* () {
        const store = yield* RowStore
        const session = nextSession()
        const columns = ["timestamp", "a", "b", "c", "d"]
        const layouts = [
          ["timestamp", "a", "b"],
          ["timestamp", "a", "b", "c"],
          ["timestamp", "c", "a", "b"],
          ["timestamp", "d"],
          ["timestamp"],
          columns
        ]
        const written: Array<RowBatch> = []
        // The change falls into the tail, into one write, over the end of a block, and after a seal.
        for (const [from, to, layout] of [
          [0, 10, 0],
          [10, 20, 1],
          [20, 30, 2],
          [30, 35, 3],
          [35, 40, 4],
          [40, 4000, 5],
          [4000, 4100, 1],
          [4100, 9000, 3],
          [9000, 9010, 0]
        ] as const) {
          const batch = groupSamples(START, to - from, { columns: layouts[layout]!, first: from })
          yield* writeSamples(session, "mixed", batch)
          written.push(batch)
          yield* expectGroup(session, "mixed", RowBatch.concat(written.map((some) => widened(some, columns))))
          if (from === 35) yield* store.seal(session)
        }
        const next = nextSession()
        yield* writeSamples(next, "mixed", ...written)
        const expected = RowBatch.concat(written.map((some) => widened(some, columns)))
        yield* expectGroup(next, "mixed", expected)
        yield* store.seal(next)
        yield* expectGroup(next, "mixed", expected)
        for (const n of [1, 10, 20, 21, 31, 40, 41, 4001, 4101, 9001])
          yield* expectLast(next, "mixed", expected.timestamps[n - 1]!, expected, n)
      })
  )

  it.effect("reads a long group of many channels in pages of some thousand samples", () =>
    Effect.gen(function* () {
      const session = nextSession()
      const columns = ["timestamp", ...Array.from({ length: 60 }, (_, n) => `wide_${n}`)]
      const all = groupSamples(START, 12_000, { columns, rate: 60 })
      for (let at = 0; at < 12_000; at += 1500) yield* writeSamples(session, "wide", part(all, at, at + 1500))
      const found = yield* samplePages(session, "wide", ["timestamp", "wide_7"])
      expect(Math.max(...found.map((batch) => batch.length))).toBeLessThanOrEqual(10_000)
      expect(Math.min(...found.map((batch) => batch.length))).toBeGreaterThan(0)
      yield* expectGroup(session, "wide", all)
    })
  )

  it.effect("removes all groups of a session and of no other; rows written later start anew", () =>
    Effect.gen(function* () {
      const store = yield* RowStore
      const [session, other] = [nextSession(), nextSession()]
      const all = groupSamples(START, 5000)
      const fuel = groupSamples(START, 100, { columns: fuelColumns })
      for (const sessionId of [session, other]) {
        yield* store.write([
          { sessionId, group: POINTS, batch: samplePoints(START, 300) },
          { sessionId, group: "tyres", batch: all },
          { sessionId, group: "fuel", batch: fuel }
        ])
      }
      yield* store.remove(session)
      yield* store.remove(session)
      for (const group of ["tyres", "fuel"]) yield* expectGroup(session, group, part(all, 0, 0))
      yield* expectLast(session, "tyres", Infinity, all, 0)
      expect(yield* store.groups(session)).toEqual([])
      expect(yield* store.sessionIds).not.toContain(session)
      yield* expectGroup(other, "tyres", all)
      yield* expectGroup(other, "fuel", fuel)
      yield* expectStored(other, samplePoints(START, 300))
      const earlier = groupSamples(1000, 50)
      yield* writeSamples(session, "tyres", earlier)
      yield* expectGroup(session, "tyres", earlier)
    })
  )

  it.effect("stores hundreds of tiny writes of several groups as one stream of each", () =>
    Effect.gen(function* () {
      const store = yield* RowStore
      const session = nextSession()
      const points = samplePoints(START, 1800)
      // More than a tail has pieces.
      const all = groupSamples(START, 300)
      const fuel = groupSamples(START, 30, { columns: fuelColumns, rate: 1 })
      for (let n = 0; n < 300; n++) {
        yield* store.write([
          { sessionId: session, group: POINTS, batch: part(points, 6 * n, 6 * n + 6) },
          { sessionId: session, group: "tyres", batch: part(all, n, n + 1) },
          ...(n % 10 === 0
            ? [{ sessionId: session, group: "fuel", batch: part(fuel, n / 10, n / 10 + 1) }]
            : [])
        ])
        if (n % 150 === 0) yield* expectLast(session, "tyres", Infinity, all, n + 1)
      }
      for (const sealed of [false, true]) {
        if (sealed) yield* store.seal(session)
        yield* expectStored(session, points)
        yield* expectGroup(session, "tyres", all)
        yield* expectGroup(session, "fuel", fuel)
      }
    })
  )
}
