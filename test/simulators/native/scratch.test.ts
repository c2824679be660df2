import { expect, it } from "vitest"
import { Scratch } from "../../../src/simulators/drivers/native/Scratch.ts"

it("gives memory to one caller only until it is reset, and then the same again", () => {
  const scratch = new Scratch()
  const taken = [3, 5, 200, 1].map((length, n) => scratch.take(length).fill(n))
  expect(taken.map((doubles) => [...new Set(doubles)])).toEqual([[0], [1], [2], [3]])
  expect(taken.map(({ length }) => length)).toEqual([3, 5, 200, 1])
  scratch.reset()
  const again = scratch.take(4)
  scratch.reset()
  expect(scratch.take(4).buffer).toBe(again.buffer)
})

it("gives back the memory of a huge message", () => {
  const scratch = new Scratch()
  const { buffer } = scratch.take(1_000_000)
  scratch.reset()
  expect(scratch.take(10).buffer).not.toBe(buffer)
})
