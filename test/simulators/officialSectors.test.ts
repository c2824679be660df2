/**
 * Compares sectors at fixed places with the official ones, for 41 laps of a real Formula 1 car at Bahrain. One more lap shows
 * where the two official lines are; in the others the car must pass these places at the official times.
 */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { gunzipSync } from "node:zlib"
import { describe, expect, it } from "vitest"
import { LapMarks } from "../../src/simulators/timekeeping/LapMarks.ts"
import { needing } from "../support/needing.ts"
import { recordingsHere, sharedFolder } from "../support/sharedData.ts"

const NAME = "f1-bahrain-2026-ant"
/** The lap that shows where the lines are. */
const REFERENCE = 15
/** Positions of the reference closer together than this are one, m: they step back where the car hardly moves. */
const SPACING_M = 3
/** A car is searched on this many pieces of the reference behind its last place, and on this many ahead of it. */
const [BEHIND, AHEAD] = [5, 40]

interface Point {
  readonly timestamp: number
  readonly position_x: number
  readonly position_y: number
}
interface Official {
  readonly lap_number: number
  readonly start_t: number
  readonly end_t: number
  readonly lap_time: number | null
  readonly sector1_time: number | null
  readonly sector2_time: number | null
  readonly sector3_time: number | null
}
type Timed = { readonly [K in keyof Official]: number }

const file = (name: string) => readFileSync(join(sharedFolder("data/recordings"), name))

const readRecording = () => {
  const { laps } = JSON.parse(file(`${NAME}.official.json`).toString()) as { laps: ReadonlyArray<Official> }
  const points = gunzipSync(file(`${NAME}.ndjson.gz`))
    .toString()
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as { readonly type: string; readonly points: ReadonlyArray<Point> })
    .flatMap((message) => (message.type === "points" ? message.points : []))
  const of = ({ end_t, start_t }: Official) =>
    points.filter(({ timestamp }) => timestamp >= start_t && timestamp <= end_t)
  return { laps: laps.filter((lap): lap is Timed => !Object.values(lap).includes(null)), of }
}

/** Gives the place, 0..1, of each point of a lap, along the path of the reference. */
const placing = (reference: ReadonlyArray<Point>) => {
  const way = reference.slice(0, 1)
  for (const point of reference) if (between(way.at(-1)!, point) > SPACING_M) way.push(point)
  way.push(way[0]!)
  const along = [0]
  for (let i = 1; i < way.length; i++) along.push(along[i - 1]! + between(way[i - 1]!, way[i]!))
  const pieces = way.length - 1
  return (points: ReadonlyArray<Point>): ReadonlyArray<number> => {
    let near = Number.NaN
    return points.map(({ position_x, position_y }) => {
      let [least, place] = [Infinity, 0]
      const [from, to] = Number.isNaN(near) ? [0, pieces] : [near - BEHIND, near + AHEAD]
      for (let n = from; n < to; n++) {
        const i = (n + pieces) % pieces
        const [a, b] = [way[i]!, way[i + 1]!]
        const [dx, dy] = [b.position_x - a.position_x, b.position_y - a.position_y]
        const share =
          ((position_x - a.position_x) * dx + (position_y - a.position_y) * dy) / (dx * dx + dy * dy)
        const s = Math.min(1, Math.max(0, share))
        const off = Math.hypot(position_x - a.position_x - s * dx, position_y - a.position_y - s * dy)
        if (off >= least) continue
        least = off
        near = i
        place = (along[i]! + s * Math.hypot(dx, dy)) / along[pieces]!
      }
      return place
    })
  }
}

const between = (a: Point, b: Point) => Math.hypot(b.position_x - a.position_x, b.position_y - a.position_y)

const median = (values: ReadonlyArray<number>) => values.toSorted((a, b) => a - b)[values.length >> 1]!

describe("sectors at fixed places", needing(recordingsHere), () => {
  it("match the timekeepers' to the precision of the positions", () => {
    const { laps, of } = readRecording()
    const reference = laps.find(({ lap_number }) => lap_number === REFERENCE)!
    const placesOf = placing(of(reference))
    const driven = laps.map((lap) => ({ lap, points: of(lap), places: placesOf(of(lap)) }))
    const known = driven.find(({ lap }) => lap === reference)!
    const placeAt = (time: number) => {
      const next = known.points.findIndex(({ timestamp }) => timestamp >= time)
      const [t0, t1] = [known.points[next - 1]!.timestamp, known.points[next]!.timestamp]
      const [p0, p1] = [known.places[next - 1]!, known.places[next]!]
      return p0 + ((time - t0) / (t1 - t0)) * (p1 - p0)
    }
    const { sector1_time, sector2_time, start_t } = reference
    const lines = [placeAt(start_t + sector1_time), placeAt(start_t + sector1_time + sector2_time)] as const
    /** The sectors of a lap by places that are shifted so that the timekeepers' line is one of ours. */
    const sectorsOf = ({ lap, places, points }: (typeof driven)[number], turn: number) => {
      const marks = new LapMarks()
      points.forEach(({ timestamp }, i) =>
        marks.read(timestamp - lap.start_t, (places[i]! + turn + 1) % 1, false)
      )
      return marks.sectors
    }
    const others = driven.filter(({ lap }) => lap !== reference)
    const errors = lines.map((line, s) =>
      others.flatMap((one) => {
        const sectors = sectorsOf(one, (s + 1) / 3 - line)
        if (sectors === null || sectors === undefined) return []
        const { sector1_time: first, sector2_time: second } = one.lap
        return [s === 0 ? sectors[0] - first : sectors[0] + sectors[1] - first - second]
      })
    )
    expect(others).toHaveLength(41)
    for (const of of errors) {
      expect(of.length).toBeGreaterThan(35)
      // Positions come 4 times a second, and between them from the speed. The median errors are 0.04 to 0.07 s.
      expect(median(of.map(Math.abs))).toBeLessThan(0.07)
      expect(Math.max(...of.map(Math.abs))).toBeLessThan(0.3)
    }
  })
})
