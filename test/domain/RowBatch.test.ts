import { describe, expect, it } from "@effect/vitest"
import { FastCheck } from "effect"
import { type Channel, channels } from "../../src/domain/pointChannels.ts"
import { lowerBound, type PointBatch, RowBatch } from "../../src/domain/RowBatch.ts"
import { awkwardDoubles, bitsOf, samplePoints } from "../contracts/samples.ts"

const value = FastCheck.oneof(FastCheck.double(), FastCheck.constantFrom(...awkwardDoubles))

const batchOf = (present: ReadonlyArray<Channel>) =>
  FastCheck.integer({ min: 0, max: 12 }).chain((length) =>
    FastCheck.array(value, {
      minLength: length * present.length,
      maxLength: length * present.length
    }).map((values) => new RowBatch(length, Float64Array.from(values), present))
  )

const someChannels = FastCheck.subarray([...channels], { minLength: 1 })
const batch = someChannels.chain(batchOf)
const batches = someChannels.chain((present) => FastCheck.array(batchOf(present), { maxLength: 5 }))

/** A batch as its points, in the slow and obvious way: each as the bits of its values. */
const rows = (batch: PointBatch) =>
  Array.from({ length: batch.length }, (_, i) =>
    batch.channels.map((channel) => Buffer.from(batch.column(channel).slice(i, i + 1).buffer).toString("hex"))
  )

describe("RowBatch", () => {
  it("concat has the points of all, in order", () => {
    FastCheck.assert(
      FastCheck.property(batches, (parts) => {
        const whole = RowBatch.concat(parts)
        expect(rows(whole)).toEqual(parts.flatMap(rows))
        expect(whole.channels).toEqual(parts[0]?.channels ?? [])
      })
    )
  })

  it("slice and concat undo each other, and share nothing with the whole", () => {
    FastCheck.assert(
      FastCheck.property(batch, FastCheck.nat(), FastCheck.nat(), (whole, a, b) => {
        const from = Math.min(a % (whole.length + 1), b % (whole.length + 1))
        const to = Math.max(a % (whole.length + 1), b % (whole.length + 1))
        const [head, middle, tail] = [
          whole.slice(0, from),
          whole.slice(from, to),
          whole.slice(to, whole.length)
        ]
        expect(rows(middle)).toEqual(rows(whole).slice(from, to))
        const again = RowBatch.concat([head, middle, tail])
        expect(bitsOf(again).equals(bitsOf(whole))).toBe(true)
        if (middle !== whole) middle.data.fill(42)
        expect(bitsOf(again).equals(bitsOf(whole))).toBe(true)
      })
    )
  })

  it("slice of everything is the batch itself", () => {
    const whole = samplePoints(0, 3)
    expect(whole.slice(0, 3)).toBe(whole)
    expect(RowBatch.concat([whole])).toBe(whole)
  })

  it("pick takes the requested points, in that order, twice if requested twice", () => {
    const picking = batch.chain((whole) =>
      FastCheck.tuple(
        FastCheck.constant(whole),
        whole.length === 0
          ? FastCheck.constant([])
          : FastCheck.array(FastCheck.nat({ max: whole.length - 1 }), { maxLength: 20 })
      )
    )
    FastCheck.assert(
      FastCheck.property(picking, ([whole, indexes]) => {
        const all = rows(whole)
        expect(rows(whole.pick(indexes))).toEqual(indexes.map((index) => all[index]))
      })
    )
  })

  it("a column is a view: values written there are in the batch", () => {
    const batch = RowBatch.allocate(2, channels)
    batch.column("gear")[1] = 3
    expect(batch.data[channels.indexOf("gear") * 2 + 1]).toBe(3)
  })

  it("operations that would mix up channels are refused", () => {
    expect(() => new RowBatch(2, new Float64Array(3), channels)).toThrow("Invariant failed")
    expect(() => RowBatch.allocate<Channel>(1, ["speed"]).column("rpm")).toThrow("Invariant failed")
    const one = RowBatch.allocate<Channel>(1, ["timestamp", "speed"])
    const other = RowBatch.allocate<Channel>(1, ["timestamp", "rpm"])
    expect(() => RowBatch.concat([one, other])).toThrow("Invariant failed")
    const equal = RowBatch.allocate<Channel>(1, ["timestamp", "speed"])
    expect(RowBatch.concat([one, equal]).length).toBe(2)
  })
})

describe("lowerBound", () => {
  it("is the first index that is not before the time, as a linear search finds it", () => {
    const times = FastCheck.uniqueArray(FastCheck.integer({ min: -50, max: 50 }), { maxLength: 30 })
    FastCheck.assert(
      FastCheck.property(times, FastCheck.integer({ min: -60, max: 60 }), (times, time) => {
        const sorted = Float64Array.from(times).sort()
        const found = sorted.findIndex((other) => other >= time)
        expect(lowerBound(sorted, time)).toBe(found < 0 ? sorted.length : found)
      })
    )
  })
})
