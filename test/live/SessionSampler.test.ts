import { describe, expect, it } from "@effect/vitest"
import { FastCheck } from "effect"
import type { PointBatch } from "../../src/domain/RowBatch.ts"
import { SessionSampler, IDLE_MS } from "../../src/live/channels/SessionSampler.ts"
import { BURST_MS } from "../../src/live/hub/RateLimiter.ts"
import { feed, HandTurned, pointsAt } from "./support.ts"

/** A sampler on a clock turned by hand, and the timestamps that it sent with the time of each. */
const start = (rate: number) => {
  const timing = new HandTurned()
  const sent: Array<{ readonly time: number; readonly at: number }> = []
  let idle = 0
  const sampler = new SessionSampler(
    1,
    rate,
    timing,
    (run) => {
      for (const [, time] of run.plain.bytes.toString("latin1").matchAll(/"timestamp":([^,]+)/g)) {
        sent.push({ time: Number(time), at: timing.now() })
      }
    },
    () => idle++
  )
  const times = () => sent.map(({ time }) => time)
  return { timing, sampler, sent, times, idle: () => idle }
}

const each = (batch: PointBatch, use: (point: PointBatch, i: number) => void) => {
  for (let i = 0; i < batch.length; i++) use(batch.slice(i, i + 1), i)
}

describe("SessionSampler", () => {
  it("loses nothing of a feed at its own rate, however its points arrive within the slack", () => {
    const jitter = FastCheck.array(FastCheck.integer({ min: 0, max: 60 }), { minLength: 60, maxLength: 60 })
    FastCheck.assert(
      FastCheck.property(jitter, (delays) => {
        const { timing, sampler, times } = start(60)
        const points = feed(1.7e9, 60, 60)
        each(points, (point, i) => {
          const arrival = 1000 + (i * 1000) / 60 + delays[i]!
          timing.advance(Math.max(0, arrival - timing.now()))
          sampler.offer(point)
        })
        expect(times()).toEqual([...points.timestamps])
      })
    )
  })

  it("loses nothing if the feed's own timestamps are rounded to milliseconds", () => {
    const { timing, sampler, times } = start(60)
    const points = pointsAt(Array.from({ length: 600 }, (_, i) => 1.7e9 + Math.round((i * 1000) / 60) / 1000))
    each(points, (point) => {
      sampler.offer(point)
      timing.advance(1000 / 60)
    })
    expect(times()).toEqual([...points.timestamps])
  })

  it("thins a steady feed evenly", () => {
    const { timing, sampler, times } = start(10)
    each(feed(0, 600, 60), (point) => {
      sampler.offer(point)
      timing.advance(1000 / 60)
    })
    const gaps = times()
      .slice(2)
      .map((time, i) => time - times()[i + 1]!)
    expect(times().length).toBeGreaterThanOrEqual(100)
    expect(times().length).toBeLessThanOrEqual(102)
    for (const gap of gaps.slice(0, -1)) expect(gap).toBeCloseTo(0.1)
  })

  it("spreads what it sends over a packed batch, by the feed's clock", () => {
    const { timing, sampler, sent } = start(60)
    for (let b = 0; b < 10; b++) {
      sampler.offer(feed(b * 0.1, 100, 1000))
      timing.advance(100)
    }
    expect(sent.length).toBeGreaterThanOrEqual(60)
    expect(sent.length).toBeLessThanOrEqual(62)
    for (let i = 2; i < sent.length; i++) {
      const gap = sent[i]!.time - sent[i - 1]!.time
      expect(gap).toBeGreaterThan(0.015)
      expect(gap).toBeLessThan(0.019)
    }
  })

  it("holds its rate on the wall clock at any speed of a replay", () => {
    const { timing, sampler, sent, times } = start(60)
    const seconds = 5
    for (let ms = 0; ms < seconds * 1000; ms++) {
      sampler.offer(feed(ms * 0.1, 100, 1000))
      timing.advance(1)
    }
    const most = (seconds + BURST_MS / 1000) * 60 + 1
    expect(sent.length).toBeLessThanOrEqual(most)
    expect(sent.length).toBeGreaterThan(most - 3)
    timing.advance(1000)
    expect(times().at(-1)).toBeCloseTo(500 - 0.001)
    expect(times()).toEqual([...times()].sort((a, b) => a - b))
  })

  it("thins points beyond the wall clock's rate evenly, ending with the newest", () => {
    const { sampler, times } = start(10)
    sampler.offer(feed(0, 31, 10)) // 3 s at once: the slack lets 3 go
    expect(times().map((time) => Math.round(time))).toEqual([1, 2, 3])
  })

  it("sends the last point of a burst when it is due, once", () => {
    const { timing, sampler, times } = start(10)
    sampler.offer(pointsAt([0, 0.01, 0.02]))
    sampler.offer(pointsAt([0.03]))
    expect(times()).toEqual([0])
    timing.advance(99)
    expect(times()).toEqual([0])
    timing.advance(60)
    expect(times()).toEqual([0, 0.03])
    timing.advance(5000)
    expect(times()).toEqual([0, 0.03])
  })

  it("keeps to any rate in any second, and ends with the last point", () => {
    const rate = FastCheck.constantFrom(0.5, 1, 7, 10, 59.94, 60, 144, 1000)
    const burst = FastCheck.record({
      wait: FastCheck.integer({ min: 0, max: 400 }),
      points: FastCheck.integer({ min: 1, max: 50 }),
      hz: FastCheck.constantFrom(1, 60, 333, 5000)
    })
    FastCheck.assert(
      FastCheck.property(rate, FastCheck.array(burst, { minLength: 1, maxLength: 60 }), (rate, bursts) => {
        const { timing, sampler, sent } = start(rate)
        let last = 0
        for (const { wait, points, hz } of bursts) {
          const batch = feed(last + 1 / hz, points, hz)
          last = batch.timestamps.at(-1)!
          sampler.offer(batch)
          timing.advance(wait)
        }
        timing.advance(10_000)
        expect(sent.at(-1)!.time).toBe(last)
        for (const [i, first] of sent.entries()) {
          const within = sent.filter((other, k) => k >= i && other.at < first.at + 1000).length
          expect(within).toBeLessThanOrEqual(Math.floor(rate * (1 + BURST_MS / 1000)) + 1)
        }
      })
    )
  })

  it("forgets a silent session, and starts no further timer", () => {
    const { timing, sampler, idle } = start(60)
    sampler.offer(feed(0, 10, 60))
    timing.advance(IDLE_MS - 1)
    expect(idle()).toBe(0)
    timing.advance(2)
    expect(idle()).toBe(1)
    expect(timing.alarms).toBe(0)
  })

  it("works with intervals that are longer than a timer can wait", () => {
    for (const rate of [1e-9, 5e-324]) {
      const { timing, sampler, times } = start(rate)
      for (let i = 0; i < 100; i++) {
        sampler.offer(feed(i, 10, 10))
        timing.advance(60_000)
      }
      expect(times()).toEqual([0])
      expect(timing.alarms).toBe(1)
    }
  })
})
