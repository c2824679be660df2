import { readFileSync } from "node:fs"
import { gunzipSync } from "node:zlib"
import { describe, expect, it } from "@effect/vitest"
import { LapTracker } from "../../src/recording/laps/LapTracker.ts"
import { NativeDecoder } from "../../src/simulators/drivers/native/NativeDecoder.ts"
import { readOfficial, recordingFile } from "../support/processes.ts"
import { needing } from "../support/needing.ts"
import { recordingsHere } from "../support/sharedData.ts"
import { drive, LAP, noFacts, only, type Row, short, startLine, track } from "./driving.ts"
import { isPoints } from "../simulators/rows.ts"

const withLine = { ...noFacts, startLine }
const placed = (rows: ReadonlyArray<Required<Row>>) => only(rows, "position_x", "position_y")
const tracker = () => new LapTracker(withLine)

describe("laps by the start line", () => {
  it("are timed to the crossing", () => {
    const laps = track(tracker(), [placed(drive(65, { hz: 10, from: -37.7 }))])
    expect(laps.map(short)).toEqual([
      [1, null, false],
      [2, LAP, true],
      [3, LAP, true],
      [4, LAP, true],
      [5, null, false]
    ])
    expect(laps[1]!.startTime).toBeCloseTo(1000 + 37.7 / 50, 3)
    const { sector1Time, sector2Time, sector3Time } = laps[1]!
    expect(sector1Time! + sector2Time! + sector3Time!).toBeCloseTo(laps[1]!.lapTime!, 9)
  })

  it.each([
    [1, 0.02],
    [0.5, 0],
    [60, 0.002]
  ])("are valid by the feed's own interval: at %f Hz with a jitter of %f s", (hz, jitter) => {
    const rows = placed(drive(85, { hz, from: -37.7 })).map((row, i) => ({
      ...row,
      timestamp: row.timestamp + (i % 3) * jitter
    }))
    const laps = track(tracker(), [rows]).slice(1, 3)
    expect(laps.map((lap) => lap.valid)).toEqual([true, true])
    // Four points of the slowest are missing, or 1.5 s of the fastest.
    const [from, to] = [25, 25 + Math.max(1.5, 5 / hz)].map((time) => 1000 + time) as [number, number]
    const holed = rows.filter(({ timestamp }) => timestamp < from || timestamp > to)
    expect(
      track(tracker(), [holed])
        .slice(1, 3)
        .map((lap) => lap.valid)
    ).toEqual([true, false])
  })

  it.each([
    ["with", true],
    ["without", false]
  ])("are not cut by a position to which no car can drive, %s a speed", (_, hasSpeed) => {
    const rows = placed(drive(105, { hz: 10, from: -37.7 })).map((row, i) => {
      // At 39.6 s, 58 m before the line, the receiver is once 90 m ahead.
      const leapt = i === 396 ? { position_x: 160, position_y: 32 } : {}
      const { speed, ...rest } = { ...row, ...leapt }
      return hasSpeed ? { ...rest, speed: speed! } : rest
    })
    const best = Math.min(...track(tracker(), [rows]).flatMap((lap) => (lap.valid ? [lap.lapTime!] : [])))
    expect(best).toBeCloseTo(LAP, 2)
  })

  it("leave a point on the line to the lap that begins there", () => {
    const way = [-100, -1, 0, 1, 100].map((x, i): Row => ({
      timestamp: 10 + i / 10,
      position_x: x,
      position_y: 0
    }))
    const laps = track(new LapTracker({ ...noFacts, startLine: { x1: 0, y1: -5, x2: 0, y2: 5 } }), [way])
    expect(laps.map((lap) => lap.startTime)).toEqual([10, 10.2])
  })

  it("begin once if a car stands on the line with a jittery GPS", () => {
    const before = placed(drive(20, { hz: 10, from: -1000 })).slice(0, -1)
    const standing = Array.from({ length: 300 }, (_, i): Row => ({
      timestamp: 1020 + i / 10,
      position_x: 1000 / (2 * Math.PI),
      position_y: Math.sin(i * 7) * 3
    }))
    const after = placed(drive(25, { hz: 10, start: 1050 }))
    const laps = track(tracker(), [before, standing, after])
    expect(laps.length).toBe(3)
    expect(laps[1]!.lapTime).toBeCloseTo(50, 0)
    expect(laps[1]!.valid).toBe(true)
  })

  it("are all found if the jitter of the start crosses backwards", () => {
    const jitter = [0.4, -0.4, 0.3, -0.3].map((y, i): Row => ({
      timestamp: 1000 + i / 10,
      position_x: 1000 / (2 * Math.PI),
      position_y: y
    }))
    const laps = track(tracker(), [jitter, placed(drive(85, { hz: 10, start: 1000.4 }))])
    expect(laps.map((lap) => lap.valid)).toEqual([false, true, true, true, true, false])
  })

  it("do not begin at a passage backwards, which makes the lap under way invalid", () => {
    const way = [
      ...placed(drive(42, { hz: 10, from: -50 })),
      // Turned round 50 m past the line, 75 m back over it, and on again.
      ...placed(drive(3, { hz: 10, from: 50 })).map((row, i) => ({
        ...row,
        ...placed(drive(3, { hz: 10, from: -100 }))[30 - i]!,
        timestamp: 1042.1 + i / 10
      })),
      ...placed(drive(45, { hz: 10, from: -95, start: 1045.2 }))
    ]
    const laps = track(tracker(), [way])
    expect(laps.map((lap) => lap.valid)).toEqual([false, true, true, false, true, true, false])
  })

  it("are timed if only some points have a position, and there are none if no point has one", () => {
    const rows = drive(65, { hz: 10, from: -37.7 })
    const whole = track(tracker(), [placed(rows)])
    for (const keep of [2, 3, 4]) {
      const some = rows.map((row, n) =>
        n % keep === 0 ? placed([row])[0]! : { timestamp: row.timestamp, speed: row.speed }
      )
      const laps = track(tracker(), [some])
      expect(laps.map(short)).toEqual(whole.map(short))
      for (const [n, lap] of laps.entries()) {
        expect(lap.startTime).toBeCloseTo(whole[n]!.startTime, 3)
        expect(lap.sector1Time ?? 0).toBeCloseTo(whole[n]!.sector1Time ?? 0, 1)
      }
    }
    expect(track(tracker(), [only(rows)]).map(short)).toEqual([[1, null, false]])
  })

  it("are joined to one across a gap at the line", () => {
    const rows = placed(drive(65, { hz: 10, from: -50 })).filter(
      ({ timestamp }) => timestamp < 1019.5 || timestamp > 1022.5
    )
    expect(track(tracker(), [rows]).map((lap) => lap.valid)).toEqual([false, false, true, false])
  })

  it("are replaced by the points' lap numbers, however the points are cut into messages", () => {
    // Only every second point has one: a message may have none.
    const rows = drive(65, { hz: 10, from: -50 }).map((row, i): Row => {
      const { lap_number, lap_distance: _, ...rest } = row
      return i % 2 === 0 ? { ...rest, lap_number } : rest
    })
    const whole = track(tracker(), [rows])
    expect(whole.map((lap) => lap.lapNumber)).toEqual([0, 1, 2, 3, 4])
    const one = track(
      tracker(),
      rows.map((row) => [row])
    )
    expect(one).toEqual(whole)
  })
})

describe("a real race car at Portland", () => {
  it("has its 14 laps within 5 ms of the reference", needing(recordingsHere), () => {
    const official = readOfficial("portland-gps").laps
    const decoder = new NativeDecoder()
    let tracker = new LapTracker(noFacts)
    const cuts = []
    for (const line of gunzipSync(readFileSync(recordingFile("portland-gps")))
      .toString("utf8")
      .split("\n")) {
      const event = line === "" ? undefined : decoder.decode([line])[0]
      if (event?._tag === "SessionStarted") tracker = new LapTracker(event)
      if (isPoints(event)) cuts.push(...tracker.points(event))
    }
    cuts.push(...tracker.finish())
    const valid = cuts.filter((lap) => lap.valid)
    expect(valid.map((lap) => lap.lapNumber)).toEqual(official.map((lap) => lap["lap_number"]))
    expect(valid.length).toBe(14)
    for (const [i, lap] of valid.entries()) {
      const reference = official[i]!
      expect(Math.abs(lap.lapTime! - Number(reference["reference_lap_time"]))).toBeLessThan(0.005)
      expect(Math.abs(lap.startTime - Number(reference["start_t"]))).toBeLessThan(0.005)
      expect(lap.sector1Time! + lap.sector2Time! + lap.sector3Time!).toBeCloseTo(lap.lapTime!, 6)
    }
    expect(cuts.length).toBe(16)
  })
})
