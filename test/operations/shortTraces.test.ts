import { describe, expect, it } from "vitest"
import { compareTraced } from "../../src/analysis/compare/comparison.ts"
import { ABSENT } from "../../src/domain/RowBatch.ts"
import { shortened } from "../../src/operations/shortTraces.ts"
import { drive, drivenLap } from "../analysis/lapData.ts"

const from = drive()
const traces = compareTraced([3, 2].map((lap) => drivenLap(from, lap))).traces

/** What a plot, its values and the track map can show. */
const SEEN = {
  distance: 0.01,
  timeDelta: 0.0001,
  timeDeltaUncertainty: 0.001,
  speed: 0.01,
  throttle: 0.001,
  brake: 0.001,
  gear: 0,
  steering: 0.0001,
  positionX: 0.01,
  positionY: 0.01
} as const

describe("short traces", () => {
  it("have the values of the long ones, to what can be seen", () => {
    for (const trace of traces) {
      const short = shortened(trace)
      expect(Object.keys(short)).toEqual(Object.keys(trace))
      for (const [name, most] of Object.entries(SEEN)) {
        const [a, b] = [trace[name as keyof typeof SEEN], short[name as keyof typeof SEEN]]
        const off = a.map((value, n) => Math.abs(value - b[n]!))
        expect([name, off.every((by) => by <= most / 2 + 1e-12)]).toEqual([name, true])
      }
    }
  })

  it("take less than half of the characters", () => {
    const size = (all: typeof traces) =>
      all
        .flatMap((trace) => Object.values(trace))
        .reduce<number>((sum, column) => sum + String(column).length, 0)
    expect(size(traces.map(shortened))).toBeLessThan(size(traces) / 2)
  })

  it("keep six digits of a channel of any size, and its gaps", () => {
    const channels = {
      tiny: Float64Array.of(0.000123456789, ABSENT, 0),
      large: Float64Array.of(123456789.123, ABSENT, -1),
      flag: Float64Array.of(0, 1, 1),
      none: null
    }
    expect(shortened({ ...traces[0]!, channels }).channels).toEqual({
      tiny: Float64Array.of(0.000123457, ABSENT, 0),
      large: Float64Array.of(123456789, ABSENT, -1),
      flag: Float64Array.of(0, 1, 1),
      none: null
    })
  })
})
