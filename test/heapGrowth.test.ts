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

describe("collections of the heap", () => {
  it("are not frequent with one car, nor while the process starts", () => {
    const isFrequentWith = frequentCollections()
    expect(collect(isFrequentWith, { count: 500, from: 0, to: 5000 })).toBe(false)
    expect(collect(isFrequentWith, { count: 3000, from: 5000, to: 605_000 })).toBe(false)
  })

  it("are frequent with more than 50 young ones in five seconds, or 6 of the whole heap", () => {
    expect(collect(frequentCollections(), { count: 50, from: 5000, to: 9000 })).toBe(false)
    expect(collect(frequentCollections(), { count: 51, from: 5000, to: 9000 })).toBe(true)
    expect(collect(frequentCollections(), { count: 6, from: 5000, to: 9000, isWhole: true })).toBe(false)
    expect(collect(frequentCollections(), { count: 7, from: 5000, to: 9000, isWhole: true })).toBe(true)
  })

  it("stay so with five a second, and no longer once there are at most 60 in a minute", () => {
    const isFrequentWith = frequentCollections()
    collect(isFrequentWith, { count: 60, from: 5000, to: 9000 })
    expect(collect(isFrequentWith, { count: 3000, from: 9000, to: 609_000 })).toBe(true)
    expect(collect(isFrequentWith, { count: 100, from: 609_000, to: 809_000 })).toBe(false)
  })
})
