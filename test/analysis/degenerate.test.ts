import { FastCheck as fc } from "effect"
import { describe, expect, it } from "vitest"
import type { LapData } from "../../src/analysis/place/alignment.ts"
import { findCorners } from "../../src/analysis/corners/corners.ts"
import type { RecordedLap } from "../../src/domain/Lap.ts"
import { type Channel, channels } from "../../src/domain/pointChannels.ts"
import { RowBatch } from "../../src/domain/RowBatch.ts"
import { copyOf, drivenLaps } from "./sessions.ts"
import { allAnalyses, unspeakable } from "./allAnalyses.ts"
import { runs } from "../support/runs.ts"

const session = drivenLaps({ laps: 4, hz: 10, seed: 2 })
const elsewhere = drivenLaps({ circuit: "Port Averno", laps: 1, hz: 10 })[0]!

/** Turns a lap (a copy, to be changed) into one that should not exist. */
type Spoiling = (lap: LapData, index: number) => LapData | void

const timed =
  (times: Partial<RecordedLap>): Spoiling =>
  ({ lap, points }) => ({
    points,
    lap: { ...lap, ...times }
  })
const first =
  (count: number): Spoiling =>
  ({ lap, points }) => ({
    lap,
    points: points.slice(0, Math.min(count, points.length))
  })
const filled =
  (value: number | "first", ...which: ReadonlyArray<Channel>): Spoiling =>
  ({ points }) => {
    for (const channel of which) {
      const column = points.column(channel)
      column.fill(value === "first" ? (column[0] ?? 0) : value)
    }
  }
const each =
  (channel: Channel, change: (value: number, i: number, column: Float64Array) => number): Spoiling =>
  ({ points }) => {
    const column = points.column(channel)
    for (let i = 0; i < column.length; i++) column[i] = change(column[i]!, i, column)
  }
/** All times from a point on are so much later; the lap ends with the last. */
const gap =
  (seconds: number): Spoiling =>
  ({ lap, points }) => {
    const t = points.timestamps
    for (let i = t.length >> 1; i < t.length; i++) t[i] = t[i]! + seconds
    return { points, lap: { ...lap, endTime: lap.endTime + seconds } }
  }
const untimed = { lapTime: null, sector1Time: null, sector2Time: null, sector3Time: null }

const spoilings: Readonly<Record<string, Spoiling>> = {
  "no points": first(0),
  "1 point": first(1),
  "2 points": first(2),
  "10 points": first(10),
  "half its points": ({ lap, points }) => ({ lap, points: points.slice(points.length >> 1, points.length) }),
  "positions of zero": filled(0, "position_x", "position_y", "position_z"),
  "channels of zero": filled(0, ...channels.slice(1)),
  "no speed": filled(0, "speed"),
  "a car that stands": ({ points }, index) => {
    filled("first", "position_x", "position_y", "position_z")({ points } as LapData, index)
    filled(0, "speed")({ points } as LapData, index)
  },
  "a gap of a day": gap(86_400),
  "a gap of two seconds": gap(2),
  "an end long after its points": ({ lap, points }) => ({
    points,
    lap: { ...lap, endTime: lap.endTime + 1e6 }
  }),
  "another circuit": ({ lap }) => ({
    lap,
    points: new RowBatch(elsewhere.points.length, elsewhere.points.data.slice(), channels)
  }),
  "a place 100 km off": each("position_x", (x) => x + 1e5),
  "every point twice": ({ lap, points }) => ({
    lap,
    points: points.pick(Array.from({ length: 2 * points.length }, (_, i) => i >> 1))
  }),
  "timestamps twice": each("timestamp", (t, i, all) => (i % 3 === 1 ? all[i - 1]! : t)),
  "positions twice": ({ points }, index) => {
    for (const axis of ["position_x", "position_y"] as const)
      each(axis, (x, i, all) => (i % 2 === 1 ? all[i - 1]! : x))({ points } as LapData, index)
  },
  "the other way round": ({ points }) => {
    points.column("position_x").reverse()
    points.column("position_y").reverse()
  },
  "negative speeds": each("speed", (v) => -v),
  "no time": timed(untimed),
  "no sectors": timed({ ...untimed, lapTime: 90 }),
  "a time of a nanosecond": timed({ lapTime: 1e-9, sector1Time: 1e-10 }),
  "a time of ages": timed({ lapTime: 1.5e308, sector1Time: 1.5e308, sector2Time: 1.5e308 }),
  "the number of another": timed({ lapNumber: 3 }),
  "no validity": timed({ valid: false }),
  "a glitch of 10 km": each("position_y", (y, i) => (i === 400 ? y + 1e4 : y)),
  "a jump of 10,000 km": each("position_x", (x, i) => (i > 400 && i < 420 ? x - 1e7 : x)),
  "a speed of a billion": each("speed", (v, i) => (i > 300 && i < 330 ? 1e9 : v)),
  "gears without end": each("gear", (g, i) => (i > 100 && i < 400 ? 2 ** 31 - 1 : g)),
  "numbers near the largest": each("position_y", (y, i) => (i === 300 ? 1e300 : y))
}

const spoilt = (data: LapData, index: number, names: ReadonlyArray<string>): LapData =>
  names.reduce((lap, name) => spoilings[name]!(lap, index) ?? lap, copyOf(data))

/** Places where a result has a value that JSON cannot represent. Positions that a feed sends as 0 count as absent. */
const wrongIn = (result: unknown) =>
  unspeakable(result).filter((found) => !/\.(x|y|positionX|positionY)\.\d+: NaN$/.test(found))

/** Some faults for some laps of the session. */
const wreck = fc.tuple(
  ...session.map(() => fc.array(fc.constantFrom(...Object.keys(spoilings)), { maxLength: 2 }))
)

describe("every analysis gives results that JSON can represent, whatever the session", () => {
  // Guards against an answer of 500, or null where the contract has a number, for one odd session.
  it.each(Object.keys(spoilings))("for all laps with %s, or only one", (name) => {
    const all = session.map((lap, index) => spoilt(lap, index, [name]))
    expect(wrongIn(allAnalyses(all))).toEqual([])
    for (const only of [0, 2]) {
      const one = session.map((lap, index) => (index === only ? all[index]! : lap))
      expect(wrongIn(allAnalyses(one))).toEqual([])
    }
  })

  // The same for combined faults.
  it("for laps with any of these at once", () => {
    fc.assert(
      fc.property(wreck, (names) => {
        expect(wrongIn(allAnalyses(session.map((lap, index) => spoilt(lap, index, names[index]!))))).toEqual(
          []
        )
      }),
      { numRuns: runs(12) }
    )
  })

  // Guards the smallest sessions: none or one lap.
  it("for no laps, and for one", () => {
    expect(wrongIn(allAnalyses([]))).toEqual([])
    for (const lap of session) expect(wrongIn(allAnalyses([lap]))).toEqual([])
  })
})

describe("degenerate lines", () => {
  // Guards findCorners against lines without length, without end or of a single place.
  it("have no corners, or corners with finite numbers", () => {
    const row = Array.from({ length: 20 }, (_, i) => i)
    const still = row.map(() => 7)
    for (const length of [0, 19, 1e12]) {
      expect(unspeakable(findCorners(row, still, row, length))).toEqual([])
      expect(findCorners(still, still, row, length)).toEqual([])
      expect(findCorners(still, still, still, length)).toEqual([])
    }
    expect(findCorners([], [], [], 0)).toEqual([])
  })
})
