/**
 * What it costs to compare five laps of some 6,000 points: `npx tsx bench/analysisCompare.ts`. Target: 50 ms
 * of CPU.
 */
import type { LapData } from "../src/analysis/alignment.ts"
import { compare } from "../src/analysis/comparison.ts"
import { circuitNamed } from "../src/simulate/model/Circuit.ts"
import { Drive } from "../src/simulate/model/Drive.ts"
import { vehicles } from "../src/simulate/model/vehicles.ts"

const LAPS = [2, 3, 4, 5, 6]
const POINTS = 6000
const ROUNDS = 30

const drive = new Drive({ circuit: circuitNamed("Hollin Moor")!, vehicle: vehicles[0]!, seed: 1 })
const laps = LAPS.map((lapNumber): LapData => {
  const { end, lapTime, start, valid } = drive.lap(lapNumber)
  return {
    lap: {
      id: lapNumber,
      session_id: 1,
      lap_number: lapNumber,
      lap_time: lapTime,
      sector1_time: null,
      sector2_time: null,
      sector3_time: null,
      valid,
      start_time: start,
      end_time: end
    },
    points: drive.between(start, end, POINTS / lapTime).batch
  }
})

const took = Array.from({ length: ROUNDS }, () => {
  const before = process.cpuUsage()
  compare(laps)
  const { system, user } = process.cpuUsage(before)
  return (user + system) / 1000
})
const cold = took[0]!
const warm = took.slice(5).sort((a, b) => a - b)
console.log(`compare ${LAPS.length} laps of ${laps[0]!.points.length} points on a grid of 1 m`)
console.log(
  `  CPU ms: first call ${cold.toFixed(1)}, then median ${warm[warm.length >> 1]!.toFixed(1)}, worst ${warm.at(-1)!.toFixed(1)}`
)
