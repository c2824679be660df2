import { describe, expect, it } from "vitest"
import { frequentCollections } from "../src/heapGrowth.ts"

/** So many collections, equally spread from one time to another, ms; whether they were frequent after the last one. */
const collect = (
  isFrequentWith: ReturnType<typeof frequentCollections>,
  options: { count: number; from: number; to: number; isWhole?: boolean }
) => {
  const { count, from, isWhole = false, to } = options
  let isFrequent = false
  for (let i = 0; i < count; i++) isFrequent = isFrequentWith(from + (i * (to - from)) / count, isWhole)
  return isFrequent
}

/** After the collections of a start. */
const started = () => {
  const isFrequentWith = frequentCollections()
  expect(collect(isFrequentWith, { count: 150, from: 0, to: 500 })).toBe(false)
  return isFrequentWith
}

describe("collections of the heap", () => {
  it("are not frequent with one car", () => {
    expect(collect(started(), { count: 3000, from: 500, to: 600_500 })).toBe(false)
  })

  it("are frequent with more than 50 young ones in five seconds, or 6 of the whole heap", () => {
    expect(collect(started(), { count: 50, from: 6000, to: 10_000 })).toBe(false)
    expect(collect(started(), { count: 51, from: 6000, to: 10_000 })).toBe(true)
    expect(collect(started(), { count: 6, from: 6000, to: 10_000, isWhole: true })).toBe(false)
    expect(collect(started(), { count: 7, from: 6000, to: 10_000, isWhole: true })).toBe(true)
  })

  it("stay so with five a second, and no longer once there are at most 60 in a minute", () => {
    const isFrequentWith = started()
    collect(isFrequentWith, { count: 60, from: 6000, to: 10_000 })
    expect(collect(isFrequentWith, { count: 3000, from: 10_000, to: 610_000 })).toBe(true)
    expect(collect(isFrequentWith, { count: 100, from: 610_000, to: 810_000 })).toBe(false)
  })
})
