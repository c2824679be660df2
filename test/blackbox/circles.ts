/** A drive without a simulator's physics, for tests that need many laps or few, and no recording of a real one. */
import { writeFileSync } from "node:fs"

const LAP_S = 40
const RADIUS_M = 300

/** Fuel used in each lap, l. */
const FUEL_PER_LAP = 2

/** The highest temperature of every tyre in a lap, °C: reached in mid-lap, and one degree more in each lap. */
export const hottest = (lap: number): number => 80 + lap

const wheels = ["fl", "fr", "rl", "rr"] as const
const eachWheel = (name: string, value: number) =>
  Object.fromEntries(wheels.map((wheel) => [`${name}_${wheel}`, value]))

const groups = [
  { name: "motion", channels: [{ name: "g_lateral" }, { name: "g_longitudinal" }] },
  { name: "fuel", channels: [{ name: "fuel" }] },
  { name: "tyres", channels: wheels.map((wheel) => ({ name: `tyre_temperature_${wheel}` })) }
]

/**
 * Writes a feed's recording: laps of a circle at 5 Hz, every tenth of them slower. Returns its number of points. `withGroups`: it
 * sends forces, fuel and tyres, too, at 5 Hz.
 */
export const writeCircles = (
  path: string,
  laps: number,
  withGroups = false,
  names = { circuit: "Circle", vehicle: "Kart", driver: "Many Laps" }
): number => {
  const lines: Array<string> = [
    JSON.stringify({
      type: "session",
      ...names,
      start_time: 1_700_000_000,
      ...(withGroups ? { groups } : {})
    })
  ]
  let start = 0
  for (let lap = 1; lap <= laps; lap++) {
    const time = LAP_S + Math.sin(lap) / 4 + (lap % 10 === 0 ? 1 : 0)
    const points = Array.from({ length: Math.floor(time * 5) }, (_, k) => {
      const angle = (2 * Math.PI * k) / (time * 5)
      return {
        timestamp: start + k / 5,
        speed: ((2 * Math.PI * RADIUS_M) / time) * 3.6,
        rpm: 6000,
        gear: 3,
        throttle: 0.5,
        position_x: RADIUS_M * Math.cos(angle),
        position_y: RADIUS_M * Math.sin(angle)
      }
    })
    const lapMessage = {
      type: "lap",
      lap_number: lap,
      lap_time: time,
      start_time: start,
      end_time: start + time
    }
    lines.push(JSON.stringify({ type: "points", points }))
    if (withGroups) {
      const sampled = (group: string, values: (share: number) => object) =>
        JSON.stringify({
          type: "points",
          group,
          points: points.map(({ timestamp }) => ({ timestamp, ...values((timestamp - start) / time) }))
        })
      lines.push(sampled("motion", () => ({ g_lateral: -1, g_longitudinal: 0 })))
      lines.push(sampled("fuel", (share) => ({ fuel: 100 - FUEL_PER_LAP * (lap - 1 + share) })))
      const warmth = (share: number) => hottest(lap) - 40 * Math.abs(share - 0.5)
      lines.push(sampled("tyres", (share) => eachWheel("tyre_temperature", warmth(share))))
    }
    lines.push(JSON.stringify({ ...lapMessage, valid: true }))
    start += time
  }
  lines.push(JSON.stringify({ type: "session_end" }))
  writeFileSync(path, lines.join("\n"))
  return lines
    .filter((line) => line.startsWith('{"type":"points","points"'))
    .reduce((sum, line) => sum + (JSON.parse(line) as { points: ReadonlyArray<unknown> }).points.length, 0)
}
