/** The same laps in other coordinates: each function returns a copy of the lap. */
import type { LapData } from "../../src/analysis/place/alignment.ts"
import { copyOf } from "./sessions.ts"

/** The lap, driven so many seconds later. */
export const later = (original: LapData, seconds: number): LapData => {
  const { lap, points } = copyOf(original)
  const t = points.timestamps
  for (let i = 0; i < t.length; i++) t[i] = t[i]! + seconds
  return {
    points,
    lap: { ...lap, startTime: lap.startTime + seconds, endTime: lap.endTime + seconds }
  }
}

/** The lap on a map with another north (rad) and origin (m). */
export const turned = (original: LapData, angle: number, east: number, north: number): LapData => {
  const { lap, points } = copyOf(original)
  const x = points.column("position_x")
  const y = points.column("position_y")
  const [c, s] = [Math.cos(angle), Math.sin(angle)]
  for (let i = 0; i < points.length; i++) {
    const [px, py] = [x[i]!, y[i]!]
    x[i] = c * px - s * py + east
    y[i] = s * px + c * py + north
  }
  return { lap, points }
}

/** The lap by a clock that runs `k` times as fast: times grow, speeds shrink, the way stays. */
export const stretched = (original: LapData, k: number): LapData => {
  const { lap, points } = copyOf(original)
  const t = points.timestamps
  const speed = points.column("speed")
  for (let i = 0; i < points.length; i++) {
    t[i] = lap.startTime + k * (t[i]! - lap.startTime)
    speed[i] = speed[i]! / k
  }
  const times = (time: number | null) => (time === null ? null : k * time)
  return {
    points,
    lap: {
      ...lap,
      lapTime: times(lap.lapTime),
      sector1Time: times(lap.sector1Time),
      sector2Time: times(lap.sector2Time),
      sector3Time: times(lap.sector3Time),
      endTime: lap.startTime + k * (lap.endTime - lap.startTime)
    }
  }
}
