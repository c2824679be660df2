import { describe, expect, it } from "vitest"
import { predictNextLap } from "../../../src/analysis/predictions/predictions.ts"
import type { LapKind } from "../../../src/analysis/lapKinds/placedLaps.ts"
import type { RecordedLap } from "../../../src/domain/Lap.ts"
import { lapOf, lapsWith } from "../predictedLaps.ts"

const leftOut = (laps: ReadonlyArray<RecordedLap>) =>
  predictNextLap(laps).lapsLeftOut.map(({ lapNumber, reason }) => `${lapNumber} ${reason}`)

const stint = [90, 90.2, 89.9, 90.1, 90, 89.8, 90.1]

/** Laps that follow each other directly. */
const drivenFor = (times: ReadonlyArray<number>): ReadonlyArray<RecordedLap> => {
  let clock = 0
  return times.map((time, i) => {
    const startTime = clock
    clock += time
    return { ...lapOf(i + 1, time), startTime, endTime: clock }
  })
}

const known = (kinds: Readonly<Record<number, LapKind>>, laps: ReadonlyArray<RecordedLap>) =>
  new Map(
    laps.flatMap(({ id, lapNumber }) => (lapNumber in kinds ? [[id, new Set([kinds[lapNumber]!])]] : []))
  )

describe("laps left out", () => {
  it("are reported with the reason, and all others are used", () => {
    const laps = [
      ...lapsWith(stint),
      lapOf(8, 93.5),
      lapOf(9, 110),
      lapOf(10, null),
      lapOf(11, 90.1, false),
      lapOf(12, 3),
      lapOf(13, 90.1),
      lapOf(14, 90)
    ]
    expect(leftOut(laps)).toEqual([
      "8 outlier",
      "9 off_pace",
      "10 not_timed",
      "11 not_valid",
      "12 implausible_time"
    ])
    expect(predictNextLap(laps).lapsUsed).toBe(9)
  })

  it("include an outlier if the next lap is as those before", () => {
    expect(leftOut(lapsWith([...stint, 94, 90, 90.1]))).toEqual(["8 outlier"])
  })

  it.each([
    ["an out-lap and laps at pace follow", [112, 89.6, 89.5], "in_lap"],
    ["the car stands in the next lap", [900, 140, 89.6, 89.5], "in_lap"],
    ["no later lap shows yet whether it was one", [112], "outlier"],
    ["the next lap is too fast for one out of the pits", [98, 89.9, 90.1], "outlier"],
    ["a safety car follows", [130, 140, 90, 90.1], "outlier"]
  ])("are in-laps by their times only as far as the next laps show a stop: %s", (_, next, reason) => {
    expect(leftOut(drivenFor([...stint, 93.9, ...next]))[0]).toBe(`8 ${reason}`)
  })

  it("include none of a steady stint, nor of one that changes its level", () => {
    expect(leftOut(lapsWith(stint))).toEqual([])
    expect(leftOut(lapsWith([...stint, 86.5, 86.6, 86.4]))).toEqual([])
  })
})

describe("the stint under way", () => {
  it.each([
    ["a pit stop", [...stint, 93.9, 112, 89.5, 89.6], 10, 2],
    ["several laps not at pace", [...stint, 130, 140, 150, 90], 11, 1],
    ["a jump", [...stint, 86.5, 86.6, 86.4], 8, 3]
  ])("begins after %s", (_, times, firstLapNumber, laps) => {
    expect(predictNextLap(lapsWith(times)).stint).toEqual({ firstLapNumber, laps })
  })

  it("goes on over an outlier, and over one slow lap between ordinary ones", () => {
    expect(predictNextLap(lapsWith([...stint, 94, 90, 90.1])).stint).toEqual({ firstLapNumber: 1, laps: 9 })
    expect(predictNextLap(lapsWith([...stint, 99, 90, 90.1])).stint).toEqual({ firstLapNumber: 1, laps: 9 })
  })

  it("begins after a stop whose laps are at pace, and goes on behind a safety car", () => {
    // By its time the in lap is at pace, and the out lap is the only one that is not.
    const stopped = lapsWith([...stint, 92, 97.5, 89.6, 89.5])
    const stop = known({ 8: "in_lap", 9: "out_lap" }, stopped)
    expect(predictNextLap(stopped, stop)).toMatchObject({
      stint: { firstLapNumber: 10, laps: 2 },
      lapsUsed: 9,
      lapsLeftOut: [{ reason: "in_lap" }, { reason: "out_lap" }]
    })
    const slow = lapsWith([...stint, 130, 140, 95, 90, 90.1])
    const neutralised = known({ 8: "neutralised", 9: "neutralised", 10: "neutralised" }, slow)
    expect(predictNextLap(slow, neutralised)).toMatchObject({
      stint: { firstLapNumber: 1, laps: 9 },
      lapsLeftOut: [{ reason: "neutralised" }, { reason: "neutralised" }, { reason: "neutralised" }]
    })
    expect(predictNextLap(slow).stint).toEqual({ firstLapNumber: 11, laps: 2 })
    // The last lap counts: the next one is the first after it.
    const last = predictNextLap(stopped.slice(0, 8), stop)
    expect(last.message).toMatch(/^The time of lap 9 .*the first after 1 lap not at pace/)
  })

  it("is empty if no lap can be used", () => {
    expect(predictNextLap([lapOf(1, null)]).stint).toBeNull()
  })
})
