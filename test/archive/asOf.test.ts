import { expect, it } from "@effect/vitest"
import { Effect, FastCheck as fc, Stream } from "effect"
import { withChannels } from "../../src/archive/asOf.ts"
import { ABSENT, RowBatch } from "../../src/domain/RowBatch.ts"
import { RowStore } from "../../src/store/RowStore.ts"
import { pointsAt } from "../live/support.ts"
import { MemoryStore } from "../recording/memoryStore.ts"

const ID = 7
const names = ["a", "b"]
const columns = ["timestamp", ...names]

const samplesOf = (rows: ReadonlyArray<ReadonlyArray<number>>): RowBatch => {
  const batch: RowBatch = RowBatch.allocate(rows.length, columns)
  rows.forEach((row, i) => row.forEach((value, c) => (batch.data[c * rows.length + i] = value)))
  return batch
}

/** The last row not after a time, by a search of all rows. */
const asOf = (rows: ReadonlyArray<ReadonlyArray<number>>, time: number) =>
  rows.findLast(([at]) => at! <= time)?.slice(1) ?? [ABSENT, ABSENT]

const times = (most: number) =>
  fc.uniqueArray(fc.integer({ min: 0, max: 60 }), { maxLength: most }).map((all) => all.sort((x, y) => x - y))

const value = fc.oneof({ weight: 4, arbitrary: fc.integer({ min: 0, max: 9 }) }, fc.constant(ABSENT))

const group = times(40).chain((all) =>
  fc.tuple(...all.map((time) => fc.tuple(fc.constant(time), value, value)))
)

/** The store with pages of three rows: results must not depend on where pages end. */
const paged = (store: typeof RowStore.Service): typeof RowStore.Service => ({
  ...store,
  read: (range, wanted) =>
    Stream.mapConcat(store.read(range, wanted), (batch) =>
      Array.from({ length: Math.ceil(batch.length / 3) }, (_, n) =>
        batch.slice(3 * n, Math.min(3 * n + 3, batch.length))
      )
    )
})

/** The points in batches of these lengths, as a store may give them. */
const inBatches = (all: ReadonlyArray<number>, length: number) =>
  Stream.fromIterable(
    Array.from({ length: Math.ceil(all.length / length) }, (_, n) =>
      pointsAt(all.slice(n * length, (n + 1) * length))
    )
  )

it.effect("each point has the values of each group's last row not after it, also from before the range", () =>
  Effect.promise(() =>
    fc.assert(
      fc.asyncProperty(
        times(40),
        fc.tuple(group, group),
        fc.integer({ min: 1, max: 9 }),
        (times, groups, length) => {
          const memory = new MemoryStore()
          const test = Effect.gen(function* () {
            const store = paged(yield* RowStore)
            yield* store.write(
              groups.map((rows, g) => ({ sessionId: ID, group: `g${g}`, batch: samplesOf(rows) }))
            )
            const range = { sessionId: ID, from: times[0] ?? 0, until: 61 }
            const beside = [
              { group: "g0", names: ["b", "a"] },
              { group: "g1", names: ["a"] },
              { group: "none", names: ["a"] }
            ]
            const whole = [...pointsAt([]).channels, "b", "a", "a1", "a2"]
            const found = yield* Stream.runCollect(
              withChannels(store, range, beside, whole, inBatches(times, length))
            )
            const rows = [...found].flatMap((batch) =>
              Array.from({ length: batch.length }, (_, i) =>
                [0, 10, 11, 12, 13].map((c) => batch.data[c * batch.length + i]!)
              )
            )
            expect(rows).toEqual(
              times.map((time) => {
                const [a, b] = asOf(groups[0], time)
                return [time, b, a, asOf(groups[1], time)[0], ABSENT]
              })
            )
          })
          return Effect.runPromise(Effect.provide(test, memory.rowStore))
        }
      ),
      { numRuns: 300 }
    )
  )
)

it.effect(
  "the row before the first point is found by its time alone, and read together with the later rows",
  () => {
    const memory = new MemoryStore()
    return Effect.gen(function* () {
      const store = yield* RowStore
      const rows = Array.from({ length: 20 }, (_, n) => [n, n, -n])
      yield* store.write([{ sessionId: ID, group: "g", batch: samplesOf(rows) }])
      const reads: Array<ReadonlyArray<unknown>> = []
      const watched: typeof RowStore.Service = {
        ...store,
        last: (of, time, wanted) => {
          reads.push(["last", time, ...wanted])
          return store.last(of, time, wanted)
        },
        read: (range, wanted) => {
          reads.push(["from", range.from, ...wanted])
          return store.read(range, wanted)
        }
      }
      const range = { sessionId: ID, from: 7.5, until: 10 }
      const beside = [{ group: "g", names }]
      const whole = [...pointsAt([]).channels, ...names]
      yield* Stream.runDrain(withChannels(watched, range, beside, whole, inBatches([7.5, 8.5], 2)))
      // Its values would be unpacked twice: once alone, and once with its block.
      expect(reads).toEqual([
        ["last", 7.5, "timestamp"],
        ["from", 7, "timestamp", "a", "b"]
      ])
    }).pipe(Effect.provide(memory.rowStore))
  }
)

it.effect("points with many channels come in batches of a bounded size", () => {
  const memory = new MemoryStore()
  return Effect.gen(function* () {
    const store = yield* RowStore
    const wide = Array.from({ length: 511 }, (_, c) => `c${c}`)
    const all = Array.from({ length: 4096 }, (_, n) => n)
    const range = { sessionId: ID, from: 0, until: all.length }
    const whole = [...pointsAt([]).channels, ...wide]
    const beside = [{ group: "wide", names: wide }]
    const found = yield* Stream.runCollect(
      withChannels(store, range, beside, whole, Stream.make(pointsAt(all)))
    )
    const batches = [...found]
    // Half a megabyte, of doubles.
    expect(Math.max(...batches.map(({ data }) => data.length))).toBeLessThanOrEqual(65_536)
    expect(batches.flatMap((batch) => [...batch.timestamps])).toEqual(all)
  }).pipe(Effect.provide(memory.rowStore))
})
