import { describe, expect, it } from "vitest"
import { SparseHours } from "../../../src/store/questdb/sparseHours.ts"

const HOUR = 3600
const START = 1.7e9
const apart = (count: number, seconds: number, from = START) =>
  Float64Array.from({ length: count }, (_, n) => from + n * seconds)

describe("hours of a session in QuestDB", () => {
  it("cause one warning if they have few points, in one batch or in many", () => {
    const hours = new SparseHours()
    const warning =
      "Session 7 has 24 points in 24 hours: QuestDB keeps 58 KB for each of its hours, whatever is in it"
    expect(hours.add(7, apart(24, HOUR))).toBe(warning)
    expect(hours.add(7, apart(24, HOUR, START + 24 * HOUR))).toBeUndefined()
    const warnings = Array.from({ length: 30 }, (_, n) => hours.add(8, apart(1, 1, START + n * HOUR)))
    expect(warnings.filter((one) => one !== undefined)).toEqual([warning.replace("7", "8")])
    expect(warnings.indexOf(warning.replace("7", "8"))).toBe(23)
  })

  it("cause no warning if they are few, nor in a long session", () => {
    const hours = new SparseHours()
    expect(hours.add(1, apart(23, HOUR))).toBeUndefined()
    // Three days, a point a second, in batches of ten minutes.
    for (let from = 0; from < 72 * HOUR; from += 600) {
      expect(hours.add(2, apart(600, 1, START + from))).toBeUndefined()
    }
  })

  it("are counted from zero again after the session has ended", () => {
    const hours = new SparseHours()
    hours.add(1, apart(23, HOUR))
    hours.forget(1)
    expect(hours.add(1, apart(1, HOUR, START + 23 * HOUR))).toBeUndefined()
  })
})
