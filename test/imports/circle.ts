/** A drive for files that tests make. */
import type { readLines } from "./readLines.ts"

export const RADIUS_M = 100
export const DEGREES_PER_METRE = 180 / Math.PI / 6_371_000

/** A car that turns left on a circle at 45 N 9 E, whose speed rises and falls: ten rows a second. */
export const rows = (() => {
  const all: Array<{
    readonly t: number
    readonly lat: number
    readonly lon: number
    readonly v: number
    readonly heading: number
    readonly g: number
  }> = []
  let driven = 0
  for (let i = 0; i < 600; i++) {
    const angle = driven / RADIUS_M
    const v = 25 + 8 * Math.sin(2 * angle)
    all.push({
      t: i / 10,
      lat: 45 - RADIUS_M * Math.cos(angle) * DEGREES_PER_METRE,
      lon: 9 + (RADIUS_M * Math.sin(angle) * DEGREES_PER_METRE) / Math.cos(Math.PI / 4),
      v,
      heading: (450 - (angle * 180) / Math.PI) % 360,
      g: -(v * v) / RADIUS_M / 9.80665
    })
    driven += v / 10
  }
  return all.map((row) => ({ ...row, heading: (row.heading + 3600) % 360 }))
})()
/** On the same circle the car comes by its first place after these times, s. */
export const CROSSINGS = [26.527, 53.055]

export const lapTimes = ({ sessions }: Awaited<ReturnType<typeof readLines>>) =>
  sessions[0]!.laps.map(({ lapTime }) => lapTime)
