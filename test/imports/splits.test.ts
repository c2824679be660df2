import { describe, expect, it } from "@effect/vitest"
import { withSplits } from "../../src/imports/tables/splits.ts"

describe("splits of a file", () => {
  const lines = [100, 130, 160]

  it("part each lap in the order in which the car crosses them, whatever their order in the file", () => {
    expect(
      withSplits(lines, [
        [120, 151],
        [110, 139]
      ])
    ).toEqual([
      { time: 100, sectors: undefined },
      { time: 130, sectors: [10, 10, 10] },
      { time: 160, sectors: [9, 12, 9] }
    ])
  })

  it("give two sectors if there is one, and three if there are more than two", () => {
    expect(withSplits(lines, [[110, 139]])[1]!.sectors).toEqual([10, 20, null])
    expect(withSplits(lines, [[110], [115], [125]])[1]!.sectors).toEqual([10, 5, 15])
  })

  it("give none to a lap on which the car missed one", () => {
    expect(withSplits(lines, [[110, 139], [120]]).map(({ sectors }) => sectors)).toEqual([
      undefined,
      [10, 10, 10],
      undefined
    ])
    expect(withSplits(lines, [])[1]!.sectors).toBeUndefined()
  })
})
