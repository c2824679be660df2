/**
 * The minimal comparison of laps: the distance along each lap, and, on a grid of a metre, time and speed between the
 * two points around each node. No reference line, no corners, no suggestions.
 */
import type { LapData } from "../../src/analysis/place/alignment.ts"

const GRID_M = 1

export const resampleLaps = (laps: ReadonlyArray<LapData>) =>
  laps.map(({ points }) => {
    const [x, y] = [points.column("position_x"), points.column("position_y")]
    const [time, speed] = [points.timestamps, points.column("speed")]
    const along = new Float64Array(points.length)
    for (let i = 1; i < along.length; i++) {
      along[i] = along[i - 1]! + Math.sqrt((x[i]! - x[i - 1]!) ** 2 + (y[i]! - y[i - 1]!) ** 2)
    }
    const length = Math.floor(along.at(-1)! / GRID_M) + 1
    const [times, speeds] = [new Float64Array(length), new Float64Array(length)]
    for (let at = 0, i = 0; at < length; at++) {
      while (i + 2 < along.length && along[i + 1]! < at * GRID_M) i++
      const part = (at * GRID_M - along[i]!) / (along[i + 1]! - along[i]! || 1)
      times[at] = time[i]! + part * (time[i + 1]! - time[i]!)
      speeds[at] = speed[i]! + part * (speed[i + 1]! - speed[i]!)
    }
    return { times, speeds }
  })
