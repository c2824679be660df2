import { describe, expect, it } from "@effect/vitest"
import { FastCheck } from "effect"
import { channels, PointBatch } from "../../src/domain/PointBatch.ts"
import { admit, type FeedPoints } from "../../src/recording/admission.ts"
import { pointsAt } from "../live/support.ts"

const feedPoints = (batch: PointBatch, more: Partial<FeedPoints> = {}): FeedPoints => ({
  batch,
  lapNumber: undefined,
  lapDistance: undefined,
  ...more
})

const counts = (rejected: ReadonlyMap<string, number>) => Object.fromEntries(rejected)

describe("admit", () => {
  it("passes a batch without fault on as it is", () => {
    const points = feedPoints(pointsAt([1, 2, 3]), { lapNumber: Float64Array.of(1, 1, 1) })
    const { points: admitted, rejected } = admit(points, 0.5)
    expect(admitted).toBe(points)
    expect(rejected.size).toBe(0)
    expect(admit(feedPoints(pointsAt([])), 0).points.batch.length).toBe(0)
  })

  it("takes the smallest and the largest numbers, and minus zero, to the bit", () => {
    const batch = pointsAt([-0, Number.MIN_VALUE, 1, Number.MAX_VALUE])
    batch.column("speed").set([-0, Number.MIN_VALUE, -Number.MAX_VALUE, 2.5e-310])
    batch.column("gear").set([-0, -1, 8, 1e300])
    const { points, rejected } = admit(feedPoints(batch), -Infinity)
    expect(points.batch).toBe(batch)
    expect(rejected.size).toBe(0)
    expect(Object.is(batch.column("speed")[0], -0)).toBe(true)
  })

  it("refuses what is not finite in any channel, a point for one reason only", () => {
    for (const channel of channels) {
      for (const value of [Number.NaN, Infinity, -Infinity]) {
        const batch = pointsAt([1, 2, 3])
        batch.column(channel)[1] = value
        const { points, rejected } = admit(feedPoints(batch), 0)
        expect([...points.batch.timestamps]).toEqual([1, 3])
        expect(counts(rejected)).toEqual({ not_finite: 1 })
      }
    }
  })

  it("refuses what is not later than the last accepted, within the batch and before it", () => {
    const { points, rejected } = admit(feedPoints(pointsAt([5, 6, 6, 4, 7, 100, 8, 101])), 5)
    expect([...points.batch.timestamps]).toEqual([6, 7, 100, 101])
    expect(counts(rejected)).toEqual({ out_of_order: 4 })
  })

  it("a refused point does not move the clock", () => {
    const batch = pointsAt([1, 100, 2])
    batch.column("rpm")[1] = Number.NaN
    batch.column("gear")[2] = 2
    expect([...admit(feedPoints(batch), 0).points.batch.timestamps]).toEqual([1, 2])
  })

  it("refuses half gears, and counts each reason by itself", () => {
    const batch = pointsAt([1, 2, 2, 3, 4])
    batch.column("gear").set([1, 1.5, 1, 0.1, -1])
    batch.column("throttle")[4] = Infinity
    const { points, rejected } = admit(feedPoints(batch), 0)
    expect([...points.batch.timestamps]).toEqual([1, 2])
    expect(counts(rejected)).toEqual({ gear_not_whole: 2, not_finite: 1 })
  })

  it("keeps the feed's word on laps with its points", () => {
    const points = feedPoints(pointsAt([1, 1, 2, 3]), {
      lapNumber: Float64Array.of(1, 9, 2, 3),
      lapDistance: Float64Array.of(10, 90, Number.NaN, 30)
    })
    const admitted = admit(points, 0).points
    expect([...admitted.lapNumber!]).toEqual([1, 2, 3])
    expect([...admitted.lapDistance!]).toEqual([10, Number.NaN, 30])
  })

  it("what is admitted increases strictly, is finite, and with what is refused makes the whole", () => {
    const number = FastCheck.oneof(
      { weight: 8, arbitrary: FastCheck.integer({ min: -3, max: 40 }) },
      { weight: 1, arbitrary: FastCheck.double() }
    )
    const point = FastCheck.array(number, { minLength: channels.length, maxLength: channels.length })
    FastCheck.assert(
      FastCheck.property(FastCheck.array(point, { maxLength: 40 }), FastCheck.integer(), (rows, last) => {
        const batch = PointBatch.allocate(rows.length)
        rows.forEach((row, i) => row.forEach((value, c) => (batch.data[c * rows.length + i] = value)))
        const { points, rejected } = admit(feedPoints(batch), last)
        let previous = last
        for (const time of points.batch.timestamps) {
          expect(time).toBeGreaterThan(previous)
          previous = time
        }
        expect(points.batch.data.every(Number.isFinite)).toBe(true)
        expect(points.batch.column("gear").every(Number.isInteger)).toBe(true)
        let refused = 0
        for (const count of rejected.values()) refused += count
        expect(points.batch.length + refused).toBe(batch.length)
      })
    )
  })
})
