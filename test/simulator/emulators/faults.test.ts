import { describe, expect, it } from "vitest"
import { type Faults, OVERTAKEN_BY, spoil } from "../../../simulator/emulators/faults.ts"

const none: Faults = { loss: 0, reorder: 0, duplicate: 0, garbage: 0 }
const COUNT = 10_000

/** The datagrams that arrive; each is its number, twice, and 0xee at the end. */
const sent = (faults: Partial<Faults>, seed = 1) => {
  const arrived: Array<Buffer> = []
  const send = spoil({ ...none, ...faults }, seed)((bytes) => arrived.push(Buffer.from(bytes)))
  const bytes = Buffer.alloc(9, 0xee)
  for (let n = 0; n < COUNT; n++) {
    bytes.writeUInt32LE(n, 0)
    bytes.writeUInt32LE(n, 4)
    send(bytes)
  }
  return arrived
}

const isWhole = (bytes: Buffer) =>
  bytes.length === 9 && bytes[8] === 0xee && bytes.readUInt32LE(0) === bytes.readUInt32LE(4)
const numbers = (arrived: ReadonlyArray<Buffer>) =>
  arrived.filter(isWhole).map((bytes) => bytes.readUInt32LE(0))

/** The numbers that did not arrive, without those that were still on their way at the end. */
const lost = (arrived: ReadonlyArray<Buffer>) => {
  const there = new Set(numbers(arrived))
  return Array.from({ length: COUNT - OVERTAKEN_BY }, (_, n) => n).filter((n) => !there.has(n))
}

describe("faults", () => {
  it("may be none: everything arrives as it was sent", () => {
    expect(numbers(sent({}))).toEqual(Array.from({ length: COUNT }, (_, n) => n))
  })

  it("of loss take their share", () => {
    const arrived = numbers(sent({ loss: 0.02 }))
    expect(arrived.length / COUNT).toBeCloseTo(0.98, 2)
    expect(arrived).toEqual(arrived.toSorted((a, b) => a - b))
  })

  it("of duplication send the copy at once", () => {
    const arrived = numbers(sent({ duplicate: 0.1 }))
    expect(arrived.length / COUNT).toBeCloseTo(1.1, 2)
    expect(arrived).toEqual(arrived.toSorted((a, b) => a - b))
    expect(new Set(arrived).size).toBe(COUNT)
  })

  it("of reordering delay some by a few, and lose none but the last", () => {
    const arrived = numbers(sent({ reorder: 0.1 }))
    expect(new Set(arrived).size).toBe(arrived.length)
    expect(arrived.length).toBeGreaterThanOrEqual(COUNT - OVERTAKEN_BY)
    const newest = arrived.map((_, at) => Math.max(...arrived.slice(Math.max(0, at - 10), at), -1))
    const late = arrived.filter((n, at) => n < newest[at]!)
    // A few are delayed together with all that would have overtaken them.
    expect(late.length / COUNT).toBeGreaterThan(0.085)
    expect(late.length / COUNT).toBeLessThan(0.105)
    const delays = new Set(arrived.map((n, at) => newest[at]! - n).filter((delay) => delay > 0))
    expect([...delays].sort()).toEqual([1, 2, 3, 4])
  })

  it("of garbage add datagrams, some of them the beginning of a sent one", () => {
    const arrived = sent({ garbage: 0.1 })
    expect(numbers(arrived)).toEqual(Array.from({ length: COUNT }, (_, n) => n))
    const garbage = arrived.filter((bytes) => !isWhole(bytes))
    expect(garbage.length / COUNT).toBeCloseTo(0.1, 2)
    expect(Math.max(...garbage.map(({ length }) => length))).toBeGreaterThan(1400)
    expect(garbage.filter(({ length }) => length < 9).length / garbage.length).toBeCloseTo(0.5, 1)
  })

  it("together strike exactly where each does alone, for the same seed", () => {
    const all = { loss: 0.05, reorder: 0.05, duplicate: 0.05, garbage: 0.05 }
    expect(sent(all)).toEqual(sent(all))
    expect(sent(all)).not.toEqual(sent(all, 2))
    expect(lost(sent(all))).toEqual(lost(sent({ loss: 0.05 })))
  })

  it("keep each datagram's target", () => {
    const wrong: Array<Buffer> = []
    const ports = new Set<number | undefined>()
    const send = spoil(
      { ...none, reorder: 0.5, duplicate: 0.5 },
      1
    )((bytes, to) => {
      ports.add(to?.port)
      if (Buffer.from(bytes).readUInt32LE(0) !== to?.port) wrong.push(Buffer.from(bytes))
    })
    for (let port = 0; port < 1000; port++) {
      const bytes = Buffer.alloc(4)
      bytes.writeUInt32LE(port)
      send(bytes, { address: "127.0.0.1", port })
    }
    expect(ports.size).toBeGreaterThan(990)
    expect(wrong).toEqual([])
  })
})
