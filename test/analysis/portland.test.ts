import { beforeAll, describe, expect, it } from "vitest"
import { align, type Alignment, type LapData } from "../../src/analysis/place/alignment.ts"
import { compare } from "../../src/analysis/compare/comparison.ts"
import { crossing } from "../../src/recording/laps/lineCrossing.ts"
import { portlandLaps, portlandOfficial } from "./portland.ts"
import { needing } from "../support/needing.ts"
import { recordingsHere } from "../support/sharedData.ts"

/** Gates extend this far to each side, m; no other part of the track is as near where they are crossed forwards. */
const HALF_M = 20

/** When a lap crosses the gate through a node of the reference's line, at right angles, s; by two points and no more. */
const crossed = ({ lap, points }: LapData, { reference }: Alignment, node: number, near: number) => {
  const [x, y] = [reference.x[node]!, reference.y[node]!]
  const [dx, dy] = [
    reference.x[node + 3]! - reference.x[node - 3]!,
    reference.y[node + 3]! - reference.y[node - 3]!
  ]
  const [a, b] = [(HALF_M * dx) / Math.hypot(dx, dy), (HALF_M * dy) / Math.hypot(dx, dy)]
  const gate = { x1: x - b, y1: y + a, x2: x + b, y2: y - a }
  const t = points.timestamps
  const [px, py] = [points.column("position_x"), points.column("position_y")]
  return Array.from(t.keys()).flatMap((i) => {
    if (i === 0 || Math.abs(t[i]! - lap.startTime - near) > 2) return []
    const found = crossing(gate, px[i - 1]!, py[i - 1]!, px[i]!, py[i]!)
    return found === undefined ? [] : [t[i - 1]! + found.fraction * (t[i]! - t[i - 1]!) - lap.startTime]
  })
}

describe("a real race car at Portland, by GPS at 10 Hz", needing(recordingsHere), () => {
  let laps: ReadonlyArray<LapData> = []
  let alignment: Alignment
  beforeAll(() => {
    laps = portlandLaps().filter(({ lap }) => lap.valid)
    alignment = align(laps)!
  })

  // Guards the alignment of laps that are cut by their positions alone: all are whole, on one line of the known length.
  it("has 14 laps on a line of 3131 m, all trusted", () => {
    expect(laps.map(({ lap }) => lap.lapNumber)).toEqual([...portlandOfficial().keys()])
    expect(alignment).toMatchObject({ method: "positions", ends: "clock" })
    expect(Math.abs(alignment.grid.length - 3131)).toBeLessThan(1)
    expect(alignment.laps.map(({ unsound }) => unsound)).toEqual(laps.map(() => []))
  })

  // Guards the delta at the line: another project timed the same GPS at its own gate, to 1.5 ms of ours a lap.
  it("has the reference's differences of lap times at the line, for each pair of laps, to 3 ms", () => {
    const official = portlandOfficial()
    for (const one of alignment.laps) {
      for (const other of alignment.laps) {
        const delta = one.time.at(-1)! - other.time.at(-1)!
        const theirs = official.get(one.lap.lapNumber)! - official.get(other.lap.lapNumber)!
        expect(Math.abs(delta - theirs)).toBeLessThan(0.003)
      }
    }
  })

  // Guards against a cost all along the 348 m of a bend with two slow places, and against minima of different ones.
  it.each([
    [9, / carries 16 km\/h less minimum speed at 740 m \(90 against 106 km\/h\) and loses /],
    [10, /: Lap 10 loses 0\.\d+ s\.$/]
  ])("compares the slowest speeds of one place of a bend: lap %d", (number, sentence) => {
    const pair = [6, number].map((one) => laps.find(({ lap }) => lap.lapNumber === one)!)
    const { losses } = compare(pair)
    expect(losses.find(({ cornerLabel }) => cornerLabel === "4-5")!.sentence).toMatch(sentence)
  })

  // Guards the ends: the projection crosses the line where the start line was crossed.
  it("crosses the line within 1.5 ms of the recorder's crossing, in the median 0.1 ms", () => {
    const off = alignment.laps.flatMap(({ line }) => line.map(Math.abs)).toSorted((a, b) => a - b)
    expect(off.at(-1)).toBeLessThan(0.0015)
    expect(off[off.length >> 1]).toBeLessThan(0.0001)
  })

  // Guards every place between: gates that no part of the analysis knows, each crossed between two raw points.
  it("passes gates all around the track when its raw points do, to 1 ms, in the median 0.05 ms", () => {
    const { grid, laps: placed } = alignment
    const off: Array<number> = []
    for (let node = 100; node < grid.distance.length - 50; node += 50) {
      placed.forEach(({ time }, l) => {
        const when = crossed(laps[l]!, alignment, node, time[node]!)
        expect(when).toHaveLength(1)
        off.push(Math.abs(time[node]! - when[0]!))
      })
    }
    off.sort((a, b) => a - b)
    expect(off.length).toBeGreaterThan(800)
    expect(off.at(-1)).toBeLessThan(0.001)
    expect(off[off.length >> 1]).toBeLessThan(0.00005)
  })

  // Guards the sectors that nobody reported: they are cut where the road is, whatever line was driven. By a third of each
  // lap's own way they were up to 0.25 s off.
  it("closes on lap times to a microsecond, and on the lines at which the service cut it to hundredths", () => {
    const { closure } = compare(laps)
    for (const { sector1, sector2, sector3, total, trusted } of closure) {
      expect(Math.abs(total!)).toBeLessThan(1e-6)
      expect(trusted).toBe(true)
      expect([sector1, sector2, sector3]).toEqual([null, null, null])
    }
    const reported = laps.map((lap) => ({ ...lap, lap: { ...lap.lap, sectorSource: "simulator" as const } }))
    for (const { sector1, sector2, sector3 } of compare(reported).closure) {
      for (const off of [sector1, sector2, sector3]) expect(Math.abs(off!)).toBeLessThan(0.05)
    }
  })
})
