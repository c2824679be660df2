/** The drawing of compared laps: distinguishable, and at a scale that shows those at pace. */
import { describe, expect, it } from "@effect/vitest"
import { scaleOf } from "../../web/src/draw/deltaScale.ts"
import { dashOf, lapColour } from "../../web/src/draw/lapLook.ts"

describe("compared laps", () => {
  it("all look different, up to twenty of them", () => {
    const looks = Array.from({ length: 20 }, (_, lap) => `${lapColour(lap)} ${dashOf(lap).join()}`)
    expect(new Set(looks).size).toBe(20)
  })

  it("have deltas at the scale of those at pace if one of them has a stop", () => {
    const [low, high] = scaleOf(
      [
        [0, 0, 0],
        [0, 1, 0.5],
        [-1, 0, 2],
        [0, 900, 910]
      ],
      90
    )!
    expect(low).toBeCloseTo(-1.15)
    expect(high).toBeCloseTo(2.15)
    // Compared with the slow one, they are as far from each other.
    expect(
      scaleOf(
        [
          [0, 0, 0],
          [0, -900, -910],
          [0, -899, -908]
        ],
        90
      )![0]
    ).toBeCloseTo(-955.5)
  })

  it("have deltas at the scale of all if all or only one are at pace, or no time is known", () => {
    expect(
      scaleOf(
        [
          [0, 0],
          [0, 12]
        ],
        90
      )
    ).toBeUndefined()
    expect(
      scaleOf(
        [
          [0, 0],
          [0, 13]
        ],
        90
      )
    ).toBeUndefined()
    expect(
      scaleOf(
        [
          [0, 0],
          [0, 0.5],
          [0, 900]
        ],
        null
      )
    ).toBeUndefined()
  })
})
