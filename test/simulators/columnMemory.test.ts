import { expect, it } from "vitest"
import { ColumnMemory } from "../../src/simulators/ColumnMemory.ts"

it("gives every column its own values, all 0, for any lengths", () => {
  const memory = new ColumnMemory()
  const lengths = [1, 8, 9, 90, 4000, 4096, 4097, 0, 500, 1, 10_000, 700, 3000, 3000]
  const taken = lengths.flatMap((length) => [memory.take(length), memory.take(length)])
  expect(taken.map(({ length }) => length)).toEqual(lengths.flatMap((length) => [length, length]))
  for (const [n, column] of taken.entries()) {
    expect(column.every((value) => value === 0)).toBe(true)
    column.fill(n + 1)
  }
  for (const [n, column] of taken.entries()) expect(column.every((value) => value === n + 1)).toBe(true)
})
