/**
 * Whether bytes are a packet of NGP. It has no mark and no version: its length and the plausibility of its values decide
 * (richard-burns-rally.md, section 1).
 */
import { CORNERS, packet } from "./layout.ts"

const { read } = packet

const GEARS = 7
const FULL_LOCK = 1.1
/** Pa; K, with 0 for values that are not set yet. */
const MAX_PRESSURE = 600_000
const MIN_KELVIN = 200
const MAX_KELVIN = 1500

const needed = ["raceTime", "distanceToEnd", "speed", "positionX", "positionY", "positionZ", "rpm"] as const

/** Why the bytes cannot be read; undefined for a packet. */
export const problemWith = (bytes: Buffer): string | undefined => {
  if (bytes.length !== packet.size) return `a packet has ${packet.size} bytes, not ${bytes.length}`
  const broken = needed.find((name) => !Number.isFinite(read[name](bytes)))
  return broken === undefined ? undefined : `${broken} is no number`
}

const isTemperature = (kelvin: number): boolean =>
  kelvin === 0 || (kelvin >= MIN_KELVIN && kelvin <= MAX_KELVIN)

export const isPlausible = (bytes: Buffer): boolean => {
  if (problemWith(bytes) !== undefined) return false
  const gear = read.gear(bytes)
  if (gear < 0 || gear > GEARS || !(Math.abs(read.steering(bytes)) <= FULL_LOCK)) return false
  return CORNERS.every((corner) => {
    const pressure = read[`tirePressure${corner}`](bytes)
    return (
      pressure >= 0 &&
      pressure <= MAX_PRESSURE &&
      isTemperature(read[`brakeDiskTemperature${corner}`](bytes)) &&
      isTemperature(read[`tireCarcassTemperature${corner}`](bytes))
    )
  })
}
