/** LapMarks: sectors at fixed places of the track, and the pits, by the lap's clock. */
import { FastCheck as fc } from "effect"
import { describe, expect, it } from "vitest"
import { LapMarks } from "../../src/simulators/timekeeping/LapMarks.ts"

/** Clock in s, place of the track, and whether it is in the pits. */
type Reading = readonly [clock: number, place: number, isInPit?: boolean | undefined]

const marked = (readings: ReadonlyArray<Reading>): LapMarks => {
  const marks = new LapMarks()
  for (const [clock, place, isInPit = false] of readings) marks.read(clock, place, isInPit)
  return marks
}

const sectorsOf = (readings: ReadonlyArray<Reading>) => marked(readings).sectors

/** From one place to another at an even pace, a reading every 0.5 s; the last one is at the end. */
const drive = (clock: number, from: number, to: number, seconds: number): ReadonlyArray<Reading> =>
  Array.from({ length: seconds * 2 + 1 }, (_, n) => [clock + n / 2, from + ((to - from) * n) / (seconds * 2)])

const near = (value: number) => expect.closeTo(value, 5)

describe("sectors by places", () => {
  it("are the times between the lines, by where the car was before and after them", () => {
    expect(sectorsOf(drive(0, 0, 0.999, 90))).toEqual([near(90 / 2.997), near(90 / 2.997)])
    // The line is a third of the step from one reading to the next.
    const [before, at] = [1 / 3 - 0.001, 1 / 3 + 0.002]
    expect(sectorsOf([[29, 0.3], [30, before], [30.3, at], ...drive(31, 0.34, 0.7, 20)])![0]).toBe(30.1)
  })

  it("are those of the first time over a line, for a car that turns and passes it again", () => {
    const turned = [
      ...drive(0, 0, 0.35, 30),
      ...drive(30.5, 0.35, 0.3, 5),
      ...drive(36, 0.3, 0.99, 60),
      ...drive(96.5, 0.99, 0.6, 40),
      ...drive(137, 0.6, 0.99, 40)
    ]
    expect(sectorsOf(turned)).toEqual([near(30 / 1.05), near(36 + (60 * 11) / 20.7 - 30 / 1.05)])
  })

  it("are not disturbed by driving over the start line, either way", () => {
    const [clean] = sectorsOf(drive(2, 0.01, 0.9, 60))!
    expect(
      sectorsOf([[0, 0.99], [0.5, 0.995], [1, 0.001], [1.5, 0.998], ...drive(2, 0.01, 0.9, 60)])![0]
    ).toBe(clean)
  })

  it.each<readonly [string, ReadonlyArray<Reading>]>([
    ["of a lap that was joined behind the first line", drive(50, 0.5, 0.99, 40)],
    ["of one that is not yet over the second", drive(0, 0, 0.6, 60)],
    ["with a gap over a line", [...drive(0, 0, 0.3, 30), ...drive(36, 0.36, 0.99, 60)]],
    ["where the car was put elsewhere: forwards", [...drive(0, 0, 0.3, 30), ...drive(30.5, 0.5, 0.99, 60)]],
    ["to the pits", [...drive(0, 0, 0.5, 50), ...drive(50.5, 0.01, 0.99, 90)]]
  ])("are unknown %s", (_, readings) => {
    expect(sectorsOf(readings)).toBe(null)
  })

  it("are known despite a gap elsewhere, and readings without a place", () => {
    const gap = [...drive(0, 0, 0.1, 10), ...drive(15, 0.15, 0.9, 75)]
    expect(sectorsOf(gap)).toEqual([near(15 + 75 * (11 / 45)), near(75 * (20 / 45))])
    const silent = drive(0, 0, 0.9, 90).flatMap(([clock, place]): ReadonlyArray<Reading> => [
      [clock, place],
      [clock + 0.1, Number.NaN],
      [Number.NaN, place],
      [clock + 0.1, -1]
    ])
    expect(sectorsOf(silent)).toEqual([near(100 / 3), near(100 / 3)])
  })

  it.each<readonly [string, ReadonlyArray<Reading>]>([
    ["no place is reported", drive(0, Number.NaN, Number.NaN, 90)],
    ["only one is", drive(0, 0, 0, 90)],
    ["places are not counted from the line", [...drive(0, 0.4, 1, 60), ...drive(60.5, 0, 0.4, 40)]]
  ])("are not reported by places if %s", (_, readings) => {
    expect(sectorsOf(readings)).toBeUndefined()
  })

  it("are forgotten with the next lap, and with driving that was undone", () => {
    const marks = marked(drive(0, 0, 0.9, 90))
    marks.read(80, 0.8, false)
    expect(marks.sectors).toEqual([near(100 / 3), near(100 / 3)])
    marks.read(50, 0.5, false)
    expect(marks.sectors).toBe(null)
    for (const [clock, place] of drive(50.5, 0.5, 0.9, 80)) marks.read(clock, place, false)
    expect(marks.sectors).toEqual([near(100 / 3), near(50.5 + (80 * 5) / 12 - 100 / 3)])
    marks.begin()
    expect(marks.sectors).toBeUndefined()
  })
})

describe("the pits", () => {
  it("are noted for the lap, until the way there is undone or another lap begins", () => {
    const marks = marked([
      [70, Number.NaN],
      [80, Number.NaN, true],
      [85, Number.NaN]
    ])
    expect(marks.wasInPit).toBe(true)
    marks.read(80, Number.NaN, false)
    expect(marks.wasInPit).toBe(true)
    marks.read(79, Number.NaN, false)
    expect(marks.wasInPit).toBe(false)
    marks.read(Number.NaN, Number.NaN, true)
    marks.read(1, Number.NaN, false)
    expect(marks.wasInPit).toBe(true)
    marks.begin()
    expect(marks.wasInPit).toBe(false)
  })
})

/** A lap in steps of up to a second at changing paces, with its readings; most of them reach its end. */
const lap = fc
  .array(
    fc.record({
      seconds: fc.double({ min: 0.01, max: 1, noNaN: true }),
      pace: fc.double({ min: 0.01, max: 0.04, noNaN: true }),
      isInPit: fc.boolean()
    }),
    { minLength: 60, maxLength: 120 }
  )
  .map((steps) => {
    const readings: Array<Reading> = [[0, 0, false]]
    for (const { isInPit, pace, seconds } of steps) {
      const [clock, place] = readings.at(-1)!
      if (place + pace * seconds > 1) break
      readings.push([clock + seconds, place + pace * seconds, isInPit && place > 0.9])
    }
    return readings
  })

describe("whatever is driven", () => {
  it("sectors end where straight lines between the readings meet the lines", () => {
    fc.assert(
      fc.property(lap, (readings) => {
        // By bisection over the whole way, not by steps.
        const placeAt = (time: number) => {
          const next = readings.findIndex(([clock]) => clock >= time)
          if (next <= 0) return 0
          const [[t0, p0], [t1, p1]] = [readings[next - 1]!, readings[next]!]
          return p0 + ((time - t0) / (t1 - t0)) * (p1 - p0)
        }
        const end = readings.at(-1)!
        const timeOf = (line: number) => {
          let [low, high] = [0, end[0]]
          for (let n = 0; n < 60; n++) {
            const middle = (low + high) / 2
            if (placeAt(middle) < line) low = middle
            else high = middle
          }
          return high
        }
        const sectors = sectorsOf(readings)
        const first = timeOf(1 / 3)
        const isOver = end[1] >= 2 / 3
        expect(sectors).toEqual(isOver ? [near(first), near(timeOf(2 / 3) - first)] : null)
      })
    )
  })

  it("a flashback keeps the way before it, and the way after it", () => {
    const flashback = fc.tuple(fc.nat(), fc.nat())
    fc.assert(
      fc.property(lap, lap, flashback, (undone, driven, [from, to]) => {
        // From somewhere in the first drive back to a reading of it, and on as the second drive went from there.
        const left = undone.slice(0, 1 + (from % undone.length))
        const kept = left.slice(0, 1 + (to % left.length))
        const [clock, place] = kept.at(-1)!
        const on = driven
          .map(([c, p, isInPit]): Reading => [clock + c, place + p, isInPit])
          .filter(([, p]) => p <= 1)
        const [straight, back] = [marked([...kept, ...on]), marked([...left, ...on])]
        expect(back.wasInPit).toBe(straight.wasInPit)
        expect(back.sectors ?? null).toEqual(straight.sectors ?? null)
      })
    )
  })
})
