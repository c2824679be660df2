/** Checks that each lap that was recorded as valid was driven as it was recorded. */
import type { RecordedLap } from "../../../src/domain/Lap.ts"
import type { DrivenLap } from "../../../simulator/model/lap.ts"
import type { Kind } from "../drivers/suite/kind.ts"
import type { Ridden } from "./ride.ts"

/** The last sector is a difference of rounded times, s. */
const ROUNDED_S = 0.0031

const sectorsOf = ({ sector1Time, sector2Time, sector3Time }: RecordedLap) => [
  sector1Time,
  sector2Time,
  sector3Time
]

const closestTo = (lapTime: number, driven: ReadonlyArray<DrivenLap>): DrivenLap | undefined =>
  driven.reduce<DrivenLap | undefined>((best, one) => {
    const isCloser = Math.abs(one.lapTime - lapTime) < Math.abs((best?.lapTime ?? Infinity) - lapTime)
    return isCloser ? one : best
  }, undefined)

/** The faults of the recorded valid laps, a line for each. */
export const faultsOf = (kind: Kind, { driven, recorded }: Ridden): ReadonlyArray<string> => {
  const { clockless, counts, precise, sectors } = kind
  const taken = new Set<DrivenLap>()
  return recorded.flatMap((lap) => {
    const { lapNumber, lapTime, sessionId, valid } = lap
    if (!valid || lapTime === null) return []
    const name = `lap ${lapNumber} of session ${sessionId}, ${lapTime.toFixed(4)} s,`
    const one = closestTo(lapTime, driven.flat())
    const off = lapTime - (one?.lapTime ?? 0)
    if (one === undefined || Math.abs(off) > precise) {
      return [`${name} was never driven: it is off by ${off.toFixed(4)} s`]
    }
    // By arrivals alone, two laps may have the same time.
    if (taken.has(one) && !clockless) return [`${name} is recorded twice`]
    taken.add(one)
    if (counts && lapNumber !== one.lapNumber) return [`${name} was driven as lap ${one.lapNumber}`]
    const reported = sectorsOf(lap)
    const sum = reported.reduce<number>((all, sector) => all + (sector ?? Number.NaN), 0)
    const isSo = reported.every(
      (time, n) => time === null || !sectors || Math.abs(time - one.sectors[n]!) <= ROUNDED_S
    )
    return isSo && !(Math.abs(sum - lapTime) > ROUNDED_S)
      ? []
      : [`${name} has sectors that were not driven so: ${reported.join(", ")}`]
  })
}
