/** Writing and reading the rows of a group: points, and samples of another group. */
import { expect } from "@effect/vitest"
import { Chunk, Effect, Exit, FastCheck, Option, Scope, Stream } from "effect"
import { POINTS } from "../../src/domain/Dictionary.ts"
import { ABSENT, RowBatch } from "../../src/domain/RowBatch.ts"
import { justAfter } from "../../src/domain/Time.ts"
import { RowStore } from "../../src/store/RowStore.ts"
import { widened } from "../../src/store/widened.ts"
import { groupSamples } from "./groupSamples.ts"
import {
  countSamples,
  expectEvery,
  expectGroup,
  expectLast,
  expectSamples,
  limitOf,
  readSamples,
  samplePages,
  writeSamples
} from "./rowStoreSamplesSupport.ts"
import { type ContractPart, everything } from "./rowStoreSupport.ts"
import { absentBits, bitsOf, part, samplePoints } from "./samples.ts"

const START = 1.7e9
/** Less than the time between two rows, s. */
const BETWEEN = 0.005

interface Kind {
  readonly group: string
  /** `length` rows from `start`, epoch seconds. */
  readonly rows: (start: number, length: number) => RowBatch
}

const kinds: ReadonlyArray<Kind> = [
  { group: POINTS, rows: samplePoints },
  { group: "tyres", rows: (start, length) => groupSamples(start, length) }
]

const LENGTH = 10_000
const rates = FastCheck.oneof(
  FastCheck.integer({ min: 1, max: 20 }),
  FastCheck.integer({ min: 1, max: LENGTH + 2 }),
  FastCheck.constantFrom(4095, 4096, 4097, Number.MAX_SAFE_INTEGER)
)
const index = FastCheck.integer({ min: 0, max: LENGTH })

const rowsOf = ({ group, rows }: Kind): ContractPart => {
  const names = rows(0, 1).channels
  const write = (session: number, ...batches: ReadonlyArray<RowBatch>) =>
    writeSamples(session, group, ...batches)
  const expectRows = (session: number, expected: RowBatch) => expectGroup(session, group, expected)

  return (it, nextSession) => {
    const test = (title: string, body: () => Effect.Effect<unknown, unknown, RowStore>) =>
      it.effect(`${group}: ${title}`, body)

    test("returns written rows to the last bit, in small pieces, sealed and in full blocks", () =>
      Effect.gen(function* () {
        const store = yield* RowStore
        for (const length of [1, 300, 5000]) {
          const session = nextSession()
          const all = rows(START, length)
          // From a view of another buffer, which stays the caller's.
          const shared = new Float64Array(all.data.length + 2000)
          shared.set(all.data, 1000)
          const view = new RowBatch(length, shared.subarray(1000, 1000 + all.data.length), names)
          yield* write(session, view)
          expectSamples(view, all)
          yield* expectRows(session, all)
          yield* store.seal(session)
          yield* expectRows(session, all)
          const found = yield* readSamples(session, group, ["a_channel_that_nobody_declared"])
          expect(bitsOf(found).equals(absentBits(length))).toBe(true)
        }
      }))

    test("stores rows once that are written twice, also in overlaps, in one call and after a seal", () =>
      Effect.gen(function* () {
        const store = yield* RowStore
        const session = nextSession()
        const all = rows(START, 1000)
        yield* write(session, part(all, 0, 400))
        yield* write(session, part(all, 0, 400))
        yield* write(session, part(all, 300, 600))
        yield* write(session, part(all, 550, 800), part(all, 700, 900), part(all, 0, 50))
        yield* expectRows(session, part(all, 0, 900))
        yield* store.seal(session)
        yield* write(session, part(all, 600, 900))
        yield* write(session, part(all, 850, 1000))
        yield* expectRows(session, all)
      }))

    test("an empty write is no error, and creates neither the group nor the session", () =>
      Effect.gen(function* () {
        const store = yield* RowStore
        const session = nextSession()
        yield* store.write([])
        yield* write(session, rows(START, 0))
        expect(yield* store.groups(session)).toEqual([])
        expect(yield* store.sessionIds).not.toContain(session)
        expect(yield* store.bounds({ sessionId: session, group })).toEqual(Option.none())
        yield* expectLast(session, group, Infinity, rows(START, 1), 0)
        yield* store.check
      }))

    test("a seal changes nothing that can be read, and writing goes on after it", () =>
      Effect.gen(function* () {
        const store = yield* RowStore
        const session = nextSession()
        const all = rows(START, 3000)
        for (let at = 0; at < 2000; at += 100) yield* write(session, part(all, at, at + 100))
        yield* store.seal(session)
        yield* store.seal(session)
        yield* expectRows(session, part(all, 0, 2000))
        yield* write(session, part(all, 1900, 3000))
        yield* expectRows(session, all)
        yield* store.seal(nextSession())
      }))

    test("gives only the requested columns, in the requested order, with the time or without", () =>
      Effect.gen(function* () {
        const session = nextSession()
        const all = rows(START, 6000)
        yield* write(session, all)
        const range = { from: all.timestamps[10]!, until: all.timestamps[5990]! }
        for (const wanted of [
          [names[5]!, "timestamp", names[1]!],
          [names[4]!, names[2]!],
          ["nothing_of_the_kind", names[3]!],
          ["timestamp"]
        ])
          expectSamples(
            yield* readSamples(session, group, wanted, range),
            widened(part(all, 10, 5990), wanted)
          )
      }))

    test("reads and counts half-open ranges to the row, and finds the last row before any time", () =>
      Effect.gen(function* () {
        const store = yield* RowStore
        const session = nextSession()
        const all = rows(START, 10_000)
        const times = all.timestamps
        // Full blocks, packed small ones, and a tail.
        yield* write(session, part(all, 0, 9000))
        yield* store.seal(session)
        for (let at = 9000; at < 10_000; at += 250) yield* write(session, part(all, at, at + 250))
        for (const [from, to] of [
          [0, 10_000],
          [0, 1],
          [1, 4095],
          [4095, 4096],
          [4095, 4097],
          [4096, 8192],
          [100, 9999],
          [8191, 9001],
          [9249, 9251],
          [9999, 10_000],
          [5000, 5000]
        ] as const) {
          const range = { from: times[from]!, until: limitOf(all, to) }
          expectSamples(yield* readSamples(session, group, names, range), part(all, from, to))
          expect(yield* countSamples(session, group, range.from, range.until)).toBe(to - from)
          // Bounds between two rows count the rows inside.
          const until = to < 10_000 ? range.until - BETWEEN : Infinity
          expect(yield* countSamples(session, group, range.from - BETWEEN, until)).toBe(to - from)
        }
        for (const [from, until] of [
          [times[9999]! + 1, Infinity],
          [-Infinity, times[0]!],
          [times[5]!, times[2]!],
          [Infinity, -Infinity]
        ] as const) {
          expect((yield* samplePages(session, group, names, { from, until })).length).toBe(0)
          expect(yield* countSamples(session, group, from, until)).toBe(0)
        }
        for (const n of [1, 2, 4095, 4096, 4097, 8192, 8193, 9000, 9001, 9250, 9251, 10_000]) {
          yield* expectLast(session, group, times[n - 1]!, all, n)
          yield* expectLast(session, group, justAfter(times[n - 1]!), all, n)
          yield* expectLast(session, group, times[n - 1]! - BETWEEN, all, n - 1)
          yield* expectLast(session, group, times[n - 1]! + BETWEEN, all, n)
        }
        yield* expectLast(session, group, Infinity, all, 10_000)
        yield* expectLast(session, group, -Infinity, all, 0)
        yield* expectLast(session, "fuel", Infinity, all, 0)
        yield* expectLast(nextSession(), group, Infinity, all, 0)
        const without = yield* store.last({ sessionId: session, group }, times[4]!, [names[5]!, "unknown"])
        expect(Option.getOrThrow(without).data).toEqual(Float64Array.of(all.column(names[5]!)[4]!, ABSENT))
      }))

    test("finds nothing between two blocks, nor in a session without rows", () =>
      Effect.gen(function* () {
        const session = nextSession()
        yield* write(session, rows(0, 4096))
        yield* write(session, rows(1000, 4096))
        expect((yield* samplePages(session, group, names, { from: 500, until: 900 })).length).toBe(0)
        expect(yield* countSamples(session, group, 500, 900)).toBe(0)
        expect(yield* countSamples(session, group, 0, 900)).toBe(4096)
        expect((yield* samplePages(nextSession(), group, names)).length).toBe(0)
        expect(yield* countSamples(nextSession(), group)).toBe(0)
      }))

    test("reads long ranges in pages of some thousand rows", () =>
      Effect.gen(function* () {
        const session = nextSession()
        const all = rows(START, 60_000)
        for (let at = 0; at < 60_000; at += 7001)
          yield* write(session, part(all, at, Math.min(60_000, at + 7001)))
        const found = yield* samplePages(session, group, names)
        expect(Math.max(...found.map((batch) => batch.length))).toBeLessThanOrEqual(10_000)
        expect(Math.min(...found.map((batch) => batch.length))).toBeGreaterThan(0)
        yield* expectRows(session, all)
      }))

    test("thins any range by any number to the same rows, bit by bit", () =>
      Effect.gen(function* () {
        const session = nextSession()
        const all = rows(START, LENGTH)
        yield* write(session, all)
        for (const [a, b, every] of FastCheck.sample(FastCheck.tuple(index, index, rates), 40)) {
          const [from, to] = [Math.min(a, b), Math.max(a, b)]
          const range = { from: limitOf(all, from), until: limitOf(all, to) }
          yield* expectEvery(session, group, part(all, from, to), every, range)
        }
      }))

    test("thins in pages of some thousand rows, and never gives the last row twice", () =>
      Effect.gen(function* () {
        const session = nextSession()
        const all = rows(START, 40_001)
        yield* write(session, all)
        for (const every of [2, 3]) {
          const found = yield* expectEvery(session, group, all, every)
          expect(Math.max(...found.map((batch) => batch.length))).toBeLessThanOrEqual(10_000)
          expect(Math.min(...found.map((batch) => batch.length))).toBeGreaterThan(0)
        }
      }))

    test("thins no rows to none, and one row to that row", () =>
      Effect.gen(function* () {
        const session = nextSession()
        yield* expectEvery(session, group, rows(START, 0), 5)
        const all = rows(START, 1)
        yield* write(session, all)
        for (const every of [1, 2, 1000]) yield* expectEvery(session, group, all, every)
        yield* expectEvery(session, group, part(all, 0, 0), 5, { from: 0, until: all.timestamps[0]! })
      }))

    test("a reader loses and doubles nothing while its rows are compacted and others added", () =>
      Effect.gen(function* () {
        const store = yield* RowStore
        const session = nextSession()
        const all = rows(START, 9000)
        for (let at = 0; at < 2000; at += 10) yield* write(session, part(all, at, at + 10))
        const scope = yield* Scope.make()
        const range = { sessionId: session, group, ...everything }
        const pull = yield* Scope.extend(Stream.toPull(store.read(range, names)), scope)
        const found = Chunk.toReadonlyArray(yield* pull).slice()
        yield* store.seal(session)
        found.push(...(yield* Effect.orElseSucceed(pull, () => Chunk.empty<RowBatch>())))
        yield* write(session, part(all, 2000, 9000))
        yield* Effect.ignore(Effect.forever(Effect.map(pull, (chunk) => found.push(...chunk))))
        yield* Scope.close(scope, Exit.void)
        const read = RowBatch.concat(found)
        // It may end where the group ended when it looked, but it has one stretch from the start.
        expect(read.length).toBeGreaterThanOrEqual(2000)
        expectSamples(read, part(all, 0, read.length))
      }))

    test("readers see whole commits, in order, while they are written", () =>
      Effect.gen(function* () {
        const session = nextSession()
        const all = rows(START, 20_000)
        const writing = yield* Effect.fork(
          Effect.forEach(
            Array.from({ length: 40 }, (_, i) => i * 500),
            (at) => write(session, part(all, at, at + 500))
          )
        )
        let seen = 0
        while (seen < 20_000) {
          const counted = yield* countSamples(session, group)
          const read = yield* readSamples(session, group, names)
          expect(counted % 500).toBe(0)
          expect(counted).toBeGreaterThanOrEqual(seen)
          expect(read.length).toBeGreaterThanOrEqual(counted)
          expectSamples(read, part(all, 0, read.length))
          seen = counted
        }
        yield* writing
      }))

    test("removes the rows of a session and of no other; rows written later start anew", () =>
      Effect.gen(function* () {
        const store = yield* RowStore
        const [session, other] = [nextSession(), nextSession()]
        const all = rows(START, 9000)
        yield* store.write([session, other].map((sessionId) => ({ sessionId, group, batch: all })))
        yield* store.remove(session)
        yield* store.remove(session)
        yield* expectRows(session, part(all, 0, 0))
        expect(yield* store.sessionIds).not.toContain(session)
        yield* expectRows(other, all)
        // Earlier than the removed rows, which are forgotten.
        const earlier = rows(1000, 50)
        yield* write(session, earlier)
        yield* expectRows(session, earlier)
      }))

    test("executes writes, seals and removals in the order of their calls", () =>
      Effect.gen(function* () {
        const store = yield* RowStore
        const session = nextSession()
        const before = rows(5000, 9000)
        const after = rows(10, 5000)
        yield* Effect.all(
          [
            write(session, part(before, 0, 4500)),
            write(session, part(before, 4500, 9000)),
            store.seal(session),
            store.remove(session),
            write(session, part(after, 0, 2500)),
            write(session, part(after, 2500, 5000))
          ],
          { concurrency: "unbounded" }
        )
        yield* expectRows(session, after)
      }))

    test("stores hundreds of tiny writes as one stream", () =>
      Effect.gen(function* () {
        const session = nextSession()
        // More than a tail has pieces, and more than a block has rows.
        const all = rows(START, 6000)
        for (let at = 0; at < 6000; at += 15) {
          yield* write(session, part(all, at, at + 15))
          if (at % 1500 === 0) expect(yield* countSamples(session, group)).toBe(at + 15)
        }
        yield* expectRows(session, all)
        yield* Effect.flatMap(RowStore, (store) => store.seal(session))
        yield* expectRows(session, all)
      }))
  }
}

export const rows: ContractPart = (it, nextSession) => {
  for (const kind of kinds) rowsOf(kind)(it, nextSession)
}
