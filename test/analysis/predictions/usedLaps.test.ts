import { describe, expect, it } from "vitest"
import { usedLaps } from "../../../src/analysis/predictions/usedLaps.ts"
import type { RecordedLap } from "../../../src/domain/Lap.ts"
import { lapOf } from "../predictedLaps.ts"

const at = (laps: ReadonlyArray<RecordedLap>) => {
  const { missed, used } = usedLaps(laps)
  return [...used.map(({ lap, missed: before }) => [lap.lapNumber, before]), missed]
}

/** Whether the car stood in laps that take so long, s, between two laps at pace. */
const stoodIn = (...away: ReadonlyArray<number>) => {
  let clock = 200
  const next = (lap: RecordedLap, seconds: number) => {
    clock += seconds
    return { ...lap, startTime: clock - seconds, endTime: clock }
  }
  const slow = away.map((seconds, at) => next(lapOf(at + 2, null), seconds))
  return usedLaps([lapOf(1, 90), ...slow, next(lapOf(away.length + 2, 90), 90)]).used[1]!.stood
}

describe("the laps that a prediction uses", () => {
  it("are valid and within 107 % of the best, with the number of missed laps before each", () => {
    expect(at([lapOf(1, 90), lapOf(2, 91), lapOf(3, 97), lapOf(4, 120), lapOf(5, 90.5)])).toEqual([
      [1, 0],
      [2, 0],
      [5, 2],
      0
    ])
    expect(at([lapOf(1, 90), lapOf(2, null), lapOf(3, 130)])).toEqual([[1, 0], 2])
  })

  it("do not count a lap at pace as missed if it is only not valid", () => {
    expect(at([lapOf(1, 90), lapOf(2, 91, false), lapOf(3, 90.2), lapOf(4, 99, false)])).toEqual([
      [1, 0],
      [3, 0],
      1
    ])
  })

  it("count laps that were not recorded as missed: by their numbers, and by the clock", () => {
    expect(at([lapOf(1, 90), lapOf(5, 90)])).toEqual([[1, 0], [5, 3], 0])
    // The numbers go on without a gap, four laps' time later.
    const later = { ...lapOf(2, 90), startTime: 550, endTime: 640 }
    expect(at([lapOf(1, 90), later])).toEqual([[1, 0], [2, 4], 0])
  })

  it("count at least a pit stop as missed if the numbers begin again, and ten laps at most", () => {
    const again = { ...lapOf(1, 90), id: 9, startTime: 400, endTime: 490 }
    expect(at([lapOf(3, 90), again])).toEqual([[3, 0], [1, 2], 0])
    expect(at([lapOf(1, 90), lapOf(90, 90)])).toEqual([[1, 0], [90, 10], 0])
  })

  it("know whether the car stood: longer than behind a safety car, or to refuel", () => {
    expect([100, 250, 300, 1000].map((away) => stoodIn(away))).toEqual([false, false, true, true])
    // Stood, and has driven one lap since; or two and more, as behind a safety car.
    expect([stoodIn(100, 1000, 120), stoodIn(100, 1000, 120, 120)]).toEqual([true, false])
    // Nothing was recorded in between.
    expect(usedLaps([lapOf(1, 90), { ...lapOf(2, 90), startTime: 900, endTime: 990 }]).used[1]!.stood).toBe(
      true
    )
  })

  it("are none in a session without a valid lap", () => {
    expect(usedLaps([])).toEqual({ used: [], missed: 0, stood: false })
    expect(usedLaps([lapOf(1, 90, false), lapOf(2, null)])).toEqual({ used: [], missed: 0, stood: false })
  })
})
