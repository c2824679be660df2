/**
 * What it costs to compare five laps of some 6,000 points: `npx tsx bench/analysisCompare.ts`. Target: 50 ms
 * of CPU.
 */
import { compare } from "../src/analysis/comparison.ts"
import { drivenLaps } from "./analysisLaps.ts"

const LAPS = [2, 3, 4, 5, 6]
const POINTS = 6000
const ROUNDS = 30

const laps = drivenLaps(LAPS, (lapTime) => POINTS / lapTime)

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
