import { describe, expect, it } from "@effect/vitest"
import { justAfter } from "../../src/domain/Time.ts"
import { LapTracker, MESSAGE_GRACE_S } from "../../src/recording/laps/LapTracker.ts"
import { drive, LAP, LENGTH, message, noFacts, only, short, spans, type Step, track } from "./driving.ts"

const known = { ...noFacts, circuitLength: LENGTH }
const tracker = () => new LapTracker(known)

/** Points until each of these times (s since the first), each followed by its message. */
const feed = (
  rows: ReturnType<typeof only>,
  ...messages: ReadonlyArray<readonly [after: number, lap: ReturnType<typeof message>]>
): ReadonlyArray<Step> => {
  const steps: Array<Step> = []
  let from = -Infinity
  for (const [after, lap] of messages) {
    const until = 1000 + after
    steps.push(
      rows.filter((row) => row.timestamp > from && row.timestamp <= until),
      lap
    )
    from = until
  }
  return [...steps, rows.filter((row) => row.timestamp > from)]
}

const bare = only(drive(65, { hz: 10 }))
const numbered = only(drive(65, { hz: 10 }), "lap_number", "lap_distance")
const timed = (lapNumber: number, more = {}) =>
  message(lapNumber, {
    lapTime: LAP,
    start: 1000 + (lapNumber - 1) * LAP,
    end: 1000 + lapNumber * LAP,
    ...more
  })

describe("lap messages", () => {
  it("lose a time in which the car cannot have driven the lap, and their validity", () => {
    for (const [lapTime, isTaken] of [
      [2, false],
      [17, false],
      [19, true],
      [25, true]
    ] as const) {
      const laps = track(tracker(), feed(bare, [21, timed(1, { lapTime, valid: true })]))
      expect(laps.map(short)[0]).toEqual([1, isTaken ? lapTime : null, isTaken])
    }
    // A simulator that times laps may have rewound one.
    const facts = { ...known, tellsLaps: true }
    const rewound = track(
      new LapTracker(facts),
      feed(bare, [21, timed(1, { lapTime: 2, valid: true })]),
      facts
    )
    expect(rewound.map(short)[0]).toEqual([1, 2, true])
  })

  it("are recorded unchanged", () => {
    const reported = message(7, {
      lapTime: 97.618,
      sectors: [30.872, null, 23.616],
      valid: false,
      start: 1000,
      end: 1050.5
    })
    const [lap, rest] = track(tracker(), feed(bare, [52, reported]))
    expect(lap).toEqual({
      lapNumber: 7,
      lapTime: 97.618,
      sector1Time: 30.872,
      sector2Time: null,
      sector3Time: 23.616,
      sectorSource: "simulator",
      valid: false,
      startTime: 1000,
      endTime: 1050.5
    })
    expect(rest).toMatchObject({ lapNumber: 8, lapTime: null, valid: false, startTime: 1050.5 })
  })

  it("without a number get the next lap's", () => {
    const [first, second] = [1, 2].map((n) => message(undefined, { ...timed(n), lapNumber: undefined }))
    const laps = track(tracker(), feed(bare, [LAP + 1, first!], [2 * LAP + 1, second!]))
    expect(laps.map(({ lapNumber, lapTime }) => [lapNumber, lapTime])).toEqual([
      [1, LAP],
      [2, LAP],
      [3, null]
    ])
    const resumed = new LapTracker(known, { nextNumber: 7, lastLapEnd: -Infinity })
    expect(track(resumed, feed(bare, [LAP + 1, first!])).map(({ lapNumber }) => lapNumber)).toEqual([7, 8])
  })

  it("of a lap that began before the connection are recorded too, without invented sectors", () => {
    const reported = message(3, { lapTime: 60, valid: true, start: 950, end: 1010 })
    const [lap] = track(tracker(), feed(bare, [11, reported]))
    expect(lap).toMatchObject({ lapTime: 60, valid: true, startTime: 950, sector1Time: null })
    // No message states that it is valid, and its begin was not seen.
    const [withoutValidity] = track(tracker(), feed(bare, [11, { ...reported, valid: undefined }]))
    expect(withoutValidity).toMatchObject({ lapTime: 60, valid: false, startTime: 950 })
  })

  it("without sectors get them from the distance", () => {
    const laps = track(tracker(), feed(bare, [20.1, timed(1)], [40.1, timed(2)]))
    for (const lap of laps.slice(0, 2)) {
      expect(lap.sector1Time).toBeCloseTo(LAP / 3, 1)
      expect(lap.sector1Time! + lap.sector2Time! + lap.sector3Time!).toBeCloseTo(LAP, 6)
    }
    // A clock that does not fit its own lap time gives no sectors.
    const odd = track(tracker(), feed(bare, [20.1, timed(1, { lapTime: LAP + 1 })]))
    expect(odd[0]).toMatchObject({ lapTime: LAP + 1, sector1Time: null })
  })

  it("without a validity are valid for a lap from line to line, and not for one with a gap", () => {
    const steps = feed(bare, [20.1, timed(1)], [40.1, timed(2)], [60.1, timed(3)])
    // The first began where the feed did.
    expect(track(tracker(), steps).map((lap) => lap.valid)).toEqual([false, true, true, false])
    const torn = bare.filter(({ timestamp }) => timestamp < 1025 || timestamp > 1026.5)
    const lapsOf = (valid: boolean | undefined) =>
      track(
        tracker(),
        feed(torn, [20.1, timed(1, { valid })], [40.1, timed(2, { valid })], [60.1, timed(3, { valid })])
      )
    expect(lapsOf(undefined).map((lap) => lap.valid)).toEqual([false, false, true, false])
    expect(lapsOf(true).map((lap) => lap.valid)).toEqual([true, true, true, false])
  })

  it("without times of their own span from the last lap to the point before them", () => {
    const laps = track(tracker(), feed(bare, [20, message(1, { lapTime: LAP })], [40, message(2)]))
    expect(spans(laps)).toEqual([
      [1000, justAfter(1020)],
      [justAfter(1020), justAfter(1040)],
      [justAfter(1040), justAfter(1065)]
    ])
  })

  it("without times of their own span to the crossing that the points showed", () => {
    const steps = feed(
      numbered,
      [20.5, message(1, { lapTime: LAP })],
      [45, message(2, { lapTime: LAP })],
      [60.5, message(3)]
    )
    const laps = track(tracker(), steps)
    expect(spans(laps).slice(0, 3)).toEqual([
      [1000, 1020],
      [1020, 1040],
      [1040, 1060]
    ])
    expect(laps.map((lap) => lap.lapNumber)).toEqual([1, 2, 3, 4])
  })

  it("before or after the number rises, within the grace, record the lap once", () => {
    for (const late of [-0.5, 0, 0.1, 1, MESSAGE_GRACE_S - 0.1]) {
      for (const withTimes of [true, false]) {
        const lap = (n: number) => (withTimes ? timed(n) : message(n, { lapTime: LAP }))
        const steps = feed(numbered, [LAP + late, lap(1)], [2 * LAP + late, lap(2)], [3 * LAP + late, lap(3)])
        const laps = track(tracker(), steps)
        expect(laps.map((lap) => lap.lapNumber)).toEqual([1, 2, 3, 4])
        expect(laps.map((lap) => lap.lapTime)).toEqual([LAP, LAP, LAP, null])
      }
    }
  })

  it("after the grace record the lap once, and the later laps as they are reported", () => {
    const late = MESSAGE_GRACE_S + 1
    const skewed = { start: 1000.004, end: 1020.004 }
    const first = [
      timed(1),
      timed(1, skewed),
      timed(1, { end: 1020.004, start: undefined }),
      message(1, { lapTime: LAP }),
      message(1)
    ]
    for (const lap of first) {
      const steps = feed(numbered, [LAP + late, lap], [2 * LAP + late, timed(2, { lapTime: 19.9 })])
      const laps = track(tracker(), steps)
      expect(laps.map(short).slice(0, 2)).toEqual([
        [1, LAP, true],
        [2, 19.9, true]
      ])
      expect(laps.length).toBe(3)
    }
  })

  it("for a lap already found in the points do not make it valid because the next began at the line", () => {
    const started = only(drive(65, { hz: 10, from: 300 }), "lap_number", "lap_distance")
    for (const lap of [message(1, { lapTime: LAP }), message(1), message(1, { lapTime: LAP, end: 1014 })]) {
      const laps = track(tracker(), feed(started, [15, lap]))
      expect(laps[0]).toMatchObject({ lapNumber: 1, valid: false, startTime: 1000, endTime: 1014 })
    }
  })

  it("never overlap laps that the points showed before them", () => {
    // The out lap is given out after the grace; the first message has its lap begin a little earlier.
    const started = only(drive(65, { hz: 10, from: 300 }), "lap_number", "lap_distance")
    const reported = message(2, { lapTime: LAP, valid: true, start: 1013.99, end: 1034 })
    const laps = track(tracker(), feed(started, [34.5, reported]))
    expect(spans(laps).slice(0, 2)).toEqual([
      [1000, 1014],
      [1014, 1034]
    ])
  })

  it("for a lap that was recorded are ignored: the feed starts over, or repeats itself", () => {
    const steps = [
      ...feed(bare, [20.1, timed(1)], [20.1, timed(1)], [40.1, timed(2)]),
      "lost" as const,
      timed(1),
      timed(2),
      timed(3)
    ]
    const laps = track(tracker(), steps, known)
    expect(laps.map((lap) => lap.lapNumber)).toEqual([1, 2, 3, 4])
  })

  it("of old laps do not replace a lap that waits for its own message", () => {
    const resumed = new LapTracker(known, { nextNumber: 5, lastLapEnd: 999 })
    const old = message(4, { lapTime: LAP, start: 979, end: 999 })
    const laps = track(resumed, feed(numbered, [20.5, old]))
    expect(laps.map(short)[0]).toEqual([1, LAP, true])
  })

  it("with an end before the start, or without a place in time, record no lap", () => {
    const backwards = message(1, { lapTime: 20, start: 1020, end: 1000 })
    expect(track(tracker(), [backwards, message(1, { lapTime: 20 }), message(2)])).toEqual([])
    expect(track(tracker(), feed(bare, [30, backwards])).length).toBe(1)
  })

  it("before the first point count if they have their times", () => {
    const laps = track(tracker(), [message(1, { lapTime: 20, valid: true, start: 980, end: 1000 }), bare])
    expect(laps.map(short)).toEqual([
      [1, 20, true],
      [2, null, false]
    ])
    expect(laps[1]!.startTime).toBe(1000)
  })
})

describe("a feed that reports its laps", () => {
  const reportsLaps = { ...known, tellsLaps: true }
  const recorded = (
    ...messages: Parameters<typeof feed> extends readonly [unknown, ...infer M] ? M : never
  ) => track(new LapTracker(reportsLaps), feed(numbered, ...messages))

  it("has no laps found in its points, even if its messages were lost", () => {
    expect(recorded().map(short)).toEqual([[4, null, false]])
    expect(track(tracker(), feed(numbered)).map(short)[0]).toEqual([1, LAP, true])
  })

  it("has no lap before the first that it reports, such as the grid and the way to the line", () => {
    const laps = recorded([40.1, timed(2)], [60.1, timed(3)])
    expect(laps.map(short)).toEqual([
      [2, LAP, true],
      [3, LAP, true],
      [4, null, false]
    ])
  })

  it("makes its first lap valid if it was received from the lap's begin", () => {
    expect(recorded([20.1, timed(1)]).map(short)[0]).toEqual([1, LAP, true])
    const late = { start: 1000 - LAP / 2, end: 1000 + LAP / 2 }
    expect(recorded([11, timed(1, late)]).map(short)[0]).toEqual([1, LAP, false])
  })

  it("has none found in its points after the link is taken up again either", () => {
    const steps: ReadonlyArray<Step> = [numbered.slice(0, 100), "lost", numbered.slice(100)]
    expect(track(tracker(), steps, reportsLaps).map(short)).toEqual([[4, null, false]])
  })

  it("makes a lap with a gap invalid if it reports the lap before the first point after the gap", () => {
    const torn = numbered.filter(({ timestamp }) => timestamp < 1018 || timestamp > 1022)
    const [lap] = track(new LapTracker(reportsLaps), feed(torn, [21, timed(1)]))
    expect(short(lap!)).toEqual([1, LAP, false])
  })
})
