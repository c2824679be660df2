/** Shared by the parts of the RowStore contract about samples of groups. */
import { expect } from "@effect/vitest"
import { Chunk, Effect, Option, Stream } from "effect"
import { justAfter } from "../../src/domain/Time.ts"
import { RowBatch } from "../../src/domain/RowBatch.ts"
import { RowStore } from "../../src/store/RowStore.ts"
import { everything, expectSame } from "./rowStoreSupport.ts"
import { part } from "./samples.ts"

export const writeSamples = (sessionId: number, group: string, ...batches: ReadonlyArray<RowBatch>) =>
  Effect.flatMap(RowStore, (store) => store.write(batches.map((batch) => ({ sessionId, group, batch }))))

export const samplePages = (
  sessionId: number,
  group: string,
  wanted: ReadonlyArray<string>,
  range: { readonly from: number; readonly until: number } = everything
) =>
  Effect.flatMap(RowStore, (store) =>
    Stream.runCollect(store.read({ sessionId, group, ...range }, wanted))
  ).pipe(Effect.map((batches) => Chunk.toReadonlyArray(batches)))

export const readSamples = (
  sessionId: number,
  group: string,
  wanted: ReadonlyArray<string>,
  range: { readonly from: number; readonly until: number } = everything
) =>
  Effect.map(samplePages(sessionId, group, wanted, range), (found) =>
    found.length === 0 ? RowBatch.allocate(0, wanted) : RowBatch.concat(found)
  )

export const countSamples = (sessionId: number, group: string, from = -Infinity, until = Infinity) =>
  Effect.flatMap(RowStore, (store) => store.count({ sessionId, group, from, until }))

/** Expects these columns and bits. */
export const expectSamples = (found: RowBatch, expected: RowBatch) => {
  expect(found.channels).toEqual(expected.channels)
  expectSame(found, expected)
}

/** Expects the group to have these samples: their values, count and bounds, its name among the groups, its columns. */
export const expectGroup = Effect.fnUntraced(function* (
  sessionId: number,
  group: string,
  expected: RowBatch
) {
  const store = yield* RowStore
  expectSamples(yield* readSamples(sessionId, group, expected.channels), expected)
  expect(yield* countSamples(sessionId, group)).toBe(expected.length)
  const times = expected.timestamps
  expect(yield* store.bounds({ sessionId, group })).toEqual(
    times.length === 0 ? Option.none() : Option.some({ first: times[0], last: times.at(-1) })
  )
  expect((yield* store.groups(sessionId)).includes(group)).toBe(times.length > 0)
  const columns = yield* store.columns({ sessionId, group })
  if (times.length === 0) expect(columns).toEqual([])
  const declared = expected.channels.filter((channel) => !expected.column(channel).every(Number.isNaN))
  expect(columns).toEqual(expect.arrayContaining(declared))
  expect(new Set(columns).size).toBe(columns.length)
})

/** Expects the group's last sample at `time` to be the one before `end` of `all`; none if that is 0. */
export const expectLast = Effect.fnUntraced(function* (
  sessionId: number,
  group: string,
  time: number,
  all: RowBatch,
  end: number
) {
  const store = yield* RowStore
  const found = yield* store.last({ sessionId, group }, time, all.channels)
  if (end === 0) expect(found).toEqual(Option.none())
  else expectSamples(Option.getOrThrow(found), part(all, end - 1, end))
})

/** The time of the `index`th sample; of the one after the last, just after it. */
export const limitOf = ({ timestamps }: RowBatch, index: number): number =>
  index < timestamps.length ? timestamps[index]! : justAfter(timestamps.at(-1)!)

/** As the contract defines it: every Nth row, the first and the last always kept. */
const everyNth = (batch: RowBatch, every: number): RowBatch =>
  batch.pick(
    Array.from({ length: batch.length }, (_, i) => i).filter((i) => i % every === 0 || i === batch.length - 1)
  )

/** Expects every Nth of these rows of the group to be read. Returns them in their pages. */
export const expectEvery = Effect.fnUntraced(function* (
  sessionId: number,
  group: string,
  expected: RowBatch,
  every: number,
  range: { readonly from: number; readonly until: number } = everything
) {
  const store = yield* RowStore
  const read = store.readEvery({ sessionId, group, ...range }, expected.channels, every)
  const found = Chunk.toReadonlyArray(yield* Stream.runCollect(read))
  if (expected.length === 0) expect(found).toEqual([])
  else expectSamples(RowBatch.concat(found), everyNth(expected, every))
  return found
})
