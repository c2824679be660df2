import { describe, expect, it } from "vitest"
import { usedLaps } from "../../../src/analysis/predictions/usedLaps.ts"
import type { RecordedLap } from "../../../src/domain/Lap.ts"
import { lapOf } from "../predictedLaps.ts"

const at = (laps: ReadonlyArray<RecordedLap>) => {
  const { missed, used } = usedLaps(laps)
  return [...used.map(({ lap, missed: before }) => [lap.lapNumber, before]), missed]
}

describe("the laps that a prediction stands on", () => {
  it("are valid and within 107 % of the best, with how many were missed before each", () => {
    expect(at([lapOf(1, 90), lapOf(2, 91), lapOf(3, 97), lapOf(4, 120), lapOf(5, 90.5)])).toEqual([
      [1, 0],
      [2, 0],
      [5, 2],
      0
    ])
    expect(at([lapOf(1, 90), lapOf(2, null), lapOf(3, 130)])).toEqual([[1, 0], 2])
  })

  it("miss no lap that was driven at pace and is only not valid", () => {
    expect(at([lapOf(1, 90), lapOf(2, 91, false), lapOf(3, 90.2), lapOf(4, 99, false)])).toEqual([
      [1, 0],
      [3, 0],
      1
    ])
  })

  it("miss laps that were not recorded: by their numbers, and by the clock", () => {
    expect(at([lapOf(1, 90), lapOf(5, 90)])).toEqual([[1, 0], [5, 3], 0])
    // Numbers go on as if nothing had been, four laps' time later.
    const later = { ...lapOf(2, 90), startTime: 550, endTime: 640 }
    expect(at([lapOf(1, 90), later])).toEqual([[1, 0], [2, 4], 0])
  })

  it("miss at least a pit stop where the numbers begin again, and ten laps at most", () => {
    const again = { ...lapOf(1, 90), id: 9, startTime: 400, endTime: 490 }
    expect(at([lapOf(3, 90), again])).toEqual([[3, 0], [1, 2], 0])
    expect(at([lapOf(1, 90), lapOf(90, 90)])).toEqual([[1, 0], [90, 10], 0])
  })

  it("are none of a session without a valid lap", () => {
    expect(usedLaps([])).toEqual({ used: [], missed: 0 })
    expect(usedLaps([lapOf(1, 90, false), lapOf(2, null)])).toEqual({ used: [], missed: 0 })
  })
})
