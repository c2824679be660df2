import { describe, expect, it } from "@effect/vitest"
import { FastCheck } from "effect"
import { RowBatch } from "../../src/domain/RowBatch.ts"
import { joinSmall } from "../../src/recording/intake/joinSmall.ts"
import type { SessionRows } from "../../src/store/RowStore.ts"

const narrow = ["timestamp", "fuel"] as const
const wide = ["timestamp", "fuel", "fuel_laps"] as const

interface Part {
  readonly sessionId: number
  readonly group: string
  readonly columns: ReadonlyArray<string>
  readonly rows: number
}

const part: FastCheck.Arbitrary<Part> = FastCheck.record({
  sessionId: FastCheck.integer({ min: 1, max: 2 }),
  group: FastCheck.constantFrom("fuel", "tyres"),
  columns: FastCheck.constantFrom<ReadonlyArray<string>>(narrow, wide),
  rows: FastCheck.oneof(FastCheck.constant(1), FastCheck.integer({ min: 1, max: 40 }))
})

/** Times count up over all of them, so that rows out of order or doubled show. */
const batchesOf = (parts: ReadonlyArray<Part>): ReadonlyArray<SessionRows> => {
  let time = 0
  return parts.map(({ columns, group, rows, sessionId }) => {
    const batch = RowBatch.allocate<string>(rows, columns)
    for (let i = 0; i < rows; i++) batch.data[i] = time++
    return { sessionId, group, batch }
  })
}

/** The rows of each session and group, in their order: their columns, and their times. */
const rowsOf = (batches: ReadonlyArray<SessionRows>) => {
  const found: Record<string, Array<string>> = {}
  for (const { batch, group, sessionId } of batches) {
    const rows = (found[`${sessionId} ${group}`] ??= [])
    for (const time of batch.timestamps) rows.push(`${time} ${batch.channels.join()}`)
  }
  return found
}

describe("joinSmall", () => {
  it("keeps every row of each session and group, with its columns, in order", () => {
    FastCheck.assert(
      FastCheck.property(FastCheck.array(part, { maxLength: 30 }), (parts) => {
        const batches = batchesOf(parts)
        expect(rowsOf(joinSmall(batches))).toEqual(rowsOf(batches))
      })
    )
  })

  it("makes one batch for each group of a car's datagrams", () => {
    const datagram = ["fuel", "tyres"].map((group) => ({ sessionId: 1, group, columns: narrow, rows: 1 }))
    const joined = joinSmall(batchesOf(Array.from({ length: 60 }, () => datagram).flat()))
    expect(joined.map(({ batch, group }) => [group, batch.length])).toEqual([
      ["fuel", 60],
      ["tyres", 60]
    ])
  })

  it("leaves large batches as they are", () => {
    const batches = batchesOf([
      { sessionId: 1, group: "fuel", columns: narrow, rows: 100 },
      { sessionId: 1, group: "fuel", columns: narrow, rows: 100 }
    ])
    expect(joinSmall(batches)).toEqual(batches)
    expect(joinSmall(batches)[0]!.batch).toBe(batches[0]!.batch)
  })
})
