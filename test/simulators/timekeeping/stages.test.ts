/** Laps of rallycross, which are counted, by a game of stages. */
import { describe, expect, it } from "vitest"
import { EventBuffer } from "../../../src/simulators/EventBuffer.ts"
import type { StageMoment } from "../../../src/simulators/timekeeping/stageMoments.ts"
import { Stages } from "../../../src/simulators/timekeeping/Stages.ts"

const LAP_S = 10
const LAP_M = 400

const moment = (clock: number, laps: number, stageTime: number, lastLap: number | null): StageMoment => ({
  clock,
  stageTime,
  distance: (LAP_M * stageTime) / LAP_S,
  length: LAP_M,
  progress: stageTime / LAP_S,
  stage: LAP_M,
  x: 0,
  y: 0,
  car: 1,
  circuit: { laps, lastLap },
  isDone: false,
  isOut: false,
  result: undefined
})

/** A lap at 10 Hz from this time of the game's clock on. */
const lap = (from: number, laps: number, lastLap: number | null) =>
  Array.from({ length: LAP_S * 10 }, (_, n) => moment(from + n / 10, laps, n / 10, lastLap))

/** The start of another lap, which has this time of the game's clock: three packets. */
const begun = (clock: number, laps: number, lastLap: number | null) => lap(clock, laps, lastLap).slice(0, 3)

/** The laps and sessions that are reported, over links that end after each part. */
const reported = (...links: ReadonlyArray<ReadonlyArray<StageMoment>>) => {
  const stages = new Stages()
  const events = new EventBuffer()
  for (const moments of links) {
    for (const one of moments) stages.read(one, 1000 + one.clock, events)
    stages.end(events)
  }
  return events.take().flatMap((event): ReadonlyArray<unknown> => {
    if (event._tag === "SessionStarted") return ["session"]
    if (event._tag === "LapCompleted") return [[event.lapNumber, event.lapTime]]
    return event._tag === "LapChanged" ? [event.change] : []
  })
}

describe("laps of rallycross", () => {
  it("end when the count rises", () => {
    expect(reported([...lap(0, 0, null), ...lap(10, 1, 10), ...begun(20, 2, 10.01)])).toEqual([
      "session",
      [1, 10],
      [2, 10.01]
    ])
  })

  it("are reported without a time if it has not come when the link ends, and corrected when it comes", () => {
    const before = [...lap(0, 0, null), ...begun(10, 1, null)]
    expect(reported(before)).toEqual(["session", [1, null]])
    expect(reported(before, lap(10, 1, 10).slice(3, 9))).toEqual([
      "session",
      [1, null],
      expect.objectContaining({ lapTime: 10 })
    ])
  })

  it("are reported without a time if the next race comes before it", () => {
    const first = [...lap(0, 0, null), ...lap(10, 1, 10), ...begun(20, 2, 10)]
    expect(reported([...first, ...lap(21, 0, null)])).toEqual(["session", [1, 10], [2, null], "session"])
  })

  for (const [clock, at] of [
    ["goes back, too", 17],
    ["goes on", 20.3]
  ] as const) {
    it(`are withdrawn if a rewind over the line takes them back, and driven again: the game's clock ${clock}`, () => {
      const driven = [...lap(0, 0, null), ...lap(10, 1, 10), ...begun(20, 2, 9.9)]
      const again = [...lap(at - 7, 1, 10).slice(70), ...begun(at + 3, 2, 10.1)]
      expect(reported([...driven, ...again])).toEqual([
        "session",
        [1, 10],
        [2, 9.9],
        { valid: false, withdrawn: true },
        [2, 10.1]
      ])
    })
  }

  it("of a race that was started again in its second lap are another session's", () => {
    const driven = [...lap(0, 0, null), ...lap(10, 1, 10).slice(0, 50)]
    expect(reported([...driven, ...lap(15, 0, null), ...begun(25, 1, 11)])).toEqual([
      "session",
      [1, 10],
      "session",
      [1, 11]
    ])
  })
})
