/** Reads the real data next to the checkout for docs' scripts: recorded sessions, and circuits' centre lines. */
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import type { LapData } from "../../src/analysis/place/alignment.ts"
import { comparableLaps } from "../../src/analysis/compare/comparable.ts"
import type { RecordedLap } from "../../src/domain/Lap.ts"
import { lapsIn, recordedLaps } from "../../test/analysis/lapData.ts"
import { sharedFolder } from "../../test/support/sharedData.ts"

const sharedData = sharedFolder("data")

/** Ends the program with a sentence if there is no real data. */
export const needSharedData = (): void => {
  if (existsSync(sharedData)) return
  console.error(
    `${sharedData} is not here. The recordings lie beside the checkout and are never copied into it; ` +
      "without them nothing can be drawn or measured."
  )
  process.exit(1)
}

const read = new Map<string, ReadonlyArray<LapData>>()

const session = (name: string) => (): ReadonlyArray<LapData> => {
  const laps = read.get(name) ?? recordedLaps(name)
  read.set(name, laps)
  return laps
}

export const bahrain = session("f1-bahrain-2026-ant")
export const roadAmerica = session("ams2-road-america")
export const limeRock = session("ac-lime-rock")

/** The laps of a case of analysis that went wrong. */
export const caseLaps = (name: string): ReadonlyArray<LapData> =>
  lapsIn(join(sharedData, "cases", "analysis", `${name}.ndjson.gz`))

export const recordsOf = (laps: ReadonlyArray<LapData>): ReadonlyArray<RecordedLap> =>
  laps.map(({ lap }) => lap)

/** Valid laps within 107 % of the best. */
export const atPace = (laps: ReadonlyArray<LapData>): ReadonlyArray<LapData> => {
  const pace = new Set(comparableLaps(recordsOf(laps)).map(({ id }) => id))
  return laps.filter(({ lap }) => pace.has(lap.id))
}

/** The laps whose lines and pieces the service compares: MAX_ANALYSED in archive/AnalysisService.ts. */
export const studied = (laps: ReadonlyArray<LapData>): ReadonlyArray<LapData> =>
  atPace(laps)
    .toSorted((a, b) => a.lap.lapTime! - b.lap.lapTime!)
    .slice(0, 20)

export const lapNumbered = (laps: ReadonlyArray<LapData>, number: number): LapData =>
  laps.find(({ lap }) => lap.lapNumber === number)!

/** The same lap without positions. */
export const withoutPositions = ({ lap, points }: LapData): LapData => {
  const copy = points.pick(Array.from(points.timestamps.keys()))
  copy.column("position_x").fill(0)
  copy.column("position_y").fill(0)
  return { lap, points: copy }
}

export interface Track {
  readonly x: ReadonlyArray<number>
  readonly y: ReadonlyArray<number>
  /** m from the first point; the line is closed. */
  readonly distance: ReadonlyArray<number>
  readonly length: number
}

/** A circuit's centre line: `Spa`, `Suzuka`, ... */
export const readTrack = (name: string): Track => {
  const rows = readFileSync(join(sharedData, "tracks", `${name}_centerline.csv`), "utf8")
    .trim()
    .split("\n")
    .slice(1)
    .map((row) => row.split(",").map(Number))
  const x = rows.map((row) => row[0]!)
  const y = rows.map((row) => row[1]!)
  const way = (i: number, j: number) => Math.hypot(x[j]! - x[i]!, y[j]! - y[i]!)
  const distance = [0]
  for (let i = 1; i < x.length; i++) distance.push(distance[i - 1]! + way(i - 1, i))
  return { x, y, distance, length: distance.at(-1)! + way(x.length - 1, 0) }
}
