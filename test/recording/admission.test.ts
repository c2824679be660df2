import { describe, expect, it } from "@effect/vitest"
import { FastCheck } from "effect"
import { allBut, allChannels, channelSet, isDeclared } from "../../src/domain/ChannelSet.ts"
import { lapBatch } from "../../src/domain/LapBatch.ts"
import { channels } from "../../src/domain/pointChannels.ts"
import { ABSENT, type PointBatch, RowBatch } from "../../src/domain/RowBatch.ts"
import { type Admission, admit as admitBy, type FeedPoints } from "../../src/recording/feed/admission.ts"
import { FeedClock } from "../../src/recording/feed/FeedClock.ts"
import { absentBits, bitsOf } from "../contracts/samples.ts"
import { pointsAt } from "../live/support.ts"

const feedPoints = (batch: PointBatch, more: Partial<FeedPoints> = {}): FeedPoints => ({
  batch,
  declared: allChannels,
  lap: undefined,
  ...more
})

/** A clock in epoch seconds whose last point, at `last`, arrived just now. */
const after = (last: number) => new FeedClock(0, 0, { first: last, last })

/** Points of a feed with a point every 1,200 s or more often, none of which waits. */
const admit = (points: FeedPoints, clock: FeedClock): Admission =>
  admitBy(points, clock, { arrival: 0, interval: 1200, next: Infinity })

const counts = (rejected: ReadonlyMap<string, number>) => Object.fromEntries(rejected)

const isGear = (value: number) => Number.isInteger(value) || Number.isNaN(value)

describe("admit", () => {
  it("passes a batch without fault on unchanged", () => {
    const batch = pointsAt([1, 2, 3])
    const points = feedPoints(batch, { lap: lapBatch(batch.timestamps, Float64Array.of(1, 1, 1), undefined) })
    const { points: admitted, rejected } = admit(points, after(0.5))
    expect(admitted).toBe(points)
    expect(rejected.size).toBe(0)
    expect(admit(feedPoints(pointsAt([])), after(0)).points.batch.length).toBe(0)
  })

  it("accepts the smallest and the largest numbers, and minus zero, to the bit", () => {
    const batch = pointsAt([-0, Number.MIN_VALUE, 1, 3601])
    batch.column("speed").set([-0, Number.MIN_VALUE, -5000, 2.5e-310])
    batch.column("gear").set([-0, -1, 8, 1000])
    const { points, rejected } = admit(feedPoints(batch), after(-Infinity))
    expect(points.batch).toBe(batch)
    expect(rejected.size).toBe(0)
    expect(Object.is(batch.column("speed")[0], -0)).toBe(true)
  })

  it("refuses a value that is not finite in any channel, and a point for one reason only", () => {
    for (const channel of channels) {
      for (const value of [Number.NaN, Infinity, -Infinity]) {
        const batch = pointsAt([1, 2, 3])
        batch.column(channel)[1] = value
        const { points, rejected } = admit(feedPoints(batch), after(0))
        expect([...points.batch.timestamps]).toEqual([1, 3])
        expect(counts(rejected)).toEqual({ not_finite: 1 })
      }
    }
  })

  it("refuses values larger than a car can have, and nothing else of the batch", () => {
    const beyond = {
      speed: 5000.001,
      rpm: 1.1e6,
      gear: 1001,
      throttle: 65_537,
      brake: 65_537,
      steering: 65_537,
      position_x: 1.0001e7,
      position_y: 1.0001e7,
      position_z: 1.0001e7
    }
    for (const [channel, large] of Object.entries(beyond) as Array<[keyof typeof beyond, number]>) {
      for (const value of [large, -large, Number.MAX_VALUE, -Number.MAX_VALUE]) {
        const batch = pointsAt([1, 2, 3])
        batch.column(channel)[1] = value
        const { points, rejected } = admit(feedPoints(batch), after(0))
        expect([...points.batch.timestamps]).toEqual([1, 3])
        expect(counts(rejected)).toEqual({ implausible_value: 1 })
      }
    }
  })

  it("takes a channel that the source does not declare for absent, and gives it the one bit pattern of absent", () => {
    const others = [0x7ff8dead0000beefn, 0xfff8000000000000n, 0x7ff8000000000000n, 0x7ff0000000000001n]
    for (const channel of channels.filter((channel) => channel !== "timestamp")) {
      const batch = pointsAt([1, 2, 3, 4])
      new BigUint64Array(batch.column(channel).buffer).set(others, channels.indexOf(channel) * 4)
      const points = feedPoints(batch, { declared: allBut(channel) })
      const { points: admitted, rejected } = admit(points, after(0))
      expect(admitted).toBe(points)
      expect(rejected.size).toBe(0)
      expect(bitsOf(batch.only([channel])).equals(absentBits(4))).toBe(true)
    }
  })

  it("never takes a value that was sent for absent: neither a NaN that is declared, nor an infinity that is not", () => {
    for (const channel of channels) {
      const sent = pointsAt([1, 2, 3])
      sent.column(channel)[1] = ABSENT
      expect(counts(admit(feedPoints(sent), after(0)).rejected)).toEqual({ not_finite: 1 })
      if (channel === "timestamp") continue
      const infinite = pointsAt([1, 2, 3])
      infinite.column(channel).set([ABSENT, -Infinity, ABSENT])
      const admission = admit(feedPoints(infinite, { declared: allBut(channel) }), after(0))
      expect(counts(admission.rejected)).toEqual({ not_finite: 1 })
      expect([...admission.points.batch.timestamps]).toEqual([1, 3])
      expect(admission.points.declared).toBe(allBut(channel))
    }
  })

  it("accepts points with nothing but a time, and no points without one", () => {
    const batch = pointsAt([1, ABSENT, 3])
    for (const channel of channels.slice(1)) batch.column(channel).fill(ABSENT)
    const { points, rejected } = admit(feedPoints(batch, { declared: channelSet() }), after(0))
    expect([...points.batch.timestamps]).toEqual([1, 3])
    expect(counts(rejected)).toEqual({ not_finite: 1 })
  })

  it("refuses a point that is not later than the last accepted, within the batch and before it", () => {
    const { points, rejected } = admit(feedPoints(pointsAt([5, 6, 6, 4, 7, 100, 8, 101])), after(5))
    expect([...points.batch.timestamps]).toEqual([6, 7, 100, 101])
    expect(counts(rejected)).toEqual({ out_of_order: 4 })
  })

  it("does not let a refused point move the clock", () => {
    const batch = pointsAt([1, 100, 2])
    batch.column("rpm")[1] = Number.NaN
    batch.column("gear")[2] = 2
    expect([...admit(feedPoints(batch), after(0)).points.batch.timestamps]).toEqual([1, 2])
  })

  it("refuses half gears, and counts each reason by itself", () => {
    const batch = pointsAt([1, 2, 2, 3, 4])
    batch.column("gear").set([1, 1.5, 1, 0.1, -1])
    batch.column("throttle")[4] = Infinity
    const { points, rejected } = admit(feedPoints(batch), after(0))
    expect([...points.batch.timestamps]).toEqual([1, 2])
    expect(counts(rejected)).toEqual({ gear_not_whole: 2, not_finite: 1 })
  })

  it("keeps the feed's lap numbers and distances with their points", () => {
    const batch = pointsAt([1, 1, 2, 3])
    const numbers = Float64Array.of(1, 9, 2, 3)
    const metres = Float64Array.of(10, 90, Number.NaN, 30)
    const points = feedPoints(batch, { lap: lapBatch(batch.timestamps, numbers, metres) })
    const { lap } = admit(points, after(0)).points
    expect([...lap!.data]).toEqual([1, 2, 3, 1, 2, 3, 10, Number.NaN, 30])
  })

  it("accepts times that increase strictly and values that are finite or undeclared, and loses no point", () => {
    const number = FastCheck.oneof(
      { weight: 8, arbitrary: FastCheck.integer({ min: -3, max: 40 }) },
      { weight: 1, arbitrary: FastCheck.double() }
    )
    const point = FastCheck.array(number, { minLength: channels.length, maxLength: channels.length })
    const declared = FastCheck.integer({ min: 0, max: allChannels }).map((set) => set | channelSet())
    const rows = FastCheck.array(point, { maxLength: 40 })
    FastCheck.assert(
      FastCheck.property(rows, FastCheck.integer(), declared, (rows, last, declared) => {
        const batch = RowBatch.allocate(rows.length, channels)
        rows.forEach((row, i) => row.forEach((value, c) => (batch.data[c * rows.length + i] = value)))
        const { points, rejected } = admit(feedPoints(batch, { declared }), after(last))
        let previous = last
        for (const time of points.batch.timestamps) {
          expect(time).toBeGreaterThan(previous)
          expect(time).toBeGreaterThanOrEqual(0)
          expect(time).toBeLessThanOrEqual(previous + 3600)
          previous = time
        }
        for (const [c, channel] of channels.entries()) {
          const isGood = (value: number) =>
            Number.isFinite(value) || (!isDeclared(declared, c) && Number.isNaN(value))
          expect(points.batch.column(channel).every(isGood)).toBe(true)
        }
        expect(points.batch.column("gear").every(isGear)).toBe(true)
        let refused = 0
        for (const count of rejected.values()) refused += count
        expect(points.batch.length + refused).toBe(batch.length)
      })
    )
  })
})
