import { it } from "@effect/vitest"
import { FastCheck as fc } from "effect"
import { expect } from "vitest"
import { channels } from "../../src/domain/pointChannels.ts"
import { type PointBatch, RowBatch } from "../../src/domain/RowBatch.ts"
import { RowRing } from "../../src/recording/intake/RowRing.ts"

const batchOf = (length: number, seed: number): PointBatch => {
  const batch = RowBatch.allocate(length, channels)
  for (let i = 0; i < batch.data.length; i++) batch.data[i] = seed * 1000 + i
  return batch
}

it("a row ring keeps every batch unchanged until it is released, whatever else is added and released", () => {
  const action = fc.oneof(
    fc.record({ keep: fc.integer({ min: 0, max: 60 }) }),
    fc.record({ release: fc.integer({ min: 1, max: 5 }) }),
    // Not the oldest ones: those of a session that is stored later than the others.
    fc.record({ release: fc.integer({ min: 1, max: 5 }), from: fc.integer({ min: 1, max: 9 }) })
  )
  fc.assert(
    fc.property(fc.array(action, { maxLength: 200 }), (actions) => {
      const ring = new RowRing(1000)
      const kept: Array<{ readonly batch: PointBatch; readonly original: PointBatch }> = []
      actions.forEach((step, seed) => {
        if ("keep" in step) {
          const original = batchOf(step.keep, seed)
          kept.push({ batch: ring.keep(original), original })
        } else {
          const from = "from" in step ? step.from : 0
          for (const { batch } of kept.splice(from, step.release)) ring.release(batch)
        }
        for (const { batch, original } of kept) expect(batch.data).toEqual(original.data)
      })
    })
  )
})

it("a row ring uses the same memory again, and threads share it", () => {
  const ring = new RowRing(1000)
  const buffers = new Set<ArrayBufferLike>()
  const offsets: Array<number> = []
  let oldest = ring.keep(batchOf(30, 0))
  for (let seed = 1; seed < 50; seed++) {
    const next = ring.keep(batchOf(30, seed))
    ring.release(oldest)
    oldest = next
    buffers.add(next.data.buffer)
    offsets.push(next.data.byteOffset)
  }
  expect(buffers.size).toBe(1)
  expect([...buffers][0]).toBeInstanceOf(SharedArrayBuffer)
  expect(Math.max(...offsets)).toBeLessThanOrEqual(100 * 1.25 * 80)
})

it("a row ring uses its memory again once a batch that was released late is released", () => {
  const ring = new RowRing(1000)
  const late = ring.keep(batchOf(10, 0))
  for (let seed = 1; seed < 50; seed++) {
    const batch = ring.keep(batchOf(30, seed))
    expect(late.data).toEqual(batchOf(10, 0).data)
    ring.release(batch)
  }
  ring.release(late)
  const next = ring.keep(batchOf(30, 1))
  expect([next.data.buffer === late.data.buffer, next.data.byteOffset]).toEqual([true, 0])
})

it("a row ring begins at the beginning whenever it is empty", () => {
  const ring = new RowRing(10000)
  for (let seed = 0; seed < 10; seed++) {
    const batch = ring.keep(batchOf(10, seed))
    expect(batch.data.byteOffset).toBe(0)
    ring.release(batch)
  }
})

it("a row ring gives a batch memory of its own if there is no room for it", () => {
  const ring = new RowRing(100)
  const large = batchOf(100, 1)
  const kept = ring.keep(large)
  expect(kept.data).toEqual(large.data)
  large.data.fill(0)
  expect(kept.data[999]).toBe(1999)
  ring.release(kept)
  expect(ring.keep(batchOf(5, 2)).data.byteOffset).toBe(0)
})
