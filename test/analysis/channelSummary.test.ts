import { describe, expect, it } from "@effect/vitest"
import { FastCheck as fc } from "effect"
import { ChannelSummarizer } from "../../src/analysis/channelSummary.ts"
import type { ChannelKind } from "../../src/domain/Dictionary.ts"
import { ABSENT } from "../../src/domain/RowBatch.ts"

const summarized = (
  kind: ChannelKind,
  first: number,
  samples: ReadonlyArray<readonly [time: number, value: number]>,
  end = 10
) => {
  const summarizer = new ChannelSummarizer(kind, 0, end)
  const all = [[-1, 77], [0, first], ...samples] as const
  summarizer.add(
    Float64Array.from(all, ([time]) => time),
    Float64Array.from(all, ([, value]) => value)
  )
  return summarizer.summary()
}

describe("the summary of a channel in a span", () => {
  it("integrates by trapezoids if the channel is continuous, and holds values if it has steps", () => {
    const samples = [
      [2, 4],
      [6, 8]
    ] as const
    // 0-2: 2 to 4; 2-6: 4 to 8; 6-10: 8.
    expect(summarized("continuous", 2, samples)).toEqual({
      min: 2,
      max: 8,
      mean: 6.2,
      first: 2,
      last: 8,
      change: 6,
      fall: 0
    })
    // 2 s of 2, 4 s of 4, 4 s of 8.
    expect(summarized("step", 2, samples).mean).toBeCloseTo(5.2, 12)
    expect(summarized("angle", 350, [[5, 10]])).toEqual({
      min: 10,
      max: 350,
      mean: null,
      first: 350,
      last: 10,
      change: -340,
      fall: null
    })
  })

  it("leaves out the time in which it was absent", () => {
    const samples = [
      [2, 3],
      [4, ABSENT],
      [8, 5]
    ] as const
    expect(summarized("step", ABSENT, samples)).toEqual({
      min: 3,
      max: 5,
      mean: 4,
      first: null,
      last: 5,
      change: null,
      fall: 0
    })
    // Only from 8 on do both ends of a trapezoid have a value.
    expect(summarized("continuous", ABSENT, samples).mean).toBe(5)
    const none = { min: null, max: null, mean: null, first: null, last: null, change: null, fall: null }
    expect(summarized("continuous", ABSENT, [[3, ABSENT]])).toEqual(none)
    expect(summarized("flag", 1, [], 0)).toMatchObject({ mean: 1, change: 0 })
  })

  it("adds up all falls: a tank that was filled meanwhile has still used its fuel", () => {
    const stop = [
      [2, 49.5],
      [4, 48.5],
      [5, 60],
      [6, ABSENT],
      [8, 59.25],
      [9, 59.25]
    ] as const
    expect(summarized("continuous", 50, stop)).toMatchObject({ change: 9.25, fall: 2.25 })
    expect(summarized("step", 3, [[1, 2]]).fall).toBe(1)
  })

  it("begins with the first sample if there is none before the span", () => {
    const summarizer = new ChannelSummarizer("step", 0, 10)
    summarizer.add(Float64Array.of(4, 6), Float64Array.of(3, 5))
    summarizer.add(Float64Array.of(8), Float64Array.of(7))
    expect(summarizer.summary()).toMatchObject({ first: 3, min: 3, last: 7, change: 4 })
  })

  it("is the same however the samples are cut into batches", () => {
    const value = fc.oneof(fc.integer({ min: -5, max: 5 }), fc.constant(ABSENT))
    fc.assert(
      fc.property(
        fc.constantFrom<ChannelKind>("continuous", "step", "flag"),
        fc.integer({ min: -3, max: 1 }),
        fc.array(value, { maxLength: 20 }),
        fc.integer({ min: 1, max: 5 }),
        (kind, from, values, size) => {
          const whole = new ChannelSummarizer(kind, 0, 100)
          const parts = new ChannelSummarizer(kind, 0, 100)
          const times = Float64Array.from(values, (_, i) => from + i)
          whole.add(times, Float64Array.from(values))
          for (let at = 0; at < values.length; at += size) {
            parts.add(
              times.subarray(at, at + size),
              Float64Array.from([9, ...values.slice(at, at + size)]),
              1
            )
          }
          expect(parts.summary()).toEqual(whole.summary())
        }
      )
    )
  })
})
