import { setTimeout as sleep } from "node:timers/promises"
import { describe, expect, it } from "vitest"
import { collectLeftBehind, frequentCollections } from "../../src/platform/heapGrowth.ts"

/** So many collections, evenly spread from one time to another, ms. */
interface Collections {
  readonly count: number
  readonly from: number
  readonly to: number
}

/** Whether collections were frequent after the last one. */
const collect = (isFrequentAt: (at: number) => boolean, { count, from, to }: Collections) => {
  let isFrequent = false
  for (let i = 0; i < count; i++) isFrequent = isFrequentAt(from + (i * (to - from)) / count)
  return isFrequent
}

describe("young collections", () => {
  it("are not frequent with one car, nor by a start", () => {
    const isFrequentAt = frequentCollections()
    expect(collect(isFrequentAt, { count: 140, from: 0, to: 500 })).toBe(false)
    expect(collect(isFrequentAt, { count: 3000, from: 5500, to: 605_500 })).toBe(false)
  })

  it("are frequent with more than 150 in five seconds", () => {
    expect(collect(frequentCollections(), { count: 150, from: 6000, to: 10_000 })).toBe(false)
    expect(collect(frequentCollections(), { count: 151, from: 6000, to: 10_000 })).toBe(true)
  })

  it("stay so with five a second, and no longer once there are at most 60 in a minute", () => {
    const isFrequentAt = frequentCollections()
    collect(isFrequentAt, { count: 160, from: 6000, to: 10_000 })
    expect(collect(isFrequentAt, { count: 3000, from: 10_000, to: 610_000 })).toBe(true)
    expect(collect(isFrequentAt, { count: 100, from: 610_000, to: 810_000 })).toBe(false)
  })
})

describe("buffers of an idle process", () => {
  const MIB = 1024 * 1024

  it("are released, though nothing is allocated", async () => {
    // Old buffers: V8 collects young ones more readily.
    let buffers: Array<Uint8Array> | undefined = Array.from({ length: 96 }, () => new Uint8Array(MIB).fill(1))
    // Other tests' objects come and go in this process, so that a sum of bytes proves nothing.
    const watched = buffers.map((buffer) => new WeakRef(buffer))
    const held = () => watched.filter((buffer) => buffer.deref() !== undefined).length
    // If it kept running, it would collect the whole heap twenty times a second, and slow the files that share this process a hundredfold.
    const { stop } = collectLeftBehind(50)
    try {
      await sleep(200)
      expect(held()).toBe(buffers.length)
      buffers = undefined
      while (held() > 0) await sleep(50)
    } finally {
      stop()
    }
  })
})
