import { expect, it } from "@effect/vitest"
import { Chunk, Effect, FastCheck, Stream } from "effect"
import { thin } from "../../src/store/thinning.ts"
import { channels } from "../../src/domain/pointChannels.ts"
import { type PointBatch, RowBatch } from "../../src/domain/RowBatch.ts"
import { everyNth } from "../api/points.ts"

/** Batches of these sizes, whose timestamps count on from 0. */
const batchesOf = (sizes: ReadonlyArray<number>): ReadonlyArray<PointBatch> => {
  let next = 0
  return sizes.map((size) => {
    const batch = RowBatch.allocate(size, channels)
    for (let i = 0; i < size; i++) batch.timestamps[i] = next++
    return batch
  })
}

const thinned = (every: number, batches: ReadonlyArray<PointBatch>) =>
  Chunk.toReadonlyArray(Effect.runSync(Stream.runCollect(thin(every)(Stream.fromIterable(batches)))))

const sizes = FastCheck.array(FastCheck.integer({ min: 0, max: 12 }), { maxLength: 8 })
const rate = FastCheck.oneof(
  FastCheck.integer({ min: 1, max: 15 }),
  FastCheck.constant(Number.MAX_SAFE_INTEGER)
)

it.prop(
  "thinning keeps every Nth point, the first and the last, for any batches",
  [sizes, rate],
  ([cut, every]) => {
    const found = thinned(every, batchesOf(cut))
    const times = found.flatMap((batch) => [...batch.timestamps])
    const all = Array.from({ length: cut.reduce((sum, size) => sum + size, 0) }, (_, i) => i)
    expect(times).toEqual(everyNth(all, every))
    if (every > 1) expect(found.every((batch) => batch.length > 0)).toBe(true)
  }
)

it("thinning can be run again", () => {
  const stream = thin(4)(Stream.fromIterable(batchesOf([3, 3, 3])))
  const run = () =>
    Chunk.toReadonlyArray(Effect.runSync(Stream.runCollect(stream))).flatMap((b) => [...b.timestamps])
  expect(run()).toEqual([0, 4, 8])
  expect(run()).toEqual([0, 4, 8])
})
