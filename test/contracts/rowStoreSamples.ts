import { expect } from "@effect/vitest"
import { Chunk, Effect, Exit, Option, Scope, Stream } from "effect"
import { POINTS } from "../../src/domain/Dictionary.ts"
import { ABSENT, PointBatch, type SampleBatch } from "../../src/domain/PointBatch.ts"
import { justAfter } from "../../src/domain/Time.ts"
import { RowStore } from "../../src/store/RowStore.ts"
import { widened } from "../../src/store/widened.ts"
import { groupSamples, tyres } from "./groupSamples.ts"
import {
  countSamples,
  expectGroup,
  expectLast,
  expectSamples,
  limitOf,
  readSamples,
  samplePages,
  writeSamples
} from "./rowStoreSamplesSupport.ts"
import { type ContractPart, count, everything, expectStored, pages } from "./rowStoreSupport.ts"
import { absentBits, bitsOf, part, samplePoints } from "./samples.ts"

const fuelColumns = ["timestamp", "fuel", "fuel_laps"]
const START = 1.7e9

/** What a store keeps of groups other than the points, and what it says of them. */
export const samples: ContractPart = (it, nextSession) => {
  it.effect("gives back a group's samples to the last bit, in small pieces, sealed and in full blocks", () =>
    Effect.gen(function* () {
      const store = yield* RowStore
      for (const length of [1, 300, 5000]) {
        const session = nextSession()
        const all = groupSamples(START, length)
        // From a view of another buffer, which stays the caller's.
        const shared = new Float64Array(all.data.length + 2000)
        shared.set(all.data, 1000)
        const view = new PointBatch(length, shared.subarray(1000, 1000 + all.data.length), tyres)
        yield* writeSamples(session, "tyres", view)
        expectSamples(view, all)
        yield* expectGroup(session, "tyres", all)
        yield* store.seal(session)
        yield* expectGroup(session, "tyres", all)
        for (const name of ["tyre_pressure_fr", "a_channel_that_nobody_told"]) {
          const found = yield* readSamples(session, "tyres", [name])
          expect(bitsOf(found).equals(absentBits(length))).toBe(true)
        }
      }
    })
  )

  it.effect("keeps points and groups of one write apart, and sessions", () =>
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

  it.effect("has sessions with samples and no points: among the sessions, and without bounds", () =>
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
    "stores once what is written twice, also where it overlaps, within one call and after a seal",
    () =>
      Effect.gen(function* () {
        const store = yield* RowStore
        const session = nextSession()
        const all = groupSamples(START, 1000)
        yield* writeSamples(session, "tyres", part(all, 0, 400))
        yield* writeSamples(session, "tyres", part(all, 0, 400))
        yield* writeSamples(session, "tyres", part(all, 300, 600))
        yield* writeSamples(session, "tyres", part(all, 550, 800), part(all, 700, 900), part(all, 0, 50))
        yield* expectGroup(session, "tyres", part(all, 0, 900))
        yield* store.seal(session)
        yield* writeSamples(session, "tyres", part(all, 600, 900))
        yield* writeSamples(session, "tyres", part(all, 850, 1000))
        yield* expectGroup(session, "tyres", all)
        // Another group's times are its own: earlier ones are new there.
        const fuel = groupSamples(START - 100, 50, { columns: fuelColumns })
        yield* writeSamples(session, "fuel", fuel)
        yield* expectGroup(session, "fuel", fuel)
      })
  )

  it.effect("writing nothing of a group makes neither the group nor the session", () =>
    Effect.gen(function* () {
      const store = yield* RowStore
      const session = nextSession()
      yield* writeSamples(session, "tyres", PointBatch.allocate<string>(0, tyres))
      expect(yield* store.groups(session)).toEqual([])
      expect(yield* store.sessionIds).not.toContain(session)
      yield* expectLast(session, "tyres", Infinity, groupSamples(START, 1), 0)
    })
  )

  it.effect(
    "takes channels that come later, leave, and come in another order: what a sample lacks is absent",
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
        const written: Array<SampleBatch> = []
        // In the tail, in one write, over the end of a block, and after a seal.
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
          yield* expectGroup(
            session,
            "mixed",
            PointBatch.concat(written.map((some) => widened(some, columns)))
          )
          if (from === 35) yield* store.seal(session)
        }
        const next = nextSession()
        yield* writeSamples(next, "mixed", ...written)
        const expected = PointBatch.concat(written.map((some) => widened(some, columns)))
        yield* expectGroup(next, "mixed", expected)
        yield* store.seal(next)
        yield* expectGroup(next, "mixed", expected)
        for (const n of [1, 10, 20, 21, 31, 40, 41, 4001, 4101, 9001])
          yield* expectLast(next, "mixed", expected.timestamps[n - 1]!, expected, n)
      })
  )

  it.effect("gives only the columns asked for, in the order asked, with the time or without", () =>
    Effect.gen(function* () {
      const session = nextSession()
      const all = groupSamples(START, 6000)
      yield* writeSamples(session, "tyres", all)
      const range = { from: all.timestamps[10]!, until: all.timestamps[5990]! }
      for (const wanted of [
        ["tyre_grip_fl", "timestamp", "tyre_temperature_fl"],
        ["tyre_temperature_rr", "tyre_temperature_fr"],
        ["nothing_of_the_kind", "tyre_pressure_fl"],
        ["timestamp"]
      ]) {
        expectSamples(
          yield* readSamples(session, "tyres", wanted, range),
          widened(part(all, 10, 5990), wanted)
        )
      }
    })
  )

  it.effect("reads and counts half-open ranges to the sample, and finds the last one at any time", () =>
    Effect.gen(function* () {
      const store = yield* RowStore
      const session = nextSession()
      const all = groupSamples(START, 10_000)
      const times = all.timestamps
      // Full blocks, packed small ones, and a tail.
      yield* writeSamples(session, "tyres", part(all, 0, 9000))
      yield* store.seal(session)
      for (let at = 9000; at < 10_000; at += 250)
        yield* writeSamples(session, "tyres", part(all, at, at + 250))
      for (const [from, to] of [
        [0, 10_000],
        [0, 1],
        [1, 4095],
        [4095, 4097],
        [4096, 8192],
        [100, 9999],
        [8191, 9001],
        [9249, 9251],
        [9999, 10_000],
        [5000, 5000]
      ] as const) {
        const range = { from: times[from]!, until: limitOf(all, to) }
        expectSamples(yield* readSamples(session, "tyres", tyres, range), part(all, from, to))
        expect(yield* countSamples(session, "tyres", range.from, range.until)).toBe(to - from)
        // Between two samples, the bounds are those of the samples inside.
        const until = to < 10_000 ? range.until - 0.01 : Infinity
        expect(yield* countSamples(session, "tyres", range.from - 0.01, until)).toBe(to - from)
      }
      for (const [from, until] of [
        [times[9999]! + 1, Infinity],
        [-Infinity, times[0]!],
        [times[5]!, times[2]!],
        [Infinity, -Infinity]
      ] as const) {
        expect((yield* samplePages(session, "tyres", tyres, { from, until })).length).toBe(0)
        expect(yield* countSamples(session, "tyres", from, until)).toBe(0)
      }
      for (const n of [1, 2, 4095, 4096, 4097, 8192, 8193, 9000, 9001, 9250, 9251, 10_000]) {
        yield* expectLast(session, "tyres", times[n - 1]!, all, n)
        yield* expectLast(session, "tyres", justAfter(times[n - 1]!), all, n)
        yield* expectLast(session, "tyres", times[n - 1]! - 0.01, all, n - 1)
        yield* expectLast(session, "tyres", times[n - 1]! + 0.05, all, n)
      }
      yield* expectLast(session, "tyres", Infinity, all, 10_000)
      yield* expectLast(session, "tyres", -Infinity, all, 0)
      yield* expectLast(session, "fuel", Infinity, all, 0)
      yield* expectLast(nextSession(), "tyres", Infinity, all, 0)
      const without = yield* store.last({ sessionId: session, group: "tyres" }, times[4]!, [
        "tyre_pressure_fl",
        "unknown"
      ])
      expect(Option.getOrThrow(without).data).toEqual(Float64Array.of(180.5, ABSENT))
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

  it.effect("a reader loses and doubles nothing while what it reads is compacted and added to", () =>
    Effect.gen(function* () {
      const store = yield* RowStore
      const session = nextSession()
      const all = groupSamples(START, 9000)
      for (let at = 0; at < 2000; at += 10) yield* writeSamples(session, "tyres", part(all, at, at + 10))
      const scope = yield* Scope.make()
      const range = { sessionId: session, group: "tyres", ...everything }
      const pull = yield* Scope.extend(Stream.toPull(store.read(range, tyres)), scope)
      const found = Chunk.toReadonlyArray(yield* pull).slice()
      yield* store.seal(session)
      found.push(...(yield* Effect.orElseSucceed(pull, () => Chunk.empty<SampleBatch>())))
      yield* writeSamples(session, "tyres", part(all, 2000, 9000))
      yield* Effect.ignore(Effect.forever(Effect.map(pull, (chunk) => found.push(...chunk))))
      yield* Scope.close(scope, Exit.void)
      const read = PointBatch.concat(found)
      expect(read.length).toBeGreaterThanOrEqual(2000)
      expectSamples(read, part(all, 0, read.length))
    })
  )

  it.effect("removes all groups of a session and of no other; written again, they start anew", () =>
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

  it.effect("does writes, seals and removes of samples in the order they were asked for", () =>
    Effect.gen(function* () {
      const store = yield* RowStore
      const session = nextSession()
      const before = groupSamples(5000, 9000)
      const after = groupSamples(10, 5000)
      yield* Effect.all(
        [
          writeSamples(session, "tyres", part(before, 0, 4500)),
          writeSamples(session, "tyres", part(before, 4500, 9000)),
          store.seal(session),
          store.remove(session),
          writeSamples(session, "tyres", part(after, 0, 2500)),
          writeSamples(session, "tyres", part(after, 2500, 5000))
        ],
        { concurrency: "unbounded" }
      )
      yield* expectGroup(session, "tyres", after)
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
