/** Rows between nodes: to the bit, in parts that a message holds, and no damaged message is taken for another. */
import { describe, expect, it } from "@effect/vitest"
import { FastCheck } from "effect"
import { MAX_MESSAGE_BYTES } from "../../../src/cluster/nats/Bus.ts"
import { decodeRows, encodePoints, encodeSamples } from "../../../src/cluster/nats/rows.ts"
import { channels } from "../../../src/domain/pointChannels.ts"
import { RowBatch } from "../../../src/domain/RowBatch.ts"

const bits = (data: Float64Array) => [...new BigUint64Array(data.slice().buffer)]

const batchOf = (rows: number, columns: ReadonlyArray<string>, seed: number) => {
  const batch = RowBatch.allocate(rows, columns)
  for (let i = 0; i < batch.data.length; i++) batch.data[i] = Math.sin(seed + i) * 10 ** ((seed + i) % 300)
  batch.data.set([-0, Number.NaN, Infinity, 5e-324].slice(0, batch.data.length))
  return batch
}

/** As a bus gives it: anywhere in a larger buffer. */
const received = (bytes: Uint8Array) => {
  const buffer = new Uint8Array(bytes.length + 16).fill(0xff)
  buffer.set(bytes, 3)
  return buffer.subarray(3, 3 + bytes.length)
}

describe("rows between nodes", () => {
  it("of points arrive to the bit, numbered, in messages that the bus takes", () => {
    const points = FastCheck.tuple(
      FastCheck.integer({ min: 1, max: 20_000 }),
      FastCheck.integer({ min: 0, max: 99 })
    )
    FastCheck.assert(
      FastCheck.property(points, FastCheck.boolean(), ([rows, seed], isNumbered) => {
        const batch = batchOf(rows, channels, seed) as RowBatch<(typeof channels)[number]>
        const first = isNumbered ? 1 + seed : undefined
        const messages = encodePoints({ type: "points", sessionId: 7 + seed, batch, first })
        expect(messages.every(({ length }) => length <= MAX_MESSAGE_BYTES + 64)).toBe(true)
        const parts = messages.map((message) => {
          const update = decodeRows(received(message))
          if (update?.type !== "points") throw new Error("not points")
          return update
        })
        expect(parts.every(({ sessionId }) => sessionId === 7 + seed)).toBe(true)
        let next = first
        for (const part of parts) {
          expect(part.first).toBe(next)
          next = next === undefined ? undefined : next + part.batch.length
        }
        expect(bits(RowBatch.concat(parts.map((part) => part.batch)).data)).toEqual(bits(batch.data))
      }),
      { numRuns: 30 }
    )
  })

  it("of groups arrive to the bit, with their names", () => {
    const columns = FastCheck.uniqueArray(FastCheck.string({ minLength: 1, maxLength: 8 }), {
      minLength: 1,
      maxLength: 200
    })
    const group = FastCheck.tuple(FastCheck.integer({ min: 0, max: 600 }), columns)
    FastCheck.assert(
      FastCheck.property(FastCheck.array(group, { minLength: 1, maxLength: 4 }), (given) => {
        const groups = given.map(([rows, names], at) => ({
          group: `group ${at} ü`,
          batch: batchOf(rows, names, at)
        }))
        const messages = encodeSamples({ type: "samples", sessionId: 3, groups })
        const parts = messages.flatMap((message) => {
          const update = decodeRows(received(message))
          return update?.type === "samples" ? update.groups : []
        })
        for (const { batch, group } of groups) {
          const own = parts.filter((part) => part.group === group).map((part) => part.batch)
          expect(own[0]!.channels).toEqual(batch.channels)
          expect(bits(RowBatch.concat(own).data)).toEqual(bits(batch.data))
        }
      }),
      { numRuns: 50 }
    )
  })

  it("that are cut or of another version are not taken for rows", () => {
    const batch = batchOf(3, channels, 1) as RowBatch<(typeof channels)[number]>
    const [points] = encodePoints({ type: "points", sessionId: 1, batch, first: 1 })
    const [samples] = encodeSamples({ type: "samples", sessionId: 1, groups: [{ group: "fuel", batch }] })
    for (const message of [points!, samples!]) {
      for (let length = 2; length < message.length; length++) {
        expect(() => decodeRows(message.slice(0, length))).toThrow(/bytes|range|JSON|buffer/i)
      }
      const later = message.slice()
      later[1] = 2
      expect(decodeRows(later)).toBeUndefined()
    }
  })
})
