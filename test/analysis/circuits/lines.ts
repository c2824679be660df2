/** Lines with corners, for tests that identify circuits: made from a known circuit's corners, or measured. */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { gunzipSync } from "node:zlib"
import { align, type LapData } from "../../../src/analysis/place/alignment.ts"
import type { KnownCircuit } from "../../../src/analysis/circuits/known/KnownCircuit.ts"
import { knownCircuits } from "../../../src/analysis/circuits/knownCircuits.ts"
import type { CornerLine } from "../../../src/analysis/circuits/matchCircuit.ts"
import { type PositionCorner, findCorners } from "../../../src/analysis/corners/corners.ts"
import { sharedFolder } from "../../support/sharedData.ts"

export const circuitNamed = (part: string): KnownCircuit =>
  knownCircuits.find(({ name }) => name.includes(part))!

/** A corner of 60 m and 60 degrees. */
export const corner = (
  apex: number,
  direction: PositionCorner["direction"],
  length: number
): PositionCorner => ({
  number: 0,
  direction,
  entry: (apex - 30 + length) % length,
  apex,
  exit: (apex + 30) % length,
  angle: Math.PI / 3,
  radius: 60,
  foundBy: "positions"
})

/** Corners in the order of their apexes, with numbers in that order. */
export const lineOf = (length: number, corners: ReadonlyArray<PositionCorner>): CornerLine => ({
  length,
  corners: corners.toSorted((a, b) => a.apex - b.apex).map((one, index) => ({ ...one, number: index + 1 }))
})

/** A circuit's corners, each found by itself, on a line of another length that begins elsewhere. */
export const drivenLine = (circuit: KnownCircuit, scale = 1, shift = 0): CornerLine => {
  const length = circuit.length * scale
  return lineOf(
    length,
    circuit.corners.map(({ direction, distance }) =>
      corner((((distance * scale + shift) % length) + length) % length, direction, length)
    )
  )
}

const turned = ({ direction }: PositionCorner): PositionCorner["direction"] =>
  direction === "left" ? "right" : "left"

export const mirrored = ({ corners, length }: CornerLine): CornerLine =>
  lineOf(
    length,
    corners.map((one) => ({ ...one, direction: turned(one) }))
  )

export const backwards = ({ corners, length }: CornerLine): CornerLine =>
  lineOf(
    length,
    corners.map((one) => ({
      ...one,
      direction: turned(one),
      entry: length - one.exit,
      apex: length - one.apex,
      exit: length - one.entry
    }))
  )

/** The line of the best of these laps. */
export const lineDriven = (laps: ReadonlyArray<LapData>): CornerLine => {
  const { grid, reference } = align(laps)!
  return {
    length: grid.length,
    corners: findCorners(reference.x, reference.y, grid.distance, grid.length)
  }
}

/** The middle of a real circuit's road. */
export const centreLine = (name: string): CornerLine => {
  const [, ...rows] = readFileSync(join(sharedFolder("data/tracks"), `${name}_centerline.csv`), "utf8")
    .trim()
    .split("\n")
  return closed(rows.map((row) => row.split(",").map(Number)).map(([x, y]) => ({ x: x!, y: y! })))
}

interface Place {
  readonly x: number
  readonly y: number
}

const apart = (a: Place, b: Place) => Math.hypot(a.x - b.x, a.y - b.y)

const closed = (places: ReadonlyArray<Place>): CornerLine => {
  const distance = [0]
  for (let i = 1; i < places.length; i++) distance.push(distance[i - 1]! + apart(places[i - 1]!, places[i]!))
  const length = distance.at(-1)! + apart(places.at(-1)!, places[0]!)
  const x = places.map((place) => place.x)
  const y = places.map((place) => place.y)
  return { length, corners: findCorners(x, y, distance, length) }
}

/** Half of the distance that a car drives between two packets at full speed, m. */
const THINNED_M = 3

/** A lap of a circuit from a game's packets: from the first place back to the car's nearest place to it. */
export const captured = (name: string, place: (packet: Buffer) => Place | undefined): CornerLine => {
  const path: Array<Place> = []
  const text = gunzipSync(readFileSync(join(sharedFolder("data/captures"), `${name}.ndjson.gz`))).toString()
  for (const row of text.trim().split("\n")) {
    const at = place(Buffer.from((JSON.parse(row) as { readonly hex: string }).hex, "hex"))
    if (at !== undefined && (path.length === 0 || apart(at, path.at(-1)!) >= THINNED_M)) path.push(at)
  }
  const half = path.length >> 1
  let nearest = half
  for (let i = half; i < path.length; i++) {
    if (apart(path[i]!, path[0]!) < apart(path[nearest]!, path[0]!)) nearest = i
  }
  return closed(path.slice(0, nearest))
}
