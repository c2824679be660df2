import { describe, expect, it } from "@effect/vitest"
import { LapTracker } from "../../src/recording/laps/LapTracker.ts"
import { justAfter } from "../../src/domain/Time.ts"
import { drive, LAP, LENGTH, noFacts, only, pieces, type Row, short, spans, track } from "./driving.ts"

const known = { ...noFacts, circuitLength: LENGTH }
const tracker = (facts = noFacts) => new LapTracker(facts)
const numbered = (rows: ReadonlyArray<Required<Row>>) => only(rows, "lap_number")
const measured = (rows: ReadonlyArray<Required<Row>>) => only(rows, "lap_number", "lap_distance")

describe("laps by lap_number", () => {
  it("are timed to the crossing by the circuit's length", () => {
    // Odd rate and offset: no point lies on the line.
    const laps = track(tracker(known), [measured(drive(50, { hz: 7, from: -12.3 }))])
    expect(laps.map(short)).toEqual([
      [0, null, false],
      [1, LAP, true],
      [2, LAP, true],
      [3, null, false]
    ])
    const first = 1000 + 12.3 / 50
    expect(laps[0]!.endTime).toBeCloseTo(first, 6)
    expect(laps[2]!.endTime).toBeCloseTo(first + 2 * LAP, 6)
  })

  it("are timed to the crossing by the distance past the line if the length is not known", () => {
    const laps = track(tracker(), [measured(drive(50, { hz: 7, from: -12.3 }))])
    expect(laps.map(short)[1]).toEqual([1, LAP, true])
    expect(laps[1]!.startTime).toBeCloseTo(1000 + 12.3 / 50, 6)
  })

  it("begin when the car leaves the line at which it stands when the session begins", () => {
    const rows = measured(drive(50, { hz: 10 })).map((row, i) => (i === 0 ? { ...row, speed: 0 } : row))
    const stands = Array.from({ length: 55 }, (_, i) => ({
      ...rows[0]!,
      timestamp: 994.5 + i / 10,
      speed: 0
    }))
    for (const size of [1, 7, 1000]) {
      const all = [...stands, ...rows]
      const laps = track(tracker(known), pieces(all, size))
      expect(laps.map(short)).toEqual([
        [1, LAP, true],
        [2, LAP, true],
        [3, null, false]
      ])
      expect(laps[0]!.startTime).toBe(1000)
    }
  })

  it("are timed to the first point of the next lap if nothing else is known", () => {
    const rows = numbered(drive(50, { hz: 10, from: -12.3 }))
    const laps = track(tracker(known), [rows])
    expect(laps[1]!.startTime).toBe(rows.find((row) => row.lap_number === 1)!.timestamp)
    expect(laps[1]!.lapTime).toBeCloseTo(LAP, 6)
  })

  it("have their sectors by what the points have of the way: speeds, positions, or either in some points only", () => {
    const rows = drive(50, { hz: 20 })
    const declared = (...channels: ReadonlyArray<keyof Row>) =>
      rows.map(
        (row) =>
          Object.fromEntries(
            ["timestamp", "lap_number", "lap_distance", ...channels].map((key) => [
              key,
              row[key as keyof Row]
            ])
          ) as unknown as Row
      )
    const sometimes = (every: number, ...channels: ReadonlyArray<keyof Row>) => {
      const bare = declared()
      return declared(...channels).map((row, n) => (n % every === 0 ? row : bare[n]!))
    }
    for (const way of [
      declared("speed"),
      declared("position_x", "position_y"),
      sometimes(3, "speed"),
      sometimes(3, "position_x", "position_y"),
      sometimes(4, "speed", "position_x", "position_y"),
      // One point without either spoils nothing.
      declared("speed").map((row, n) => (n === 5 ? declared()[5]! : row))
    ]) {
      const [lap] = track(tracker(known), [way])
      expect(short(lap!)).toEqual([1, LAP, true])
      for (const sector of [lap!.sector1Time, lap!.sector2Time, lap!.sector3Time]) {
        expect(Math.abs(sector! - LAP / 3)).toBeLessThan(0.21)
      }
    }
    const [lap] = track(tracker(known), [declared()])
    expect([...short(lap!), lap!.sector1Time]).toEqual([1, LAP, true, null])
  })

  it("leave a point on the line to the lap that begins there", () => {
    const rows = measured(drive(45, { hz: 10 }))
    const laps = track(tracker(known), [rows])
    expect(laps.map(short)).toEqual([
      [1, LAP, true],
      [2, LAP, true],
      [3, null, false]
    ])
    expect(spans(laps)).toEqual([
      [1000, 1020],
      [1020, 1040],
      [1040, justAfter(1045)]
    ])
  })

  it("begin at the line from a point within a metre of it, and not from one further on", () => {
    for (const [from, valid] of [
      [0.9, true],
      [1.1, false]
    ] as const) {
      const [first] = track(tracker(known), [measured(drive(25, { from }))])
      expect(first!.valid).toBe(valid)
      expect(first!.lapTime === null).toBe(!valid)
    }
    // Without a distance this is not known.
    expect(track(tracker(), [numbered(drive(25))]).map((lap) => lap.valid)).toEqual([false, false])
  })

  it("have sectors at thirds of the distance, which add up to the lap time", () => {
    const laps = track(tracker(known), [measured(drive(50, { hz: 13, from: -12.3 }))])
    const { sector1Time, sector2Time, sector3Time, lapTime } = laps[1]!
    expect(sector1Time).toBeCloseTo(LAP / 3, 2)
    expect(sector2Time).toBeCloseTo(LAP / 3, 2)
    expect(sector1Time! + sector2Time! + sector3Time!).toBeCloseTo(lapTime!, 9)
    expect(laps.at(-1)).toMatchObject({ sector1Time: null, sector2Time: null, sector3Time: null })
  })

  it("are invalid with a gap of over a second, and valid with one of a second", () => {
    const rows = measured(drive(65, { hz: 10 }))
    const without = (from: number, to: number) =>
      track(tracker(known), [rows.filter((_, i) => i <= from || i >= to)]).map((lap) => lap.valid)
    expect(without(250, 260)).toEqual([true, true, true, false])
    expect(without(250, 261)).toEqual([true, false, true, false])
    // Across the line both laps miss data.
    expect(without(395, 406)).toEqual([true, false, false, false])
  })

  it("do not begin at a line that was passed in a gap, if nothing gives the time of the crossing", () => {
    const rows = numbered(drive(65, { hz: 10 })).filter(
      ({ timestamp }) => timestamp < 1018 || timestamp > 1022
    )
    expect(track(tracker(), [rows]).map(short)).toEqual([
      [1, null, false],
      [2, null, false],
      [3, LAP, true],
      [4, null, false]
    ])
  })

  it("have a gap after a lost link, however short", () => {
    const rows = measured(drive(65, { hz: 10 }))
    const [before, after] = pieces(rows, 250)
    const laps = track(tracker(known), [before!, "lost", after!], known)
    expect(laps.map((lap) => lap.valid)).toEqual([true, false, true, false])
    expect(laps[1]!.lapTime).toBeCloseTo(LAP, 6)
    expect(laps[1]!.sector1Time).toBeNull()
  })

  it("end at a jump of the number, which leaves that lap invalid, and the next begins at the line", () => {
    const rows = measured(drive(65, { hz: 10 })).map((row) => ({
      ...row,
      lap_number: row.lap_number! >= 2 ? row.lap_number! + 1 : row.lap_number!
    }))
    expect(track(tracker(known), [rows]).map(short)).toEqual([
      [1, null, false],
      [3, LAP, true],
      [4, LAP, true],
      [5, null, false]
    ])
  })

  it("end where the count starts over, and the next has not begun at the line", () => {
    const before = measured(drive(30, { hz: 10, firstNumber: 7 }))
    const after = measured(drive(45, { hz: 10, from: 300, start: 1030.1, firstNumber: 0 }))
    const laps = track(tracker(known), [before, after])
    expect(laps.map(short)).toEqual([
      [7, LAP, true],
      [8, null, false],
      [0, null, false],
      [1, LAP, true],
      [2, null, false]
    ])
    expect(laps[1]!.endTime).toBe(1030.1)
  })

  it("hold points without a whole lap number if the point before is theirs", () => {
    const odd = [undefined, Number.NaN, Infinity, -Infinity, 1.5, 1e300]
    const rows = measured(drive(65, { hz: 10 })).map((row, i): Row => {
      const number = i % 9 === 4 ? odd[((i / 9) % odd.length) | 0] : row.lap_number
      const { lap_number: _, ...rest } = row
      return number === undefined ? rest : { ...rest, lap_number: number }
    })
    const laps = track(tracker(known), [rows])
    expect(laps.map((lap) => lap.lapNumber)).toEqual([1, 2, 3, 4])
    expect(laps.map((lap) => lap.valid)).toEqual([true, true, true, false])
  })

  it("are not timed outside of the crossing's step by a distance that is not on the circuit", () => {
    for (const odd of [Infinity, -Infinity, -5, 1e300, Number.NaN]) {
      const rows = measured(drive(45, { hz: 10, from: 0.5 })).map((row) =>
        row.lap_distance! < 10 && row.timestamp > 1001 ? { ...row, lap_distance: odd } : row
      )
      const [first, second] = track(tracker(known), [rows])
      expect(Math.abs(first!.endTime - 1020)).toBeLessThan(0.15)
      expect(second!.startTime).toBe(first!.endTime)
    }
  })

  it("without duration are dropped", () => {
    const rows = [0, 1, 2, 3].map((i): Row => ({ timestamp: 10 + i / 10, lap_number: i + 1 }))
    const standing = rows.map((row) => ({ ...row, lap_distance: row.lap_number === 1 ? LENGTH : 0 }))
    for (const feed of [rows, standing]) {
      const laps = track(tracker(known), [feed])
      for (const { startTime, endTime } of laps) expect(endTime).toBeGreaterThan(startTime)
    }
  })

  it("go on with the numbers of a session that has laps, if the points have none", () => {
    const resumed = new LapTracker(noFacts, { nextNumber: 8, lastLapEnd: 900 })
    expect(track(resumed, [only(drive(5))]).map(short)).toEqual([[8, null, false]])
    // Laps of the store that end after the first point are not overlapped.
    const behind = new LapTracker(noFacts, { nextNumber: 8, lastLapEnd: 1002 })
    expect(spans(track(behind, [only(drive(5))]))).toEqual([[1002, justAfter(1005)]])
  })

  it("get a number that the points report late", () => {
    const rows = measured(drive(45, { hz: 10, firstNumber: 7 })).map((row, i): Row => {
      const { lap_number: _, ...rest } = row
      return i < 50 ? rest : row
    })
    expect(track(tracker(known), [rows]).map((lap) => lap.lapNumber)).toEqual([7, 8, 9])
  })

  it("need at least one point", () => {
    expect(track(tracker(), [])).toEqual([])
    expect(track(tracker(), [[]])).toEqual([])
  })
})
