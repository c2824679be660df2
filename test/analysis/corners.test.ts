import { readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { align } from "../../src/analysis/place/alignment.ts"
import { findCorners } from "../../src/analysis/corners/corners.ts"
import { circuitNamed, circuitNames } from "../../simulator/model/Circuit.ts"
import { recordedLaps } from "./lapData.ts"
import { needing } from "../support/needing.ts"
import { recordingsHere, sharedFolder, tracksHere } from "../support/sharedData.ts"

const tracks = sharedFolder("data/tracks")

const official = [
  ["Monza", 11],
  ["Spa", 19],
  ["Silverstone", 18],
  ["Suzuka", 18],
  ["Sakhir", 15],
  ["Spielberg", 10]
] as const

const cornersOf = (x: ReadonlyArray<number>, y: ReadonlyArray<number>) => {
  const way = (i: number, j: number) => Math.hypot(x[j]! - x[i]!, y[j]! - y[i]!)
  const distance = [0]
  for (let i = 1; i < x.length; i++) distance.push(distance[i - 1]! + way(i - 1, i))
  return findCorners(x, y, distance, distance.at(-1)! + way(x.length - 1, 0))
}

/**
 * Straights of 400 and 200 m with half circles of 50 m radius between: two corners, from the middle of a
 * straight.
 */
const oval = () => {
  const x: Array<number> = []
  const y: Array<number> = []
  for (let at = 0; at < 2 * 400 + 2 * Math.PI * 50; at += 2) {
    const half = 400 + Math.PI * 50
    const back = (at + 200) % (2 * half) >= half
    const along = (at + 200) % half
    const angle = Math.max(0, (along - 400) / 50)
    const px = Math.min(along, 400) - 200 + 50 * Math.sin(angle)
    const py = -50 * Math.cos(angle)
    x.push(back ? -px : px)
    y.push(back ? -py : py)
  }
  return { x, y }
}

describe("findCorners", () => {
  it("finds the corners of an oval", () => {
    const { x, y } = oval()
    const corners = cornersOf(x, y)
    expect(corners.map(({ direction, number }) => [number, direction])).toEqual([
      [1, "left"],
      [2, "left"]
    ])
    expect(Math.abs(corners[0]!.apex - (200 + Math.PI * 25))).toBeLessThan(3)
    expect(Math.abs(corners[0]!.radius - 50)).toBeLessThan(5)
    expect(Math.abs(corners[0]!.angle - Math.PI)).toBeLessThan(0.1)
    // The other way round: the same corners, to the other side.
    expect(cornersOf(x.toReversed(), y.toReversed()).map(({ direction }) => direction)).toEqual([
      "right",
      "right"
    ])
  })

  it("numbers corners from the line, wherever it is", () => {
    const { x, y } = oval()
    // With the line in the middle of a corner, the corner ends before it begins.
    const cut = 139
    const corners = cornersOf([...x.slice(cut), ...x.slice(0, cut)], [...y.slice(cut), ...y.slice(0, cut)])
    expect(corners).toHaveLength(2)
    expect(corners.filter(({ entry, exit }) => exit < entry)).toHaveLength(1)
    expect(corners.map(({ number }) => number)).toEqual([1, 2])
    expect(corners[0]!.apex).toBeLessThan(corners[1]!.apex)
  })

  it("finds no corner in a line that is too short", () => {
    expect(cornersOf([0, 1], [0, 0])).toEqual([])
  })

  // If half a lap is closed by its chord, only rounding decides to which side the line turns back.
  it("finds no corner where a line turns back on itself, however the map lies", () => {
    const way = Array.from({ length: 251 }, (_, n) => 2 * n)
    for (let angle = 0; angle < 6; angle += 0.5) {
      const x = way.map((metres) => metres * Math.cos(angle))
      const y = way.map((metres) => metres * Math.sin(angle) - 2494)
      expect(findCorners(x, y, way, 1000)).toEqual([])
    }
  })

  it.each(circuitNames)("agrees with the simulator about the corners of %s", (name) => {
    const circuit = circuitNamed(name)!
    const line = {
      x: circuit.x.map((x, n) => x + circuit.normalX[n]! * circuit.racingLine[n]!),
      y: circuit.y.map((y, n) => y + circuit.normalY[n]! * circuit.racingLine[n]!)
    }
    const distance = line.x.map((_, n) => n * circuit.step)
    const found = findCorners(line.x, line.y, distance, circuit.length)
    expect(Math.abs(found.length - circuit.corners.length)).toBeLessThanOrEqual(1)
    // Each of the simulator's corners contains one of these, or is contained in one.
    for (const own of circuit.corners) {
      const apex = own.apex * circuit.step
      expect(found.some(({ entry, exit }) => apex > entry - 15 && apex < exit + 15)).toBe(true)
    }
  })

  it.each(official)("finds the corners of %s to within two of %i", needing(tracksHere), (name, count) => {
    const rows = readFileSync(join(tracks, `${name}_centerline.csv`), "utf8")
      .trim()
      .split("\n")
      .slice(1)
      .map((row) => row.split(",").map(Number))
    const corners = cornersOf(
      rows.map((row) => row[0]!),
      rows.map((row) => row[1]!)
    )
    expect(Math.abs(corners.length - count)).toBeLessThanOrEqual(2)
  })

  it("finds corners in driven lines, with their noise", needing(recordingsHere), () => {
    // Officially 15, 14 and, with the chicane, 8.
    for (const [name, least, most] of [
      ["f1-bahrain-2026-ant", 12, 16],
      ["ams2-road-america", 11, 15],
      ["ac-lime-rock", 6, 9]
    ] as const) {
      const { grid, reference } = align(recordedLaps(name))!
      const corners = findCorners(reference.x, reference.y, grid.distance, grid.length)
      expect(corners.length).toBeGreaterThanOrEqual(least)
      expect(corners.length).toBeLessThanOrEqual(most)
    }
  })
})
