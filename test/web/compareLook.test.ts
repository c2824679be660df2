/** The drawing of compared laps: distinguishable, and at a scale that shows those at pace. */
import { describe, expect, it } from "@effect/vitest"
import { bridged, lapTimes } from "../../web/src/draw/axis.ts"
import { deltasOf, scaleOf } from "../../web/src/draw/deltas.ts"
import { dashOf, lapColour } from "../../web/src/draw/lapLook.ts"
import type { Trace } from "../../web/src/types.ts"

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

const traceOf = (
  lap_id: number,
  speed: ReadonlyArray<number | null>,
  time_delta: ReadonlyArray<number | null>
) => ({ lap_id, distance: speed.map((_, n) => 10 * n), speed, time_delta }) as unknown as Trace

describe("gaps", () => {
  it("are bridged straight for places on the axis, and keep the value beside them at the ends", () => {
    expect([...bridged([null, 1, null, null, 4, null])]).toEqual([1, 1, 2, 3, 4, 4])
    expect([...bridged([null, null])]).toEqual([0, 0])
  })

  it("have no delta if either of the two laps has none", () => {
    const traces = [traceOf(1, [36, 36, 36], [0, null, 0]), traceOf(2, [36, 36, 36], [0, 1, null])]
    expect(deltasOf(traces)).toEqual([
      [0, null, 0],
      [0, null, null]
    ])
  })

  it("take the time of a lap along its way, not that of a standing car", () => {
    const times = lapTimes([traceOf(1, [36, null, null, 36], [0, null, null, 0])], 1, null)!
    expect([...times[0]!]).toEqual([0, 1, 2, 3])
  })

  it("leave the scale to what was recorded", () => {
    const scale = scaleOf(
      [
        [0, 0, 0],
        [0, 1, null],
        [0, 900, null],
        [null, null, null]
      ],
      90
    )!
    expect(scale[1]).toBeCloseTo(1.05)
  })
})
